/** Chains of liblzma's filters: LZMA1 or LZMA2 last, delta before it. Branch filters (BCJ) are named, not undone. */
import { decodeFailed } from "../failure.ts";
import type { Output } from "../output.ts";
import { readLzma1 } from "./alone.ts";
import { decodeLzma2 } from "./chunks.ts";
import type { Properties } from "./symbols.ts";

export type Compression =
  | { readonly kind: "lzma1"; readonly dictionarySize: number; readonly properties: Properties }
  | { readonly kind: "lzma2"; readonly dictionarySize: number };

export interface FilterChain {
  /** Distances of delta filters, in the order in which they were applied. */
  readonly deltas: readonly number[];
  readonly compression: Compression;
}

const BRANCH_FILTERS: ReadonlyMap<number, string> = new Map([
  [4, "x86"],
  [5, "PowerPC"],
  [6, "IA-64"],
  [7, "ARM"],
  [8, "ARM-Thumb"],
  [9, "SPARC"],
  [10, "ARM64"],
  [11, "RISC-V"],
]);

export const DELTA = 3;
export const LZMA2 = 33;

/** For a filter that liblzma has and we have not; `undefined` for others. */
export function branchFilter(id: number): string | undefined {
  return BRANCH_FILTERS.get(id);
}

export function noBranchFilters(codec: string, name: string): Error {
  const found = `the branch filter for ${name} code, which Refscope does not undo`;
  return decodeFailed(codec, "the filters LZMA1, LZMA2 and delta", found);
}

/** Appends what the chain decodes to, from `from` up to the data's own end; returns the position after that. */
export function decodeChain(input: Uint8Array, from: number, chain: FilterChain, output: Output): number {
  const start = output.length;
  const { compression } = chain;
  const end =
    compression.kind === "lzma2"
      ? decodeLzma2(input, from, compression.dictionarySize, output)
      : readLzma1(input, from, { ...compression, size: undefined }, output);
  for (const distance of chain.deltas.toReversed()) {
    const { bytes, length } = output;
    for (let i = start + distance; i < length; i++) bytes[i] = (bytes[i] as number) + (bytes[i - distance] as number);
  }
  return end;
}
