/**
 * How two arrays are laid onto each other before their values are compared: dimensions by name, places by coordinate,
 * numbers in one unit; and the tolerance that follows from how both are stored.
 */
import type { Axis, AxisValues } from "#core/cf/axis.ts";
import type { CallContext } from "#core/byte-source.ts";
import { scalingOf, type Scaling } from "#core/cf/cf.ts";
import { timeTotal, type TimeView } from "#core/cf/cf-time.ts";
import { conversionBetween, type Conversion } from "#core/cf/quantity.ts";
import type { ArrayMetadata, ArrayNode } from "#core/metadata/array-metadata.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import { hasNumbers } from "#core/metadata/data-type.ts";
import { type ArrayMeaning, meaningOf, sameMeaning } from "#core/metadata/meaning.ts";
import type { ArrayPair, Beside, Pair, PairedDimension, Tolerance, ValuesMode } from "#core/set-differences.ts";
import { typeText, writtenType } from "#core/values/written-elements.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import type { EngineSet } from "../engine-set.ts";
import { axisOf, coordinateArray } from "../many/axis.ts";
import { sameAttributes } from "./compare-sets.ts";

export interface PairWish {
  readonly sets: Pair<EngineSet>;
  readonly nodes: Pair<ArrayNode>;
  readonly mode: ValuesMode;
  readonly given?: { readonly absolute?: number | undefined; readonly relative?: number | undefined } | undefined;
  readonly decoder: ChunkDecoder;
}

export const scalingIn = ({ metadata, attributes }: ArrayNode, mode: ValuesMode): Scaling | undefined =>
  mode === "cf" ? scalingOf(metadata, attributes) : undefined;

/** Reads the coordinates of both, where they are not one. */
export async function pairArrays(wish: PairWish, context: CallContext): Promise<ArrayPair> {
  const { nodes, mode } = wish;
  const { a, b } = nodes;
  const meanings = { a: meaningOf(a), b: meaningOf(b) };
  const conversion = kindOf(a, mode) === kindOf(b, mode) ? conversionOf(nodes, mode, meanings) : "type";
  const order = dimensionOrder(a.metadata, b.metadata);
  const found = { scale: 1, shift: 0, units: mode === "cf" ? textAttribute(a.attributes, "units") : undefined };
  const beside = besideOf(nodes, meanings);
  if (typeof conversion === "string" || order === undefined) {
    const uncompared = order === undefined || conversion === "type" ? "type" : "units";
    return { ...found, dimensions: [], tolerance: NONE, beside, uncompared };
  }
  const along = await Promise.all(order.map((of, dimension) => placesAlong(wish, dimension, of, context)));
  const dimensions = along.map(({ of, offset, step }) => ({ of, offset, step }));
  const isCut = dimensions.some((fit, dimension) => {
    const [length = 0, other = 0] = [a.metadata.shape[dimension], b.metadata.shape[fit.of]];
    const [from, to] = overlap(fit, length, other);
    return to - from < Math.max(length, other);
  });
  const isMoved = dimensions.some(({ of, step }, dimension) => of !== dimension || step < 0);
  const apart: readonly Beside[] = along.some(({ isApart }) => isApart) ? ["position"] : [];
  const tolerance = toleranceOf(wish, meanings, conversion);
  const all: readonly Beside[] = [
    ...(isMoved ? (["order"] as const) : []),
    ...apart,
    ...(isCut ? (["extent"] as const) : []),
    ...beside,
  ];
  return { ...found, ...conversion, dimensions, tolerance, beside: all };
}

/** True if every element of A has the same indices in B. */
export const isPlain = ({ dimensions }: ArrayPair): boolean =>
  dimensions.every(({ of, offset, step }, dimension) => of === dimension && offset === 0 && step === 1);

/** Arrays of one kind are compared: by value all numbers are one, and all counts of time. */
export function kindOf(node: ArrayNode, mode: ValuesMode): string {
  const { metadata } = node;
  if (mode === "stored" || !hasNumbers(metadata.dataType)) return typeText(writtenType(metadata));
  return scalingIn(node, mode)?.time === undefined ? "number" : "time";
}

/** Dimensions of B by those of A: by name where both name all of theirs alike. `undefined`: their numbers differ. */
function dimensionOrder(a: ArrayMetadata, b: ArrayMetadata): readonly number[] | undefined {
  if (a.shape.length !== b.shape.length) return undefined;
  const order = a.shape.map((_, dimension) => b.dimensionNames?.indexOf(a.dimensionNames?.[dimension]) ?? -1);
  const isOne = new Set(order).size === order.length && !order.includes(-1);
  return isOne && a.dimensionNames?.every((name) => name !== undefined) === true ? order : a.shape.map((_, at) => at);
}

