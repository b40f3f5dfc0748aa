/** The values of a coordinate that was read whole, around what is doubtful in it. */
import { startAlong } from "../../../../core/chunk-edges.ts";
import type { ProfileColumns, ValueProfile } from "../../../../core/value-profile.ts";
import { MAX_BINS, newColumns, viewOf, type AboutArray } from "./value-profile.ts";
import { NO_FILE } from "../value-facts.ts";
import type { KeptProfile } from "./kept-profile.ts";

/** Elements on both sides of doubtful ones that lie near each other: more would hide them. */
const BESIDE = 24;
/** Doubtful ones that are farther apart are shown in the whole. */
const MOST_APART = 200;

/** `undefined` where the coordinate was not read whole. */
export function coordinateProfile(
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

/** Where files begin within the window, and the one that it begins in. */
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
