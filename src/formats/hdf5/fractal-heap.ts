/** Fractal heaps: where links, attributes and shared messages of new files are kept (III.G). */
import { at, bytesFor, Cursor, damaged, log2, signed, summed, type Hdf5File } from "./hdf5-file.ts";
import { eachOfTree2 } from "./trees.ts";

export interface Heap {
  /** The object of an identifier. */
  get(id: Uint8Array): Promise<Uint8Array>;
}

const KIND = "fractal heap";

interface Shape {
  readonly address: number;
  readonly width: number;
  readonly start: number;
  /** Bytes of the largest direct block. */
  readonly largest: number;
  /** Rows of an indirect block that have direct blocks. */
  readonly directRows: number;
  readonly offsetBytes: number;
  readonly isFiltered: boolean;
}

interface Block {
  readonly address: number;
  /** Offset of the block's first byte in the heap. */
  readonly begin: number;
  /** Stored bytes, where blocks are filtered. */
  readonly stored: number | undefined;
  readonly size: number;
}

const MOST_WIDTH = 1024;

export async function openHeap(file: Hdf5File, address: number): Promise<Heap> {
  const { O, L, base } = file;
  const head = await signed(file, KIND, "FRHP", address, 9);
  const [idBytes, filterBytes] = [head.skip(1).u(2), head.u(2)];
  const isFiltered = filterBytes > 0;
  const size = 22 + 12 * L + 3 * O + (isFiltered ? L + 4 + filterBytes : 0) + 4;
  const fields = await summed(file, KIND, "FRHP", address, size);
  const mostManaged = fields.skip(6).u(4);
  const huge = fields.skip(L).limit(O);
  const [width, start, largest] = [fields.skip(L + O + 8 * L).u(2), fields.u(L), fields.u(L)];
  const bits = fields.u(2);
  const [root, rows] = [fields.skip(2).limit(O), fields.u(2)];
  const rootStored = isFiltered ? fields.u(L) : undefined;
  if (start < 1 || largest < start || width < 1 || width > MOST_WIDTH || bits > 64)
    fields.fail("a table of blocks", "none");
  const offsetBytes = Math.ceil(bits / 8);
  const lengthBytes = Math.min(bytesFor(largest), bytesFor(mostManaged));
  const directRows = log2(largest) - log2(start) + 2;
  const shape: Shape = { address, width, start, largest, directRows, offsetBytes, isFiltered };
  const inflated = new Map<number, Promise<Uint8Array>>();

  const managed = async (offset: number, length: number): Promise<Uint8Array> => {
    if (root === undefined) throw fields.fail("a block", "none");
    const block =
      rows === 0
        ? { address: root, begin: 0, stored: rootStored, size: start }
        : await findBlock(file, shape, { address: root, rows, begin: 0 }, offset, 0);
    const from = offset - block.begin;
    if (from < 0 || from + length > block.size)
      throw damaged(file, KIND, base + address, {
        expected: "an object inside a block",
        found: `${length} bytes at ${offset}`,
      });
    if (!isFiltered) return at(file, KIND, block.address + from, length);
    const whole = inflated.get(block.address) ?? inflateBlock(file, block);
    inflated.set(block.address, whole);
    return (await whole).subarray(from, from + length);
  };

  return {
    async get(id) {
      const fields = new Cursor(file, "heap identifier", base + address, id);
      const first = fields.u(1);
      const kind = (first >> 4) & 3;
      if (kind === 2) return fields.take((first & 15) + 1);
      if (kind === 1) {
        if (idBytes - 1 >= O + L && !isFiltered) return at(file, KIND, fields.u(O), fields.u(L));
        return hugeObject(file, huge, fields.u(Math.min(8, fields.left)), isFiltered, fields);
      }
      return managed(fields.u(offsetBytes), fields.u(lengthBytes));
    },
  };
}

const inflateBlock = async (file: Hdf5File, { address, stored = 0, size }: Block): Promise<Uint8Array> =>
  file.inflate(await at(file, KIND, address, stored), size);

async function hugeObject(file: Hdf5File, tree: number | undefined, key: number, isFiltered: boolean, id: Cursor) {
  const { O, L } = file;
  let found: { address: number; length: number; mask: number; size: number } | undefined;
  if (tree !== undefined) {
    await eachOfTree2(
      file,
      tree,
      () => undefined,
      (record) => {
        const [address, length] = [record.u(O), record.u(L)];
        const [mask, size] = isFiltered ? [record.u(4), record.u(L)] : [1, length];
        if (record.u(L) === key) found = { address, length, mask, size };
      },
    );
  }
  if (found === undefined) throw id.fail("an object of the heap", "none");
  const stored = await at(file, KIND, found.address, found.length);
  return (found.mask & 1) === 0 ? file.inflate(stored, found.size) : stored;
}

/** Row r of an indirect block has blocks of `start · 2^max(0, r − 1)` bytes. */
async function findBlock(
  file: Hdf5File,
  shape: Shape,
  { address, rows, begin }: { readonly address: number; readonly rows: number; readonly begin: number },
  offset: number,
  depth: number,
): Promise<Block> {
  const { O, L } = file;
  const { width, start, directRows, offsetBytes, isFiltered } = shape;
  const direct = Math.min(rows, directRows);
  const length = 5 + O + offsetBytes + width * (rows * O + (isFiltered ? direct * (L + 4) : 0)) + 4;
  const fields = await signed(file, "heap's indirect block", "FHIB", address, length);
  fields.skip(1 + O + offsetBytes);
  if (depth > 32 || rows > 64) fields.fail("few rows", `${rows}`);
  let position = begin;
  for (let row = 0; row < rows; row += 1) {
    const size = start * 2 ** Math.max(0, row - 1);
    for (let column = 0; column < width; column += 1) {
      const child = fields.limit(O);
      const stored = isFiltered && row < directRows ? fields.u(L) : undefined;
      if (stored !== undefined) fields.skip(4);
      if (offset >= position && offset < position + size) {
        if (child === undefined) fields.fail("a block there", "none");
        if (row < directRows) return { address: child as number, begin: position, stored, size };
        const below = log2(size) - log2(start * width) + 1;
        return findBlock(file, shape, { address: child as number, rows: below, begin: position }, offset, depth + 1);
      }
      position += size;
    }
  }
  return fields.fail("an offset inside the heap", `${offset}`);
}
