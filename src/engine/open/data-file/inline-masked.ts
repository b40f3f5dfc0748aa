/**
 * Chunks whose stored bytes no reference can point at: stored without one of the array's filters, or as strings that are
 * filled up otherwise than with zeros. Their values are written inline.
 */
import { storeOnly } from "#codecs/store-only.ts";
import type { ByteSource, CallContext } from "#core/byte-source.ts";
import { nodeAt } from "#core/findings/fact.ts";
import { finding, type Finding } from "#core/findings/finding.ts";
import { isJsonObject } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { columnsWriter, MAX_STRINGS, type PaddedString, type SourceArray, type SourceFile } from "#core/source-file.ts";
import { undoFilters } from "#codecs/pipeline.ts";

/** Bytes of one file's chunks. */
const MAX_INLINED = 64 * 1024 ** 2;
/** Bytes of a chunk that is read to see whether something stands behind the end of its strings. */
const MAX_LOOKED_THROUGH = 64 * 1024;

interface Inlining {
  readonly source: ByteSource;
  readonly context: CallContext;
  /** Bytes that may still be written inline. */
  left: number;
}

/**
 * References that remain point at chunks with all their filters. An array that cannot be written so is left out, and
 * named.
 */
export async function withoutMasks(file: SourceFile, source: ByteSource, context: CallContext): Promise<SourceFile> {
  const state: Inlining = { source, context, left: MAX_INLINED };
  const arrays: SourceArray[] = [];
  const findings: Finding[] = [];
  for (const array of file.arrays) {
    const isMasked = array.references.skipped?.some((one) => one !== 0) === true;
    const whole = isMasked ? ((await encoded(array, state)) ?? (await decodedWhole(array, state))) : array;
    if (whole === undefined) findings.push(finding("hdf5-mask-unwritten", nodeAt(array.path), {}));
    else if (whole.padding === undefined) arrays.push(whole);
    else {
      const stripped = await withoutPadding(whole, whole.padding, state);
      arrays.push(stripped ?? whole);
      if (stripped === undefined) findings.push(finding("hdf5-padding-kept", nodeAt(array.path), {}));
    }
  }
  return { ...file, arrays, findings: [...file.findings, ...findings] };
}

interface Chunk {
  readonly ordinal: number;
  readonly offset: number;
  readonly length: number;
  /** Bit n: stored without filter n. */
  readonly skipped: number;
}

const chunksOf = ({ references: { count, ordinal, offset, length, skipped } }: SourceArray): readonly Chunk[] =>
  Array.from({ length: count }, (_, at) => ({
    ordinal: ordinal[at] as number,
    offset: offset[at] as number,
    length: length[at] as number,
    skipped: skipped?.[at] ?? 0,
  }));

/** Whole integers are made of some of their bits by readers of the array, which know its type. */
const isOfType = (filter: string): boolean => filter.includes('"hdf5_bits"');

async function decodedChunk({ filters }: SourceArray, { offset, length, skipped }: Chunk, state: Inlining) {
  const stored = (await state.source.read({ offset, length }, state.context)).bytes;
  const used = filters.filter((filter, at) => ((skipped >>> at) & 1) === 0 && !isOfType(filter));
  return undoFilters(used, stored);
}

/** Chunks that lack a filter, encoded as the others are; `undefined` where a filter has no such encoder. */
async function encoded(array: SourceArray, state: Inlining): Promise<SourceArray | undefined> {
  const filters = array.filters.map((text) => parseJson(text).value).filter(isJsonObject);
  if (storeOnly(filters, new Uint8Array(0)) === undefined) return undefined;
  const chunks = chunksOf(array);
  const masked = chunks.filter(({ skipped }) => skipped !== 0);
  if (masked.reduce((sum, { length }) => sum + length, 0) > state.left) return undefined;
  const inline = new Map(array.inline);
  const writer = columnsWriter(chunks.length);
  for (const { ordinal, offset, length, skipped } of chunks) if (skipped === 0) writer.add(ordinal, offset, length);
  for (const chunk of masked) {
    const bytes = storeOnly(filters, await decodedChunk(array, chunk, state)) ?? new Uint8Array(0);
    state.left -= bytes.length;
    inline.set(chunk.ordinal, bytes);
  }
  return { ...array, references: writer.columns(), inline };
}

/** All chunks without filters; `undefined` where these are too many bytes. */
async function decodedWhole(array: SourceArray, state: Inlining): Promise<SourceArray | undefined> {
  const inline = new Map<number, Uint8Array>();
  for (const chunk of chunksOf(array)) {
    if (chunk.length > state.left) return undefined;
    const bytes = await decodedChunk(array, chunk, state);
    state.left -= bytes.length;
    if (state.left < 0) return undefined;
    inline.set(chunk.ordinal, bytes);
  }
  return { ...array, filters: array.filters.filter(isOfType), references: columnsWriter(0).columns(), inline };
}

/**
 * Strings as HDF5 hands them out, filled up with zeros: all of them where any is stored otherwise. `undefined` where
 * there are too many.
 */
async function withoutPadding(
  array: SourceArray,
  { bytes: size, strings }: NonNullable<SourceArray["padding"]>,
  state: Inlining,
): Promise<SourceArray | undefined> {
  const chunkBytes = array.chunks.reduce((product, length) => product * length, size);
  const all = chunkBytes * (array.references.count + array.inline.size);
  const most = strings.some(({ kind }) => kind === "space") ? state.left : Math.min(state.left, MAX_LOOKED_THROUGH);
  if (all > most || strings.length > MAX_STRINGS) return undefined;
  const inline = new Map<number, Uint8Array>();
  let changes = false;
  const add = (ordinal: number, stored: Uint8Array): void => {
    const bytes = stored.slice();
    for (let from = 0; from + size <= bytes.length; from += size)
      for (const one of strings)
        if (stripPadding(bytes.subarray(from + one.at, from + one.at + one.bytes), one.kind)) changes = true;
    inline.set(ordinal, bytes);
  };
  for (const [ordinal, bytes] of array.inline) {
    const used = array.filters.filter((filter) => !isOfType(filter));
    add(ordinal, await undoFilters(used, bytes));
  }
  for (const chunk of chunksOf(array)) add(chunk.ordinal, await decodedChunk(array, chunk, state));
  if (!changes) return array;
  state.left -= all;
  return { ...array, filters: [], references: columnsWriter(0).columns(), inline };
}

/** Gives true where any byte changed. */
function stripPadding(one: Uint8Array, kind: PaddedString["kind"]): boolean {
  const end = kind === "space" ? one.findLastIndex((byte) => byte !== 0x20) + 1 : one.indexOf(0);
  if (end < 0 || one.subarray(end).every((byte) => byte === 0)) return false;
  one.fill(0, end);
  return true;
}
