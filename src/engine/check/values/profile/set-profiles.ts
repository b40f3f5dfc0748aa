/** Profiles that deep checks of a set keep of its arrays, and the plots made from them. */
import { type Axis, type AxisValues, placeRange } from "#core/cf/axis.ts";
import type { CallContext } from "#core/byte-source.ts";
import { timeNanoseconds, type TimeView } from "#core/cf/cf-time.ts";
import { scale, type Scaling } from "#core/cf/cf.ts";
import { cellCount, ordinalOf, startAlong } from "#core/metadata/chunk-grid.ts";
import type { ProfileColumns, ProfiledArray, ValueProfile } from "#core/values/value-profile.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { coordinateArray, roleOf, textOf } from "#engine/many/axis.ts";
import { startPace } from "#engine/pace.ts";
import { leastOf, mostOf, placeAlong, strideOf } from "../value-rule.ts";
import { distance } from "../file-blocks.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { CHUNK_DECODED, CHUNK_FAILED, CHUNK_UNMEASURED, CHUNK_UNREAD, NO_FILE, slotOf } from "../value-facts.ts";
import type { ArrayFacts } from "../value-facts.ts";

/** Profiles by path. */
export type SetProfiles = Map<string, KeptOfArray>;

interface KeptOfArray extends KeptProfile {
  /** Only chunks that were doubtful for some reason: they say what is wrong with them, and nothing of the array. */
  readonly isDoubtful: boolean;
}

const readIn = ({ states }: Pick<KeptProfile, "states">): number =>
  states.reduce((count, state) => count + Number(state !== CHUNK_UNREAD), 0);

/** A look at fewer chunks does not take the place of one at more. */
export async function keepProfiles(
  profiles: SetProfiles,
  { facts, isDoubtful }: { readonly facts: readonly ArrayFacts[]; readonly isDoubtful: boolean },
  context: CallContext,
): Promise<void> {
  for (const one of facts) {
    const known = profiles.get(one.node.path);
    const read = readIn(one);
    if (read === 0 || (known !== undefined && readIn(known) > read)) continue;
    profiles.set(one.node.path, { ...(await keptProfile(one, context)), isDoubtful });
  }
}

/** Those of which chunks were read, not the doubtful alone, and have values; in the order of the set. */
export function profiledArrays({ hierarchy }: EngineSet, profiles: SetProfiles): readonly ProfiledArray[] {
  return [...hierarchy.nodes.keys()].flatMap((path) => {
    const kept = profiles.get(path);
    return kept?.isDoubtful === false && kept.states.includes(CHUNK_DECODED) ? [arraySums(kept)] : [];
  });
}

function arraySums(kept: KeptProfile): ProfiledArray {
  const { node, states, of, mean, count, missing } = kept;
  let [elements, without, sum, weight] = [0, 0, 0, 0];
  const slots = [...states.keys()].filter((slot) => states[slot] === CHUNK_DECODED);
  for (const slot of slots) {
    const [all = 0, none = 0, value = NaN] = [count[slot], missing[slot], mean[slot]];
    elements += all;
    without += none;
    if (Number.isNaN(value)) continue;
    sum += value * (all - none);
    weight += all - none;
  }
  const failed = states.filter((state) => state === CHUNK_FAILED).length;
  const isEmpty = weight === 0;
  const { units, time } = viewOf(kept);
  return {
    array: node.path,
    of,
    failed,
    read: readIn(kept) - failed,
    minimum: isEmpty ? NaN : leastOf(kept.minimum, slots),
    maximum: isEmpty ? NaN : mostOf(kept.maximum, slots),
    mean: isEmpty ? NaN : sum / weight,
    missing: elements === 0 ? NaN : without / elements,
    ...(units === undefined ? {} : { units }),
    ...(time === undefined ? {} : { time }),
  };
}

export interface ProfileRequest {
  readonly array: string;
  /** Coordinates of a chunk: those that differ from it along the axis alone. */
  readonly through?: readonly number[];
  /** Positions around which to give the values of a coordinate. */
  readonly around?: readonly number[];
}

