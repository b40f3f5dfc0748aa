/** The figures of a shard. Pure. */
import { ENTRY_STATES, isDamaged, type ShardMap } from "#core/table/shard-map.ts";

export type ShardTotals = ReturnType<typeof shardTotals>;

const READABLE = ENTRY_STATES.map((state) => state === "present" || state === "shared");

export function shardTotals(map: ShardMap, chunkBytes: number | undefined) {
  const { codes, lengths, counts } = map;
  let smallest = Number.POSITIVE_INFINITY;
  let largest = -1;
  for (let inner = 0; inner < codes.length; inner += 1) {
    if (READABLE[codes[inner] ?? 0] !== true) continue;
    const length = lengths[inner] ?? 0;
    if (length < smallest) smallest = length;
    if (length > largest) largest = length;
  }
  let stored = 0;
  for (const inner of map.inFileOrder) if (READABLE[codes[inner] ?? 0] === true) stored += lengths[inner] ?? 0;
  const count = (wanted: (state: (typeof ENTRY_STATES)[number]) => boolean) =>
    ENTRY_STATES.reduce((sum, state, code) => (wanted(state) ? sum + (counts[code] ?? 0) : sum), 0);
  const present = count((state) => state === "present" || state === "shared");
  return {
    all: codes.length,
    /** Readable ones, shared ones included. */
    present,
    shared: count((state) => state === "shared"),
    empty: count((state) => state === "empty"),
    damaged: count(isDamaged),
    /** Bytes of readable chunks as stored, shared ones once; decoded, shared ones each time. */
    stored,
    decoded: chunkBytes === undefined ? undefined : present * chunkBytes,
    /** Stored lengths of readable chunks. */
    smallest: largest < 0 ? undefined : smallest,
    largest: largest < 0 ? undefined : largest,
  };
}

export const ORDER_WORDS: Readonly<Record<NonNullable<ShardMap["writeOrder"]>, string>> = {
  C: "C order",
  F: "F order",
  Morton: "Morton order",
  "reverse C": "reverse C order",
  other: "no named order",
};
