/** Finds the beginning of an HDF5 file (HDF5 File Format Specification 3.0, II.A: superblocks 0 to 3). */
import { lookup3 } from "#core/lookup3.ts";
import type { FileBytes } from "#core/file-bytes.ts";
import { failure } from "#core/findings/finding.ts";
import { targetAt } from "#core/findings/fact.ts";
import { Cursor, damaged, summed, type Hdf5File, type Inflate, type StructurePiece } from "./hdf5-file.ts";
import { withCacheImage } from "./cache-image.ts";
import { type Message, readHeader } from "./object-header.ts";

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
/** Bytes: a superblock is shorter. */
const MAX_SUPERBLOCK = 128;
/** Bytes: a signature that begins later is not looked for. */
const MOST_BEFORE = 64 * 1024 ** 2;

const isSignature = (bytes: Uint8Array): boolean => SIGNATURE.every((byte, at) => bytes[at] === byte);

/** @throws RefscopeError `data-file-damaged`, `data-file-cut` */
export async function openHdf5(bytes: FileBytes, inflate: Inflate): Promise<Hdf5File> {
  const begin = await findSignature(bytes);
  const block = await bytes.read(begin, MAX_SUPERBLOCK);
  const version = block[8] ?? 0;
  if (version > 3)
    throw damaged({ bytes }, "superblock", begin, { expected: "version 0, 1, 2 or 3", found: `version ${version}` });
  const fields = new Cursor({ bytes }, "superblock", begin, block, 9);
  const { O, L, base: stated, extension, root, ...rest } = version < 2 ? older(fields, version) : newer(fields);
  // HDF5 goes by where the signature is, whatever the file says of it, and moves the end likewise.
  const [base, end] = [begin, rest.end + begin - stated];
  if (![O, L].every((size) => size === 2 || size === 4 || size === 8))
    throw fields.fail("addresses and lengths of 2, 4 or 8 bytes", `${O} and ${L}`);
  if (end > bytes.size)
    throw failure("data-file-cut", targetAt(bytes.name), { format: "HDF5", says: end, size: bytes.size });
  const structures: StructurePiece[] = [{ offset: begin, length: fields.at, kind: "superblock" }];
  // Flags of versions before 3 are not looked at.
  const isOpenForWrite = version === 3 && (rest.flags & OPEN_FOR_WRITE) !== 0;
  const shared = new Map<number, number>();
  const file = { bytes, inflate, version, O, L, base, root, end, isOpenForWrite, shared, structures };
  return extension === undefined ? file : extended(file, extension);
}

/** Bits of the consistency flags: open for writing, and that by a single writer beside readers (SWMR). */
const OPEN_FOR_WRITE = 5;

async function findSignature(bytes: FileBytes): Promise<number> {
  for (let begin = 0; begin + 8 <= Math.min(bytes.size, MOST_BEFORE); begin = begin * 2 || 512)
    if (isSignature(await bytes.read(begin, 8))) return begin;
  throw damaged({ bytes }, "superblock", 0, { expected: "the signature of HDF5 at 0, 512, 1024 …", found: "none" });
}

function older(fields: Cursor, version: number) {
  const [O, L] = [fields.skip(4).u(1), fields.u(1)];
  fields.skip(1 + 4 + 4 + (version === 1 ? 4 : 0));
  const base = fields.u(O);
  const end = fields.skip(O).u(O);
  return { O, L, base, end, flags: 0, extension: undefined, root: fields.skip(O + L).u(O) };
}

function newer(fields: Cursor) {
  const [O, L, flags] = [fields.u(1), fields.u(1), fields.u(1)];
  const base = fields.u(O);
  const extension = fields.limit(O);
  const [end, root] = [fields.u(O), fields.u(O)];
  const computed = lookup3(fields.bytes.subarray(0, fields.at));
  const stored = fields.u(4);
  if (computed !== stored) fields.fail("its checksum", "another");
  return { O, L, base, end, flags, extension, root };
}

/** Message types: old fill values are kept in the index of new ones. */
const SHARED_TABLE = 0x0f;

const CACHE_IMAGE = 0x18;

type Extended = Hdf5File & { readonly shared: Map<number, number> };

async function extended(file: Extended, extension: number): Promise<Hdf5File> {
  const messages = await readHeader(file, extension);
  const image = messages.find(({ type }) => type === CACHE_IMAGE);
  const whole = image === undefined ? file : { ...file, bytes: await withCacheImage(file, image) };
  const table = messages.find(({ type }) => type === SHARED_TABLE);
  if (table !== undefined) await readShared(whole, table);
  return whole;
}

/** The index of messages that several objects share (IV.A.2.p, III.H). */
async function readShared(file: Extended, table: Message): Promise<void> {
  const { O } = file;
  const fields = new Cursor(file, "shared message table", table.offset, table.body, 1);
  const [address, count] = [fields.u(O), fields.u(1)];
  const entry = 14 + 2 * O;
  const indexes = await summed(file, "shared message table", "SMTB", address, 4 + count * entry + 4);
  for (let at = 0; at < count; at += 1) {
    const types = indexes.skip(2).u(2);
    const heap = indexes.skip(10 + O).u(O);
    for (let type = 0; type < 16; type += 1) if ((types >> type) & 1) file.shared.set(type, heap);
  }
}
