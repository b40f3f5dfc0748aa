/** Chains of liblzma's filters: LZMA1 or LZMA2 last, delta before it. Branch filters (BCJ) are named, not undone. */
import { decodeFailed, type Output, reserve } from "../codec.ts";
import { readLzma1 } from "./alone.ts";
import { isAtEnd, startRange } from "./range.ts";
import { cutOff, invalid } from "./streams.ts";
import { decodeSymbols, type Lzma, newLzma, type Properties, propertiesOf, resetState } from "./symbols.ts";

// LZMA2: chunks of LZMA data or of plain bytes, up to an end marker (liblzma's lzma2_decoder.c; xz-file-format 5.3.1).

interface Chunks {
  readonly input: Uint8Array;
  readonly output: Output;
  readonly dictionarySize: number;
  at: number;
  dictionaryStart: number;
  needsDictionaryReset: boolean;
  /** Absent until properties were given. */
  lzma: Lzma | undefined;
}

/** Appends the chunks that begin at `from`; returns the position after their end marker. */
function decodeLzma2(input: Uint8Array, from: number, dictionarySize: number, output: Output): number {
  const dictionaryStart = output.length;
  const chunks: Chunks = {
    input,
    output,
    dictionarySize,
    at: from,
    dictionaryStart,
    needsDictionaryReset: true,
    lzma: undefined,
  };
  for (;;) {
    const control = byte(chunks);
    if (control === 0) return chunks.at;
    resetDictionary(chunks, control);
    if (control >= 0x80) readCompressed(chunks, control);
    else if (control <= 2) readPlain(chunks);
    else throw invalid(output.codec, "an LZMA2 chunk of a known kind", `${control} at byte ${chunks.at - 1}`);
  }
}

function byte(chunks: Chunks): number {
  const { input, at, output } = chunks;
  if (at >= input.length) throw cutOff(output.codec, input, output.length);
  chunks.at++;
  return input[at] as number;
}

function size(chunks: Chunks): number {
  const high = byte(chunks);
  return high * 256 + byte(chunks) + 1;
}

function resetDictionary(chunks: Chunks, control: number): void {
  if (control >= 0xe0 || control === 1) {
    chunks.needsDictionaryReset = false;
    chunks.lzma = undefined;
    chunks.dictionaryStart = chunks.output.length;
    return;
  }
  if (chunks.needsDictionaryReset) {
    throw invalid(chunks.output.codec, "a first LZMA2 chunk that resets the dictionary", `kind ${control}`);
  }
}

function readPlain(chunks: Chunks): void {
  const { input, output } = chunks;
  const length = size(chunks);
  if (chunks.at + length > input.length) throw cutOff(output.codec, input, output.length);
  reserve(output, length);
  output.bytes.set(input.subarray(chunks.at, chunks.at + length), output.length);
  output.length += length;
  chunks.at += length;
}

function readCompressed(chunks: Chunks, control: number): void {
  const { input, output } = chunks;
  const length = (control & 31) * 65_536 + size(chunks);
  const stored = size(chunks);
  const lzma = lzmaFor(chunks, control);
  const end = chunks.at + stored;
  const range = startRange(input, chunks.at, end, output);
  const hasMarker = decodeSymbols(lzma, range, output, output.length + length);
  if (hasMarker || !isAtEnd(range) || range.position !== end) {
    throw invalid(output.codec, `an LZMA2 chunk of ${stored} bytes`, `LZMA data of ${range.position - chunks.at}`);
  }
  chunks.at = end;
}

/** With the resets that the chunk asks for. */
function lzmaFor(chunks: Chunks, control: number): Lzma {
  if (control >= 0xc0) {
    const lzma = newLzma(readProperties(chunks), chunks.dictionarySize, chunks.dictionaryStart);
    chunks.lzma = lzma;
    return lzma;
  }
  const { lzma } = chunks;
  if (lzma === undefined) throw invalid(chunks.output.codec, "an LZMA2 chunk with properties", "one without");
  if (control >= 0xa0) resetState(lzma);
  return lzma;
}

function readProperties(chunks: Chunks): Properties {
  const value = byte(chunks);
  const properties = propertiesOf(value);
  if (properties === undefined) throw invalid(chunks.output.codec, "possible LZMA properties", String(value));
  return properties;
}

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
export const branchFilter = (id: number): string | undefined => BRANCH_FILTERS.get(id);

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
