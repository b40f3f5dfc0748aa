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
  size: number;
  count: number;
  high: Uint32Array;
  low: Uint32Array;
  values: Uint32Array;
}

/** Parts grow one at a time: copies of the whole would take the room twice. */
const PARTS = 256;
const FIRST_SIZE = 64;
const [FULL, GROWTH] = [0.8, 1.3] as const;

export function hashTable(): HashTable {
  // Sizes of their own, so that not all parts are half empty at one time.
  const parts = Array.from({ length: PARTS }, (_, at) => newPart(Math.ceil(FIRST_SIZE * GROWTH ** (at / PARTS))));
  let [part, slot] = [parts[0] as Part, 0];
  let [high, low] = [0, 0];
  const find = (): number => {
    slot = slotOf(part, low);
    for (;;) {
      const value = part.values[slot] as number;
      if (value === 0 || (part.low[slot] === low && part.high[slot] === high)) return value;
      slot = slot + 1 === part.size ? 0 : slot + 1;
    }
  };
  return {
    seek(first, second) {
      [high, low] = [first >>> 0, second >>> 0];
      part = parts[high >>> 24] as Part;
      return find();
    },
    set(value) {
      if (part.values[slot] === 0) {
        if (part.count >= part.size * FULL) {
          grow(part);
          find();
        }
        part.count += 1;
        part.high[slot] = high;
        part.low[slot] = low;
      }
      part.values[slot] = value;
    },
    get count() {
      return parts.reduce((sum, { count }) => sum + count, 0);
    },
    get byteLength() {
      return parts.reduce((sum, { size }) => sum + 12 * size, 0);
    },
  };
}

const newPart = (size: number): Part => ({
  size,
  count: 0,
  high: new Uint32Array(size),
  low: new Uint32Array(size),
  values: new Uint32Array(size),
});

/** Slots follow the order of the hashes, so that a larger part is filled from its start to its end. */
const slotOf = ({ size }: Part, low: number): number => Math.floor((low * size) / 2 ** 32);

function grow(part: Part): void {
  const larger = newPart(Math.ceil(part.size * GROWTH));
  for (let from = 0; from < part.size; from += 1) {
    const value = part.values[from] as number;
    if (value === 0) continue;
    const low = part.low[from] as number;
    let slot = slotOf(larger, low);
    while (larger.values[slot] !== 0) slot = slot + 1 === larger.size ? 0 : slot + 1;
    larger.high[slot] = part.high[from] as number;
    larger.low[slot] = low;
    larger.values[slot] = value;
  }
  Object.assign(part, { ...larger, count: part.count });
}
