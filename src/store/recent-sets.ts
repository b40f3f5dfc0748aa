/**
 * Sets that were opened by address, kept in this browser so that they can be opened again. Files and pasted text are not:
 * a page cannot open them again. Nor is an address that carries a credential.
 */
import type { StoreApi } from "zustand/vanilla";
import type { SetSummary } from "../core/open-set.ts";
import { isLinkable } from "../core/words/without-secrets.ts";
import { remember, rememberedObject } from "./browser-storage.ts";
import type { AppState } from "./state.ts";
import { viewNamed, type ViewName } from "./views.ts";

export interface RecentSet {
  readonly name: string;
  readonly url: string;
  readonly choice: string | undefined;
  readonly format: string;
  /** Milliseconds since 1970. */
  readonly when: number;
  /** How it was when it was left; absent where it was left at once. */
  readonly seen?: SeenSet;
}

export interface SeenSet {
  readonly node: string;
  readonly view: ViewName;
  /** "5 of 102 chunks fail" */
  readonly health: string;
  readonly tone: "bad" | "ok" | "unknown";
  /** A small one, as a `data:` URL. */
  readonly picture?: string | undefined;
}

const TONES: ReadonlySet<unknown> = new Set(["bad", "ok", "unknown"]);

/** Characters of what is kept of one set: a picture is of 52 by 32 pixels. */
const MOST_TEXT = 12_000;
const PICTURE = /^data:image\/png;base64,[\w+/=]+$/;

const PLACE = "refscope.recent.1";
const MAX_KEPT = 9;

/** The latest first; what is stored is as untrusted as any input. */
export function recentSets(): readonly RecentSet[] {
  const { sets } = rememberedObject(PLACE);
  return Array.isArray(sets) ? sets.map(understood).filter((one) => one !== undefined) : [];
}

/** Keeps every set that is opened by address from now on. */
export function rememberRecentSets(store: StoreApi<AppState>): void {
  store.subscribe(({ set, opened }, before) => {
    if (set === undefined || opened === before.opened) return;
    const recent = recentOf(set, Date.now());
    if (recent === undefined) return;
    const kept = recentSets();
    const seen = kept.find((one) => isSameSet(one, recent))?.seen;
    keep([{ ...recent, ...(seen && { seen }) }, ...kept.filter((one) => !isSameSet(one, recent))]);
  });
}

/** How a set is that is kept; a picture stays until there is another. */
export function noteSeen(set: Pick<RecentSet, "url" | "choice">, seen: SeenSet): void {
  const noted = (one: RecentSet): RecentSet => ({ ...one, seen: { ...one.seen, ...seen } });
  keep(recentSets().map((one) => (isSameSet(one, set) ? noted(one) : one)));
}

export function forgetRecentSet(forgotten: RecentSet): void {
  keep(recentSets().filter((one) => !isSameSet(one, forgotten)));
}

export function forgetAllRecentSets(): void {
  keep([]);
}

/** `undefined` where there is nothing that may be kept. */
export function recentOf({ name, url, choice, format }: SetSummary, when: number): RecentSet | undefined {
  return url === undefined || !mayBeKept(url) ? undefined : { name, url, choice, format, when };
}

/** True if the URL contains no credentials. */
export const mayBeKept = (address: string): boolean => URL.canParse(address) && isLinkable(address);

const isSameSet = (a: RecentSet, b: Pick<RecentSet, "url" | "choice">): boolean =>
  a.url === b.url && a.choice === b.choice;

const keep = (sets: readonly RecentSet[]): void => remember(PLACE, JSON.stringify({ sets: sets.slice(0, MAX_KEPT) }));

function understood(value: unknown): RecentSet | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name, url, choice, format, when, seen } = value as Partial<Record<keyof RecentSet, unknown>>;
  if (typeof name !== "string" || typeof url !== "string" || typeof format !== "string") return undefined;
  if (typeof when !== "number" || !Number.isFinite(when) || !mayBeKept(url)) return undefined;
  const known = seenIn(seen);
  return {
    name,
    url,
    choice: typeof choice === "string" ? choice : undefined,
    format,
    when,
    ...(known === undefined ? {} : { seen: known }),
  };
}

function seenIn(value: unknown): SeenSet | undefined {
  if (typeof value !== "object" || value === null || JSON.stringify(value).length > MOST_TEXT) return undefined;
  const { node, view, health, tone, picture } = value as Partial<Record<keyof SeenSet, unknown>>;
  const named = typeof view === "string" ? viewNamed(view) : undefined;
  if (named === undefined || typeof node !== "string" || typeof health !== "string" || !TONES.has(tone))
    return undefined;
  const isPicture = typeof picture === "string" && PICTURE.test(picture);
  return { node, view: named, health, tone: tone as SeenSet["tone"], ...(isPicture ? { picture } : {}) };
}
