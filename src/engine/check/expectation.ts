/** A set against what is expected of it, and what would be expected of it as it is. */
import { axisNumberText, dateText } from "../../core/axis-text.ts";
import type { Axis } from "../../core/axis.ts";
import type { CallContext } from "../../core/byte-source.ts";
import {
  EXPECTATION_KIND,
  type Expectation,
  type ExpectedArray,
  type ExpectedCoordinate,
} from "../../core/expectation.ts";
import { type Finding, finding } from "../../core/findings/finding.ts";
import { nodeAt } from "../../core/findings/place.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { writeJson } from "../../core/json-write.ts";
import { attribute } from "../describe/attribute.ts";
import type { EngineSet } from "../engine-set.ts";
import { axisOf } from "../many/axis.ts";
import type { ChunkDecoder } from "../many/chunk-decoder.ts";
import { coordinateSteps, placeOf, stepText, type CoordinateSteps } from "./coordinate-steps.ts";

/** Reads the coordinates that are named; throws only for an abort. */
export async function againstExpectation(
  set: EngineSet,
  { arrays, coordinates }: Expectation,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const [path, expected] of arrays) found.push(...arrayFindings(set, path, expected));
  for (const [path, expected] of coordinates) {
    const node = set.hierarchy.nodes.get(path);
    if (node?.kind !== "array") found.push(absent(set, path));
    else found.push(...coordinateFindings(path, expected, await axisOfCoordinate(set, node, decoder, context)));
  }
  return found;
}

function absent({ hierarchy }: EngineSet, path: string): Finding {
  const kind = hierarchy.nodes.get(path)?.kind;
  const found = kind === "group" || kind === "broken" ? kind : "nothing";
  return finding("expected-array-missing", nodeAt(path), { found });
}

function arrayFindings(set: EngineSet, path: string, expected: ExpectedArray): readonly Finding[] {
  const node = set.hierarchy.nodes.get(path);
  if (node?.kind !== "array") return [absent(set, path)];
  const { shape, dimensionNames = [], dataType } = node.metadata;
  const place = nodeAt(path);
  const found: Finding[] = [];
  const names = dimensionNames.map((name) => name ?? "");
  if (expected.dimensions !== undefined && expected.dimensions.join("\n") !== names.join("\n"))
    found.push(finding("expected-dimensions", place, { expected: expected.dimensions, found: names }));
  const isSmaller = expected.shape?.some((length, axis) => (shape[axis] ?? 0) < length) === true;
  if (expected.shape !== undefined && (isSmaller || expected.shape.length !== shape.length))
    found.push(finding("expected-shape", place, { expected: expected.shape, found: shape }));
  if (expected.dtype !== undefined && expected.dtype !== dataType.text)
    found.push(member(path, "dtype", expected.dtype, dataType.text));
  for (const [name, value] of expected.attributes ?? []) {
    const here = attribute(node.attributes, name);
    const text = here === undefined ? "nothing" : writeJson(here);
    if (JSON.stringify(value) !== text && !isSameNumber(value, here))
      found.push(member(path, name, JSON.stringify(value), text));
  }
  const tally = set.tally.arrays.get(path);
  const missing = tally?.states.missing ?? 0;
  if (expected.complete === true && missing > 0)
    found.push(finding("expected-chunks", place, { missing, chunks: tally?.cells ?? 0 }));
  return found;
}

const isSameNumber = (expected: unknown, here: unknown): boolean =>
  typeof expected === "number" && (typeof here === "number" || typeof here === "bigint") && expected === Number(here);

const member = (path: string, name: string, expected: string, found: string): Finding =>
  finding("expected-member", nodeAt(path), { member: name, expected, found });

function coordinateFindings(path: string, expected: ExpectedCoordinate, axis: Axis | undefined): readonly Finding[] {
  const steps = axis === undefined ? undefined : coordinateSteps(axis);
  if (axis === undefined || steps === undefined)
    return [finding("expected-unread", nodeAt(path), { cause: axis?.failed })];
  return [...rangeFinding(path, expected, axis, steps), ...stepFinding(path, expected, axis, steps)];
}

