/** Values far from all others that occur again and again in some files alone: missing ones, marked as the attributes do not say. */
import { finding } from "../../../../core/findings/finding.ts";
import { nodeAt } from "../../../../core/findings/place.ts";
import { scalingOf } from "../../../../core/cf/cf.ts";
import type { ArrayNode } from "../../../../core/metadata/hierarchy.ts";
import { findCodec } from "../../../../codecs/find-codec.ts";
import { scalingOfNode } from "../note-chunk.ts";
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
/** No measured quantity is as large. */
const HUGE = 1e30;
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
          ...declared(facts, value),
          ...rangeOf(facts, first, value),
        };
        sink(withChunks(finding("fill-undeclared", place, about), facts, meant));
      }
    }
  },
};

/** What the array declares as missing besides. */
function declared({ node }: ArrayFacts, value: number) {
  const { fillValue, zarrFormat } = node.metadata;
  const fills = scalingOfNode(node)?.fillValues.map(Number) ?? [];
  const packed = imagesOf(node).find(({ image }) => isImage(image, value))?.fill;
  return {
    isFillValue: Number(fillValue ?? NaN) === value,
    isUsual: KNOWN.has(value) || Math.abs(value) >= HUGE,
    hasOther: fills.length > 0,
    version: zarrFormat,
    packed,
  };
}

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
  const packed = [most, least].find((end) => imagesOf(node).some(({ image }) => isImage(image, end)));
  if (packed !== undefined) return packed;
  if (value === 0 || ranges === Infinity || node.metadata.dataType.itemSize < 2) return undefined;
  const isOften = (times as number) >= LEAST_TIMES;
  if (KNOWN.has(value)) return ranges > (isOften ? LEAST_RANGES : FAR) ? value : undefined;
  return isOften && ranges > FAR ? value : undefined;
}

/** What a declared fill value becomes where a codec unpacks values, though it is declared as it is packed. */
function imagesOf(node: ArrayNode): readonly { readonly fill: number; readonly image: number }[] {
  const step = node.metadata.decoding.find(({ id }) => findCodec(id)?.id === "fixedscaleoffset");
  if (step === undefined) return [];
  const [by, offset] = ["scale", "offset"].map((name) => Number(step.configuration.get(name) ?? NaN)) as [
    number,
    number,
  ];
  const fills = scalingOfNode(node)?.fillValues.map(Number) ?? [];
  return fills.flatMap((fill) => {
    const image = fill / by + offset;
    return Number.isFinite(image) && !isImage(image, fill) ? [{ fill, image }] : [];
  });
}

const isImage = (image: number, value: number): boolean => Math.abs(image - value) <= Math.abs(image) * 1e-6;

/** Zeros that xarray masks, because `fill_value` is 0 and nothing else is declared: they are counted as values here. */
export const maskedZeros: ValueRule = {
  id: "masked-zeros",
  codes: ["fill-masks-values"],
  run(view, _, sink) {
    for (const facts of view.facts) {
      const { node, columns, whole } = facts;
      const scaling = scalingOf(node.metadata, node.attributes);
      if (scaling?.zeroIsImplied !== true || node.metadata.dimensionNames === undefined) continue;
      const slots = [...facts.ordinals.keys()].filter(
        (slot) => isDecoded(facts, slot) && (columns.zeros[slot] ?? 0) > 0,
      );
      const zeros = slots.reduce((sum, slot) => sum + (columns.zeros[slot] as number), 0);
      if (zeros === 0) continue;
      const read = [...facts.ordinals.keys()].filter((slot) => isDecoded(facts, slot));
      const about = {
        array: node.path,
        zeros,
        elements: read.reduce((sum, slot) => sum + (columns.count[slot] as number), 0),
        position: whole?.includes(0) === true ? whole.indexOf(0) : undefined,
        isTime: scaling.time !== undefined,
      };
      sink(withChunks(finding("fill-masks-values", nodeAt(node.path), about), facts, slots));
    }
  },
};
