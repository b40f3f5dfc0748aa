/** Locates the chunks of a dataset through any chunk index (HDF5 File Format Specification 3.0, VII). */
import { type ChunkColumns, columnsWriter } from "#core/source-file.ts";
import { at, Cursor, damaged, log2, signed, summed, type Hdf5File } from "./hdf5-file.ts";
import { product } from "./datatype.ts";
import type { Layout, Space } from "./messages.ts";
import { eachInTurn, eachOfTree1, eachOfTree2 } from "./trees.ts";

type Chunked = Extract<Layout, { kind: "chunked" }>;

interface Listing {
  readonly file: Hdf5File;
  readonly layout: Chunked;
  /** Chunks by dimension: of the array, and of the largest that it may grow to. */
  readonly grid: readonly number[];
  readonly most: readonly (number | undefined)[];
  /** Bytes of a chunk that is not filtered. */
  readonly whole: number;
  /** `at`: numbers of the chunk. What lies outside the array is left out. */
  readonly add: (at: readonly number[], address: number, length: number, mask: number) => void;
}

const MOST_CHUNKS = 100_000_000;

export async function listChunks(file: Hdf5File, layout: Chunked, { shape = [], most }: Space): Promise<ChunkColumns> {
  const { chunks, index, elementBytes } = layout;
  const { address } = index;
  const grid = shape.map((size, axis) => Math.ceil(size / (chunks[axis] as number)));
  const largest = most.map((size, axis) =>
    size === undefined ? undefined : Math.ceil(size / (chunks[axis] as number)),
  );
  const writer = columnsWriter();
  let count = 0;
  const add: Listing["add"] = (numbers, of, length, mask) => {
    let ordinal = 0;
    for (let axis = 0; axis < grid.length; axis += 1) {
      const number = numbers[axis] as number;
      if (number >= (grid[axis] as number)) return;
      ordinal = ordinal * (grid[axis] as number) + number;
    }
    if (of + file.base + length > file.bytes.size)
      throw damaged(file, "chunk index", file.base + (address ?? 0), {
        expected: "chunks inside the file",
        found: `${length} bytes at ${file.base + of} in a file of ${file.bytes.size}`,
      });
    if ((count += 1) > MOST_CHUNKS)
      throw damaged(file, "chunk index", file.base + (address ?? 0), { expected: "each chunk once", found: "more" });
    writer.add(ordinal, file.base + of, length, mask);
  };
  if (address !== undefined && grid.length === chunks.length && grid.every((size) => size > 0)) {
    const listing = { file, layout, grid, most: largest, whole: product(chunks) * elementBytes, add };
    await LISTS[index.kind](listing, address);
  }
  return writer.columns();
}

type List = (listing: Listing, address: number) => Promise<void>;

const LISTS: Readonly<Record<Chunked["index"]["kind"], List>> = {
  btree1: listTree1,
  single: async ({ layout: { index }, grid, whole, add }, address) => {
    const { stored = whole, mask = 0 } = index.kind === "single" ? index : {};
    add(
      grid.map(() => 0),
      address,
      stored,
      mask,
    );
  },
  implicit: listImplicit,
  fixed: listFixed,
  extensible: listExtensible,
  btree2: listTree2,
};

/** Keys have the first element of the chunk, not its number. */
async function listTree1({ file, layout: { chunks }, grid, add }: Listing, address: number): Promise<void> {
  const rank = chunks.length;
  const numbers = grid.map(() => 0);
  await eachOfTree1(file, address, 8 + 8 * (rank + 1), (bytes, from, child) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset + from);
    for (let axis = 0; axis < rank; axis += 1) {
      const begin = view.getUint32(8 + 8 * axis, true) + 2 ** 32 * view.getUint32(12 + 8 * axis, true);
      numbers[axis] = Math.floor(begin / (chunks[axis] as number));
    }
    add(numbers, child, view.getUint32(0, true), view.getUint32(4, true));
  });
}

async function listTree2(listing: Listing, address: number): Promise<void> {
  const { file, layout, grid, add } = listing;
  let read: ReturnType<typeof elementReader> | undefined;
  const numbers = grid.map(() => 0);
  await eachOfTree2(
    file,
    address,
    ({ type }) => (read = elementReader(listing, type === 11)),
    (record) => {
      const found = read?.(record);
      if (found === undefined) return;
      for (let axis = 0; axis < layout.chunks.length; axis += 1) numbers[axis] = record.u(8);
      add(numbers, found.address, found.length, found.mask);
    },
  );
}

