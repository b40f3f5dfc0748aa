/**
 * Chunks that decode as declared to values that are put together wrongly: another byte order, another list of codecs,
 * another offset.
 */
import { groupedBy } from "#core/basics.ts";
import type { Suggestion } from "#core/repair.ts";
import { repairFacts } from "../explain-failures.ts";
import { repairSearch } from "../repair-search.ts";
import { NO_FILE, type ArrayFacts } from "../value-facts.ts";
import { explainArray, explainSlots, isDecoded, isOpen, measured, median, ofChunks, openSlots } from "../value-rule.ts";
import type { ValueRule, ValuesView } from "../value-rule.ts";

/** Doubtful chunks of an array, at most one a file, that are searched. */
const MAX_SEARCHED = 4;

/** Share of the decoded chunks that must be doubtful to blame the array's metadata. */
const SHARE_OF_ARRAY = 0.7;

export const misread: ValueRule = {
  id: "misread",
  codes: ["values-misread"],
  isOfDeclared: true,
  async ofSet(view, sink) {
    let swapped: Suggestion | undefined;
    for (const facts of view.facts) {
      if (!isOpen(facts)) continue;
      const found = await searchArray(view, facts);
      const decoded = decodedOf(facts);
      const isAll = found.doubtful.size >= decoded.length * SHARE_OF_ARRAY;
      const most = Math.max(...[...found.repairs.values()].map(({ slots }) => slots.length));
      for (const { best, slots } of found.repairs.values()) {
        const [first] = slots;
        if (first === undefined || !isOpen(facts)) continue;
        // A repair of one chunk that differs from those of its many neighbours is a guess.
        if (isAll && slots.length < most) continue;
        if (isOfOrderAlone(best) || hasOddElements(best, facts)) continue;
        if (!isAll && best.change.kind === "byte-order" && !isWholeFile(facts, first, found.doubtful)) continue;
        const meant = isAll ? decoded : decoded.filter((slot) => isBeside(facts, slot, slots, found.doubtful));
        if (isAll && best.change.kind === "byte-order") swapped = best;
        if (isAll) explainArray(facts);
        else explainSlots(facts, meant);
        const isSure =
          !areSmooth(facts, meant) &&
          (isAll ? slots.length * 2 > found.searched : areUnlikeOthers(facts, meant, best, found.doubtful)) &&
          !(best.change.kind === "byte-order" && areMultiples(facts, meant));
        const about = { ...repairFacts(best), chunks: meant.length, of: decoded.length, isSure };
        sink(ofChunks("values-misread", facts, [first, ...meant.filter((slot) => slot !== first)], about));
      }
    }
    if (swapped === undefined) return;
    for (const facts of view.facts) {
      if (!isOpen(facts) || !isSwappedCoordinate(facts)) continue;
      explainArray(facts);
      const of = facts.ordinals.length;
      const about = { ...repairFacts(swapped), chunks: of, of, isSure: true };
      sink(ofChunks("values-misread", facts, [...facts.ordinals.keys()], about));
    }
  },
};

// A few numbers of a coordinate show no noise: but where other arrays are written in the other byte order, one that is
// far smaller in that order, and in order, is as well.

/** Times as large, read as declared. */
const FAR_LARGER = 1000;

function isSwappedCoordinate(facts: ArrayFacts): boolean {
  const { whole, node } = facts;
  const { kind, itemSize } = node.metadata.dataType;
  if (whole === undefined || whole.length < 2 || itemSize < 2 || (kind !== "int" && kind !== "uint")) return false;
  if (decodedOf(facts).length < facts.ordinals.length) return false;
  const meant = whole.map((value) => otherOrder(value, itemSize));
  const steps = meant.subarray(1).map((value, at) => value - (meant[at] as number));
  const isOrdered = steps.every((step) => step > 0) || steps.every((step) => step < 0);
  const most = (values: Float64Array) => values.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  return isOrdered && most(whole) > FAR_LARGER * most(meant);
}

