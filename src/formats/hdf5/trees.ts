/** B-trees of both versions (HDF5 File Format Specification 3.0, III.A), a level at a time. */
import { at, bytesFor, Cursor, damaged, signed, summed, type Hdf5File } from "./hdf5-file.ts";

/** Nodes that are read side by side. */
const MOST_AT_ONCE = 256;
const MOST_LEVELS = 64;

/** Many are read side by side; what is read is taken in order. */
export async function eachInTurn<T, R>(
  items: readonly T[],
  read: (item: T) => Promise<R>,
  take: (result: R) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += MOST_AT_ONCE)
    for (const result of await Promise.all(items.slice(from, from + MOST_AT_ONCE).map(read))) take(result);
}

/**
 * Version 1: every leaf's entries. `key`: bytes of a key; `entry` is given the bytes that the key is in, where it begins,
 * and the child's address. Nodes that were visited before are damage.
 */
export async function eachOfTree1(
  file: Hdf5File,
  root: number,
  key: number,
  entry: (bytes: Uint8Array, at: number, child: number) => void,
): Promise<void> {
  const kind = "B-tree node";
  const { O, base } = file;
  const seen = new Set<number>([root]);
  let level: readonly number[] = [root];
  const head = 8 + 2 * O;
  /** A node has room for 2K entries: by default 64 of chunks, 32 of groups. */
  const usual = head + 64 * (key + O) + key;
  let expected: number | undefined;
  while (level.length > 0) {
    const below: number[] = [];
    await eachInTurn(
      level,
      async (address) => {
        const fields = await signed(file, kind, "TREE", address, head, usual - head);
        const [of, used] = [fields.skip(1).u(1), fields.u(2)];
        return { address, of, bytes: await at(file, kind, address + head, used * (key + O) + key), used };
      },
      ({ address, of, bytes, used }) => {
        expected ??= Math.min(of, MOST_LEVELS);
        if (of !== expected)
          throw damaged(file, kind, base + address, { expected: `level ${expected}`, found: `level ${of}` });
        const fields = new Cursor(file, kind, base + address, bytes);
        for (let place = 0; place < used; place += 1) {
          const from = fields.at;
          const child = fields.skip(key).u(O);
          if (of === 0) entry(bytes, from, child);
          else if (seen.has(child))
            throw damaged(file, kind, base + address, { expected: "each node once", found: "one of them again" });
          else {
            seen.add(child);
            below.push(child);
          }
        }
      },
    );
    expected = (expected ?? 0) - 1;
    level = below;
  }
}

interface Tree2 {
  readonly record: number;
  /** Type of the records. */
  readonly type: number;
}

/** Version 2: every record, those of internal nodes too. `begin` is called first. */
export async function eachOfTree2(
  file: Hdf5File,
  header: number,
  begin: (tree: Tree2) => void,
  each: (record: Cursor) => void,
): Promise<void> {
  const { O, L, base } = file;
  const fields = await summed(file, "B-tree header", "BTHD", header, 22 + O + L);
  const [type, node, record, depth] = [fields.skip(1).u(1), fields.u(4), fields.u(2), fields.u(2)];
  const [root, count] = [fields.skip(2).limit(O), fields.u(2)];
  if (record < 1 || node < 16 + record || depth > MOST_LEVELS) fields.fail("nodes that hold records", `${node} bytes`);
  begin({ record, type });
  if (root === undefined || count === 0) return;
  const sizes = levelSizes(node, record, depth, O);
  let level: readonly (readonly [address: number, records: number])[] = [[root, count]];
  const seen = new Set<number>([root]);
  for (let below = depth; below >= 0 && level.length > 0; below -= 1) {
    const { width, total } = sizes[below] as LevelSize;
    const next: (readonly [number, number])[] = [];
    const pointer = below === 0 ? 0 : O + width + total;
    const kind = below === 0 ? "B-tree leaf" : "B-tree internal node";
    await eachInTurn(
      level,
      ([address, records]) => {
        const length = 6 + records * record + (records + 1) * pointer + 4;
        return summed(file, kind, below === 0 ? "BTLF" : "BTIN", address, length).then((of) => ({
          of,
          records,
          address,
        }));
      },
      ({ of, records, address }) => {
        const body = of.skip(2).take(records * record);
        for (let at = 0; at < records; at += 1)
          each(new Cursor(file, kind, base + address, body.subarray(at * record, (at + 1) * record)));
        if (pointer === 0) return;
        for (let at = 0; at <= records; at += 1) {
          const [child, there] = [of.u(O), of.u(width)];
          of.skip(total);
          if (seen.has(child)) of.fail("each node once", "one of them again");
          seen.add(child);
          next.push([child, there]);
        }
      },
    );
    level = next;
  }
}

interface LevelSize {
  /** Bytes of the number of records in a child, and of their total below it. */
  readonly width: number;
  readonly total: number;
}

/** Sizes by the depth of a node: pointers to leaves have no total. */
function levelSizes(node: number, record: number, depth: number, O: number): readonly LevelSize[] {
  const leaf = Math.floor((node - 10) / record);
  const width = bytesFor(leaf);
  const sizes: LevelSize[] = [{ width: 0, total: 0 }];
  let [cumulative, total] = [leaf, 0];
  for (let level = 1; level <= depth; level += 1) {
    const pointer = O + width + total;
    sizes.push({ width, total });
    const most = Math.floor((node - 10 - pointer) / (record + pointer));
    cumulative = (most + 1) * cumulative + most;
    total = bytesFor(cumulative);
  }
  return sizes;
}