/** `undefined` where nothing is kept of the array, or of a coordinate not all of its values. */
export function profileOf(
  set: EngineSet,
  profiles: SetProfiles,
  { array, through, around }: ProfileRequest,
): ValueProfile | undefined {
  const kept = profiles.get(array);
  if (kept === undefined) return undefined;
  const fileName = (file: number) => (file === NO_FILE ? undefined : set.table.targets.text(file));
  if (around !== undefined) return coordinateProfile(kept, around, { fileName });
  return valueProfile(kept, through, { fileName, ...placesAlong(set, profiles, kept) });
}

/** From the coordinate along the axis, where the check has read it whole. */
function placesAlong(set: EngineSet, profiles: SetProfiles, kept: KeptProfile): Pick<AboutArray, "placeRange"> {
  const coordinate = kept.axis < 0 ? undefined : coordinateArray(set, kept.node, kept.axis);
  const known = coordinate === undefined ? undefined : profiles.get(coordinate.path);
  if (coordinate === undefined || known?.whole === undefined || coordinate === kept.node) return {};
  const units = textOf(coordinate, "units");
  const values = axisValues(known.whole, known.scaling?.time);
  if (values === undefined) return {};
  const axis: Axis = { array: coordinate.path, role: roleOf(coordinate), units, values };
  return { placeRange: (from, to) => placeRange(axis, from, to) };
}

function axisValues(whole: Float64Array<ArrayBuffer>, time: TimeView | undefined): AxisValues | undefined {
  if (time === undefined) return { kind: "numbers", numbers: whole };
  const nanoseconds = new BigInt64Array(whole.length);
  for (const [at, value] of whole.entries()) {
    const date = timeNanoseconds(value, time);
    if (date === undefined) return undefined;
    nanoseconds[at] = date;
  }
  return { kind: "dates", nanoseconds };
}

// The values of a coordinate that was read whole, around what is doubtful in it.

/** Elements on both sides of doubtful ones that lie near each other: more would hide them. */
const BESIDE = 24;
/** Doubtful ones that are farther apart are shown in the whole. */
const MOST_APART = 200;

/** `undefined` where the coordinate was not read whole. */
function coordinateProfile(
  kept: KeptProfile,
  around: readonly number[],
  { fileName }: Pick<AboutArray, "fileName">,
): ValueProfile | undefined {
  const { whole, node } = kept;
  if (whole === undefined) return undefined;
  const [first, end] = windowOf(whole.length, around);
  const perBin = Math.ceil((end - first) / MAX_BINS);
  const bins = Math.ceil((end - first) / perBin);
  const columns = newColumns(bins);
  for (let bin = 0; bin < bins; bin += 1) {
    const from = first + bin * perBin;
    addValues(columns, bin, whole, [from, Math.min(end, from + perBin)]);
  }
  const files = filesWithin(kept, fileName, [first, end]).map(({ name, at }) => ({
    name,
    bin: Math.floor((at - first) / perBin),
  }));
  return {
    kind: "elements",
    array: node.path,
    axis: 0,
    length: whole.length,
    first,
    perBin,
    bins,
    columns,
    isLine: false,
    files: files.length > MAX_BINS ? [] : files,
    fileCount: new Set(kept.files).size,
    ...viewOf(kept),
  };
}

/** The last excluded. */
function windowOf(length: number, around: readonly number[]): readonly [number, number] {
  const known = around.filter((at) => at >= 0 && at < length);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  if (known.length === 0 || length <= MOST_APART || most - least > MOST_APART) return [0, length];
  return [Math.max(0, least - BESIDE), Math.min(length, most + BESIDE + 1)];
}

