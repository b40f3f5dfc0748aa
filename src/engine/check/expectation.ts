/** A set against what is expected of it. */
import { type Axis, axisNumberText, dateText } from "#core/cf/axis.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { CheckPart } from "#core/check/check.ts";
import type { Expectation, ExpectedArray, ExpectedCoordinate } from "#core/check/expectation.ts";
import { type Finding, finding, nodeAt } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { isTypeWritten, meaningOf, sameMeaning } from "#core/metadata/meaning.ts";
import { isJsonObject } from "#core/json/json.ts";
import { writeJson } from "#core/json/parse-json.ts";
import { isTimeStep, timeOf, timeStepText } from "#core/cf/time-step.ts";
import { attribute } from "#core/metadata/attribute.ts";
import type { EngineSet } from "../engine-set.ts";
import { axisOf } from "../many/axis.ts";
import { lowerBound } from "../table/array-index.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { NOT_A_TIME } from "#core/cf/time-text.ts";

export interface NamedExpectation {
  /** Name of the file that it stands in. */
  readonly name: string;
  readonly expectation: Expectation;
}

/**
 * Reads the coordinates that are named; throws only for an abort. Of a set that grows the answer is another each time:
 * what is known of its chunks is looked at when it is called.
 */
export async function checkExpectation(
  set: EngineSet,
  named: NamedExpectation,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<() => CheckPart> {
  const ofCoordinates: Finding[] = [];
  for (const [path, expected] of named.expectation.coordinates) {
    const node = set.hierarchy.nodes.get(path);
    if (node?.kind !== "array") ofCoordinates.push(absent(set, path));
    else ofCoordinates.push(...coordinateFindings(path, expected, await axisOfCoordinate(set, node, decoder, context)));
  }
  return () => partOf(set, named, ofCoordinates);
}

function partOf(
  set: EngineSet,
  { name, expectation: { arrays, coordinates } }: NamedExpectation,
  ofCoordinates: readonly Finding[],
): CheckPart {
  const ofArrays = [...arrays].flatMap(([path, expected]) => arrayFindings(set, path, expected));
  const findings = [...ofArrays, ...ofCoordinates];
  const gaps = [...arrays].map(([path, one]) => [path, allowedGaps(set, path, one)] as const);
  const allowed = gaps.filter(([, chunks]) => chunks > 0);
  return {
    findings,
    rules: [],
    expectation: {
      name,
      arrays: arrays.size,
      coordinates: coordinates.size,
      met: findings.length === 0,
      mayLack: allowed.reduce((sum, [, chunks]) => sum + chunks, 0),
      mayLackIn: allowed.map(([path]) => path),
    },
  };
}

/** Chunks without a reference that are expected to be none. */
function allowedGaps(set: EngineSet, path: string, { complete }: ExpectedArray): number {
  if (complete === undefined || complete === true) return 0;
  const { missing, cells } = gapsOf(set, path);
  return cells - missing >= cells * Number(complete) ? missing : 0;
}

function gapsOf({ tally }: EngineSet, path: string) {
  const { states, cells = 0 } = tally.arrays.get(path) ?? {};
  return { missing: states?.missing ?? 0, cells };
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
  if (expected.dtype !== undefined && !isTypeWritten(expected.dtype, node))
    found.push(member(path, "dtype", expected.dtype, dataType.text));
  for (const [name, value] of expected.attributes ?? []) {
    const here = attribute(node.attributes, name);
    const text = here === undefined ? "nothing" : writeJson(here);
    if (JSON.stringify(value) !== text && !isSameNumber(value, here) && !isSameText(node, name, value))
      found.push(member(path, name, JSON.stringify(value), text));
  }
  return [...found, ...gapFinding(set, path, expected)];
}

function gapFinding(set: EngineSet, path: string, { complete = false }: ExpectedArray): readonly Finding[] {
  const { missing, cells } = gapsOf(set, path);
  const share = Number(complete);
  if (missing === 0 || cells - missing >= cells * share) return [];
  return [finding("expected-chunks", nodeAt(path), { missing, chunks: cells, share })];
}

const isSameNumber = (expected: unknown, here: unknown): boolean =>
  typeof expected === "number" && (typeof here === "number" || typeof here === "bigint") && expected === Number(here);

/** Units and calendars that are spelled otherwise. */
function isSameText({ metadata, attributes }: ArrayNode, name: string, value: unknown): boolean {
  if ((name !== "units" && name !== "calendar") || typeof value !== "string" || !isJsonObject(attributes)) return false;
  if (!attributes.has(name)) return false;
  const expected = meaningOf({ metadata, attributes: new Map(attributes).set(name, value) });
  return sameMeaning(name, expected, meaningOf({ metadata, attributes }));
}

const member = (path: string, name: string, expected: string, found: string): Finding =>
  finding("expected-member", nodeAt(path), { member: name, expected, found });

function coordinateFindings(path: string, expected: ExpectedCoordinate, axis: Axis | undefined): readonly Finding[] {
  if (axis?.values?.kind === "texts" && isOfValuesAlone(expected)) {
    const known = new Set(axis.values.texts);
    return valuesFinding(path, expected, (value) => known.has(String(value)));
  }
  const steps = axis === undefined ? undefined : coordinateSteps(axis);
  if (axis === undefined || steps === undefined)
    return [finding("expected-unread", nodeAt(path), { cause: axis?.failed })];
  return [
    ...rangeFinding(path, expected, axis, steps),
    ...stepFinding(path, expected, axis, steps),
    ...valuesFinding(path, expected, isAmong(steps)),
  ];
}

/** Texts can have no further expectations. */
const isOfValuesAlone = ({ first, last, step }: ExpectedCoordinate): boolean =>
  first === undefined && last === undefined && step === undefined;

function rangeFinding(
  path: string,
  { first, last }: ExpectedCoordinate,
  axis: Axis,
  { least, most, isDate }: CoordinateSteps,
): readonly Finding[] {
  const ends = [first, last].flatMap((end) => (end === undefined ? [] : [expectedNumber(end, isDate)]));
  if (ends.every((end) => end !== undefined && end >= least && end <= most)) return [];
  const words = (value: number) => textAt(axis, value, isDate);
  return [
    finding("expected-range", nodeAt(path), {
      expected: [first, last].filter((end) => end !== undefined).join(" to "),
      found: `${words(least)} to ${words(most)}`,
    }),
  ];
}

/** A number as it is; of a coordinate of dates a date in milliseconds. `undefined` where it is the other. */
function expectedNumber(given: number | string, isDate: boolean): number | undefined {
  if (typeof given === "number") return isDate ? undefined : given;
  return isDate ? timeOf(given) : undefined;
}

function stepFinding(
  path: string,
  { step }: ExpectedCoordinate,
  axis: Axis,
  { steps, values, isDate }: CoordinateSteps,
): readonly Finding[] {
  if (step === undefined) return [];
  const isStep = (at: number): boolean =>
    typeof step === "number"
      ? !isDate && isNear(steps[at] ?? NaN, step)
      : isDate && isTimeStep(step, values[at] ?? NaN, values[at + 1] ?? NaN);
  const others = [...steps.keys()].filter((at) => !isStep(at));
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

const stepText = (step: number, isDate: boolean): string =>
  isDate ? timeStepText(step) : String(Number(step.toPrecision(6)));

/** Whichever way a coordinate counts. */
export const isNear = (one: number, other: number): boolean =>
  Math.abs(Math.abs(one) - Math.abs(other)) <= 1e-4 * Math.abs(other);

/** Values that are named. */
const MAX_NAMED = 8;

function valuesFinding(
  path: string,
  { values = [] }: ExpectedCoordinate,
  isThere: (value: number | string) => boolean,
): readonly Finding[] {
  const missing = values.filter((value) => !isThere(value));
  if (missing.length === 0) return [];
  const named = missing.slice(0, MAX_NAMED).map(String);
  const facts = { values: named, missing: missing.length, expected: values.length };
  return [finding("expected-values", nodeAt(path), facts)];
}

/** Numbers within what float32 keeps of them; dates to the second. */
function isAmong({ values, isDate }: CoordinateSteps): (value: number | string) => boolean {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted();
  return (value) => {
    const place = expectedNumber(value, isDate);
    if (place === undefined) return false;
    const margin = isDate ? 1000 : Math.abs(place) * 1e-6;
    const at = lowerBound(sorted, place - margin);
    return at < sorted.length && (sorted[at] as number) <= place + margin;
  };
}

const textAt = (axis: Axis, value: number, isDate: boolean): string =>
  isDate ? dateOf(value) : (axisNumberText(axis, value) ?? String(value));

/** From milliseconds since 1970. */
export const dateOf = (value: number): string => dateText(BigInt(Math.round(value)) * 1_000_000n);

export async function axisOfCoordinate(
  set: EngineSet,
  node: ArrayNode,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Axis | undefined> {
  if (node.metadata.shape.length !== 1) return undefined;
  // The coordinate is found by its own name, whatever its dimension is called.
  const named = { ...node, metadata: { ...node.metadata, dimensionNames: [node.name] } };
  return axisOf({ set, node: named, decoder, isPaid: true }, 0, context);
}

// A coordinate as numbers that can be compared: dates in milliseconds.

export interface CoordinateSteps {
  /** Values in the coordinate's units, or milliseconds since 1970. */
  readonly values: Float64Array;
  /** Between neighbours; one fewer. */
  readonly steps: Float64Array;
  readonly least: number;
  readonly most: number;
  readonly isDate: boolean;
}

/** `undefined` where its values are not known, or neither numbers nor dates. */
export function coordinateSteps({ values }: Axis): CoordinateSteps | undefined {
  if (values === undefined || values.kind === "texts") return undefined;
  const isDate = values.kind === "dates";
  const numbers = isDate
    ? Float64Array.from(values.nanoseconds, (time) => (time === NOT_A_TIME ? NaN : Number(time / 1_000_000n)))
    : values.numbers;
  const known = numbers.filter((number) => !Number.isNaN(number));
  if (known.length === 0) return undefined;
  const steps = numbers.slice(1).map((value, at) => value - (numbers[at] ?? NaN));
  const ends = known.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)] as const, [
    Infinity,
    -Infinity,
  ] as readonly [number, number]);
  return { values: numbers, steps, least: ends[0], most: ends[1], isDate };
}
