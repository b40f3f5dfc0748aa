/** Headers of .xz blocks: sizes and the chain of filters (xz-file-format 3.1). */
import { branchFilter, DELTA, LZMA2, noBranchFilters, type FilterChain } from "./filters.ts";
import { invalid } from "./streams.ts";

export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

export interface BlockHeader {
  /** What the header says, if it does. */
  readonly stored: number | undefined;
  readonly decoded: number | undefined;
  readonly chain: FilterChain;
}

const MAX_SIZE_BYTES = 9;

/** A number of 7 bits per byte, lowest first (xz-file-format 1.2). `atEnd` makes the error where the bytes end. */
export function readSize(cursor: Cursor, codec: string, atEnd: () => Error): number {
  let value = 0;
  for (let i = 0; i < MAX_SIZE_BYTES; i++) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) throw atEnd();
    cursor.at++;
    value += (byte & 127) * 2 ** (7 * i);
    if (byte >= 128) continue;
    if (byte === 0 && i > 0) break;
    return value;
  }
  throw invalid(codec, "a number of at most 9 bytes without zeros at its end", "another");
}

/** `bytes`: the header without its checksum, which has been verified. */
export function readBlockHeader(bytes: Uint8Array, codec: string): BlockHeader {
  const flags = bytes[1] ?? 0;
  if ((flags & 0x3c) !== 0) throw invalid(codec, "block flags that are known", String(flags));
  const cursor: Cursor = { bytes, at: 2 };
  const next = () => readSize(cursor, codec, () => invalid(codec, "a whole block header", "one that ends early"));
  const stored = (flags & 0x40) === 0 ? undefined : next();
  const decoded = (flags & 0x80) === 0 ? undefined : next();
  if (stored === 0) throw invalid(codec, "a stored size above 0", "0");
  const filters: Filter[] = [];
  for (let i = 0; i <= (flags & 3); i++) {
    const id = next();
    const size = next();
    filters.push({ id, properties: bytes.subarray(cursor.at, cursor.at + size), size });
    cursor.at += size;
  }
  if (cursor.at > bytes.length || bytes.subarray(cursor.at).some((byte) => byte !== 0)) {
    throw invalid(codec, "a block header that ends with zeros", "another");
  }
  return { stored, decoded, chain: chainOf(filters, codec) };
}

interface Filter {
  readonly id: number;
  readonly properties: Uint8Array;
  readonly size: number;
}

function chainOf(filters: readonly Filter[], codec: string): FilterChain {
  const last = filters.at(-1);
  const size = last?.properties[0];
  if (last?.id !== LZMA2 || last.size !== 1 || size === undefined || size > 40) {
    throw invalid(codec, "LZMA2 as the last filter", `filter ${last?.id ?? "none"} with ${last?.size ?? 0} bytes`);
  }
  const deltas = filters.slice(0, -1).map(({ id, properties, size: count }) => {
    const branch = branchFilter(id);
    if (branch !== undefined) throw noBranchFilters(codec, branch);
    const distance = properties[0];
    if (id === DELTA && count === 1 && distance !== undefined) return distance + 1;
    throw invalid(codec, "the filters delta and LZMA2", `filter ${id} with ${count} bytes`);
  });
  const dictionarySize = size === 40 ? 2 ** 32 - 1 : (2 | (size & 1)) * 2 ** (11 + Math.floor(size / 2));
  return { deltas, compression: { kind: "lzma2", dictionarySize } };
}
