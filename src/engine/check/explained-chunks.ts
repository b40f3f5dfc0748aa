/** Chunks of which a rule found the cause, so that the next does not tell what merely follows from it. */
import type { SetView } from "./rule.ts";

/** Beyond so many an array's chunks are told twice rather than kept. */
const MAX_KEPT = 100_000;

/** By path: ordinals. */
const EXPLAINED = new WeakMap<SetView, Map<string, Set<number>>>();

export function markExplained(view: SetView, path: string, ordinal: number): void {
  const byPath = EXPLAINED.get(view) ?? new Map<string, Set<number>>();
  EXPLAINED.set(view, byPath);
  const own = byPath.get(path) ?? new Set<number>();
  byPath.set(path, own);
  if (own.size < MAX_KEPT) own.add(ordinal);
}

export const isExplained = (view: SetView, path: string, ordinal: number): boolean =>
  EXPLAINED.get(view)?.get(path)?.has(ordinal) === true;

/** In place of an ordinal: the metadata of the array are wrong, and with them its whole grid. */
const METADATA = -1;

export const markMetadata = (view: SetView, path: string): void => markExplained(view, path, METADATA);
export const isMetadataWrong = (view: SetView, path: string): boolean => isExplained(view, path, METADATA);
