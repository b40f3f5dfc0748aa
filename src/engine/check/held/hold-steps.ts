/** Coordinates of the set, at the steps where a file's chunks are, against the coordinates of that file. */
import type { AxisValues } from "#core/cf/axis.ts";
import type { CallContext } from "#core/byte-source.ts";
import { isoDate, isTimeView, timeNanoseconds, timeText, timeView } from "#core/cf/cf-time.ts";
import { nodeAt } from "#core/findings/fact.ts";
import { type Finding, finding } from "#core/findings/finding.ts";
import { parsed } from "#core/json/parse-json.ts";
import { gridOf, startAlong } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import type { SourceArray } from "#core/source-file.ts";
import { plainDate } from "#core/values/value-text.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { axisOf, coordinateArray } from "#engine/many/axis.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { lastPart } from "#engine/chunk/sources.ts";
import { changeBetween } from "../witness/change.ts";
import { countsOf, inUnitsOf, scaleOf, timeOf, unitsMeant } from "../witness/units.ts";
import { valuesInFile } from "./held-files.ts";
import type { HeldArray } from "./hold-references.ts";

/** Most chunks of the set's coordinate that are read for this. */
const MOST_CHUNKS = 64;

/** `seen`: coordinates that were compared for another array. */
export async function* stepFindings(
  set: EngineSet,
  arrays: readonly HeldArray[],
  seen: Set<string>,
  context: CallContext,
): AsyncGenerator<Finding> {
  const [some] = arrays;
  if (some === undefined) return;
  for (const axis of some.node.metadata.shape.keys()) {
    const coordinate = coordinateArray(set, some.node, axis);
    if (coordinate === undefined || coordinate === some.node || seen.has(coordinate.path)) continue;
    seen.add(coordinate.path);
    if ((gridOf(coordinate.metadata.shape, coordinate.metadata.chunks)[0] ?? 0) > MOST_CHUNKS) continue;
    const placed = arrays.filter(({ origin, faults, own }) => faults.size === 0 && origin.length === own.shape.length);
    // Files that differ along others have one of this: `held-extent-differs` holds them against each other.
    const isAlong = placed.some(({ origin }) => origin[axis] !== placed[0]?.origin[axis]);
    const { values } = (await axisOf({ set, node: some.node, decoder: inThread, isPaid: true }, axis, context)) ?? {};
    if (values === undefined) continue;
    const others: NonNullable<Awaited<ReturnType<typeof firstOther>>>[] = [];
    for (const array of isAlong ? placed : placed.slice(0, 1)) {
      const differs = await firstOther(array, axis, values, context);
      if (differs !== undefined) others.push(differs);
    }
    const [first] = others;
    if (first === undefined) continue;
    const { inFile, step, is, has } = first;
    const about = { file: lastPart(inFile.held.target), files: others.length, of: isAlong ? placed.length : 1 };
    const change = changeOf(coordinate, inFile, values);
    const facts = { ...about, coordinate: coordinate.name, change, step, set: is, has };
    yield finding("held-steps-differ", nodeAt(coordinate.path), facts);
  }
}

/** The file's own coordinate, and the step of the set at which it begins. */
interface AxisInFile {
  readonly held: HeldArray["held"];
  readonly array: SourceArray;
  readonly numbers: Float64Array;
  readonly from: number;
}

async function firstOther(
  { held, own, node, origin }: HeldArray,
  axis: number,
  values: AxisValues,
  context: CallContext,
) {
  const array = held.file.arrays.find(({ path }) => path === own.dimensions[axis]);
  const numbers = array && (await valuesInFile(held, array, context));
  const textInFile = array && readAs(values.kind, array);
  if (array === undefined || numbers === undefined || textInFile === undefined) return undefined;
  const from = startAlong(node.metadata.chunks[axis] ?? 1, origin[axis] ?? 0);
  const inFile: AxisInFile = { held, array, numbers, from };
  const margin = 1e-3 * Math.abs((numbers[1] ?? 0) - (numbers[0] ?? 0));
  for (const [at, number] of numbers.entries()) {
    if (Number.isNaN(number)) continue;
    const [is, has] = [textAt(values, from + at, margin, number), textInFile(number)];
    if (is !== undefined && has !== undefined && is !== has)
      return { inFile, step: from + at, is: plainDate(is), has: plainDate(has) };
  }
  return undefined;
}

/** The plain mistake that makes the file's coordinate the set's. */
function changeOf(coordinate: ArrayNode, { array, numbers: stored, from }: AxisInFile, values: AxisValues) {
  const theirs = inUnitsOf(coordinate, array, stored);
  if (theirs === undefined || values.kind === "texts") return undefined;
  const time = timeOf(coordinate);
  const scale = time === undefined ? { zero: 0, unit: 1 } : scaleOf(time);
  const all =
    values.kind === "numbers"
      ? values.numbers
      : countsOf(
          Float64Array.from(values.nanoseconds, (ns) => Number(ns) / 1e9),
          scale,
        );
  const numbers = all.slice(from, from + theirs.length);
  const seconds = time === undefined ? undefined : scale.unit;
  const cell = Math.abs((theirs[1] ?? NaN) - (theirs[0] ?? NaN));
  const options = { tolerance: Number.isNaN(cell) ? 1e-9 : cell * 1e-3, cell, seconds };
  const change = changeBetween({ numbers }, { numbers: theirs }, options);
  return change?.kind === "times" ? { ...change, ...unitsMeant(coordinate, change.factor) } : change;
}

/** A number of the file in words that are comparable; `undefined` where it has no time or is packed. */
function readAs(
  kind: AxisValues["kind"],
  { attributes }: SourceArray,
): ((number: number) => string | undefined) | undefined {
  if (attributes.has("scale_factor") || attributes.has("add_offset")) return undefined;
  const attribute = (name: string) => parsed(attributes.get(name) ?? "");
  const units = attribute("units");
  const time = timeView(typeof units === "string" ? units : "", attribute("calendar"));
  if (kind === "numbers") return time === undefined ? (number) => `${number}` : undefined;
  if (!isTimeView(time)) return undefined;
  if (kind === "texts") return (number) => timeText(number, time);
  return (number) => {
    const nanoseconds = timeNanoseconds(number, time);
    return nanoseconds === undefined ? undefined : secondText(nanoseconds);
  };
}

/** Differences of less than a second, or a thousandth of a step, do not count. */
function textAt(values: AxisValues, at: number, margin: number, number: number): string | undefined {
  if (values.kind === "texts") return values.texts[at];
  if (values.kind === "dates") {
    const nanoseconds = values.nanoseconds[at];
    return nanoseconds === undefined ? undefined : secondText(nanoseconds);
  }
  const value = values.numbers[at];
  if (value === undefined || Number.isNaN(value)) return undefined;
  return `${Math.abs(value - number) <= margin + 1e-6 * Math.abs(number) ? number : value}`;
}

const secondText = (nanoseconds: bigint): string =>
  isoDate(((nanoseconds + 500_000_000n) / 1_000_000_000n) * 1_000_000_000n);
