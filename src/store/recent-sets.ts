/**
 * Sets that were opened by address, kept in this browser so that they can be opened again. Files and pasted text are not:
 * a page cannot open them again. Nor is an address that carries a credential.
 */
import type { StoreApi } from "zustand/vanilla";
import type { SetSummary } from "../core/open-set.ts";
import { hasSecrets } from "../core/words/without-secrets.ts";
import { remember, rememberedObject } from "./browser-storage.ts";
import type { AppState } from "./state.ts";

export interface RecentSet {
  readonly name: string;
  readonly url: string;
  readonly choice: string | undefined;
  readonly format: string;
  /** Milliseconds since 1970. */
  readonly when: number;
}

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
    if (recent !== undefined) keep([recent, ...recentSets().filter((one) => !isSame(one, recent))]);
  });
}

export function forgetRecentSet(forgotten: RecentSet): void {
  keep(recentSets().filter((one) => !isSame(one, forgotten)));
}

export function forgetAllRecentSets(): void {
  keep([]);
}

/** `undefined` where there is nothing that may be kept. */
export function recentOf({ name, url, choice, format }: SetSummary, when: number): RecentSet | undefined {
  return url === undefined || !mayBeKept(url) ? undefined : { name, url, choice, format, when };
}

/** Whether the URL contains no credentials. */
export const mayBeKept = (address: string): boolean => URL.canParse(address) && !hasSecrets(address);

const isSame = (a: RecentSet, b: RecentSet): boolean => a.url === b.url && a.choice === b.choice;

const keep = (sets: readonly RecentSet[]): void => remember(PLACE, JSON.stringify({ sets: sets.slice(0, MAX_KEPT) }));

function understood(value: unknown): RecentSet | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name, url, choice, format, when } = value as Partial<Record<keyof RecentSet, unknown>>;
  if (typeof name !== "string" || typeof url !== "string" || typeof format !== "string") return undefined;
  if (typeof when !== "number" || !Number.isFinite(when) || !mayBeKept(url)) return undefined;
  return { name, url, choice: typeof choice === "string" ? choice : undefined, format, when };
}
