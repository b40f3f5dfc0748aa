/** Names of dimensions, as an array's own metadata or its attributes list them. */
import type { ArrayMetadata } from "./array-metadata.ts";
import type { FactsOf } from "../findings/finding.ts";
import type { JsonValue } from "../json/json.ts";

export interface DimensionNameNotes {
  odd(problem: FactsOf<"dimension-names-odd">["problem"]): void;
  rank(names: number): void;
}

/** `undefined` where they are no list, or not as many as there are dimensions. */
export function dimensionNames(
  names: JsonValue,
  rank: number,
  notes: DimensionNameNotes,
): ArrayMetadata["dimensionNames"] {
  if (!Array.isArray(names)) {
    notes.odd("not-a-list");
    return undefined;
  }
  const list = names as readonly JsonValue[];
  if (list.length !== rank) {
    notes.rank(list.length);
    return undefined;
  }
  if (list.some((name) => typeof name !== "string" && name !== null)) notes.odd("not-text");
  return list.map((name) => (typeof name === "string" ? name : undefined));
}
