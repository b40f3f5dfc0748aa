/** What is worth saying about the entries of a manifest: a finding for each code, with the first place and how often. */
import { STRAY_CODES } from "../../core/stray-codes.ts";
import { type Code, type FactsOf, finding, type Finding, placed } from "../../core/findings/finding.ts";
import { keyAt, type Place } from "../../core/findings/place.ts";
import type { StrayReason } from "./chunk-ordinal.ts";
import type { Entry } from "./entry.ts";
import { copied } from "./entries.ts";

export interface EntryNotes {
  entry(key: string, entry: Entry): void;
  stray(key: string, reason: StrayReason): void;
  /** An entry for many chunks. */
  prefix(key: string, entry: Entry): void;
  /** `same`: the key is written twice; else two spellings name one chunk. */
  repeated(key: string, same: boolean): void;
  list(): readonly Finding[];
}

export function entryNotes(array: string): EntryNotes {
  const kept = new Map<string, { readonly first: Finding; count: number }>();
  /** `make` is called only for the first of its code. */
  const add = (code: string, key: string, make: (place: Place) => Finding): void => {
    const known = kept.get(code);
    if (known !== undefined) known.count += 1;
    else kept.set(code, { first: make(keyAt(fullKey(array, key))), count: 1 });
  };
  const note = <C extends Code>(code: C, key: string, facts: FactsOf<C>): void => {
    add(code, key, (place) => finding(code, place, facts));
  };
  return {
    entry(key, entry) {
      if (entry.kind === "empty") note("manifest-empty-entry", key, {});
      if (entry.kind === "bad") add(entry.found.code, key, (place) => placed(entry.found, place));
      for (const one of new Set(entry.notes)) note(one, key, {});
    },
    stray(key, reason) {
      note(STRAY_CODES[reason], key, {});
    },
    prefix(key, entry) {
      note("manifest-prefix-entry", key, {});
      if (entry.kind === "range") note("manifest-prefix-unusable", key, { has: "range" });
      if (entry.kind === "inline") note("manifest-prefix-unusable", key, { has: "bytes" });
      if (entry.kind === "bad") add(entry.found.code, key, (place) => placed(entry.found, place));
    },
    repeated(key, same) {
      note(same ? "manifest-duplicate-key" : "manifest-duplicate-chunk", key, {});
    },
    list: () => [...kept.values()].map(({ first, count }) => (count === 1 ? first : { ...first, count })),
  };
}

function fullKey(array: string, key: string): string {
  return copied(array === "" ? key : `${array}/${key}`);
}
