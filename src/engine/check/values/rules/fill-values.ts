/** Values far from all others that occur again and again in some files alone: missing ones, marked as the attributes do not say. */
import { finding } from "../../../../core/findings/finding.ts";
import { NO_FILE, type ArrayFacts } from "../value-facts.ts";
import {
  fileAt,
  isDecoded,
  placeAt,
  targetPlace,
  withChunks,
  type ValueRule,
  isOpen,
  explainSlots,
} from "../value-rule.ts";

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
  run(view, ledger, sink) {
    for (const facts of view.facts) {
      if (!isOpen(ledger, facts)) continue;
      const slots = [...facts.ordinals.keys()].filter((slot) => isDecoded(facts, slot) && isOpen(ledger, facts, slot));
      for (const [value, meant] of marks(facts, slots)) {
        const [first] = meant;
        if (first === undefined) continue;
        explainSlots(ledger, facts, meant);
        const isAll = meant.length === slots.length;
        const files = new Set(meant.map((slot) => facts.files[slot] ?? NO_FILE));
        const target = !isAll && files.size === 1 ? fileAt(view, facts, first) : undefined;
        const place = target === undefined ? placeAt(facts, first) : targetPlace(target, facts, first);
        const times = meant.reduce((sum, slot) => sum + timesOf(facts, slot, value), 0);
        const about = {
          value,
          times,
          files: files.size,
          chunks: meant.length,
          of: slots.length,
          target,
          isFillValue: Number(facts.node.metadata.fillValue ?? NaN) === value,
          ...rangeOf(facts, first, value),
        };
        sink(withChunks(finding("fill-undeclared", place, about), facts, meant));
      }
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

function marks(facts: ArrayFacts, slots: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const slot of slots) {
    const value = markOf(facts, slot);
    if (value === undefined) continue;
    const own = found.get(value) ?? [];
    found.set(value, own);
    own.push(slot);
  }
  return found;
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