/** The integer that its bytes are in the other order. */
function otherOrder(value: number, itemSize: number): number {
  if (!Number.isFinite(value)) return NaN;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, BigInt.asIntN(8 * itemSize, BigInt(value)) << BigInt(64 - 8 * itemSize));
  return Number(BigInt.asIntN(8 * itemSize, view.getBigInt64(0, true)));
}

const decodedOf = (facts: ArrayFacts): readonly number[] =>
  [...facts.ordinals.keys()].filter((slot) => isDecoded(facts, slot));

/**
 * A file, or a store, has one byte order: where its other chunks of the array are as they should be, it is not the
 * order.
 */
function isWholeFile(facts: ArrayFacts, slot: number, doubtful: ReadonlySet<number>): boolean {
  const own = decodedOf(facts).filter((one) => facts.files[one] === facts.files[slot]);
  return own.filter((one) => doubtful.has(one)).length >= own.length * SHARE_OF_ARRAY;
}

/** True if the declared values are smooth integers rather than noise: they may be multiples of 256 by design. */
const areSmooth = ({ columns, node }: ArrayFacts, slots: readonly number[]): boolean =>
  ["int", "uint"].includes(node.metadata.dataType.kind) &&
  median(slots.map((slot) => columns.rough[slot] as number)) < ROUGH;

/** The rule about the order of elements asks more than that another one is smoother. */
const isOfOrderAlone = ({ change }: Suggestion): boolean =>
  change.kind === "codec-not-applied" && change.codecs.every((codec) => codec === "transpose");

/** Among many sizes of elements one is always smoother; writers shuffle numbers. */
function hasOddElements({ change }: Suggestion, { node }: ArrayFacts): boolean {
  const sized = change.kind === "codec-undeclared" ? change.detail : change;
  const size = sized?.kind === "element-size" ? sized.size : 1;
  return !WRITTEN_SIZES.has(size) && size !== node.metadata.dataType.itemSize;
}

const WRITTEN_SIZES: ReadonlySet<number> = new Set([1, 2, 4, 8, 16]);

/** Integers with nothing in their lowest byte are as smooth in the other order: it says nothing about them. */
const areMultiples = ({ columns, node }: ArrayFacts, slots: readonly number[]): boolean =>
  ["int", "uint"].includes(node.metadata.dataType.kind) &&
  slots.every((slot) => (columns.minimum[slot] as number) % 256 === 0 && (columns.maximum[slot] as number) % 256 === 0);

/**
 * True if other chunks are no noise, while these are: of a noisy array some chunk is always smoother otherwise. A writer
 * has one list of codecs, so that another one must be that of a whole file.
 */
function areUnlikeOthers(
  facts: ArrayFacts,
  slots: readonly number[],
  { change }: Suggestion,
  doubtful: ReadonlySet<number>,
): boolean {
  const own = new Set(slots);
  const others = decodedOf(facts).filter((slot) => !own.has(slot));
  const isMove = change.kind === "move";
  const ofFiles = groupedBy(slots, (slot) => facts.files[slot]);
  return (
    median(others.map((slot) => facts.columns.rough[slot] as number)) < ROUGH &&
    (isMove || [...ofFiles.values()].every(([slot]) => isWholeFile(facts, slot, doubtful)))
  );
}

/** True if it is in the same file as one of those found, and as doubtful. */
function isBeside(
  { files }: ArrayFacts,
  slot: number,
  found: readonly number[],
  doubtful: ReadonlySet<number>,
): boolean {
  if (found.includes(slot)) return true;
  return doubtful.has(slot) && files[slot] !== NO_FILE && found.some((one) => files[one] === files[slot]);
}

async function searchArray(view: ValuesView, facts: ArrayFacts) {
  const search = repairSearch(view);
  const open = openSlots(facts);
  const doubtful = new Set(open.filter((slot) => isDoubtful(facts, slot)));
  const { kind, itemSize } = facts.node.metadata.dataType;
  const isInteger = kind === "int" || kind === "uint";
  const odd = oddOnes(facts, open).filter((slot) => !isInteger || !isSmall(storedBytes(facts, slot), itemSize));
  for (const slot of odd) doubtful.add(slot);
  const repairs = new Map<string, { best: Suggestion; slots: number[] }>();
  const chosen = [...new Set([...onePerFile(facts, odd).slice(0, MAX_SEARCHED), ...spread([...doubtful])])];
  for (const slot of chosen) {
    const best = await search.best(facts, slot);
    if (best === undefined) continue;
    const key = JSON.stringify(best.change);
    const known = repairs.get(key) ?? { best, slots: [] };
    repairs.set(key, known);
    known.slots.push(slot);
  }
  return { repairs, doubtful, searched: chosen.length };
}

