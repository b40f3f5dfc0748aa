/** First and last coordinate of a dimension, where they are in the set itself: nothing is requested for them. */
import { metadataOfChunk } from "../../core/array-metadata.ts";
import { chunkAlong, startAlong } from "../../core/chunk-edges.ts";
import type { CallContext } from "../../core/byte-source.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import type { DimensionSummary } from "../../core/open-set.ts";
import { elementText } from "../../core/slice.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { decodeChunk } from "../chunk/decode-chunk.ts";
import type { EngineSet } from "../engine-set.ts";
import { attribute } from "./attribute.ts";

type Ends = Pick<DimensionSummary, "first" | "last" | "units">;

const LARGEST_INLINE = 1 << 20;

/** From the 1-D root array named like the dimension and of its length; `{}` where there is none. */
export async function coordinateEnds(
  set: EngineSet,
  name: string,
  length: number,
  context: CallContext,
): Promise<Ends> {
  const node = set.hierarchy.nodes.get(name);
  if (node?.kind !== "array" || node.metadata.shape.length !== 1 || node.metadata.shape[0] !== length) return {};
  const units = attribute(node.attributes, "units");
  const named = typeof units === "string" ? { units } : {};
  if (length === 0) return named;
  const edges = node.metadata.chunks[0] ?? 1;
  const lastChunk = chunkAlong(edges, length - 1);
  const first = await inlineElement(set, node, 0, 0, context);
  const last = await inlineElement(set, node, lastChunk, length - 1 - startAlong(edges, lastChunk), context);
  return { ...(first === undefined ? {} : { first }), ...(last === undefined ? {} : { last }), ...named };
}

async function inlineElement(
  set: EngineSet,
  node: ArrayNode,
  chunk: number,
  element: number,
  context: CallContext,
): Promise<string | undefined> {
  const paged = set.index.paged.get(set.index.arrayIds.get(node.path) ?? -1);
  if (paged !== undefined && paged.stateOf(paged.pages.pageOf(chunk)) !== "loaded") return undefined;
  const found = await chunkReference(set, node, [chunk], context);
  if (found.reference.kind !== "inline" || found.reference.bytes.length > LARGEST_INLINE) return undefined;
  const decoded = await decodeChunk(metadataOfChunk(node.metadata, [chunk]), found.reference.bytes, context.signal);
  return decoded.values === undefined ? undefined : elementText(decoded.values, element);
}
