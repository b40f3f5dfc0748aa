/** References against the chunk grid: whole steps missing, keys past its end, the files that a dimension is made of. */
import { about } from "./entry.ts";
import { count, counted, listed, quoted } from "../../words.ts";

const FILL = "zarr-python silently reads missing chunks as the fill value.";

const along = (dimension: string | number): string =>
  typeof dimension === "number" ? `dimension ${dimension}` : dimension;

const fileName = (target: string): string => quoted(target.slice(target.lastIndexOf("/") + 1) || target, 80);

const some = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(", ")}${names.length > 5 ? `, and ${count(names.length - 5)} more` : ""}`;

type Gap = {
  readonly dimension: string | number;
  readonly axis: number;
  /** First and last chunk of each. */
  readonly runs: readonly (readonly number[])[];
  readonly moreRuns: number;
  /** Chunks along the dimension. */
  readonly steps: number;
  readonly problem: "start" | "end" | "middle" | "every";
  readonly every: number | undefined;
  readonly arrays: readonly string[];
  /** Other arrays with the dimension that lack nothing. */
  readonly complete: number;
  /** Elements along the dimension: by the metadata, up to where references reach, and in the complete arrays. */
  readonly shape: number;
  readonly reach: number;
  readonly otherLength: number | undefined;
  /** Length of a chunk with which the keys would fill the grid. */
  readonly chunkFits: number | undefined;
  /** Whether other arrays have chunks of that length. */
  readonly isElsewhere: boolean;
  readonly file: string | undefined;
};

const runText = ([from = 0, to = 0]: readonly number[]): string =>
  from === to ? count(from) : `${count(from)} to ${count(to)}`;

function gapText(facts: Gap): string {
  const { dimension, runs, moreRuns, steps, problem, every, arrays } = facts;
  const lost = runs.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0);
  const many = arrays.length > 1 ? ` in ${count(arrays.length)} arrays (${some(arrays)})` : "";
  const which = `${listed(runs.map(runText))}${moreRuns > 0 ? " and others" : ""}`;
  const where = `Along ${along(dimension)}`;
  if (problem === "every")
    return `${where}, every ${every === 2 ? "other" : `${count(every ?? 0)}th`} of the ${counted(steps, "chunk")} has no reference, from ${which.split(",")[0] ?? ""} on${many}.`;
  const has = lost === 1 && moreRuns === 0 ? "has no reference" : "have no reference";
  if (problem === "middle")
    return `${where}, ${lost === 1 && moreRuns === 0 ? "chunk" : "chunks"} ${which} of ${count(steps)} (counted from 0) ${has}${many}, though others before and after ${lost === 1 ? "it" : "them"} have.`;
  const number = lost === 1 ? "" : `${count(lost)} `;
  return `${where}, the ${problem === "end" ? "last" : "first"} ${number}of ${counted(steps, "chunk")} (${which}, counted from 0) ${has}${many}.`;
}

function gapCause(facts: Gap): string {
  const { problem, file, complete, runs, steps, every } = facts;
  const others =
    complete === 0
      ? ""
      : ` ${counted(complete, "other array")} with this dimension ${complete === 1 ? "lacks" : "lack"} nothing.`;
  const lost = runs.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0);
  if (problem === "every")
    return ` The range or loop that made the references takes steps of ${count(every === 2 ? 2 : (every ?? 0))} where it should not, or skips a file${file === undefined ? "" : ` such as ${fileName(file)}`}.${others}`;
  if (lost * 2 > steps)
    return ` Only ${count(Math.max(0, steps - lost))} ${steps - lost === 1 ? "is" : "are"} there: the array does not change along ${along(facts.dimension)}, its shape or chunk shape is wrong, or most files were left out.${others}`;
  if (problem === "start") return others;
  if (problem === "end") return endCause(facts) + others;
  return `${file === undefined ? " A file seems to be left out." : ` By the names of the other files, ${fileName(file)} is left out.`}${others}`;
}

function endCause({ shape, reach, otherLength, chunkFits, isElsewhere, axis }: Gap): string {
  const numbers = ` The shape has ${count(shape)} elements; the references reach ${count(reach)}`;
  if (isElsewhere)
    return `${numbers}: with chunks of ${count(chunkFits ?? 0)} along it, as other arrays have, they fill the grid, so that the chunk shape is wrong.`;
  if (otherLength !== undefined) return `${numbers}, other arrays have ${count(otherLength)}: the shape is too large.`;
  const chunks = chunkFits === undefined ? "" : `, or the chunk length is ${count(chunkFits)}`;
  return `${numbers}: ${axis > 0 ? "the edge of the array was left out" : "the last files were left out"}, or the shape is too large${chunks}.`;
}

/** Positions that are named in a sentence: all that an operational store has of them. */
const MAX_NAMED = 250;

const { warning, graded } = about("references", { question: "complete" });
const ofReferences = about("references");

export const GRID = {
  "steps-missing": graded<Gap>({
    title: "Missing steps along a dimension",
    brief: ({ problem }) =>
      problem === "every" ? "steps left out" : problem === "end" ? "the end is missing" : "a gap",
    severity: ({ problem, complete }) => (problem === "start" && complete > 0 ? "info" : "warning"),
    explain: (facts) => gapText(facts) + gapCause(facts),
    remedy: ({ problem, file }) => {
      if (problem === "middle" && file !== undefined) return `Add the references of ${fileName(file)}.`;
      return problem === "end"
        ? "Correct the shape, or add the references that are missing."
        : "Add the references that are missing.";
    },
    readers: FILL,
  }),
  "positions-incomplete": warning<{
    readonly positions: number;
    /** Positions of the grid. */
    readonly of: number;
    readonly dimensions: readonly (string | number)[];
    /** The first of them: an index of chunks for each of the dimensions. */
    readonly listed: readonly (readonly number[])[];
    readonly arrays: number;
    /** Arrays that lack a position: of all positions the least and the most. */
    readonly least: number;
    readonly most: number;
  }>({
    title: "Steps missing from some arrays",
    brief: ({ positions }) => `${count(positions)} incomplete positions`,
    explain: ({ positions, of, dimensions, listed, arrays, least, most }) => {
      const lack = least === most ? count(least) : `${count(least)} to ${count(most)}`;
      const where = listed.slice(0, MAX_NAMED).map((at) => (at.length === 1 ? `${at[0]}` : `(${at.join(", ")})`));
      const more = positions - where.length;
      return `At ${count(positions)} of ${counted(of, "position")} ${lack} of ${count(arrays)} arrays lack their chunk, which all others have. By the chunk along ${dimensions.map((one) => (typeof one === "number" ? `dimension ${one}` : one)).join(" and ")} they are ${where.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}.`;
    },
    remedy:
      "Write the references of these positions again: their sources were probably read before they were complete.",
    readers: FILL,
  }),
  "coordinate-incomplete": warning<{
    readonly missing: number;
    readonly chunks: number;
    readonly dimension: string | number;
  }>({
    title: "Missing coordinate chunks",
    explain: ({ missing, chunks, dimension }) =>
      `The coordinate of ${along(dimension)} lacks ${count(missing)} of ${counted(chunks, "chunk")}: its values there are missing, and read as the fill value.`,
    remedy: "Add the references, or write the values inline.",
    readers: "xarray builds its index from these values: selecting by coordinate fails, or finds the wrong place.",
  }),
  "key-separator-wrong": ofReferences.warning<{
    readonly key: string;
    /** As `KeySeparator` has them. */
    readonly written: string;
    readonly separator: string;
    readonly keys: number;
    /** Keys of the array as they should be. */
    readonly right: number;
  }>({
    title: "Wrong separator in chunk keys",
    explain: ({ key, written, separator, keys, right }) => {
      const all =
        right === 0
          ? keys === 1
            ? "The one chunk key"
            : `All ${counted(keys, "chunk key")}`
          : counted(keys, "chunk key");
      const effect = right === 0 ? "the array reads as fill value throughout" : "their chunks read as fill value";
      return `${all} ${keys === 1 ? "is" : "are"} written with ${separatorText(written)}, such as ${quoted(key, 80)}; the metadata say ${separatorText(separator)}: ${effect}.`;
    },
    remedy: ({ written }) =>
      written.length === 1
        ? `Set dimension_separator to “${written}” in the array's metadata, or rewrite the keys.`
        : "Set the chunk key encoding in the array's metadata, or rewrite the keys.",
    readers: "zarr-python never asks for these keys.",
  }),
  "keys-past-grid": ofReferences.warning<{
    readonly key: string;
    readonly dimension: string | number;
    readonly axis: number;
    readonly keys: number;
    readonly chunks: number;
    readonly reach: number;
    readonly shape: number;
    /** Length of a chunk; absent where they are unequal. */
    readonly chunk: number | undefined;
    /** Length of a chunk with which all of them fill the shape. */
    readonly chunkFits: number | undefined;
  }>({
    title: "References past the end of the array",
    explain: ({ dimension, keys, chunks, reach, shape, chunk, chunkFits }) => {
      const more = reach - chunks === 1 ? "one more row" : `${count(reach - chunks)} more rows`;
      const most = chunk && ` (${count(reach)} chunks of ${count(chunk)} have up to ${count(reach * chunk)} elements)`;
      const cause =
        chunkFits === undefined || chunk === undefined
          ? `The shape ${count(shape)} is too small${most ?? ""}, or there are too many references.`
          : `The chunk length ${count(chunk)} is too large (chunks of ${count(chunkFits)} would fill the shape ${count(shape)}), the shape too small, or there are too many references.`;
      return `The grid has ${counted(chunks, "chunk")} along ${along(dimension)}; ${counted(keys, "reference")} ${keys === 1 ? "fills" : "fill"} ${more} of chunks, outside the grid. ${cause}`;
    },
    remedy: "Correct the shape or the chunk shape, or remove the references.",
    readers: "zarr-python never requests these chunks, so their data is ignored.",
  }),
  "sources-out-of-order": ofReferences.warning<{
    readonly dimension: string | number;
    readonly step: number;
    readonly file: string;
    readonly other: number;
    readonly otherFile: string;
    readonly moved: number;
    readonly files: number;
    readonly arrays: readonly string[];
  }>({
    title: "Files out of order",
    explain: ({ dimension, step, file, other, otherFile, moved, files, arrays }) => {
      const what =
        moved === 2
          ? `${fileName(file)} at chunk ${count(step)} and ${fileName(otherFile)} at chunk ${count(other)} have changed places`
          : `${count(moved)} are not where their numbers say, the first ${fileName(file)} at chunk ${count(step)}`;
      return `Along ${along(dimension)}, ${count(files)} files follow each other by the numbers in their names, but ${what} (${some(arrays)}): values may stand at the wrong ${along(dimension)}.`;
    },
    remedy: "Look at the coordinates of these files; if they are swapped, combine the files again in order.",
    readers: "Readers do not notice: they show each file where the references put it.",
    question: "values",
  }),
  "source-left-out": ofReferences.warning<{
    readonly dimension: string | number;
    readonly before: string;
    readonly after: string;
    readonly file: string;
    readonly files: number;
    readonly step: number;
  }>({
    title: "File missing from a regular series",
    explain: ({ dimension, before, after, file, files, step }) =>
      `Along ${along(dimension)}, ${fileName(after)} follows ${fileName(before)} at chunk ${count(step)}; by the numbers of all others, ${files === 1 ? `${fileName(file)} is` : `${count(files)} files from ${fileName(file)} on are`} missing between them.`,
    remedy: "Add the file if it exists; if not, the coordinate has a step there that readers must expect.",
    readers: "Readers do not notice: the array is shorter, and steps along the dimension are not even.",
    about: "source",
    question: "complete",
  }),
};

function separatorText(separator: string): string {
  return separator.length === 1 ? `“${separator}”` : `“c${separator.slice(1)}” (Zarr v3)`;
}