/** The first, the middle and the last. */
const spread = (slots: readonly number[]): readonly number[] =>
  slots.length <= 3 ? slots : [slots[0] as number, slots[slots.length >> 1] as number, slots.at(-1) as number];

function onePerFile({ files }: ArrayFacts, slots: readonly number[]): readonly number[] {
  const seen = new Set<number>();
  return slots.filter((slot) => {
    const file = files[slot] ?? NO_FILE;
    if (file !== NO_FILE && seen.has(file)) return false;
    seen.add(file);
    return true;
  });
}

/**
 * Floats read wrongly have exponents made of other bits: their magnitudes are spread over many powers of ten. Those of one
 * sign and about one magnitude are what was written, however little neighbours agree (a few rows, noise, a common
 * exponent): another reading that is smoother would destroy them.
 */
const NARROW = 100;
const isOfOneMagnitude = (least: number, most: number): boolean =>
  (least > 0 && most / least < NARROW) || (most < 0 && least / most < NARROW);

/** Rougher than measurements mostly are, of magnitudes that they seldom have, or multiples of 256 alone. */
const ROUGH = 0.45;
const GREATEST = 1e12;
const SMALLEST = 1e-12;

const storedBytes = ({ columns }: Pick<ArrayFacts, "columns">, slot: number): number =>
  Math.max(Math.abs(columns.minimum[slot] as number), Math.abs(columns.maximum[slot] as number));

function isDoubtful(facts: ArrayFacts, slot: number): boolean {
  const { columns, node } = facts;
  const of = measured(facts, slot);
  const [rough, least, most] = [of("rough"), of("minimum"), of("maximum")];
  if (Number.isNaN(most) || least === most) return false;
  const size = storedBytes({ columns }, slot);
  const { kind } = node.metadata.dataType;
  const isFloat = kind === "float" || kind === "narrow";
  if (isFloat && (size > GREATEST || size < SMALLEST)) return true;
  if (isFloat && isOfOneMagnitude(least, most)) return false;
  if (!isFloat && least % 256 === 0 && most % 256 === 0) return !isOfClasses(columns, slot);
  if (!isFloat && isSmall(size, node.metadata.dataType.itemSize)) return false;
  return Number.isNaN(rough) || rough > ROUGH;
}

/** Integers whose highest byte says nothing but the sign: in another order, or shuffled, it would be any. */
const isSmall = (size: number, itemSize: number): boolean => itemSize > 1 && size < 2 ** (8 * itemSize - 9);

/** Least and greatest stand so often that there are few values: flags of bits are multiples of 256, too. */
function isOfClasses({ count, missing, timesMinimum, timesMaximum }: ArrayFacts["columns"], slot: number): boolean {
  const ends = (timesMinimum[slot] as number) + (timesMaximum[slot] as number);
  return ends * 5 > (count[slot] as number) - (missing[slot] as number);
}

/** Those much rougher than the others of the array, or of another magnitude. */
function oddOnes({ columns }: ArrayFacts, slots: readonly number[]): readonly number[] {
  if (slots.length < 4) return [];
  const sizes = slots.map((slot) => Math.log10(1e-300 + (columns.spread[slot] as number)));
  const roughs = slots.map((slot) => columns.rough[slot] as number);
  const [size, rough] = [median(sizes), median(roughs)];
  const reach = 4 * Math.max(0.3, median(sizes.map((one) => Math.abs(one - size))));
  const roughReach = 4 * Math.max(0.06, median(roughs.map((one) => Math.abs(one - rough))));
  return slots.filter(
    (_, at) => Math.abs((sizes[at] as number) - size) > reach || (roughs[at] as number) - rough > roughReach,
  );
}