function addValues(
  columns: ProfileColumns,
  bin: number,
  values: Float64Array,
  [from, to]: readonly [number, number],
): void {
  let [least, most, missing, sum, step] = [Infinity, -Infinity, 0, 0, NaN];
  for (let at = from; at < to; at += 1) {
    const value = values[at] as number;
    if (Number.isNaN(value)) {
      missing += 1;
      continue;
    }
    [least, most, sum] = [Math.min(least, value), Math.max(most, value), sum + value];
    const before = at === 0 ? NaN : Math.abs(value - (values[at - 1] as number));
    if (!Number.isNaN(before)) step = Number.isNaN(step) ? before : Math.max(step, before);
  }
  const present = to - from - missing;
  columns.read[bin] = present;
  columns.missing[bin] = missing / (to - from);
  columns.step[bin] = step;
  if (present === 0) return;
  columns.minimum[bin] = least;
  columns.maximum[bin] = most;
  columns.mean[bin] = sum / present;
}

/** Files that begin within the window, and the one that it begins in. */
function filesWithin(
  { node, ordinals, files }: KeptProfile,
  fileName: AboutArray["fileName"],
  [first, end]: readonly [number, number],
) {
  const edges = node.metadata.chunks[0] ?? 1;
  const runs: { name: string; at: number }[] = [];
  let before: number = NO_FILE;
  for (const [slot, ordinal] of ordinals.entries()) {
    const file = files[slot] as number;
    const at = startAlong(edges, ordinal);
    if (file === before || at >= end) continue;
    before = file;
    const name = fileName(file);
    if (name === undefined) continue;
    if (at <= first) runs.length = 0;
    runs.push({ name, at: Math.max(first, at) });
  }
  return runs;
}

// From what is kept of chunks to bins along the axis.

/** More than a plot has pixels for are put together. */
export const MAX_BINS = 400;

/** Facts of a set about an array, beside its chunks. */
interface AboutArray {
  /** Names of files by their ids, where each bin belongs to one. */
  readonly fileName: (file: number) => string | undefined;
  /** Coordinates along the axis from one place to another, both included. */
  readonly placeRange?: (from: number, to: number) => string | undefined;
}

/** `through`: coordinates of a chunk; of the others only those that differ from it along the axis alone. */
export function valueProfile(
  kept: KeptProfile,
  through: readonly number[] | undefined,
  about: AboutArray,
): ValueProfile {
  const { grid, axis, node } = kept;
  const length = axis < 0 ? 1 : (grid[axis] ?? 1);
  const perBin = Math.ceil(length / MAX_BINS);
  const bins = Math.ceil(length / perBin);
  const columns = newColumns(bins);
  const line = through === undefined ? undefined : lineThrough(kept, through);
  const slots = line ?? kept.ordinals.keys();
  const sums = { values: new Float64Array(bins), weights: new Float64Array(bins), elements: new Float64Array(bins) };
  const placeOf = placeAlong(kept);
  for (const slot of slots) addChunk(kept, slot, Math.floor(placeOf(kept.ordinals[slot] ?? 0) / perBin), columns, sums);
  for (let bin = 0; bin < bins; bin += 1) finishBin(bin, columns, sums);
  const own = { kind: "chunks", array: node.path, axis, length, first: 0, perBin, bins, columns } as const;
  const isLine = line !== undefined && cellCount(grid) > length;
  return { ...own, isLine, ...filesOf(kept, perBin, about), ...placesOf(own, kept, about), ...viewOf(kept) };
}

function newColumns(bins: number): ProfileColumns {
  const unknown = () => new Float64Array(bins).fill(NaN);
  const ends = { minimum: unknown(), maximum: unknown(), mean: unknown(), spread: unknown() };
  const counts = { read: new Float64Array(bins), failed: new Float64Array(bins) };
  return { ...ends, missing: unknown(), step: unknown(), rough: unknown(), ...counts };
}

/** Slots of the chunks that were looked at on the line along the axis. */
function lineThrough(kept: KeptProfile, through: readonly number[]): readonly number[] {
  const [stride, placeOf] = [strideOf(kept.grid, kept.axis), placeAlong(kept)];
  const startOf = (ordinal: number) => ordinal - placeOf(ordinal) * stride;
  const start = startOf(ordinalOf(kept.grid, through) ?? 0);
  return [...kept.ordinals.keys()].filter((slot) => startOf(kept.ordinals[slot] as number) === start);
}

