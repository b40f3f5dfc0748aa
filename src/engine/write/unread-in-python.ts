/** Arrays that are handed on as they are stored, and of which no reader of Python gives back the elements. */
import { type FactsOf, finding, type Finding, nodeAt } from "#core/findings/finding.ts";
import { isUnknownToPython } from "#core/readers/rules.ts";
import { TARGET_INLINE } from "#core/table/reference-table.ts";
import { referenceAt } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { columnsAt } from "../table/batch.ts";

const JSON_LISTS = "json2";
/** Bytes: a bracket for each dimension, and spaces. */
const MAX_HEAD = 1000;

export function unreadInPython(set: EngineSet): readonly Finding[] {
  const { hierarchy, table, index } = set;
  const found = new Map<string, Finding>();
  const add = (path: string, facts: FactsOf<"unread-in-python">) =>
    found.set(path, finding("unread-in-python", nodeAt(path), facts));
  /** Dimensions of those of which a chunk tells, by id. */
  const unsure = new Map<number | undefined, { readonly path: string; readonly dimensions: number }>();
  for (const node of hierarchy.nodes.values()) {
    if (node.kind !== "array") continue;
    const { path, metadata } = node;
    const codec = metadata.decoding.find(({ id }) => isUnknownToPython(id, metadata.zarrFormat))?.id;
    if (codec !== undefined) add(path, { why: "codec", codec });
    else if (!metadata.decoding.some(({ id }) => id === JSON_LISTS)) continue;
    else if (metadata.shape.length === 0) add(path, { why: "scalar", codec: JSON_LISTS });
    else unsure.set(index.arrayIds.get(path), { path, dimensions: metadata.shape.length });
  }
  for (let row = 0; row < table.rows && unsure.size > 0; row += 1) {
    const { array, target } = columnsAt(table, row);
    const one = unsure.get(array);
    if (one === undefined || target !== TARGET_INLINE) continue;
    unsure.delete(array);
    const { reference } = referenceAt(set, row);
    if (reference.kind === "inline" && holdsLists(reference.bytes, one.dimensions))
      add(one.path, { why: "lists", codec: JSON_LISTS });
  }
  return [...found.values()];
}

/** The elements lie in rows of rows, and behind them their type and shape. */
function holdsLists(bytes: Uint8Array, dimensions: number): boolean {
  const [brackets = ""] = /^[\s[]*/.exec(new TextDecoder().decode(bytes.subarray(0, MAX_HEAD))) ?? [];
  return brackets.replaceAll(/\s/g, "").length > dimensions;
}
