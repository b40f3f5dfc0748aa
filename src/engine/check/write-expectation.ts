/** A set as it is, in the words of an expectation: JSON to be edited. And what reading its coordinates takes. */
import type { CallContext } from "#core/byte-source.ts";
import type { ExpectationCost } from "#core/check/check.ts";
import { EXPECTATION_KIND } from "#core/check/expectation.ts";
import type { Expectation, ExpectedArray, ExpectedCoordinate } from "#core/check/expectation.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { monthStepText, timeStepText } from "#core/cf/time-step.ts";
import { attribute } from "#core/metadata/attribute.ts";
import type { EngineSet } from "../engine-set.ts";
import type { Axis } from "#core/cf/axis.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { planeCost } from "../many/plane-cost.ts";
import { startPace } from "../pace.ts";
import { isCoordinate } from "#core/metadata/hierarchy-path.ts";
import { axisOfCoordinate, coordinateSteps, type CoordinateSteps, dateOf, isNear } from "./expectation.ts";

/** Reads all coordinates of one dimension. */
export async function writeExpectation(set: EngineSet, decoder: ChunkDecoder, context: CallContext): Promise<string> {
  const nodes = arraysOf(set);
  const pace = startPace(context, "Reading coordinates", nodes.length);
  const coordinates: [string, ExpectedCoordinate][] = [];
  for (const [at, node] of nodes.entries()) {
    context.signal.throwIfAborted();
    await pace.yieldIfDue(at);
    if (!isCoordinate(node)) continue;
    const expected = expectedOfAxis(await axisOfCoordinate(set, node, decoder, context));
    if (expected !== undefined) coordinates.push([node.path, expected]);
  }
  const written = {
    refscope: EXPECTATION_KIND,
    arrays: Object.fromEntries(nodes.map((node) => [node.path, expectedOfArray(set, node)])),
    coordinates: Object.fromEntries(coordinates),
  };
  return `${flat(JSON.stringify(written, undefined, 2))}\n`;
}

const arraysOf = ({ hierarchy }: EngineSet): readonly ArrayNode[] =>
  [...hierarchy.nodes.values()].filter((node) => node.kind === "array");

/** Lists of names and numbers on one line. */
const flat = (json: string): string =>
  json.replaceAll(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, items: string) => `[${items.replaceAll(/,\n\s+/g, ", ")}]`);

/** Attributes that turn stored numbers into values: an array with others is another array. */
const DECODING = ["units", "scale_factor", "add_offset"] as const;

function expectedOfArray(set: EngineSet, node: ArrayNode): object {
  const { shape, dimensionNames, dataType } = node.metadata;
  const names = dimensionNames?.map((name) => name ?? "");
  const complete = (set.tally.arrays.get(node.path)?.states.missing ?? 0) === 0;
  // A coordinate is described by its values: a later set may count from another day.
  const attributes = isCoordinate(node) ? [] : DECODING.flatMap((name) => plainAttribute(node, name));
  return {
    ...(names === undefined ? {} : { dimensions: names }),
    shape,
    dtype: dataType.text,
    complete,
    ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
  } satisfies Omit<ExpectedArray, "attributes"> & { readonly attributes?: object };
}

function plainAttribute(node: ArrayNode, name: string): readonly (readonly [string, number | string])[] {
  const value = attribute(node.attributes, name);
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value)) ? [[name, value]] : [];
}

/** Values that are listed one by one, where no step says them. */
const MAX_LISTED = 200;

function expectedOfAxis(axis: Axis | undefined): ExpectedCoordinate | undefined {
  if (axis?.values?.kind === "texts") {
    const { texts } = axis.values;
    return texts.length <= MAX_LISTED ? { values: texts } : undefined;
  }
  const steps = axis === undefined ? undefined : coordinateSteps(axis);
  return steps === undefined || steps.values.some(Number.isNaN) ? undefined : expectedOfSteps(steps);
}

function expectedOfSteps(known: CoordinateSteps): ExpectedCoordinate {
  const { values, isDate } = known;
  const written = (value: number) => (isDate ? dateOf(value).replace(" ", "T") : value);
  const step = regularStep(known);
  const isListed = step === undefined && values.length > 1 && values.length <= MAX_LISTED;
  return {
    first: written(values[0] ?? NaN),
    last: written(values.at(-1) ?? NaN),
    ...(step === undefined ? {} : { step }),
    ...(isListed ? { values: [...values].map(written) } : {}),
  };
}

function regularStep({ values, steps, isDate }: CoordinateSteps): number | string | undefined {
  const [step] = steps;
  if (step === undefined || step === 0) return undefined;
  if (steps.every((one) => isNear(one, step) && one > 0 === step > 0))
    return isDate ? timeStepText(Math.abs(step)) : step;
  return isDate ? monthStepText(values) : undefined;
}

/** Requests and bytes that are made and read unasked. */
const [FEW_REQUESTS, FEW_BYTES] = [8, 4 * 1024 ** 2];

export const isCheap = ({ requests, bytes, unknown }: ExpectationCost): boolean =>
  requests <= FEW_REQUESTS && bytes <= FEW_BYTES && unknown === 0;

/** Cost of the coordinates that an expectation names; absent: of all coordinates. */
export async function expectationCost(
  set: EngineSet,
  expectation: Expectation | undefined,
  context: CallContext,
): Promise<ExpectationCost> {
  const isMeant = (node: ArrayNode): boolean =>
    expectation === undefined ? isCoordinate(node) : expectation.coordinates.has(node.path);
  const sum = { coordinates: 0, requests: 0, bytes: 0, unknown: 0 };
  for (const node of arraysOf(set)) {
    if (!isMeant(node) || node.metadata.shape.length !== 1) continue;
    const plane = { row: undefined, column: 0, at: [0] };
    const cost = await planeCost({ set, node, plane }, () => false, context);
    sum.coordinates += 1;
    sum.requests += cost.requests;
    sum.bytes += cost.bytes;
    sum.unknown += cost.unknown + cost.ofUnknownLength;
  }
  return sum;
}