// Units.

const SAME: Conversion = { scale: 1, shift: 0 };

/** From numbers of B to those of A. */
function conversionOf(nodes: Pair<ArrayNode>, mode: ValuesMode, meanings: Pair<ArrayMeaning>): Conversion | "units" {
  const [to, from] = [nodes.a, nodes.b]
    .map((node) => scalingIn(node, mode)?.time)
    .map((time) => time && timeScale(time));
  if (to !== undefined && from !== undefined)
    return { scale: from.unit / to.unit, shift: (from.origin - to.origin) / to.unit };
  if (mode === "stored" || sameMeaning("units", meanings.a, meanings.b)) return SAME;
  const [a, b] = [meanings.a.units, meanings.b.units];
  return typeof a !== "string" || typeof b !== "string" ? SAME : (conversionBetween(b, a) ?? "units");
}

/** Nanoseconds of a unit of time, and those from 1970 to its reference date. */
export function timeScale(time: TimeView): { readonly unit: number; readonly origin: number } {
  const origin = timeTotal(0n, time) ?? 0n;
  return { unit: Number((timeTotal(1n, time) ?? 1n) - origin), origin: Number(origin) };
}

// Places.

type Along = PairedDimension & { readonly isApart: boolean };

/** Places in B of the elements along a dimension of A; `isApart`: both have coordinates, and these do not fit. */
async function placesAlong(wish: PairWish, dimension: number, of: number, context: CallContext): Promise<Along> {
  const { sets, nodes, decoder } = wish;
  const axis = (side: "a" | "b", at: number) => axisIn({ set: sets[side], node: nodes[side], decoder }, at, context);
  const [one, other] = await Promise.all([axis("a", dimension), axis("b", of)]);
  const asIs = { of, offset: 0, step: 1, isApart: false } as const;
  // Nothing speaks against the order in which both stand where one has no coordinates, or they cannot be read.
  if (one?.values === undefined || other?.values === undefined) return asIs;
  const fit = fittedAxes(one.values, other.values, conversionBetween(other.units ?? "", one.units ?? "") ?? SAME);
  return fit === undefined ? { ...asIs, isApart: one.array !== nodes.a.path } : { ...asIs, ...fit };
}

type Fit = Pick<PairedDimension, "offset" | "step">;

/** Axes by their coordinate array, once they were read; read again where sources lie elsewhere. */
const READ = new WeakMap<ArrayNode, { readonly axis: Axis; readonly locations: unknown }>();

export async function axisIn(
  of: Pick<Parameters<typeof axisOf>[0], "set" | "node" | "decoder">,
  dimension: number,
  context: CallContext,
): Promise<Axis | undefined> {
  const coordinate = coordinateArray(of.set, of.node, dimension);
  if (coordinate === undefined) return undefined;
  const { locations } = of.set.targets;
  const known = READ.get(coordinate);
  if (known?.locations === locations) return known.axis;
  const axis = await axisOf({ ...of, isPaid: true }, dimension, context);
  if (axis?.values !== undefined) READ.set(coordinate, { axis, locations });
  return axis;
}

/** Share of a step by which coordinates may differ that are written in other precisions. */
const NEAR = 1e-3;

/** `undefined` where B is not A as it is, from another index on, or the other way round. */
export function fittedAxes(a: AxisValues, b: AxisValues, { scale, shift }: Conversion = SAME): Fit | undefined {
  if (a.kind !== b.kind) return undefined;
  const one = placesOf(a);
  const other = b.kind === "numbers" ? b.numbers.map((value) => value * scale + shift) : placesOf(b);
  const near = NEAR * (stepOf(one) ?? stepOf(other) ?? (a.kind === "numbers" ? NEAR * Math.abs(Number(one[0])) : 0));
  const isSame = (x: number | string | undefined, y: number | string | undefined): boolean =>
    x === y || Math.abs(Number(x) - Number(y)) <= near;
  const find = (list: typeof one, value: number | string | undefined) => {
    for (let at = 0; at < list.length; at += 1) if (isSame(list[at], value)) return at;
    return undefined;
  };
  const ends = [
    [0, find(other, one[0])],
    [one.length - 1, find(other, one.at(-1))],
  ] as const;
  const others = [
    [find(one, other[0]), 0],
    [find(one, other.at(-1)), other.length - 1],
  ] as const;
  for (const step of [1, -1] as const) {
    for (const [i, j] of [...ends, ...others]) {
      if (i === undefined || j === undefined) continue;
      const offset = j - step * i;
      const [from, to] = overlap({ offset, step }, one.length, other.length);
      let at = from;
      while (at < to && isSame(one[at], other[offset + step * at])) at += 1;
      if (at === to && to - from >= Math.min(2, one.length, other.length)) return { offset, step };
    }
  }
  return undefined;
}

