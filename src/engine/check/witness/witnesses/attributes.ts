/**
 * Attributes that say something of an array's values against these values: flags (CF §3.5), the range that they are said to have (`actual_range`), the coverage that a dataset claims (ACDD 1.3).
 */
import { isJsonObject, type JsonValue } from "#core/json/json.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import { hasNumbers } from "#core/metadata/data-type.ts";
import { counted, quoted } from "#core/words.ts";
import { isCoordinate } from "#core/metadata/hierarchy-path.ts";
import { isUsualMark } from "#engine/check/values/rules/fill-values.ts";
import type { ArrayFacts } from "#engine/check/values/value-facts.ts";
import { roleOf } from "#engine/many/axis.ts";
import { plainNumber } from "../show.ts";
import { side, type WitnessView } from "../view.ts";
import { scalingOfNode } from "#engine/check/values/note-chunk.ts";
import { scale } from "#core/cf/cf.ts";

const MAX_FLAGS = 256;

export async function attributesWitness(view: WitnessView): Promise<void> {
  for (const node of view.arrays) {
    if (view.isTold(node.path)) continue;
    await holdFlags(view, node);
    holdActualRange(view, node);
    holdWraps(view, node);
  }
  await holdCoverage(view);
}

const numbersIn = (value: JsonValue | undefined): readonly number[] | undefined => {
  const list = Array.isArray(value) ? value : [value];
  const numbers = list.map((one) => (typeof one === "number" || typeof one === "bigint" ? Number(one) : NaN));
  return list.length > 0 && list.length <= MAX_FLAGS && !numbers.some(Number.isNaN) ? numbers : undefined;
};

async function holdFlags(view: WitnessView, node: ArrayNode): Promise<void> {
  const [values, masks] = ["flag_values", "flag_masks"].map((name) => numbersIn(attribute(node.attributes, name)));
  const flags = values ?? masks;
  if (flags === undefined) return holdTextFlags(view, node);
  const stated = (value: string) => side("attribute", values === undefined ? "flag_masks" : "flag_values", value);
  const meanings = textAttribute(node.attributes, "flag_meanings")?.trim().split(/\s+/);
  if (meanings !== undefined && meanings.length !== flags.length) {
    const meant = side("attribute", "flag_meanings", counted(meanings.length, "meaning"));
    return view.disagree(node, { quantity: "flags", a: stated(counted(flags.length, "flag")), b: meant });
  }
  const isRead = view.request.isDeep && view.factsOf(node) !== undefined;
  const found = isRead ? await view.numbers(node) : undefined;
  if (found === undefined) return;
  const joined = (all: number, one: number) => all | one;
  const bits = masks?.reduce(joined, (values ?? []).reduce(joined, 0));
  const known = new Set(flags);
  const isKnown = (value: number) =>
    Number.isNaN(value) ||
    (bits === undefined ? known.has(value) : (value & ~bits) === 0) ||
    isUsualMark(value) ||
    isEnd(node, value);
  const others = new Map<number, number>();
  for (const value of found)
    if (!isKnown(value) && others.size <= MAX_FLAGS) others.set(value, (others.get(value) ?? 0) + 1);
  const also = [...others.keys()].toSorted((a, b) => a - b).map(plainNumber);
  // Negative numbers of which each is known once its sign is read as a bit.
  const { kind, itemSize } = node.metadata.dataType;
  const areUnsigned =
    kind === "int" &&
    also.length > 0 &&
    [...others.keys()].every((value) => value < 0 && isKnown(value + 2 ** (itemSize * 8)));
  const about = {
    quantity: "flags",
    a: stated(flags.map(plainNumber).join(", ")),
    b: side("data", node.name, `also ${also.join(", ")}`),
    differ: [...others.values()].reduce((sum, one) => sum + one, 0),
    of: found.length,
    change: areUnsigned ? ({ kind: "unsigned" } as const) : undefined,
  } as const;
  // Files use bits that no mask names; one of them alone may be a mask that was written wrongly.
  const unnamed = bits === undefined ? 0 : [...others.keys()].reduce(joined, 0) & ~bits;
  const isFew = others.size <= flags.length && (unnamed & (unnamed - 1)) === 0;
  if (others.size === 0 || isFew) view.hold(node, others.size === 0, about);
}

/** Flags have the type of the variable (CF §3.5): text cannot be compared with numbers. */
function holdTextFlags(view: WitnessView, node: ArrayNode): void {
  const { dataType } = node.metadata;
  for (const name of hasNumbers(dataType) ? ["flag_values", "flag_masks"] : []) {
    const text = textAttribute(node.attributes, name);
    if (text === undefined || view.isTold(node.path)) continue;
    const b = side("attribute", "dtype", dataType.text);
    view.disagree(node, { quantity: "flags", a: side("attribute", name, quoted(text, 60)), b });
  }
}

/** The least and the greatest of an integer type often stand for missing values. */
function isEnd({ metadata: { dataType } }: ArrayNode, value: number): boolean {
  const bits = dataType.itemSize * 8;
  return dataType.kind === "uint" ? value === 2 ** bits - 1 : Math.abs(value) >= 2 ** (bits - 1) - 1;
}

