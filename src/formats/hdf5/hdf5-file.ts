/**
 * Reads the parts that all structures of an HDF5 file share: little-endian fields, addresses, checksums; and reports
 * damage.
 */
import { failure } from "#core/findings/finding.ts";
import { targetAt } from "#core/findings/fact.ts";
import { hexBytes } from "#core/bytes.ts";
import { lookup3 } from "#core/lookup3.ts";
import type { FileBytes } from "#core/file-bytes.ts";
import type { FileStructure } from "#core/source-file.ts";

/** Decompresses a zlib stream to at most `most` bytes. */
export type Inflate = (bytes: Uint8Array, most: number) => Promise<Uint8Array>;

export interface Hdf5File {
  readonly bytes: FileBytes;
  readonly inflate: Inflate;
  /** Version of the superblock. */
  readonly version: number;
  /** Bytes of an address and of a length: 2, 4 or 8. */
  readonly O: number;
  readonly L: number;
  /** Added to every address. */
  readonly base: number;
  /** End of the file as the file states it, from its first byte. */
  readonly end: number;
  /** HDF5 refuses to open it. */
  readonly isOpenForWrite: boolean;
  /** Address of the root group's object header. */
  readonly root: number;
  /** Address of the heap of messages that several objects share, by message type. */
  readonly shared: ReadonlyMap<number, number>;
  /** Pieces of structures in the order of reading: `structuresInOrder` joins the pieces of each. */
  readonly structures: StructurePiece[];
}

export interface StructurePiece extends FileStructure {
  readonly begins?: true;
}

/** Bytes: no structure of a file is larger. */
const MOST_OF_ONE = 128 * 1024 ** 2;
/** Pieces of structures that are kept: more have no place in what is shown. */
const MOST_STRUCTURES = 100_000;
/** Kind of a piece that was read but is not metadata. */
export const CHUNK = "chunk";

/** Gives an object the pieces that were read for it, under its path as HDF5 writes it. */
export function giveOwner(file: Hdf5File, own: readonly StructurePiece[], path: string | undefined): void {
  for (const one of own) noteStructure(file, path === undefined ? one : { ...one, path: path.slice(1) });
}

/**
 * Pieces that overlap are one structure, and its next piece goes on where it ended. What several objects share is the
 * first's.
 */
export function structuresInOrder(pieces: readonly StructurePiece[]): readonly FileStructure[] {
  const sorted = pieces.toSorted((one, other) => one.offset - other.offset || other.length - one.length);
  const found: FileStructure[] = [];
  for (const { begins, ...piece } of sorted) {
    const last = found.at(-1);
    const end = last === undefined ? -1 : last.offset + last.length;
    const isNext = begins !== true && piece.kind === last?.kind && piece.path === last.path;
    if (last === undefined || piece.offset > end || (piece.offset === end && !isNext)) found.push(piece);
    else found[found.length - 1] = { ...last, length: Math.max(end, piece.offset + piece.length) - last.offset };
  }
  return found;
}

type Reading = Pick<Hdf5File, "bytes" | "base" | "structures">;

/** `data-file-damaged`, to be thrown; `offset` counts from the first byte of the file. */
export function damaged({ bytes }: Pick<Hdf5File, "bytes">, structure: string, offset: number, facts: Found) {
  return failure("data-file-damaged", targetAt(bytes.name), { format: "HDF5", structure, offset, ...facts });
}

interface Found {
  /** Short noun phrases. */
  readonly expected: string;
  readonly found: string;
}

/** All of `length` bytes at an address. */
export async function at(file: Reading, kind: string, address: number, length: number, ahead = 0) {
  const { bytes, base } = file;
  const offset = base + address;
  if (!(address >= 0 && length >= 0 && offset + length <= bytes.size && length <= MOST_OF_ONE)) {
    const found = `${length} bytes in a file of ${bytes.size}`;
    throw damaged(file, kind, offset, { expected: "a structure inside the file", found });
  }
  noteStructure(file, { offset, length, kind });
  return bytes.read(offset, length, ahead);
}

