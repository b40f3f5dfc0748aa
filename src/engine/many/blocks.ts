/** Chunks put together by where their bytes lie, so that each group is one request. */
import { type ByteRange, mergedRanges, OWN_MERGE } from "#core/byte-source.ts";
import { groupedBy } from "#core/basics.ts";
import type { ChunkReference } from "../chunk/chunk-reference.ts";

export interface Block {
  readonly chunks: readonly ChunkReference[];
  /** Stored bytes, as far as the references say; what lies between them is counted. */
  readonly bytes: number;
}

/** Blocks in the order of the chunk of each that is wanted first. */
export function plannedBlocks(chunks: readonly ChunkReference[]): readonly Block[] {
  const order = new Map(chunks.map((chunk, at) => [chunk, at]));
  const blocks = [...groupedBy(chunks, targetOf).values()].flatMap(blocksOf);
  const first = (block: Block) => Math.min(...block.chunks.map((chunk) => order.get(chunk) ?? 0));
  return blocks
    .map((block) => ({ block, at: first(block) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ block }) => block);
}

/** Chunks with the same one may share a request. */
function targetOf({ reference, key }: ChunkReference): string {
  if (reference.kind === "range") return `range ${reference.target ?? ""}`;
  if (reference.kind === "native" && reference.range !== undefined) return `native ${reference.key}`;
  return reference.kind === "whole" || reference.kind === "native" ? `alone ${key}` : "none";
}

function rangeOf({ reference }: ChunkReference): ByteRange | undefined {
  if (reference.kind === "range") return reference;
  return reference.kind === "native" ? reference.range : undefined;
}

function blocksOf(chunks: readonly ChunkReference[]): readonly Block[] {
  const [first] = chunks;
  if (first === undefined || rangeOf(first) === undefined) return [{ chunks, bytes: inlineBytes(chunks) }];
  const merged = mergedRanges(chunks, (chunk) => rangeOf(chunk) ?? { offset: 0, length: 0 }, OWN_MERGE);
  return merged.map(({ items, start, end }) => ({ chunks: items, bytes: end - start }));
}

function inlineBytes(chunks: readonly ChunkReference[]): number {
  return chunks.reduce((sum, { reference }) => sum + (reference.kind === "inline" ? reference.bytes.length : 0), 0);
}
