/**
 * A set of 64-bit hashes with a number each, in typed arrays: 12 bytes an entry and a quarter of free room, so that tens
 * of millions of references fit where objects would take gigabytes.
 */

/** Distinct of 35 million references with the same hash: 1 in 30,000. */
export interface HashTable {
  /** The number of this hash, 0 where it is not there; it is then the one that `set` means. */
  seek(high: number, low: number): number;
  /** Gives the hash that was sought last a number above 0. */
  set(value: number): void;
  readonly count: number;
  readonly byteLength: number;
}

interface Part {
  /** Places for entries. */
  size: number;
  count: number;
  /** An entry is its number, then the halves of its hash: side by side, since each visit is to memory far away. */
  cells: Uint32Array;
}

const CELLS = 3;
/**
 * Few and large parts, by the first bits of the hash: memory of tens of megabytes goes back to the system when a part has
 * grown, while smaller pieces leave gaps that nothing fits into.
 */
const [PART_BITS, PARTS] = [3, 8] as const;
const FIRST_SIZE = 2048;
const [FULL, GROWTH] = [0.8, 1.3] as const;

export function hashTable(): HashTable {
  // Sizes of their own, so that not all parts are half empty at one time.
  const parts = Array.from({ length: PARTS }, (_, at) => newPart(Math.ceil(FIRST_SIZE * GROWTH ** (at / PARTS))));
  let [part, at] = [parts[0] as Part, 0];
  let [high, low] = [0, 0];
  const find = (): number => {
    const { cells } = part;
    for (at = slotOf(part, high); ; at = at + CELLS === cells.length ? 0 : at + CELLS) {
      const value = cells[at] as number;
      if (value === 0 || (cells[at + 1] === low && cells[at + 2] === high)) return value;
    }
  };
  return {
    seek(first, second) {
      [high, low] = [first >>> 0, second >>> 0];
      part = parts[high >>> (32 - PART_BITS)] as Part;
      return find();
    },
    set(value) {
      if (part.cells[at] === 0) {
        if (part.count >= part.size * FULL) {
          grow(part);
          find();
        }
        part.count += 1;
        part.cells[at + 1] = low;
        part.cells[at + 2] = high;
      }
      part.cells[at] = value;
    },
    get count() {
      return parts.reduce((sum, { count }) => sum + count, 0);
    },
    get byteLength() {
      return parts.reduce((sum, { cells }) => sum + cells.byteLength, 0);
    },
  };
}

const newPart = (size: number): Part => ({ size, count: 0, cells: new Uint32Array(CELLS * size) });

/** Slots follow the order of the hashes, so that a larger part is filled from its start to its end. */
const slotOf = ({ size }: Part, high: number): number =>
  CELLS * Math.floor((((high << PART_BITS) >>> 0) * size) / 2 ** 32);

function grow(part: Part): void {
  const larger = newPart(Math.ceil(part.size * GROWTH));
  const { cells } = larger;
  for (let from = 0; from < part.cells.length; from += CELLS) {
    if (part.cells[from] === 0) continue;
    let to = slotOf(larger, part.cells[from + 2] as number);
    while (cells[to] !== 0) to = to + CELLS === cells.length ? 0 : to + CELLS;
    for (let cell = 0; cell < CELLS; cell += 1) cells[to + cell] = part.cells[from + cell] as number;
  }
  part.size = larger.size;
  part.cells = cells;
}