/** `begins`: another structure than what it touches. */
export function noteStructure({ structures }: Pick<Reading, "structures">, piece: StructurePiece): void {
  if (structures.length < MOST_STRUCTURES && piece.length > 0 && piece.kind !== CHUNK) structures.push(piece);
}

/** The same of a structure that begins with its signature. */
export async function signed(
  file: Reading,
  kind: string,
  signature: string,
  address: number,
  length: number,
  ahead = 0,
): Promise<Cursor> {
  const bytes = await at(file, kind, address, length, ahead);
  const found = String.fromCharCode(...bytes.subarray(0, 4));
  if (found !== signature)
    throw damaged(file, kind, file.base + address, {
      expected: `the signature ${signature}`,
      found: hexBytes(bytes.subarray(0, 4)),
    });
  noteStructure(file, { offset: file.base + address, length, kind, begins: true });
  return new Cursor(file, kind, file.base + address, bytes, 4);
}

/** The same of one that ends with its checksum: the cursor's bytes are without it. */
export async function summed(file: Reading, kind: string, signature: string, address: number, length: number) {
  const { bytes } = await signed(file, kind, signature, address, length);
  const body = bytes.subarray(0, -4);
  checkSum(
    file,
    kind,
    file.base + address,
    body,
    new DataView(bytes.buffer, bytes.byteOffset).getUint32(length - 4, true),
  );
  return new Cursor(file, kind, file.base + address, body, 4);
}

function checkSum(file: Pick<Hdf5File, "bytes">, kind: string, offset: number, body: Uint8Array, stored: number): void {
  const computed = lookup3(body);
  if (computed === stored) return;
  throw damaged(file, kind, offset, {
    expected: `the checksum ${hex(stored)}`,
    found: `bytes whose checksum is ${hex(computed)}`,
  });
}

const hex = (sum: number): string => `0x${sum.toString(16).padStart(8, "0")}`;

/** Reads little-endian fields; past the end of the structure, it is damaged. */
export class Cursor {
  readonly bytes: Uint8Array;
  at: number;
  readonly file: Pick<Hdf5File, "bytes">;
  readonly kind: string;
  readonly offset: number;

  constructor(file: Pick<Hdf5File, "bytes">, kind: string, offset: number, bytes: Uint8Array, begin = 0) {
    this.file = file;
    this.kind = kind;
    this.offset = offset;
    this.bytes = bytes;
    this.at = begin;
  }

  /** An unsigned integer; above 2^53 the nearest double. */
  u(size: number): number {
    const { bytes, at } = this;
    if (at + size > bytes.length) this.fail("more fields", "its end");
    let value = 0;
    for (let place = size - 1; place >= 0; place -= 1) value = value * 256 + (bytes[at + place] as number);
    this.at += size;
    return value;
  }

  /** `undefined` where all bits are 1: an address of nothing, a length without limit. */
  limit(size: number): number | undefined {
    const { bytes, at } = this;
    const value = this.u(size);
    for (let place = at; place < at + size; place += 1) if (bytes[place] !== 0xff) return value;
    return undefined;
  }

  take(size: number): Uint8Array {
    if (!(size >= 0) || this.at + size > this.bytes.length) this.fail("more bytes", "its end");
    return this.bytes.subarray(this.at, (this.at += size));
  }

  skip(size: number): this {
    this.take(size);
    return this;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  fail(expected: string, found: string): never {
    throw damaged(this.file, this.kind, this.offset, { expected, found });
  }
}

/** Bytes that hold any number up to `limit`. */
export const bytesFor = (limit: number): number => Math.floor(log2(limit) / 8) + 1;

export const log2 = (value: number): number => (value < 1 ? 0 : Math.floor(Math.log2(value)));