/** All chunks, one after another, over the largest grid. */
async function listImplicit({ file, grid, most, whole, add }: Listing, address: number): Promise<void> {
  const all = most.map((size, axis) => size ?? (grid[axis] as number));
  if (product(grid) * whole > file.bytes.size)
    throw damaged(file, "chunk index", file.base + address, {
      expected: "chunks inside the file",
      found: `${product(grid)} chunks of ${whole} bytes`,
    });
  const numbers = grid.map(() => 0);
  for (let left = product(grid); left > 0; left -= 1) {
    const place = numbers.reduce((sum, number, axis) => sum * (all[axis] as number) + number, 0);
    add(numbers, address + place * whole, whole, 0);
    for (let axis = grid.length - 1; axis >= 0; axis -= 1) {
      numbers[axis] = (numbers[axis] as number) + 1;
      if ((numbers[axis] as number) < (grid[axis] as number)) break;
      numbers[axis] = 0;
    }
  }
}

interface Element {
  readonly address: number;
  readonly length: number;
  readonly mask: number;
}

/** Reads an entry of an index; `undefined` if the chunk was never written. */
function elementReader({ file, layout, whole }: Listing, isFiltered: boolean) {
  const { sizeBytes } = layout;
  return (fields: Cursor): Element | undefined => {
    const address = fields.limit(file.O);
    const [length, mask] = isFiltered ? [fields.u(sizeBytes), fields.u(4)] : [whole, 0];
    return address === undefined ? undefined : { address, length, mask };
  };
}

/**
 * Numbers of the chunk that an element is of: row-major over the largest grid, in which the unlimited dimension comes first.
 * HDF5's own listing forgets that (in 1.10.8 and 2.0.0, measured), its reading does not.
 */
function numbersOf({ grid, most }: Listing, unlimited: number | undefined) {
  const axes = grid.map((_, axis) => axis);
  const order = unlimited === undefined ? axes : [unlimited, ...axes.filter((axis) => axis !== unlimited)];
  const extents = order.map((axis) => most[axis] ?? (grid[axis] as number));
  const numbers = grid.map(() => 0);
  return (element: number): readonly number[] => {
    let rest = element;
    for (let place = order.length - 1; place > 0; place -= 1) {
      const extent = extents[place] as number;
      numbers[order[place] as number] = rest % extent;
      rest = Math.floor(rest / extent);
    }
    if (order.length > 0) numbers[order[0] as number] = rest;
    return numbers;
  };
}

/** Elements of an array of entries from a number on. */
function placer(listing: Listing, isFiltered: boolean, entryBytes: number, unlimited: number | undefined) {
  const [read, numbers] = [elementReader(listing, isFiltered), numbersOf(listing, unlimited)];
  return (fields: Cursor, first: number, count: number): void => {
    for (let number = first; number < first + count; number += 1) {
      const end = fields.at + entryBytes;
      const found = read(fields);
      fields.at = end;
      if (found !== undefined) listing.add(numbers(number), found.address, found.length, found.mask);
    }
  };
}

