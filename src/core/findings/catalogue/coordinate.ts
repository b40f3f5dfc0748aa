/** Coordinates as they were decoded: without values, repeated, out of order, with steps that change. */
import { about } from "./entry.ts";
import { count, counted, cut, quoted } from "../../words.ts";
import { filesText, number, SILENT } from "./value-phrases.ts";

const MISLEADS =
  "Readers give the coordinate as it is: selecting by its values finds other data than meant, or raises.";

type AlongAxis = {
  /** Of the first few. */
  readonly positions: readonly number[];
  readonly values: readonly number[];
  readonly units: string | undefined;
};

const unitText = (units: string | undefined): string => (units === undefined ? "" : ` (${cut(units, 60)})`);

const times = (factor: number): string => (factor >= 1 ? `${number(factor)} times` : `one ${number(1 / factor)}th of`);

const { warning } = about("values", { readers: MISLEADS });
const ofValues = about("values");

export const COORDINATE = {
  "coordinate-missing-values": warning<{ readonly missing: number; readonly of: number }>({
    title: "Missing coordinate values",
    explain: ({ missing, of }) =>
      missing === of
        ? `All ${counted(of, "value")} of the coordinate are missing: NaN, or the fill value.`
        : `${count(missing)} of the ${counted(of, "value")} of the coordinate are missing: NaN, or the fill value.`,
    remedy: "Write the coordinate's values inline, or look where the source has them.",
  }),
  "coordinate-restarts": warning<AlongAxis & { readonly files: readonly string[]; readonly times: number }>({
    title: "Coordinate restarts in every file",
    explain: ({ values, times, units }) =>
      `It does not go on from file to file: ${counted(times, "file")} ${times === 1 ? "begins" : "begin"} near ${number(values[0] ?? NaN)} again. Each file counts from an origin of its own, and the units${unitText(units)} are those of one file.`,
    remedy:
      "Decode the times of each file with its own units before they are combined (cf:time in Kerchunk, decode_times in VirtualiZarr).",
  }),
  "coordinate-unit-changes": warning<AlongAxis & { readonly files: readonly string[]; readonly factor: number }>({
    title: "Coordinate unit changes between files",
    explain: ({ values, positions, factor, files, units }) =>
      `After ${number(values[0] ?? NaN)} at position ${count(positions[0] ?? 0)} comes ${number(values[1] ?? NaN)}, ${times(factor)} what was to be expected${files.length === 0 ? "" : `, where ${quoted(files.at(-1) ?? "", 120)} begins`}. That file counts in another unit than the attributes say${unitText(units)}.`,
    remedy: "Decode the times of each file with its own units before they are combined.",
  }),
  "coordinate-files-unordered": warning<AlongAxis & { readonly files: readonly string[] }>({
    title: "Source files out of coordinate order",
    explain: ({ positions, values, files, units }) =>
      `Within every file the coordinate is monotonic, from file to file it is not: at position ${count(positions[0] ?? 0)} it is ${number(values[0] ?? NaN)}${unitText(units)}. ${files.length === 0 ? "Chunks" : `The files ${filesText(files)}`} are not where their values belong.`,
    remedy: "Combine the files again in the order of the coordinate.",
  }),
  "coordinate-repeated": warning<AlongAxis & { readonly count: number }>({
    title: "Duplicate coordinate values",
    explain: ({ positions, values, units, count: times }) =>
      `Positions ${count(positions[0] ?? 0)} and ${count(positions[1] ?? 0)} both have the value ${number(values[0] ?? NaN)}${unitText(units)}; that is so ${times === 1 ? "once" : `${count(times)} times`}.`,
    remedy: "Check whether a file or step was included twice, and remove one.",
  }),
  "file-repeated": ofValues.warning<AlongAxis & { readonly files: readonly string[] }>({
    title: "Two source files hold the same data",
    explain: ({ positions, values, files, units }) =>
      `${filesText(files)} have the same values: the coordinate at positions ${count(positions[0] ?? 0)} and ${count(positions[1] ?? 0)} is ${number(values[0] ?? NaN)}${unitText(units)} in both, and the data are the same as well.`,
    remedy: "Fetch the file that should be there: it was saved, or named, as another.",
    readers: SILENT,
  }),
  "coordinate-unordered": warning<AlongAxis & { readonly count: number; readonly swapped: boolean }>({
    title: "The coordinate is not monotonic",
    explain: ({ positions, values, units, count: times, swapped }) => {
      const [one = 0, other = 0] = positions;
      const pair = `${number(values[0] ?? NaN)} at position ${count(one)} and ${number(values[1] ?? NaN)} at position ${count(other)}`;
      return swapped
        ? `It goes the other way at ${counted(times, "step")}: ${pair}${unitText(units)} stand in each other's place.`
        : `It goes the other way, or nowhere, at ${counted(times, "step")}; first with ${pair}${unitText(units)}.`;
    },
    remedy: ({ swapped }) =>
      swapped
        ? "Exchange the two values in the source, or write the coordinate inline."
        : "Compare the coordinate with that of the source files.",
  }),
  "coordinate-gap": ofValues.note<
    AlongAxis & {
      readonly files: readonly string[];
      readonly step: number;
      /** The gap is as long as so many steps. */
      readonly steps: number;
    }
  >({
    title: "Gap in the coordinate",
    explain: ({ positions, values, units, step, steps, files }) =>
      `From position ${count(positions[0] ?? 0)} to ${count(positions[1] ?? 0)} the coordinate jumps from ${number(values[0] ?? NaN)} to ${number(values[1] ?? NaN)}${unitText(units)}: ${number(steps)} steps of ${number(step)}.${files.length < 2 ? "" : ` That is between ${filesText(files)}: a file may have been left out.`}`,
    remedy: "Look whether a file that belongs there exists, and add it.",
    readers: "Readers are not affected: the values that are there are right.",
    about: "references",
    question: "complete",
  }),
};
