/** Hashes of the references in a manifest's columns: 64 bits of what makes two of them the same. */
import { attempt, hashText } from "#core/basics.ts";
import { ENTRY_COMPRESSED, MAX_LOCATION_BYTES } from "#formats/icechunk/chunk-columns.ts";
import { entryKind, rangeAt, type ChunkColumns } from "#formats/icechunk/references.ts";

export const [NATIVE, VIRTUAL, INLINE, BAD] = [0, 1, 2, 3] as const;
const KIND_CODES = { native: NATIVE, virtual: VIRTUAL, inline: INLINE, bad: BAD } as const;

/** Two lanes of 32 bits, as MurmurHash3 mixes one. */
export type Hash = Int32Array<ArrayBuffer>;

/** No repository can be crafted so that different references have one hash. */
export const newSeed = (): Hash => crypto.getRandomValues(new Int32Array(2));

function mix(hash: Hash, word: number): void {
  let first = Math.imul(word, 0xcc9e2d51);
  first = (hash[0] as number) ^ Math.imul((first << 15) | (first >>> 17), 0x1b873593);
  hash[0] = Math.imul((first << 13) | (first >>> 19), 5) + 0xe6546b64;
  let second = Math.imul(word ^ 0x5bd1e995, 0x9e3779b1);
  second = (hash[1] as number) ^ Math.imul((second << 16) | (second >>> 16), 0xc2b2ae3d);
  hash[1] = Math.imul((second << 11) | (second >>> 21), 0x27d4eb2f) + 0x165667b1;
}

function finish(hash: Hash): void {
  let [first, second] = [hash[0] as number, hash[1] as number];
  first = scrambled((first + second) | 0);
  second = scrambled((second + first) | 0);
  hash[0] = (first + second) | 0;
  hash[1] = (second + hash[0]) | 0;
}

function scrambled(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function mixBytes(hash: Hash, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  mix(hash, bytes.length);
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) mix(hash, view.getUint32(at, true));
  for (; at < bytes.length; at += 1) mix(hash, bytes[at] as number);
}

/** Hash of a native chunk, by the bytes of its id. */
export function nativeHash(into: Hash, seed: Hash, id: Uint8Array): void {
  into.set(seed);
  mix(into, NATIVE);
  mixBytes(into, id);
  finish(into);
}

/** A row's reference, after `read`. */
export interface RowReader {
  readonly hash: Hash;
  kind: number;
  /** Bytes of its chunk. */
  length: number;
  read(row: number): void;
}

/** Coordinates are part of an inline chunk: `columns` must be of one grid for all manifests of the node. */
export function rowReader(columns: ChunkColumns, node: string, seed: Hash): RowReader {
  const { entry, offset, length, large, ordinal, strays } = columns;
  const { kinds, hashes } = entryHashes(columns, seed);
  const nodeHash = hashText(0, node);
  const reader: RowReader = {
    hash: new Int32Array(2),
    kind: BAD,
    length: 0,
    read(row) {
      const { hash } = reader;
      const at = entry[row] as number;
      hash[0] = hashes[2 * at] as number;
      hash[1] = hashes[2 * at + 1] as number;
      reader.kind = kinds[at] as number;
      reader.length = length[row] as number;
      const exact = large.size === 0 ? undefined : large.get(row);
      if (exact !== undefined) reader.length = Number(exact.length);
      if (reader.kind === VIRTUAL) {
        if (exact === undefined) {
          mixWide(hash, offset[row] as number);
          mix(hash, reader.length);
        } else for (const value of Object.values(rangeAt(columns, row))) mixExact(hash, BigInt(value));
      } else if (reader.kind === INLINE) {
        mix(hash, nodeHash);
        const stray = strays.get(row);
        if (stray === undefined) mixWide(hash, ordinal[row] as number);
        else for (const coordinate of stray) mix(hash, coordinate);
      }
      if (reader.kind !== NATIVE) finish(hash);
    },
  };
  return reader;
}

function mixWide(hash: Hash, value: number): void {
  mix(hash, value | 0);
  mix(hash, (value / 2 ** 32) | 0);
}

function mixExact(hash: Hash, value: bigint): void {
  mix(hash, Number(BigInt.asIntN(32, value)));
  mix(hash, Number(BigInt.asIntN(32, value >> 32n)));
}

/** Hashes by entry: many references name one file, whose location is decompressed and mixed once. */
function entryHashes(columns: ChunkColumns, seed: Hash) {
  const { entries, decompressLocation } = columns;
  const kinds = new Uint8Array(entries.count);
  const hashes = new Int32Array(2 * entries.count);
  const hash = new Int32Array(2);
  for (let id = 0; id < entries.count; id += 1) {
    const stored = entries.bytes(id);
    const kind = KIND_CODES[entryKind(columns, id)];
    kinds[id] = kind;
    if (kind === NATIVE) nativeHash(hash, seed, stored);
    else {
      hash.set(seed);
      mix(hash, kind);
      const isCompressed = entries.tag(id) === ENTRY_COMPRESSED;
      // A location that cannot be read is told from others by its bytes as stored.
      mixBytes(hash, (isCompressed && attempt(() => decompressLocation?.(stored, MAX_LOCATION_BYTES))) || stored);
    }
    hashes.set(hash, 2 * id);
  }
  return { kinds, hashes };
}
