/**
 * Marks of missing values: those that occur again and again, far from all others, and are declared nowhere; zeros that
 * are declared though they are data.
 */
import { groupedBy } from "#core/basics.ts";
import { finding, nodeAt } from "#core/findings/finding.ts";
import { NOT_A_TIME } from "#core/cf/time-text.ts";
import { scalingOf } from "#core/cf/cf.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { parentOf } from "#core/metadata/hierarchy-path.ts";
import { findCodec } from "#codecs/find-codec.ts";
import { levelsRead } from "#engine/describe/levels.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { NO_FILE, type ArrayFacts } from "../value-facts.ts";
import { explainSlots, fileAt, isDecoded, ofChunks, openSlots, type ValueRule, withChunks } from "../value-rule.ts";

/** How many times the range of all others a usual mark is away from them; and others, or a mark that occurs once. */
const LEAST_RANGES = 0.25;
const FAR = 100;
const LEAST_TIMES = 2;

/** Such as writers mark missing values with. */
const MARKS = [
  -9999, -999, -99, 999, 9999, 99999, -99999, -999999, 1e20, -1e20, 1e30, -1e30, 1e35, 1e36, -1e34,
] as const;
const LARGE = [9.969209968386869e36, 3.4028234663852886e38, -3.4028234663852886e38, 1.7976931348623157e308] as const;
const ENDS = [-32768, -32767, 32767, 65535, -2147483648, -2147483647, 2147483647, 4294967295, -(2 ** 63)] as const;
/** No measured quantity is as large. */
const HUGE = 1e30;
const KNOWN: ReadonlySet<number> = new Set([...MARKS, ...LARGE, ...ENDS, ...MARKS.map(Math.fround)]);

/** Values with which writers mark missing ones. */
export const isUsualMark = (value: number): boolean => KNOWN.has(value) || Math.abs(value) >= HUGE;

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
        ...(isSingle(facts) ? { isSingle: true } : {}),
        times: meant.reduce((sum, slot) => sum + timesOf(facts, slot, value), 0),
        files: files.size,
        chunks: meant.length,
        of: slots.length,
        target,
        ...declared(facts, value),
        ...rangeOf(facts, first, value),
      };
      sink(ofChunks("fill-undeclared", facts, meant, about, target));
    }
  },
};

const isSingle = ({ node: { metadata } }: ArrayFacts): boolean =>
  metadata.dataType.kind === "float" && metadata.dataType.itemSize === 4;

/** Other values that the array declares as missing. */
function declared({ node }: ArrayFacts, value: number) {
  const { fillValue, zarrFormat } = node.metadata;
  const fills = scalingOfNode(node)?.fillValues.map(Number) ?? [];
  const packed = imagesOf(node).find(({ image }) => isImage(image, value))?.fill;
  return {
    isFillValue: Number(fillValue ?? NaN) === value,
    isUsual: isUsualMark(value),
    hasOther: fills.length > 0,
    version: zarrFormat,
    packed,
    rounded: [Number(fillValue ?? NaN), ...fills].find(
      (fill) => fill !== value && Math.abs(fill - value) < Math.abs(value) * 1e-5,
    ),
  };
}

const timesOf = ({ columns }: ArrayFacts, slot: number, value: number): number =>
  value === Number(NOT_A_TIME)
    ? (columns.missing[slot] as number)
    : ((columns.maximum[slot] === value ? columns.timesMaximum[slot] : columns.timesMinimum[slot]) as number);

/** The range of the chunk without the mark. */
function rangeOf({ columns }: ArrayFacts, slot: number, value: number) {
  const isHigh = columns.maximum[slot] === value;
  const least = isHigh || value === Number(NOT_A_TIME) ? columns.minimum[slot] : columns.nextMinimum[slot];
  const most = isHigh ? columns.nextMaximum[slot] : columns.maximum[slot];
  return { range: [least ?? NaN, most ?? NaN] };
}

/** Times that are not known, as NumPy and pandas write them: readers unpack them as times, or fail. */
const isNoTime = ({ columns, node }: ArrayFacts, slot: number): boolean =>
  node.metadata.dataType.kind === "int" &&
  scalingOfNode(node)?.time !== undefined &&
  scalingOfNode(node)?.fillValues.length === 0 &&
  (columns.missing[slot] as number) > 0;

function markOf(facts: ArrayFacts, slot: number): number | undefined {
  const { columns, node } = facts;
  if (isNoTime(facts, slot)) return Number(NOT_A_TIME);
  const [least, most] = [columns.minimum[slot], columns.maximum[slot]] as [number, number];
  const [nextLeast, nextMost] = [columns.nextMinimum[slot], columns.nextMaximum[slot]] as [number, number];
  const above = (most - nextMost) / (nextMost - least);
  const below = (nextLeast - least) / (most - nextLeast);
  const [value, ranges, times] =
    above > below ? [most, above, columns.timesMaximum[slot]] : [least, below, columns.timesMinimum[slot]];
  const images = imagesOf(node);
  const packed = [most, least].find((end) => images.some(({ image }) => isImage(image, end)));
  if (packed !== undefined) return packed;
  if (value === 0 || ranges === Infinity || node.metadata.dataType.itemSize < 2) return undefined;
  const isOften = (times as number) >= LEAST_TIMES;
  if (KNOWN.has(value)) return ranges > (isOften ? LEAST_RANGES : FAR) ? value : undefined;
  return isOften && ranges > FAR ? value : undefined;
}

/**
 * Declared fill values and their unpacked images, in arrays whose codec unpacks values while the fill value is declared
 * packed.
 */
function imagesOf(node: ArrayNode): readonly { readonly fill: number; readonly image: number }[] {
  const step = node.metadata.decoding.find(({ id }) => findCodec(id)?.id === "fixedscaleoffset");
  if (step === undefined) return [];
  const numbers = ["scale", "offset"].map((name) => Number(step.configuration.get(name) ?? NaN));
  const [by = NaN, offset = NaN] = numbers;
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
  ofArray(facts, sink, { set }) {
    const { node, columns, whole } = facts;
    const scaling = scalingOf(node.metadata, node.attributes);
    const group = set.hierarchy.nodes.get(parentOf(node));
    if (scaling?.zeroIsImplied !== true || node.metadata.dimensionNames === undefined) return;
    const read = [...facts.ordinals.keys()].filter((slot) => isDecoded(facts, slot));
    const slots = read.filter((slot) => (columns.zeros[slot] ?? 0) > 0);
    if (slots.length === 0) return;
    const sum = (column: Float64Array) => read.reduce((total, slot) => total + (column[slot] as number), 0);
    const about = {
      array: node.path,
      zeros: sum(columns.zeros),
      elements: sum(columns.count),
      position: whole?.includes(0) === true ? whole.indexOf(0) : undefined,
      isTime: scaling.time !== undefined,
      isWhole: read.length === facts.of,
      // Viewers of images take the fill value for a number like others.
      ...(group !== undefined && levelsRead(group).sets.some(({ convention }) => convention === "ome")
        ? { isImage: true }
        : {}),
    };
    sink(withChunks(finding("fill-masks-values", nodeAt(node.path), about), facts, slots));
  },
};
