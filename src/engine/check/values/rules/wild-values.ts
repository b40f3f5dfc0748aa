/** One value far from all others of the array, which one wrong bit explains. */
import type { ArrayFacts } from "../value-facts.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { isBeyondTail, isFar } from "../wild-bits.ts";
import { isUsualMark } from "./fill-values.ts";
import { explainSlots, leastOf, mostOf, ofChunks, openSlots, type ValueRule, withChunks } from "../value-rule.ts";
import { isUnscaled, scale } from "#core/cf/cf.ts";
import type { ValidRange } from "#core/cf/cf-valid.ts";
import { finding, nodeAt } from "#core/findings/finding.ts";

/** Most chunks with wild values: in more of them the data itself is wild. */
const MAX_CHUNKS = 3;
const LEAST_ENDS = 16;

export const wildValues: ValueRule = {
  id: "wild-values",
  codes: ["value-wild"],
  ofArray(facts, sink) {
    const slots = openSlots(facts);
    const { wild, wildValue, wildBit } = facts.columns;
    const few = slots.filter((slot) => (wild[slot] as number) > 0);
    if (few.length > Math.max(1, Math.min(MAX_CHUNKS, slots.length / 4))) return;
    const found = few.filter((slot) => !isMark(facts, wildValue[slot] as number) && isWild(facts, slots, slot));
    explainSlots(facts, found);
    for (const slot of found) {
      const range = restOf(facts, slots, slot);
      const [value, bit] = [wildValue[slot] ?? NaN, wildBit[slot] ?? 0];
      sink(ofChunks("value-wild", facts, [slot], { value, range, isBit: bit > 0, isSure: bit === 2 }));
    }
  },
};

/** True if the value marks missing data: declared, whether or not readers mask it, or in common use. */
function isMark({ node }: ArrayFacts, value: number): boolean {
  const { fillValue } = node.metadata;
  const fills = [fillValue ?? NaN, ...(scalingOfNode(node)?.fillValues ?? [])].map(Number);
  return isUsualMark(value) || fills.some((fill) => value === fill || value === Math.fround(fill));
}

/** Least and greatest of all other values of the array. */
function restOf({ columns }: ArrayFacts, slots: readonly number[], wild: number): readonly [number, number] {
  const value = columns.wildValue[wild];
  let [least, most] = [Infinity, -Infinity];
  for (const slot of slots) {
    const isOwn = slot === wild;
    const low = isOwn && columns.minimum[slot] === value ? columns.nextMinimum[slot] : columns.minimum[slot];
    const high = isOwn && columns.maximum[slot] === value ? columns.nextMaximum[slot] : columns.maximum[slot];
    least = Math.min(least, low ?? NaN);
    most = Math.max(most, high ?? NaN);
  }
  return [least, most];
}

function isWild(facts: ArrayFacts, slots: readonly number[], slot: number): boolean {
  const { columns } = facts;
  const { wild, wildValue } = columns;
  const [least, most] = restOf(
    facts,
    slots.filter((one) => one === slot || !((wild[one] as number) > 0)),
    slot,
  );
  const value = wildValue[slot] as number;
  if (!isFar(value, least, most, 1)) return false;
  // Chunks with few values do not tell how far out values lie: the ends of all of them do.
  const ends = slots.flatMap((one) => (one === slot ? [] : [columns.minimum[one] ?? NaN, columns.maximum[one] ?? NaN]));
  return ends.length < LEAST_ENDS || isBeyondTail(ends, value, [least, most], true);
}

/** Values outside the range that the attributes call valid. Readers leave them as they are. */
export const validRange: ValueRule = {
  id: "valid-range",
  codes: ["values-outside-valid-range"],
  ofArray(facts, sink) {
    const valid = scalingOfNode(facts.node)?.valid;
    const { outside, count } = facts.columns;
    const slots = valid === undefined ? [] : openSlots(facts).filter((slot) => (outside[slot] as number) > 0);
    if (slots.length === 0) return;
    const sum = (column: Float64Array) => slots.reduce((total, slot) => total + (column[slot] as number), 0);
    const { whole } = facts;
    const isKnown = whole !== undefined && !whole.some(Number.isNaN);
    const coordinate = isKnown ? [leastOf(whole, whole.keys()), mostOf(whole, whole.keys())] : undefined;
    const about = { outside: sum(outside), of: sum(count), least: valid?.minimum, most: valid?.maximum, coordinate };
    const unpacked = about.outside * LEAST_SHARE < about.of ? undefined : unpackedWithin(facts, valid);
    const found = { ...about, ...(unpacked === undefined ? {} : { unpacked }) };
    sink(withChunks(finding("values-outside-valid-range", nodeAt(facts.node.path), found), facts, slots));
  },
};

/** One in so many stored numbers is outside, at least, where the range is not meant for them. */
const LEAST_SHARE = 10;

/** Least and greatest of packed values after unpacking, if both lie within the range then. */
function unpackedWithin(
  { node, columns, ordinals }: ArrayFacts,
  valid: ValidRange | undefined,
): readonly number[] | undefined {
  const scaling = scalingOfNode(node);
  if (scaling === undefined || valid === undefined || isUnscaled(scaling)) return undefined;
  const ends = [columns.minimum, columns.maximum].flatMap((column) =>
    [...ordinals.keys()].map((slot) => scale(column[slot] ?? NaN, scaling)).filter((end) => !Number.isNaN(end)),
  );
  const [least, most] = [leastOf(ends, ends.keys()), mostOf(ends, ends.keys())];
  const { minimum = -Infinity, maximum = Infinity } = valid;
  return least < most && least >= minimum && most <= maximum ? [least, most] : undefined;
}