/** `values`: of means, by the elements that have values. */
type Sums = Readonly<Record<"values" | "weights" | "elements", Float64Array>>;

function addChunk(kept: KeptProfile, slot: number, bin: number, columns: ProfileColumns, sums: Sums): void {
  const state = kept.states[slot];
  if (state === CHUNK_FAILED) columns.failed[bin] = (columns.failed[bin] ?? 0) + 1;
  if (state === CHUNK_DECODED || state === CHUNK_UNMEASURED) columns.read[bin] = (columns.read[bin] ?? 0) + 1;
  if (state !== CHUNK_DECODED) return;
  keep(columns.minimum, bin, kept.minimum[slot], Math.min);
  keep(columns.maximum, bin, kept.maximum[slot], Math.max);
  keep(columns.spread, bin, kept.spread[slot], Math.min);
  keep(columns.step, bin, kept.step[slot], Math.max);
  keep(columns.rough, bin, kept.rough[slot], Math.max);
  const [count = 0, missing = 0, mean = NaN] = [kept.count[slot], kept.missing[slot], kept.mean[slot]];
  columns.missing[bin] = (Number.isNaN(columns.missing[bin]) ? 0 : (columns.missing[bin] as number)) + missing;
  add(sums.elements, bin, count);
  if (Number.isNaN(mean)) return;
  add(sums.weights, bin, count - missing);
  add(sums.values, bin, mean * (count - missing));
}

function add(column: Float64Array, bin: number, more: number): void {
  column[bin] = (column[bin] as number) + more;
}

function keep(column: Float64Array, bin: number, value = NaN, of: (one: number, other: number) => number): void {
  if (Number.isNaN(value)) return;
  const known = column[bin] as number;
  column[bin] = Number.isNaN(known) ? value : of(known, value);
}

function finishBin(bin: number, { mean, missing }: ProfileColumns, { values, weights, elements }: Sums): void {
  const weight = weights[bin] as number;
  if (weight > 0) mean[bin] = (values[bin] as number) / weight;
  if (!Number.isNaN(missing[bin])) missing[bin] = (missing[bin] as number) / Math.max(1, elements[bin] as number);
}

/** None where chunks of one place lie in several files: their borders are not borders of the axis. */
function filesOf(
  kept: KeptProfile,
  perBin: number,
  { fileName }: AboutArray,
): Pick<ValueProfile, "files" | "fileCount"> {
  const fileCount = new Set(kept.files).size;
  const placeOf = placeAlong(kept);
  const byPlace = new Map<number, number>();
  for (const [slot, ordinal] of kept.ordinals.entries()) {
    const [place, file] = [placeOf(ordinal), kept.files[slot] as number];
    if ((byPlace.get(place) ?? file) !== file) return { files: [], fileCount };
    byPlace.set(place, file);
  }
  const runs: { name: string; bin: number }[] = [];
  let before: number | undefined;
  for (const [place, file] of [...byPlace].toSorted(([one], [other]) => one - other)) {
    if (file === before) continue;
    before = file;
    const name = fileName(file);
    if (name !== undefined) runs.push({ name, bin: Math.floor(place / perBin) });
  }
  return { files: runs.length > MAX_BINS ? [] : runs, fileCount };
}

function placesOf(
  { axis, length, perBin, bins }: Pick<ValueProfile, "axis" | "length" | "perBin" | "bins">,
  { node }: KeptProfile,
  { placeRange }: AboutArray,
): Pick<ValueProfile, "places"> {
  const { shape, chunks } = node.metadata;
  const [edges = 1, end = 1] = [chunks[axis], shape[axis]];
  if (axis < 0 || placeRange === undefined) return {};
  const texts = Array.from({ length: bins }, (_, bin) => {
    const last = Math.min(end, startAlong(edges, Math.min(length, (bin + 1) * perBin))) - 1;
    return placeRange(startAlong(edges, bin * perBin), last) ?? "";
  });
  return texts.every((text) => text !== "") ? { places: texts } : {};
}

