/** Coordinates as they were decoded: without values, repeated, out of order, with steps that change. */
import { about } from "./entry.ts";
import type { BarrierFacts } from "#core/check/preflight.ts";
import { count, counted, cut, listed, quoted } from "#core/words.ts";
import { filesText, number, SILENT } from "./value-phrases.ts";

const MISLEADS = "Readers return the coordinate as it is. Selecting by its values finds the wrong data, or raises.";

type AlongAxis = {
  /** Positions and values of the first few. */
  readonly positions: readonly number[];
  readonly values: readonly number[];
  readonly units: string | undefined;
};

const unitText = (units: string | undefined): string => (units === undefined ? "" : ` (${cut(units, 60)})`);

const times = (factor: number): string => (factor >= 1 ? `${number(factor)} times` : `1/${number(1 / factor)} of`);

/** With the digits that tell it from the others; of times, whose steps are small beside them, nine. */
const at = (values: readonly number[], which = 0): string => {
  const value = values[which] ?? NaN;
  return number(value, ...values, ...(Math.fround(value) === value ? [] : [value * (1 + 1e-8)]));
};

const { warning } = about("values", { readers: MISLEADS });
const { graded, ...values } = about("values");

/** Seen in the decoded coordinate of one dataset. `steps`: length of the gap in usual steps. */
type CoordinateGap = AlongAxis & { files: readonly string[]; step: number; steps: number };
/** Seen in the coordinates of files that are to be one dataset. `from`, `to`: the ends of the first gap. */
type GapBetweenFiles = BarrierFacts & { gaps: number; from: string; to: string };

type CoordinateMissing = {
  missing: number;
  of: number;
  /** A data file may be made before its coordinates are written. */
  isUnwritten: boolean;
};

