/** Chunks put together by where their bytes lie, so that each group is one request. */
import { groupedBy } from "../../core/grouped.ts";
import type { ChunkReference } from "../chunk/chunk-reference.ts";

export interface Block {
  readonly chunks: readonly ChunkReference[];
  /** Stored bytes, as far as the references say; what lies between them is counted. */
  readonly bytes: number;
}

/** As `io/coalesce.ts` merges: ranges at most this far apart, in requests of at most so many bytes. */
export const MAX_GAP = 64 * 1024;
export const MAX_BLOCK = 16 * 1024 ** 2;

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

function rangeOf({ reference }: ChunkReference): { readonly offset: number; readonly length: number } | undefined {
  if (reference.kind === "range") return reference;
  return reference.kind === "native" ? reference.range : undefined;
}

function blocksOf(chunks: readonly ChunkReference[]): readonly Block[] {
  const [first] = chunks;
  if (first === undefined || rangeOf(first) === undefined) return [{ chunks, bytes: inlineBytes(chunks) }];
  const ranges = chunks
    .map((chunk) => ({ chunk, range: rangeOf(chunk) ?? { offset: 0, length: 0 } }))
    .toSorted((one, other) => one.range.offset - other.range.offset);
  const blocks: { readonly chunks: ChunkReference[]; readonly start: number; end: number }[] = [];
  for (const { chunk, range } of ranges) {
    const last = blocks.at(-1);
    const end = Math.max(last?.end ?? 0, range.offset + range.length);
    if (last !== undefined && range.offset - last.end <= MAX_GAP && end - last.start <= MAX_BLOCK) {
      last.end = end;
      last.chunks.push(chunk);
    } else {
      blocks.push({ chunks: [chunk], start: range.offset, end: range.offset + range.length });
    }
  }
  return blocks.map(({ chunks: together, start, end }) => ({ chunks: together, bytes: end - start }));
}

function inlineBytes(chunks: readonly ChunkReference[]): number {
  return chunks.reduce((sum, { reference }) => sum + (reference.kind === "inline" ? reference.bytes.length : 0), 0);
}