/** View of the values by the attributes. */
function viewOf({ node, scaling }: KeptProfile): Pick<ValueProfile, "valid" | "units" | "time"> {
  const { valid, time, scaleFactor = 1, addOffset = 0 } = scaling ?? {};
  const unpacked = (value: number) => value * scaleFactor + addOffset;
  const ends = [valid?.minimum, valid?.maximum].map((end) => (end === undefined ? undefined : unpacked(end)));
  const [minimum, maximum] = scaleFactor < 0 ? ends.toReversed() : ends;
  const units = textOf(node, "units");
  return {
    ...(valid === undefined
      ? {}
      : { valid: { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) } }),
    ...(units === undefined || time !== undefined ? {} : { units }),
    ...(time === undefined ? {} : { time }),
  };
}

// Columns kept of the chunks of an array after a deep check: less than the rules need, unpacked, for plots.

type Column = Float64Array<ArrayBuffer>;

/** Columns with an entry for each chunk that was looked at; NaN where nothing is known. 65 bytes a chunk. */
export interface KeptProfile extends Pick<
  ArrayFacts,
  "node" | "grid" | "axis" | "ordinals" | "files" | "states" | "of"
> {
  readonly scaling: Scaling | undefined;
  readonly minimum: Column;
  readonly maximum: Column;
  readonly mean: Column;
  /** Elements, and those without a value. */
  readonly count: Column;
  readonly missing: Column;
  readonly spread: Float32Array<ArrayBuffer>;
  /** From the last layer of the chunk before. */
  readonly step: Float32Array<ArrayBuffer>;
  readonly rough: Float32Array<ArrayBuffer>;
  /** All values of a coordinate that was read whole. */
  readonly whole?: Column;
}

/** Elements of a coordinate that are kept. */
const MAX_WHOLE = 1_000_000;

async function keptProfile(facts: ArrayFacts, context: CallContext): Promise<KeptProfile> {
  const { node, grid, axis, ordinals, files, states, of, columns, whole } = facts;
  const scaling = scalingOfNode(node);
  const factor = scaling?.scaleFactor ?? 1;
  const unpacked = (column: Column): Column =>
    scaling === undefined ? column : column.map((value) => scale(value, scaling));
  const [low, high] = [unpacked(columns.minimum), unpacked(columns.maximum)];
  return {
    node,
    grid,
    axis,
    ordinals,
    files,
    states,
    of,
    scaling,
    // A negative factor turns the ends round.
    minimum: factor < 0 ? high : low,
    maximum: factor < 0 ? low : high,
    mean: unpacked(columns.mean),
    count: columns.count,
    missing: columns.missing,
    spread: Float32Array.from(columns.spread, (value) => value * Math.abs(factor)),
    step: await stepsOf(facts, Math.abs(factor), context),
    rough: Float32Array.from(columns.rough),
    ...(whole === undefined || whole.length > MAX_WHOLE ? {} : { whole }),
  };
}

async function stepsOf(facts: ArrayFacts, factor: number, context: CallContext): Promise<Float32Array<ArrayBuffer>> {
  const { axis, grid, ordinals, states } = facts;
  const steps = new Float32Array(ordinals.length).fill(NaN);
  if (axis < 0) return steps;
  const stride = strideOf(grid, axis);
  const placeOf = placeAlong(facts);
  const pace = startPace(context, "Comparing chunks", ordinals.length);
  for (const [slot, ordinal] of ordinals.entries()) {
    if ((slot & 0xfff) === 0xfff) await pace.yieldIfDue(slot);
    if (states[slot] !== CHUNK_DECODED || placeOf(ordinal) === 0) continue;
    const before = slotOf(facts, ordinal - stride);
    if (before >= 0) steps[slot] = distance(facts, { last: before }, { first: slot }) * factor;
  }
  return steps;
}