export const COORDINATE = {
  "coordinate-missing-values": graded<CoordinateMissing>("Missing coordinate values", {
    severity: ({ isUnwritten }) => (isUnwritten ? "info" : "warning"),
    readers: MISLEADS,
    elements: ({ missing }) => missing,
    explain: ({ missing, of }) =>
      missing === of
        ? `All ${counted(of, "value")} of the coordinate are missing: NaN, or the fill value.`
        : `${count(missing)} of the ${counted(of, "value")} of the coordinate are missing: NaN, or the fill value.`,
    remedy: "Write the coordinate's values inline, or find where the source has them.",
  }),
  "coordinate-restarts": warning<AlongAxis & { files: readonly string[]; times: number }>(
    "Coordinate restarts in every file",
    {
      explain: ({ values, times, units }) =>
        `The coordinate does not continue from file to file: ${counted(times, "file")} ${times === 1 ? "begins" : "begin"} near ${at(values)} again. Each file counts from its own origin, and the units${unitText(units)} are those of one file.`,
      remedy:
        "Decode each file's times with its own units before combining the files (cf:time in Kerchunk, decode_times in VirtualiZarr).",
    },
  ),
  "coordinate-unit-changes": warning<AlongAxis & { files: readonly string[]; factor: number; sinceEpoch?: boolean }>(
    "Coordinate unit changes between files",
    {
      explain: ({ values, positions, factor, files, units, sinceEpoch = false }) =>
        `After ${at(values)} at position ${count(positions[0] ?? 0)} comes ${at(values, 1)}, ${sinceEpoch ? `the expected time counted since 1970-01-01${factor === 1 ? "" : ` in a unit of 1/${number(factor)}`}` : `${times(factor)} the expected value`}${files.length === 0 ? "" : `, where ${quoted(files.at(-1) ?? "", 120)} begins`}. That file, or what was appended, counts in a different unit from the one in the attributes${unitText(units)}.`,
      remedy: "Decode each file's times with its own units before combining or appending them.",
    },
  ),
  "coordinate-files-unordered": warning<AlongAxis & { files: readonly string[] }>(
    "Source files out of coordinate order",
    {
      explain: ({ positions, values, files, units }) =>
        `The coordinate is monotonic within every file but not from file to file: at position ${count(positions[0] ?? 0)} it is ${at(values)}${unitText(units)}. ${files.length === 0 ? "Chunks" : `The files ${filesText(files)}`} are in the wrong place.`,
      remedy: "Combine the files again in the order of the coordinate.",
    },
  ),
  /** `each`: how often every value of an integer coordinate stands. */
  "coordinate-repeated": warning<AlongAxis & { count: number; each: number | undefined }>(
    "Duplicate coordinate values",
    {
      elements: ({ count: repeats }) => repeats,
      explain: ({ positions, values, units, count: times, each }) => {
        const [one = 0, other = 0] = positions;
        const pair = `Positions ${count(one)} and ${count(other)} both have the value ${at(values)}${unitText(units)}.`;
        if (each !== undefined)
          return `${pair} Every value occurs ${count(each)} times in an otherwise even series: the integer units are too coarse for the step, and fractions were cut off when the values were written.`;
        return `${pair} This occurs ${times === 1 ? "once" : `${count(times)} times`}.`;
      },
      remedy: ({ each }) =>
        each === undefined
          ? "Check whether a file or step was included twice, and remove one."
          : "Write the coordinate again with finer units (hours or seconds instead of days), or as float64.",
    },
  ),
  "file-repeated": values.warning<AlongAxis & { files: readonly string[] }>("Two source files hold the same data", {
    explain: ({ positions, values, files, units }) =>
      `${filesText(files)} have the same values. The coordinate at positions ${count(positions[0] ?? 0)} and ${count(positions[1] ?? 0)} is ${at(values)}${unitText(units)} in both, and the data is the same too.`,
    remedy: "Fetch the file that should be there: it was saved or named as another one.",
    readers: SILENT,
  }),
  /** `bits`: integers of so many have wrapped around. */
  "coordinate-unordered": warning<AlongAxis & { count: number; swapped: boolean; bits?: number }>(
    "Coordinate is not monotonic",
    {
      elements: ({ count: steps }) => steps,
      explain: ({ positions, values, units, count: times, swapped, bits }) => {
        const [one = 0, other = 0] = positions;
        const pair = `${at(values)} at position ${count(one)} and ${at(values, 1)} at position ${count(other)}`;
        return swapped
          ? `The coordinate reverses direction at ${counted(times, "step")}: ${pair}${unitText(units)} are swapped.`
          : `The coordinate reverses direction or repeats at ${counted(times, "step")}, first with ${pair}${unitText(units)}.${bits === undefined ? "" : ` With 2^${bits} added from there on it continues evenly: integers of ${bits} bits have wrapped around.`}`;
      },
      remedy: ({ swapped, bits }) =>
        bits !== undefined
          ? "Write the coordinate again as int64 or float64, or in larger units."
          : swapped
            ? "Swap the two values in the source, or write the coordinate inline."
            : "Compare the coordinate with the source files.",
    },
  ),
  "coordinate-gap": values.note<CoordinateGap | GapBetweenFiles>("Gap in the coordinate", {
    explain: (facts) => {
      if ("gaps" in facts) {
        const { gaps, from, to, variables } = facts;
        return `${listed(variables)} has ${gaps === 1 ? "a gap" : `${count(gaps)} gaps, the first`} between ${from} and ${to}.`;
      }
      const { positions, values, units, step, steps, files } = facts;
      return `From position ${count(positions[0] ?? 0)} to ${count(positions[1] ?? 0)} the coordinate jumps from ${at(values)} to ${at(values, 1)}${unitText(units)}: ${number(steps)} steps of ${number(step)}.${files.length < 2 ? "" : ` This is between ${filesText(files)}; a file may be missing.`}`;
    },
    remedy: "A file may be missing: if there is one for the gap, add it. The dataset is valid either way.",
    readers: "Readers are not affected: the values present are right.",
    about: "references",
    question: "complete",
  }),
};
