/** What there is to say of a chunk that has no reference: its values are the fill value. */
import { finding, type Finding } from "../../core/findings/finding.ts";
import { writeJson } from "../../core/json/json-write.ts";
import { fillBytes } from "../../core/values/values.ts";
import type { ChunkReference } from "./chunk-reference.ts";
import { placeOf } from "./load-chunk.ts";

export function missingFindings(chunk: ChunkReference): readonly Finding[] {
  if (chunk.reference.kind !== "missing") return [];
  const { fillValue, dataType } = chunk.node.metadata;
  if (fillValue === null) return [finding("fill-value-undefined", placeOf(chunk), { chunks: 1, hashedAs: undefined })];
  return dataType.kind === "object" || fillBytes(fillValue, dataType) !== undefined ? [] : [unfitFill(chunk)];
}

export function unfitFill(chunk: ChunkReference): Finding {
  const { fillValue, dataType } = chunk.node.metadata;
  const facts = { filled: "chunk", fillValue: writeJson(fillValue), dataType: dataType.text } as const;
  return finding("fill-value-unfit", placeOf(chunk), facts);
}
