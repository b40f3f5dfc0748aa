/**
 * Files of a set's owner: expectations and acceptances. Kept in this browser by the set's address, and applied again
 * when it is opened again. Sets without an address, or with one that carries a credential, have them until they are
 * closed.
 */
import { attempt } from "../core/basics.ts";
import type { StoreApi } from "zustand/vanilla";
import type { Acceptance } from "../core/check/acceptance.ts";
import { remember, remembered, rememberedObject } from "./browser-storage.ts";
import { type AppState, type NamedText, NOTHING_WRITTEN, type OwnerFiles } from "./state.ts";
import { mayBeKept } from "./recent-sets.ts";

export function ownerActions(store: StoreApi<AppState>) {
  const change = (part: Partial<Pick<OwnerFiles, "expectation" | "accepted">>) => {
    const owner = { ...store.getState().owner, ...part, restored: false };
    store.setState({ owner: { ...owner, kept: keep(store.getState(), owner) } });
  };
  const accepted = () => store.getState().owner.accepted;
  return {
    /** `undefined`: nothing is expected any longer. */
    expect: (expectation: NamedText | undefined) => change({ expectation }),
    /** `instead`: of one that no longer does. */
    setAside: (acceptance: Acceptance, instead?: Acceptance) =>
      change({ accepted: [...accepted().filter((one) => one !== instead), acceptance] }),
    bringBack: (acceptance: Acceptance) => change({ accepted: accepted().filter((one) => one !== acceptance) }),
    /** Adds the acceptances of a file to the present ones. Returns how many are new. */
    acceptAll: (more: readonly Acceptance[]) => {
      const known = new Set(accepted().map((one) => JSON.stringify(one)));
      const added = more.filter((one) => !known.has(JSON.stringify(one)));
      change({ accepted: [...accepted(), ...added] });
      return added.length;
    },
    acceptNothing: () => change({ accepted: [] }),
  };
}

/** Applies the kept files to every set that is opened from now on. */
export function applyOwnerFiles(store: StoreApi<AppState>): void {
  store.subscribe((state, before) => {
    const { set, opened } = state;
    if (set === undefined || opened === before.opened) return;
    store.setState({ owner: NOTHING_WRITTEN });
    const address = addressOf(state);
    const found = address === undefined ? undefined : keptSets().find((one) => one.address === address);
    if (found === undefined) return;
    void restored(found).then((owner) => {
      if (store.getState().opened === opened) store.setState({ owner });
    });
  });
}

async function restored({ expectation, accepted }: KeptFiles): Promise<OwnerFiles> {
  return { expectation, accepted: await understoodAcceptances(accepted), kept: "kept", restored: true };
}

/** Storage is as untrusted as any input: what is there is read as a file of the user's is. */
async function understoodAcceptances(accepted: unknown): Promise<readonly Acceptance[]> {
  if (accepted === undefined) return [];
  const { parseAcceptances } = await import("../core/check/acceptance.ts");
  return attempt(() => parseAcceptances(JSON.stringify({ accepted })), []);
}

interface KeptFiles {
  readonly address: string;
  readonly expectation: NamedText | undefined;
  readonly accepted: unknown;
}

const PLACE = "refscope.owner.1";
/** Sets of which something is kept, and the characters that it takes. */
const MAX_KEPT = 20;
const MAX_CHARACTERS = 1_000_000;

/** For an edited dataset: the id of the original. */
function addressOf({ set, edit }: AppState): string | undefined {
  const { url, choice } = edit?.base ?? set ?? {};
  return url === undefined || !mayBeKept(url) ? undefined : JSON.stringify([url, choice ?? ""]);
}

/** The latest first. */
function keep(state: AppState, { expectation, accepted }: OwnerFiles): OwnerFiles["kept"] {
  const address = addressOf(state);
  const isNothing = expectation === undefined && accepted.length === 0;
  if (address === undefined) return isNothing ? "nothing" : "no-address";
  const others = keptSets().filter((one) => one.address !== address);
  const own = isNothing ? [] : [{ address, expectation, accepted }];
  const sets = withinRoom([...own, ...others]);
  const text = JSON.stringify({ sets });
  remember(PLACE, text);
  if (isNothing) return "nothing";
  return sets[0]?.address === address && remembered(PLACE) === text ? "kept" : "no-room";
}

function withinRoom(sets: readonly KeptFiles[]): readonly KeptFiles[] {
  let room = MAX_CHARACTERS;
  return sets.slice(0, MAX_KEPT).filter((one) => {
    const size = JSON.stringify(one).length;
    if (size > room) return false;
    room -= size;
    return true;
  });
}

function keptSets(): readonly KeptFiles[] {
  const { sets } = rememberedObject(PLACE);
  return Array.isArray(sets) ? sets.flatMap((one) => understood(one) ?? []) : [];
}

function understood(value: unknown): KeptFiles | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { address, expectation, accepted } = value as Readonly<Record<string, unknown>>;
  if (typeof address !== "string") return undefined;
  return { address, expectation: isNamedText(expectation) ? expectation : undefined, accepted };
}

function isNamedText(value: unknown): value is NamedText {
  if (typeof value !== "object" || value === null) return false;
  const { name, text } = value as Partial<NamedText>;
  return typeof name === "string" && typeof text === "string";
}
