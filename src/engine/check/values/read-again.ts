/** The decoded bytes of a chunk that was decoded before: statistics do not keep them. */
import { chunkReference } from "../../chunk/chunk-reference.ts";
import { inThread } from "../../many/chunk-decoder.ts";
import { readOne } from "../../many/read-chunks.ts";
import type { ArrayFacts } from "./value-facts.ts";
import { coordinatesAt, type ValuesView } from "./value-rule.ts";

/** Empty where it can no longer be read. */
export async function bytesOf({ set, context }: ValuesView, facts: ArrayFacts, slot: number): Promise<Uint8Array> {
  const chunk = await chunkReference(set, facts.node, coordinatesAt(facts, slot), context);
  const outcome = await readOne({ set, decoder: inThread }, chunk, context);
  return outcome.kind === "decoded" ? outcome.decoded.bytes : new Uint8Array(0);
}