function rangeFinding(
  path: string,
  { first, last }: ExpectedCoordinate,
  axis: Axis,
  { least, most, isDate }: CoordinateSteps,
): readonly Finding[] {
  const ends = [first, last].flatMap((end) => (end === undefined ? [] : [placeOf(end, isDate)]));
  if (ends.every((end) => end !== undefined && end >= least && end <= most)) return [];
  const words = (value: number) => textAt(axis, value, isDate);
  return [
    finding("expected-range", nodeAt(path), {
      expected: [first, last].filter((end) => end !== undefined).join(" to "),
      found: `${words(least)} to ${words(most)}`,
    }),
  ];
}

function stepFinding(
  path: string,
  { step }: ExpectedCoordinate,
  axis: Axis,
  { steps, values, isDate }: CoordinateSteps,
): readonly Finding[] {
  if (step === undefined) return [];
  const expected = placeOf(step, isDate, true);
  const others = [...steps.keys()].filter((at) => expected === undefined || !isNear(steps[at] ?? 0, expected));
  const [first] = others;
  if (first === undefined) return [];
  return [
    finding("expected-step", nodeAt(path), {
      expected: String(step),
      found: stepText(steps[first] ?? 0, isDate),
      at: textAt(axis, values[first] ?? 0, isDate),
      steps: others.length,
    }),
  ];
}

const isNear = (one: number, other: number): boolean =>
  Math.abs(Math.abs(one) - Math.abs(other)) <= 1e-4 * Math.abs(other);

const textAt = (axis: Axis, value: number, isDate: boolean): string =>
  isDate ? dateText(BigInt(Math.round(value)) * 1_000_000n) : (axisNumberText(axis, value) ?? String(value));

async function axisOfCoordinate(
  set: EngineSet,
  node: ArrayNode,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Axis | undefined> {
  if (node.metadata.shape.length !== 1) return undefined;
  // By its own name, whatever its dimension is called.
  const named = { ...node, metadata: { ...node.metadata, dimensionNames: [node.name] } };
  return axisOf({ set, node: named, decoder, isPaid: true }, 0, context);
}

/** The set as it is, in the words of an expectation: JSON to be edited. Reads all coordinates of one dimension. */
export async function expectationOf(set: EngineSet, decoder: ChunkDecoder, context: CallContext): Promise<string> {
  const arrays: [string, object][] = [];
  const coordinates: [string, ExpectedCoordinate][] = [];
  for (const [path, node] of set.hierarchy.nodes) {
    if (node.kind !== "array") continue;
    const { shape, dimensionNames, dataType } = node.metadata;
    const complete = (set.tally.arrays.get(path)?.states.missing ?? 0) === 0;
    const names = dimensionNames?.map((name) => name ?? "");
    arrays.push([
      path,
      { ...(names === undefined ? {} : { dimensions: names }), shape, dtype: dataType.text, complete },
    ]);
    if (shape.length !== 1 || dimensionNames?.[0] !== node.name) continue;
    const axis = await axisOfCoordinate(set, node, decoder, context);
    const steps = axis === undefined ? undefined : coordinateSteps(axis);
    if (steps !== undefined && !steps.values.some(Number.isNaN)) coordinates.push([path, expectedOf(steps)]);
  }
  const written = {
    refscope: EXPECTATION_KIND,
    arrays: Object.fromEntries(arrays),
    coordinates: Object.fromEntries(coordinates),
  };
  return `${JSON.stringify(written, undefined, 2)}\n`;
}

function expectedOf({ values, steps, isDate }: CoordinateSteps): ExpectedCoordinate {
  const written = (value = NaN) =>
    isDate ? dateText(BigInt(Math.round(value)) * 1_000_000n).replace(" ", "T") : value;
  const [step] = steps;
  const isRegular = step !== undefined && step !== 0 && steps.every((one) => isNear(one, step));
  return {
    first: written(values[0]),
    last: written(values.at(-1)),
    ...(isRegular ? { step: isDate ? stepText(step, true) : step } : {}),
  };
}