/** Least and greatest of all values, where all chunks were decoded. */
export function rangeOf({ columns, states, of, node }: ArrayFacts): readonly [number, number] | undefined {
  if (states.length < of || states.some((state) => state !== 1)) return undefined;
  const [least, most] = endsOf([...columns.minimum, ...columns.maximum]);
  if (!(least <= most)) return undefined;
  const scaling = scalingOfNode(node);
  return scaling === undefined ? [least, most] : endsOf([scale(least, scaling), scale(most, scaling)]);
}

/** Infinity and -Infinity where all are NaN. */
export function endsOf(values: Iterable<number>): readonly [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

const rangeText = (ends: readonly number[]): string => ends.map(plainNumber).join(" to ");

const isOfOneFile = ({ set }: WitnessView): boolean => set.table.targets.count <= 1;

function holdActualRange(view: WitnessView, node: ArrayNode): void {
  const stated = numbersIn(attribute(node.attributes, "actual_range"));
  const facts = view.factsOf(node);
  const range = facts === undefined ? undefined : rangeOf(facts);
  // The attribute is the first one's of several files.
  if (
    stated?.length !== 2 ||
    range === undefined ||
    !isOfOneFile(view) ||
    node.metadata.dimensionNames?.[0] === node.name
  )
    return;
  const [from, to] = endsOf(stated);
  const room = Math.max((to - from) * 0.02, 1e-5 * Math.max(Math.abs(from), Math.abs(to)));
  const isWithin = range[0] >= from - room && range[1] <= to + room;
  // A power of ten less is no part of the range: another scale unpacked it.
  const times = scalingOfNode(node) === undefined ? 1 : (to - from) / (range[1] - range[0]);
  const isScaled = [10, 100, 1000, 10_000].some((power) => Math.abs(times / power - 1) < 0.005);
  view.hold(node, isWithin && !isScaled, {
    quantity: "range",
    a: side("attribute", "actual_range", rangeText([from, to])),
    b: side("data", node.name, rangeText(range)),
  });
}

/** Few jumps may be of the data; and circles, in which the greatest value is beside the least. */
const LEAST_WRAPS = 3;
const CIRCLES = [360, 2 * Math.PI, 24, 12, 1];
const CIRCULAR =
  /^(?:deg(?:ree)?s?(?:_true)?|degrees? true|rad(?:ian)?s?)$|direction|phase|angle|azimuth|longitude|hour/i;

/** Packed values that left the range of their integer type on one side came in on the other. */
function holdWraps(view: WitnessView, node: ArrayNode): void {
  const facts = view.factsOf(node);
  const scaling = facts === undefined ? undefined : scalingOfNode(node);
  if (facts === undefined || scaling === undefined) return;
  const { itemSize, text } = node.metadata.dataType;
  const wraps = facts.columns.wraps.reduce((sum, one) => sum + (one > 0 ? one : 0), 0);
  const range = Math.abs(scale(2 ** (8 * itemSize), scaling) - scale(0, scaling));
  const isCircle =
    CIRCLES.some((circle) => Math.abs(range / circle - 1) < 0.05) ||
    ["units", "standard_name", "long_name"].some((name) => CIRCULAR.test(textAttribute(node.attributes, name) ?? ""));
  const ends = endsOf([...facts.columns.minimum, ...facts.columns.maximum]).map((end) => scale(end, scaling));
  if (wraps < LEAST_WRAPS || isCircle || range === 2 ** (8 * itemSize) || view.isTold(node.path)) return;
  view.disagree(node, {
    quantity: "range",
    a: side("attribute", "scale_factor", `${rangeText(endsOf(ends))} (${text})`),
    b: side("data", node.name, "more"),
    change: { kind: "wrapped", range, places: wraps },
  });
}

const ENDS = [
  ["geospatial_lat_min", "geospatial_lat_max", "latitude"],
  ["geospatial_lon_min", "geospatial_lon_max", "longitude"],
] as const;

/** Data outside of what the dataset claims: of more than there is here, it may be a part. */
async function holdCoverage(view: WitnessView): Promise<void> {
  const { attributes } = view.set.hierarchy.nodes.get("") ?? {};
  if (!isJsonObject(attributes) || !isOfOneFile(view)) return;
  for (const [least, most, role] of ENDS) {
    const [from = NaN, to = NaN] = [attribute(attributes, least), attribute(attributes, most)].map((one) =>
      Number(typeof one === "string" ? one : (numbersIn(one)?.[0] ?? NaN)),
    );
    const node = view.arrays.find((one) => isCoordinate(one) && roleOf(one) === role);
    if (node === undefined || !(from < to) || view.isTold(node.path)) continue;
    const values = await view.numbers(node);
    if (values === undefined || values.length < 2) continue;
    const cell = Math.abs((values[1] as number) - (values[0] as number));
    const isInside = (value: number) => value >= from - 1.01 * cell && value <= to + 1.01 * cell;
    const isRight = values.every(
      (value) =>
        Number.isNaN(value) ||
        isInside(value) ||
        (role === "longitude" && (isInside(value - 360) || isInside(value + 360))),
    );
    view.hold(node, isRight, {
      quantity: "range",
      a: side("attribute", `${least} and ${most}`, rangeText([from, to])),
      b: side("values", node.name, rangeText(endsOf(values))),
    });
  }
}