const isSet = (bitmap: Uint8Array, bit: number): boolean => ((bitmap[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0;

interface Pages {
  readonly kind: string;
  readonly address: number;
  readonly first: number;
  readonly count: number;
  readonly page: number;
  readonly entryBytes: number;
  readonly bitmap: Uint8Array;
}

/** Pages of entries, each with a checksum behind; those that were never written have only their room. */
async function eachPage({ file }: Listing, pages: Pages, place: ReturnType<typeof placer>): Promise<void> {
  const { kind, address, first, count, page, entryBytes, bitmap } = pages;
  const written: number[] = [];
  for (let number = 0; number * page < count; number += 1) if (isSet(bitmap, number)) written.push(number);
  const length = (number: number): number => Math.min(page, count - number * page);
  await eachInTurn(
    written,
    async (number) => {
      const from = address + number * (page * entryBytes + 4);
      return { number, from, bytes: await at(file, kind, from, length(number) * entryBytes) };
    },
    ({ number, from, bytes }) =>
      place(new Cursor(file, kind, file.base + from, bytes), first + number * page, length(number)),
  );
}

async function listFixed(listing: Listing, address: number): Promise<void> {
  const { file } = listing;
  const { O, L } = file;
  const header = await summed(file, "fixed array header", "FAHD", address, 8 + L + O + 4);
  const [client, entryBytes, bits] = [header.skip(1).u(1), header.u(1), header.u(1)];
  const [count, block] = [header.u(L), header.limit(O)];
  if (block === undefined) return;
  checkEntry(header, listing, client === 1, entryBytes, bits);
  const place = placer(listing, client === 1, entryBytes, undefined);
  const kind = "fixed array data block";
  const page = 2 ** bits;
  const head = 6 + O;
  if (count <= page) {
    const fields = await summed(file, kind, "FADB", block, head + count * entryBytes + 4);
    place(fields.skip(2 + O), 0, count);
    return;
  }
  const bitmap = Math.ceil(Math.ceil(count / page) / 8);
  const fields = await summed(file, kind, "FADB", block, head + bitmap + 4);
  const pages = { kind, address: block + head + bitmap + 4, first: 0, count, page, entryBytes };
  await eachPage(listing, { ...pages, bitmap: fields.skip(2 + O).take(bitmap) }, place);
}

function checkEntry(
  header: Cursor,
  { file, layout }: Listing,
  isFiltered: boolean,
  entryBytes: number,
  bits: number,
): void {
  const least = file.O + (isFiltered ? layout.sizeBytes + 4 : 0);
  if (entryBytes < least || bits > 31) header.fail(`entries of at least ${least} bytes`, `${entryBytes}`);
}

async function listExtensible(listing: Listing, address: number): Promise<void> {
  const { file, most } = listing;
  const { O, L } = file;
  const header = await summed(file, "extensible array header", "EAHD", address, 12 + 6 * L + O + 4);
  const [client, entryBytes, maxBits, inIndex] = [header.skip(1).u(1), header.u(1), header.u(1), header.u(1)];
  const [least, pointers, bits] = [header.u(1), header.u(1), header.u(1)];
  const used = header.skip(4 * L).u(L);
  const index = header.skip(L).limit(O);
  if (index === undefined) return;
  checkEntry(header, listing, client === 1, entryBytes, bits);
  if (least < 1 || pointers < 1 || maxBits > 64) header.fail("blocks of entries", `${least}`);
  const unlimited = most.findIndex((size) => size === undefined);
  const place = placer(listing, client === 1, entryBytes, Math.max(0, unlimited));
  const offsetBytes = Math.ceil(maxBits / 8);
  const supers = 1 + maxBits - log2(least);
  const direct = 2 * log2(pointers);
  const kind = "extensible array index block";
  const blocks = 2 * (pointers - 1);
  const length = 6 + O + inIndex * entryBytes + (blocks + Math.max(0, supers - direct)) * O + 4;
  const fields = await summed(file, kind, "EAIB", index, length);
  fields.skip(2 + O);
  place(fields, 0, inIndex);
  const page = 2 ** bits;
  const dataBlocks: DataBlock[] = [];
  let first = inIndex;
  for (let level = 0; level < supers && first < used; level += 1) {
    const [many, entries] = [2 ** Math.floor(level / 2), least * 2 ** Math.floor((level + 1) / 2)];
    const own = { first, many, entries, page, entryBytes, offsetBytes };
    if (level < direct) {
      for (let number = 0; number < many; number += 1)
        dataBlocks.push({
          address: fields.limit(O),
          first: first + number * entries,
          entries,
          bitmap: new Uint8Array(0),
        });
    } else dataBlocks.push(...(await superBlock(file, fields.limit(O), own)));
    first += many * entries;
  }
  const present = dataBlocks.filter((one) => one.address !== undefined && one.first < used);
  const shape = { page, entryBytes, offsetBytes };
  await eachInTurn(
    present,
    (block) => readDataBlock(listing, block, shape, place),
    () => undefined,
  );
}

interface DataBlock {
  readonly address: number | undefined;
  /** Number of its first entry. */
  readonly first: number;
  readonly entries: number;
  /** Bitmap of its pages, if it has any. */
  readonly bitmap: Uint8Array;
}

interface EntryShape {
  readonly page: number;
  readonly entryBytes: number;
  readonly offsetBytes: number;
}

async function superBlock(
  file: Hdf5File,
  address: number | undefined,
  { first, many, entries, page, offsetBytes }: EntryShape & { first: number; many: number; entries: number },
): Promise<readonly DataBlock[]> {
  if (address === undefined) return [];
  const { O } = file;
  const width = entries > page ? Math.ceil(entries / page / 8) : 0;
  const kind = "extensible array super block";
  const fields = await summed(file, kind, "EASB", address, 6 + O + offsetBytes + many * (width + O) + 4);
  fields.skip(2 + O + offsetBytes);
  const bitmaps = Array.from({ length: many }, () => fields.take(width));
  return bitmaps.map((bitmap, number) => ({
    address: fields.limit(O),
    first: first + number * entries,
    entries,
    bitmap,
  }));
}

async function readDataBlock(
  listing: Listing,
  { address = 0, first, entries, bitmap }: DataBlock,
  { page, entryBytes, offsetBytes }: EntryShape,
  place: ReturnType<typeof placer>,
): Promise<void> {
  const { file } = listing;
  const kind = "extensible array data block";
  const head = 6 + file.O + offsetBytes;
  if (entries <= page) {
    const fields = await summed(file, kind, "EADB", address, head + entries * entryBytes + 4);
    place(fields.skip(head - 4), first, entries);
    return;
  }
  await signed(file, kind, "EADB", address, head + 4);
  await eachPage(
    listing,
    { kind, address: address + head + 4, first, count: entries, page, entryBytes, bitmap },
    place,
  );
}
