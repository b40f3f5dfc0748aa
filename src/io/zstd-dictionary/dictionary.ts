/** Dictionaries (RFC 8878 §5): content that data may refer back to, and tables to begin with. */
import { unsignedAt } from "#core/bytes.ts";
import { badDictionary } from "./fault.ts";
import { readFseTable, type FseTable } from "./fse.ts";
import { MAX_CODES, readHuffmanTable, type HuffmanTable } from "./huffman.ts";
import { LENGTH_LIMITS } from "./lengths.ts";

export interface ZstdDictionary {
  /** 0: a dictionary of content alone, which has none. */
  readonly id: number;
  /** Content that precedes the data, its end next to them. */
  readonly content: Uint8Array;
  /** Tables for blocks that repeat those of the block before. */
  readonly tables: Tables;
  readonly offsets: Offsets;
}

/** `undefined`: not set yet. */
export interface Tables {
  readonly huffman: HuffmanTable | undefined;
  readonly literalLengths: FseTable | undefined;
  readonly offsets: FseTable | undefined;
  readonly matchLengths: FseTable | undefined;
}

/** The last three offsets, latest first. */
export type Offsets = readonly [number, number, number];

/** Without a dictionary. */
export const NO_DICTIONARY: ZstdDictionary = {
  id: 0,
  content: new Uint8Array(0),
  tables: { huffman: undefined, literalLengths: undefined, offsets: undefined, matchLengths: undefined },
  offsets: [1, 4, 8],
};

const MAGIC = 0xec30_a437;

/**
 * Reads a dictionary, to be used for any number of frames. Bytes that do not begin with a dictionary's magic number are
 * content alone, as Facebook's decoder has it. The bytes are copied. Throws RefscopeError `decode-failed`.
 */
export function prepareDictionary(bytes: Uint8Array): ZstdDictionary {
  if (bytes.length < 8 || unsignedAt(bytes, 0, 4) !== MAGIC) return { ...NO_DICTIONARY, content: bytes.slice() };
  const end = bytes.length;
  const huffman = readHuffmanTable(bytes, 8, end, new Uint16Array(MAX_CODES));
  const offsets = readFseTable(bytes, huffman.at, end, LENGTH_LIMITS.offsets, new Uint32Array(256));
  const matches = readFseTable(bytes, offsets.at, end, LENGTH_LIMITS.matchLengths, new Uint32Array(512));
  const literals = readFseTable(bytes, matches.at, end, LENGTH_LIMITS.literalLengths, new Uint32Array(512));
  const { at } = literals;
  const content = bytes.slice(at + 12);
  const last: Offsets = [unsignedAt(bytes, at, 4), unsignedAt(bytes, at + 4, 4), unsignedAt(bytes, at + 8, 4)];
  if (at + 12 > end) throw badDictionary(`${end} bytes, which end before the offsets at byte ${at}`);
  for (const offset of last) {
    if (offset > 0 && offset <= content.length) continue;
    throw badDictionary(`the offset ${offset} at byte ${at}, with content of ${content.length} bytes`);
  }
  return {
    id: unsignedAt(bytes, 4, 4),
    content,
    tables: {
      huffman: huffman.table,
      literalLengths: literals.table,
      offsets: offsets.table,
      matchLengths: matches.table,
    },
    offsets: last,
  };
}
