/** Features of a dataset (CF §9): their kind by `featureType` and `cf_role`, their extent by counts and by times. */
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { quoted } from "#core/words.ts";
import type { StatementSide } from "#core/check/statement.ts";
import { plainNumber } from "../show.ts";
import { timeOf } from "../units.ts";
import { side, type WitnessView } from "../view.ts";

const KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["timeseries_id", ["timeseries", "timeseriesprofile"]],
  ["trajectory_id", ["trajectory", "trajectoryprofile"]],
  ["profile_id", ["profile", "timeseriesprofile", "trajectoryprofile"]],
]);

export async function featuresWitness(view: WitnessView): Promise<void> {
  const feature = textAttribute(view.set.hierarchy.nodes.get("")?.attributes, "featureType")?.trim() ?? "";
  const isKnown = [...KINDS.values(), "point"].flat().includes(feature.toLowerCase());
  const lengths = lengthsIn(view);
  for (const node of view.arrays) {
    if (view.isTold(node.path)) continue;
    const role = textAttribute(node.attributes, "cf_role")?.trim() ?? "";
    const kinds = KINDS.get(role);
    const [a, b] = [side("attribute", "featureType", feature), side("attribute", "cf_role", role)];
    if (isKnown && kinds !== undefined)
      view.hold(node, kinds.includes(feature.toLowerCase()), { quantity: "count", a, b });
    if (kinds !== undefined && node.metadata.shape.length === 1 && !view.isTold(node.path))
      await holdIds(view, node, b);
    const counted = textAttribute(node.attributes, "sample_dimension");
    const dimension = counted ?? textAttribute(node.attributes, "instance_dimension");
    const numbers = dimension === undefined ? undefined : await view.numbers(node);
    if (dimension === undefined || numbers === undefined) continue;
    const length = lengths.get(dimension);
    if (counted !== undefined && numbers.length > 1) {
      if (length !== undefined) await holdRestarts(view, node, numbers, counted);
      else if (view.set.unlisted !== true) holdSampled(view, node, numbers, counted, lengths);
    }
    if (length !== undefined && !numbers.some(Number.isNaN) && !view.isTold(node.path))
      holdLength(view, node, numbers, { dimension, length, isCounted: counted !== undefined });
  }
}

/** Names of features are there once each (CF §9.5): cut to the width of a type, they repeat. */
async function holdIds(view: WitnessView, node: ArrayNode, role: StatementSide): Promise<void> {
  const texts = (await view.texts(node)) ?? [];
  const seen = new Set<string>();
  const twice = texts.find((text) => text !== "" && (seen.has(text) || !seen.add(text)));
  if (twice === undefined) return;
  const times = texts.filter((text) => text === twice).length;
  const a = { ...role, value: `${role.value} (unique)` };
  view.disagree(node, { quantity: "count", a, b: side("data", node.name, `${quoted(twice, 40)} ×${times}`) });
}

const lengthsIn = ({ arrays }: WitnessView): ReadonlyMap<string, number> =>
  new Map(
    arrays.flatMap(({ metadata: { shape, dimensionNames = [] } }) =>
      shape.map((length, axis) => [dimensionNames[axis] ?? "", length] as const),
    ),
  );

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

interface Ragged {
  readonly dimension: string;
  readonly length: number;
  /** The numbers count elements; otherwise they are indexes of features. */
  readonly isCounted: boolean;
}

/** Counts, or indexes, of a ragged array against the length of its dimension (CF §9.3). */
function holdLength(view: WitnessView, node: ArrayNode, numbers: Float64Array, of: Ragged): void {
  const most = numbers.reduce((greatest, value) => Math.max(greatest, value), 0);
  const total = sumOf(numbers);
  const isRight = of.isCounted ? total === of.length : most < of.length && !numbers.some((value) => value < 0);
  const value = of.isCounted ? `${plainNumber(total)} elements in all` : `indexes up to ${plainNumber(most)}`;
  const b = side("attribute", `the length of ${of.dimension}`, `${of.length}`);
  view.hold(node, isRight, { quantity: "count", a: side("values", node.name, value), b });
}

/** No array has the dimension, and another is as long as all counts together. */
function holdSampled(
  view: WitnessView,
  node: ArrayNode,
  counts: Float64Array,
  counted: string,
  lengths: ReadonlyMap<string, number>,
): void {
  const total = sumOf(counts);
  const [meant] = [...lengths].find(([name, length]) => name !== "" && length === total) ?? [];
  if (meant === undefined) return;
  const a = side("attribute", "sample_dimension", counted);
  const b = side("values", node.name, `${plainNumber(total)} (${meant})`);
  view.disagree(node, { quantity: "count", a, b });
}

/** Times rise within each feature: they go back where another begins, and fewer times than there are features. */
async function holdRestarts(view: WitnessView, node: ArrayNode, counts: Float64Array, counted: string): Promise<void> {
  const time = view.arrays.find(
    (one) => one.metadata.dimensionNames?.join() === counted && timeOf(one) !== undefined && !view.isTold(one.path),
  );
  const times = time === undefined ? undefined : await view.numbers(time);
  if (time === undefined || times === undefined || sumOf(counts) !== times.length) return;
  const begins = new Set<number>();
  for (let at = 1; at < times.length; at += 1) if ((times[at] as number) < (times[at - 1] as number)) begins.add(at);
  if (begins.size === 0 || begins.size >= counts.length) return;
  let end = 0;
  const ends = new Set(Array.from(counts, (count) => (end += count)));
  const isRight = [...begins].every((begin) => ends.has(begin));
  const text = (places: Iterable<number>) => [...places].slice(0, 8).map(plainNumber).join(", ");
  const a = side("values", node.name, text(ends));
  const b = side("values", time.name, text(begins));
  view.hold(node, isRight, { quantity: "count", a, b, change: { kind: "restarts" } });
}