const stepOf = ([first, second]: Float64Array | readonly string[]): number | undefined =>
  second === undefined ? undefined : Math.abs(Number(second) - Number(first));

const placesOf = (values: AxisValues): Float64Array | readonly string[] => {
  if (values.kind === "texts") return values.texts;
  return values.kind === "numbers" ? values.numbers : Float64Array.from(values.nanoseconds, Number);
};

/** Indices of A, the last excluded, that lie in B too. */
export function overlap({ offset, step }: Fit, a: number, b: number): readonly [from: number, to: number] {
  const [first, last] = step > 0 ? [-offset, b - offset] : [offset - b + 1, offset + 1];
  const from = Math.max(0, Math.min(a, first));
  return [from, Math.max(from, Math.min(a, last))];
}

// Tolerance.

const NONE: Tolerance = { absolute: 0, relative: 0, from: "none" };
/** Relative distance of neighbouring floats of 32 bits; of 64, after a few operations. */
const SINGLE = 2 ** -23;
const DOUBLE = 2 ** -48;

function toleranceOf(
  { nodes, mode, given }: PairWish,
  meanings: Pair<ArrayMeaning>,
  conversion: Conversion,
): Tolerance {
  const { absolute, relative } = given ?? {};
  if (absolute !== undefined || relative !== undefined)
    return { absolute: absolute ?? 0, relative: relative ?? 0, from: "given" };
  if (mode === "stored") return NONE;
  const { scale, shift } = conversion;
  const step = Math.max(packingStep(nodes.a, meanings.a), packingStep(nodes.b, meanings.b) * Math.abs(scale));
  const sizes = [nodes.a, nodes.b].map(floatSize);
  const isConverted = scale !== 1 || shift !== 0;
  // Dates are whole nanoseconds: counts that are no integers are cut.
  const time = isConverted ? scalingIn(nodes.a, mode)?.time : undefined;
  if (time !== undefined) return { absolute: 1000 / timeScale(time).unit, relative: 0, from: "rounding" };
  if (step === 0 && !isConverted && sizes[0] === sizes[1]) return NONE;
  const rounding = sizes.includes(4) ? SINGLE : DOUBLE;
  if (step > 0) return { absolute: step / 2 + rounding * Math.abs(shift), relative: DOUBLE, from: "packing" };
  return { absolute: rounding * Math.abs(shift), relative: rounding, from: "rounding" };
}

/** Step of integers that attributes or codecs unpack; 0 for all other numbers. */
function packingStep({ metadata: { dataType }, attributes }: ArrayNode, { scale_factor }: ArrayMeaning): number {
  const step = Math.abs(Number(scale_factor ?? 1));
  // Floats that attributes scale have no step.
  const isFloat = dataType.kind === "float" && attribute(attributes, "scale_factor") !== undefined;
  return step !== 1 && Number.isFinite(step) && !isFloat ? step : 0;
}

/** Bytes of the floats that values are; those of integers are exact. */
const floatSize = ({ metadata: { dataType } }: ArrayNode): number =>
  dataType.kind === "float" || dataType.kind === "narrow" ? Math.min(8, dataType.itemSize) : 8;

// Differences beside the values.

function besideOf({ a, b }: Pair<ArrayNode>, meanings: Pair<ArrayMeaning>): readonly Beside[] {
  const differ = (...members: readonly (keyof ArrayMeaning)[]) =>
    members.some((member) => !sameMeaning(member, meanings.a, meanings.b));
  const isPacking = differ("scale_factor", "add_offset", "missing", "sign");
  const found: Partial<Record<Beside, boolean | undefined>> = {
    units: differ("units", "calendar"),
    packing: isPacking,
    type: !isPacking && differ("dtype"),
    chunks: differ("chunks", "codecs", "level", "shards", "byte-order"),
    attributes: !sameAttributes(a, b),
  };
  return (Object.keys(found) as Beside[]).filter((name) => found[name] === true);
}
