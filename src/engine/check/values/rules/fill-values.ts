/** Values far from all others that occur again and again in some files alone: missing ones, marked as the attributes do not say. */
import { groupedBy } from "../../../../core/grouped.ts";
import { NO_FILE, type ArrayFacts } from "../value-facts.ts";
import { explainSlots, fileAt, ofChunks, openSlots, type ValueRule } from "../value-rule.ts";

/** How many times the range of all others a usual mark is away from them; and others, or a mark that occurs once. */
const LEAST_RANGES = 0.25;
const FAR = 100;
const LEAST_TIMES = 2;

/** Such as writers mark missing values with. */
const MARKS = [
  -9999, -999, -99, 999, 9999, 99999, -99999, -999999, 1e20, -1e20, 1e30, -1e30, 1e35, 1e36, -1e34,
] as const;
const LARGE = [9.969209968386869e36, 3.4028234663852886e38, -3.4028234663852886e38, 1.7976931348623157e308] as const;
const ENDS = [-32768, -32767, 32767, 65535, -2147483648, -2147483647, 2147483647, 4294967295] as const;
const KNOWN: ReadonlySet<number> = new Set([...MARKS, ...LARGE, ...ENDS, ...MARKS.map(Math.fround)]);

export const fillValues: ValueRule = {
  id: "fill-values",
  codes: ["fill-undeclared"],
  ofArray(facts, sink) {
    const slots = openSlots(facts);
    for (const [value, meant] of groupedBy(slots, (slot) => markOf(facts, slot))) {
      if (value === undefined) continue;
      explainSlots(facts, meant);
      const [first] = meant;
      const files = new Set(meant.map((slot) => facts.files[slot] ?? NO_FILE));
      const isOfFile = meant.length < slots.length && files.size === 1;
      const target = isOfFile ? fileAt(facts, first) : undefined;
      const about = {
        value,
        times: meant.reduce((sum, slot) => sum + timesOf(facts, slot, value), 0),
        files: files.size,
        chunks: meant.length,
        of: slots.length,
        target,
        isFillValue: Number(facts.node.metadata.fillValue ?? NaN) === value,
        ...rangeOf(facts, first, value),
      };
      sink(ofChunks("fill-undeclared", facts, meant, about, target));
    }
  },
};

const timesOf = ({ columns }: ArrayFacts, slot: number, value: number): number =>
  (columns.maximum[slot] === value ? columns.timesMaximum[slot] : columns.timesMinimum[slot]) as number;

/** The range of the chunk without the mark. */
function rangeOf({ columns }: ArrayFacts, slot: number, value: number) {
  const isHigh = columns.maximum[slot] === value;
  const least = isHigh ? columns.minimum[slot] : columns.nextMinimum[slot];
  const most = isHigh ? columns.nextMaximum[slot] : columns.maximum[slot];
  return { range: [least ?? NaN, most ?? NaN] };
}

function markOf({ columns, node }: ArrayFacts, slot: number): number | undefined {
  const [least, most] = [columns.minimum[slot], columns.maximum[slot]] as [number, number];
  const [nextLeast, nextMost] = [columns.nextMinimum[slot], columns.nextMaximum[slot]] as [number, number];
  const above = (most - nextMost) / (nextMost - least);
  const below = (nextLeast - least) / (most - nextLeast);
  const [value, ranges, times] =
    above > below ? [most, above, columns.timesMaximum[slot]] : [least, below, columns.timesMinimum[slot]];
  if (value === 0 || ranges === Infinity || node.metadata.dataType.itemSize < 2) return undefined;
  const isOften = (times as number) >= LEAST_TIMES;
  if (KNOWN.has(value)) return ranges > (isOften ? LEAST_RANGES : FAR) ? value : undefined;
  return isOften && ranges > FAR ? value : undefined;
}
