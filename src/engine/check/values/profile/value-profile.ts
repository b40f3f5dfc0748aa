/** From what is kept of chunks to bins along the axis. */
import { startAlong } from "../../../../core/chunk-edges.ts";
import { cellCount, ordinalOf } from "../../../../core/chunk-grid.ts";
import type { ProfileColumns, ValueProfile } from "../../../../core/value-profile.ts";
import { textOf } from "../../../many/axis.ts";
import { CHUNK_DECODED, CHUNK_FAILED, CHUNK_UNMEASURED, slotOf } from "../value-facts.ts";
import { placeAlong, strideOf, type KeptProfile } from "./kept-profile.ts";

/** More than a plot has pixels for are put together. */
export const MAX_BINS = 400;

/** What a set knows of an array beside its chunks. */
export interface AboutArray {
  /** Names of files by their ids, where each bin belongs to one. */
  readonly fileName: (file: number) => string | undefined;
  /** What stands along the axis from one place to another, both included. */
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
  for (const slot of slots) {
    if (slot < 0) continue;
    addChunk(kept, slot, Math.floor(placeOf(kept.ordinals[slot] ?? 0) / perBin), { columns, sums });
  }
  for (let bin = 0; bin < bins; bin += 1) finishBin(bin, columns, sums);
  const own = { kind: "chunks", array: node.path, axis, length, first: 0, perBin, bins, columns } as const;
  const isLine = line !== undefined && cellCount(grid) > length;
  return { ...own, isLine, ...filesOf(kept, length, perBin, about), ...placesOf(own, kept, about), ...viewOf(kept) };
}

const newColumn = (bins: number, value: number): Float64Array<ArrayBuffer> => new Float64Array(bins).fill(value);

export function newColumns(bins: number): ProfileColumns {
  return {
    minimum: newColumn(bins, NaN),
    maximum: newColumn(bins, NaN),
    mean: newColumn(bins, NaN),
    spread: newColumn(bins, NaN),
    missing: newColumn(bins, NaN),
    step: newColumn(bins, NaN),
    rough: newColumn(bins, NaN),
    read: newColumn(bins, 0),
    failed: newColumn(bins, 0),
  };
}

/** Slots in the order of the axis; -1 where a chunk was not looked at. */
function lineThrough(kept: KeptProfile, through: readonly number[]): readonly number[] {
  const { axis, grid } = kept;
  const at = ordinalOf(grid, through) ?? 0;
  if (axis < 0) return [slotOf(kept, at)];
  const stride = strideOf(grid, axis);
  const start = at - placeAlong(kept)(at) * stride;
  return Array.from({ length: grid[axis] ?? 1 }, (_, place) => slotOf(kept, start + place * stride));
}

interface Sums {
  /** Of means, by the elements that have values. */
  readonly values: Float64Array;
  readonly weights: Float64Array;
  readonly elements: Float64Array;
}

interface Adding {
  readonly columns: ProfileColumns;
  readonly sums: Sums;
}

function addChunk(kept: KeptProfile, slot: number, bin: number, { columns, sums }: Adding): void {
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

const UNKNOWN = -1;

/** None where chunks of one place lie in several files: their borders are not borders of the axis. */
function filesOf(
  kept: KeptProfile,
  length: number,
  perBin: number,
  { fileName }: AboutArray,
): Pick<ValueProfile, "files" | "fileCount"> {
  const fileCount = new Set(kept.files).size;
  const placeOf = placeAlong(kept);
  const byPlace = new Float64Array(length).fill(UNKNOWN);
  for (let slot = 0; slot < kept.ordinals.length; slot += 1) {
    const place = placeOf(kept.ordinals[slot] as number);
    const file = kept.files[slot] as number;
    if (byPlace[place] !== UNKNOWN && byPlace[place] !== file) return { files: [], fileCount };
    byPlace[place] = file;
  }
  const runs: { name: string; bin: number }[] = [];
  let before = UNKNOWN;
  for (const [place, file] of byPlace.entries()) {
    if (file === UNKNOWN || file === before) continue;
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

/** What the attributes say of the values. */
export function viewOf({ node, scaling }: KeptProfile): Pick<ValueProfile, "valid" | "units" | "time"> {
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
