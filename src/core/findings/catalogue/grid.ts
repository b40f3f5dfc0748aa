/** References against the chunk grid: whole steps missing, keys past its end, the files that a dimension is made of. */
import { about } from "./entry.ts";
import { count, counted, listed, quoted } from "#core/words.ts";

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
  /** Objects of a store: those that hold the fill value alone need not be written. */
  readonly isUnwritten: boolean;
  /** Other arrays with the dimension that lack nothing. */
  readonly complete: number;
  /** Files of several chunks each (0: not known), and a chunk's length, where partial chunks between files would explain it. */
  readonly files: number | undefined;
  readonly chunk: number | undefined;
  /** Elements along the dimension: by the metadata, up to where references reach, and in the complete arrays. */
  readonly shape: number;
  readonly reach: number;
  readonly otherLength: number | undefined;
  /** Length of a chunk with which the keys would fill the grid. */
  readonly chunkFits: number | undefined;
  /** True if other arrays have chunks of that length. */
  readonly isElsewhere: boolean;
  readonly file: string | undefined;
};

const runText = ([from = 0, to = 0]: readonly number[]): string =>
  from === to ? count(from) : `${count(from)}–${count(to)}`;

/** Verb for one step, or for several. */
function lacks({ isUnwritten }: Gap, isOne: boolean): string {
  if (isUnwritten) return isOne ? "was never written" : "were never written";
  return isOne ? "has no reference" : "have no reference";
}

function gapText(facts: Gap): string {
  const { dimension, runs, moreRuns, steps, problem, every, arrays } = facts;
  const lost = runs.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0);
  const many = arrays.length > 1 ? ` in ${count(arrays.length)} arrays (${some(arrays)})` : "";
  const which = `${listed(runs.map(runText))}${moreRuns > 0 ? " and others" : ""}`;
  const where = `Along ${along(dimension)}`;
  if (problem === "every")
    return `${where}, every ${every === 2 ? "other" : `${count(every ?? 0)}th`} of the ${counted(steps, "chunk")} ${lacks(facts, true)}, starting at ${which.split(",")[0] ?? ""}${many}.`;
  const has = lacks(facts, lost === 1 && moreRuns === 0);
  if (problem === "middle")
    return `${where}, ${lost === 1 && moreRuns === 0 ? "chunk" : "chunks"} ${which} of ${count(steps)} (counted from 0) ${has}${many}. Chunks before and after ${lost === 1 ? "it" : "them"} ${facts.isUnwritten ? "were" : "have one"}.`;
  const number = lost === 1 ? "" : `${count(lost)} `;
  return `${where}, the ${problem === "end" ? "last" : "first"} ${number}of ${counted(steps, "chunk")} (${which}, counted from 0) ${has}${many}.`;
}

function gapCause(facts: Gap): string {
  const { problem, file, complete, runs, steps, every } = facts;
  const others =
    complete === 0
      ? ""
      : ` ${counted(complete, "other array")} with this dimension ${complete === 1 ? "is" : "are"} complete.`;
  if (facts.isUnwritten)
    return ` Writers may leave out chunks that hold the fill value alone (zarr-python 3 does so by default).${others}`;
  const lost = runs.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0);
  if (problem === "every")
    return ` The loop that made the references wrongly takes steps of ${count(every === 2 ? 2 : (every ?? 0))}, or skips a file${file === undefined ? "" : ` such as ${fileName(file)}`}.${others}`;
  if (lost * 2 > steps)
    return ` Only ${count(Math.max(0, steps - lost))} ${steps - lost === 1 ? "is" : "are"} present. Either the array does not change along ${along(facts.dimension)}, its shape or chunk shape is wrong, or most files are missing.${others}`;
  if (problem === "start") return others;
  if (problem === "end") return endCause(facts) + others;
  return `${file === undefined ? " A file seems to be missing." : ` Judging by the names of the other files, ${fileName(file)} is missing.`}${others}`;
}

/** Other arrays are complete, and as long. */
const isShapeRight = ({ complete, otherLength }: Gap): boolean => complete > 0 && otherLength === undefined;

const mayBePartial = (facts: Gap): boolean =>
  facts.problem === "end" && !facts.isElsewhere && isShapeRight(facts) && facts.files !== undefined;

/** Which leaves no room for the chunks at the end. */
function partialText({ files = 0, chunk = 0, dimension }: Gap): string {
  const made = files === 0 ? "If it is made of several files, and" : `The array is made of ${count(files)} files: if`;
  return ` The shape is right, since other arrays have all of it. ${made} the length of one but the last is not a multiple of the chunk length ${count(chunk)}, its last chunk is partial and the next file begins inside it. A regular grid cannot hold that, and values are at the wrong ${along(dimension)} from there on.`;
}

function endCause(facts: Gap): string {
  const { shape, reach, otherLength, chunkFits, isElsewhere, axis } = facts;
  const numbers = ` The shape has ${count(shape)} elements; the references reach ${count(reach)}`;
  if (isElsewhere)
    return `${numbers}. The chunk shape is wrong: with chunks of ${count(chunkFits ?? 0)}, as in other arrays, they fill the grid.`;
  if (otherLength !== undefined) return `${numbers}; other arrays have ${count(otherLength)}. The shape is too large.`;
  if (mayBePartial(facts)) return `${numbers}.${partialText(facts)}`;
  const chunks = chunkFits === undefined ? "" : `, or the chunk length is ${count(chunkFits)}`;
  return `${numbers}. Either the ${axis > 0 ? "edge of the array is" : "last files are"} missing, or the shape is too large${chunks}.`;
}

/** Positions that are named in a sentence: all that an operational store has of them. */
const MAX_NAMED = 250;

const { error, warning, graded } = about("references", { question: "complete" });
const references = about("references");

type CoordinateIncomplete = {
  missing: number;
  chunks: number;
  dimension: string | number;
  /** Its only missing value is the fill value, which a store need not write; or a data file has none of it yet. */
  isUnwritten: boolean;
};

export const GRID = {
  "steps-missing": graded<Gap>("Missing steps along a dimension", {
    brief: ({ problem }) => (problem === "every" ? "skipped steps" : problem === "end" ? "missing end" : "gap"),
    severity: ({ problem, complete, isUnwritten }) =>
      isUnwritten || (problem === "start" && complete > 0) ? "info" : "warning",
    explain: (facts) => gapText(facts) + gapCause(facts),
    remedy: (facts) => {
      const { problem, file } = facts;
      if (facts.isUnwritten) return "If these steps hold data, write them again. If not, nothing is wrong.";
      if (mayBePartial(facts))
        return "Compare the length of each file with the chunk length. Combine the files again with a chunk length that divides all of them, or add the missing references.";
      if (problem === "middle" && file !== undefined) return `Add the references of ${fileName(file)}.`;
      return problem === "end"
        ? "Add the missing references; make the shape smaller only if no data belong there."
        : "Add the missing references.";
    },
    readers: FILL,
  }),
  "positions-incomplete": warning<{
    positions: number;
    /** Positions of the grid. */
    of: number;
    dimensions: readonly (string | number)[];
    /** The first of them: an index of chunks for each of the dimensions. */
    listed: readonly (readonly number[])[];
    arrays: number;
    /** Arrays that lack a position: of all positions the least and the most. */
    least: number;
    most: number;
  }>("Steps missing from some arrays", {
    brief: ({ positions }) => `${count(positions)} incomplete positions`,
    explain: ({ positions, of, dimensions, listed, arrays, least, most }) => {
      const lack = least === most ? count(least) : `${count(least)} to ${count(most)}`;
      const where = listed.slice(0, MAX_NAMED).map((at) => (at.length === 1 ? `${at[0]}` : `(${at.join(", ")})`));
      const more = positions - where.length;
      return `At ${count(positions)} of ${counted(of, "position")}, the chunk is missing in ${lack} of ${count(arrays)} arrays; the other arrays have it. By chunk along ${dimensions.map((one) => (typeof one === "number" ? `dimension ${one}` : one)).join(" and ")}, the positions are ${where.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}.`;
    },
    remedy: "Rewrite the references of these positions: their sources were probably read before they were complete.",
    readers: FILL,
  }),
  "array-without-data": error<{ arrays: readonly string[]; count: number; isWhole: boolean }>("No data", {
    holds: "the fill value instead of data",
    explain: ({ arrays, count: all, isWhole }) => {
      const names = `${arrays.slice(0, 5).join(", ")}${all > 5 ? `, and ${count(all - 5)} more` : ""}`;
      if (!isWhole)
        return `${names} ${all === 1 ? "has" : "have"} no data: none of ${all === 1 ? "its" : "their"} chunks exists.`;
      return `The dataset has no data: no chunk of ${names} exists.`;
    },
    remedy:
      "Write the data, or the references to it. If this is a template that is still to be filled, accept the problem.",
    readers: "Readers silently return the fill value for every element.",
  }),
  "coordinate-incomplete": graded<CoordinateIncomplete>("Missing coordinate chunks", {
    severity: ({ isUnwritten }) => (isUnwritten ? "info" : "warning"),
    explain: ({ missing, chunks, dimension }) =>
      `The coordinate of ${along(dimension)} is missing ${count(missing)} of ${counted(chunks, "chunk")}. Its values there read as the fill value.`,
    remedy: "Add the references, or write the values inline.",
    readers: "xarray builds its index from these values, so selecting by coordinate fails or finds the wrong place.",
  }),
  "key-separator-wrong": references.warning<{
    key: string;
    /** Separators as `KeySeparator` has them. */
    written: string;
    separator: string;
    keys: number;
    /** Keys of the array as they should be. */
    right: number;
  }>("Wrong separator in chunk keys", {
    explain: ({ key, written, separator, keys, right }) => {
      const all =
        right === 0
          ? keys === 1
            ? "The only chunk key"
            : `All ${counted(keys, "chunk key")}`
          : counted(keys, "chunk key");
      const effect = right === 0 ? "the whole array reads as the fill value" : "their chunks read as the fill value";
      return `${all} ${keys === 1 ? "uses" : "use"} ${separatorText(written)}, such as ${quoted(key, 80)}; the metadata declares ${separatorText(separator)}, so ${effect}.`;
    },
    remedy: ({ written }) =>
      written.length === 1
        ? `Set dimension_separator to “${written}” in the array's metadata, or rewrite the keys.`
        : "Set the chunk key encoding in the array's metadata, or rewrite the keys.",
    readers: "zarr-python never requests these keys.",
  }),
  "keys-past-grid": references.warning<{
    key: string;
    dimension: string | number;
    axis: number;
    keys: number;
    chunks: number;
    reach: number;
    shape: number;
    /** Length of a chunk; absent where they are unequal. */
    chunk: number | undefined;
    /** Length of a chunk with which all of them fill the shape. */
    chunkFits: number | undefined;
  }>("References past the end of the array", {
    explain: ({ dimension, keys, chunks, reach, shape, chunk, chunkFits }) => {
      const more = reach - chunks === 1 ? "one more row" : `${count(reach - chunks)} more rows`;
      const most = chunk && ` (${count(reach)} chunks of ${count(chunk)} have up to ${count(reach * chunk)} elements)`;
      const cause =
        chunkFits === undefined || chunk === undefined
          ? `Either the shape ${count(shape)} is too small${most ?? ""}, or there are too many references.`
          : `Either the chunk length ${count(chunk)} is too large (chunks of ${count(chunkFits)} would fill the shape ${count(shape)}), the shape is too small, or there are too many references.`;
      return `The grid has ${counted(chunks, "chunk")} along ${along(dimension)}; ${counted(keys, "reference")} ${keys === 1 ? "fills" : "fill"} ${more} of chunks, outside the grid. ${cause}`;
    },
    remedy: "Correct the shape or the chunk shape, or remove the references.",
    readers: "zarr-python never requests these chunks, so their data is ignored.",
  }),
  "sources-out-of-order": references.warning<{
    dimension: string | number;
    step: number;
    file: string;
    other: number;
    otherFile: string;
    moved: number;
    files: number;
    arrays: readonly string[];
  }>("Source files out of order", {
    explain: ({ dimension, step, file, other, otherFile, moved, files, arrays }) => {
      const what =
        moved === 2
          ? `${fileName(file)} at chunk ${count(step)} and ${fileName(otherFile)} at chunk ${count(other)} are swapped`
          : `${count(moved)} are out of order, the first ${fileName(file)} at chunk ${count(step)}`;
      return `Along ${along(dimension)}, ${count(files)} files are ordered by the numbers in their names, but ${what} (${some(arrays)}). Values may be at the wrong ${along(dimension)}.`;
    },
    remedy: "Check the coordinates of these files. If they are swapped, combine the files again in order.",
    readers: "Readers do not notice: they return each file where the references put it.",
    question: "values",
  }),
  "sources-disagree": references.error<{
    dimension: string | number;
    array: string;
    other: string;
    file: string;
    otherFile: string;
    /** The first element that they take from different files, how many there are, and of how many. */
    element: number;
    elements: number;
    length: number;
    /** Chunks of the array in each file. */
    chunks: readonly number[];
    files: number;
    /** An array in whose chunks its keys seem to be counted, and their length. */
    countedIn: string | undefined;
    countedChunk: number | undefined;
  }>("Arrays disagree about the source files", {
    explain: ({
      dimension,
      array,
      other,
      file,
      otherFile,
      element,
      elements,
      length,
      chunks,
      files,
      countedIn,
      countedChunk,
    }) => {
      const numbers = `${listed(chunks.map(count))}${files > chunks.length ? " …" : ""}`;
      const cause =
        countedIn === undefined
          ? "Its keys were counted wrongly."
          : `Its files begin at the same chunk numbers as those of ${countedIn}, whose chunks have ${countedChunk === undefined ? "another length" : `length ${count(countedChunk)}`}: the keys were counted in chunks of another variable's size.`;
      return `${array} and ${other} disagree about which file a step comes from: at ${along(dimension)} ${count(element)}, ${array} reads ${fileName(file)} and ${other} reads ${fileName(otherFile)}. ${count(elements)} of ${counted(length, "step")} differ. The ${count(files)} files give ${array} ${numbers} chunks. ${cause}`;
    },
    remedy: ({ array }) =>
      `Make the references again with kerchunk 0.1.1 or later, or renumber the keys of ${array} by its own chunk length. The shape is right.`,
    readers: "Readers do not notice: they return values at the wrong steps, and the fill value for the rest.",
    holds: "values of other steps",
    question: "values",
  }),
  "file-date-differs": references.warning<{
    file: string;
    /** The date as the name has it, and the dates that the coordinate gives its steps. */
    named: string;
    from: string;
    to: string;
    array: string;
    coordinate: string;
    differ: number;
    files: number;
    /** A file that is named for these dates, and gives the array nothing. */
    unused: string | undefined;
  }>("File names give other dates than the coordinate", {
    explain: ({ file, named, from, to, array, coordinate, differ, files, unused }) => {
      const dates = from === to ? from : `${from} to ${to}`;
      const other =
        unused === undefined ? "" : ` ${fileName(unused)}, which is named for that date, gives ${array} no data.`;
      const cause =
        differ === files
          ? "The coordinate is another file's, or each file counts from its own origin and some overwrote others."
          : "The other files agree with the coordinate.";
      return `${array} at ${dates} (${coordinate}) is read from ${fileName(file)}, whose name says ${named}. ${differ === files ? (files === 1 ? "It is the only file of the array." : `All ${count(files)} files differ.`) : `${count(differ)} of ${count(files)} files differ.`}${other} ${cause}`;
    },
    remedy: ({ differ, files }) =>
      differ === files
        ? `Combine the files again and decode each file's own time units, in kerchunk with coo_map={"time": "cf:time"}.`
        : "Check which date these files are of, and combine them again in order.",
    readers: "Readers do not notice: they return the values at the coordinate's dates.",
    question: "values",
  }),
  "source-left-out": references.warning<{
    dimension: string | number;
    before: string;
    after: string;
    file: string;
    files: number;
    step: number;
  }>("File missing from a regular series", {
    explain: ({ dimension, before, after, file, files, step }) =>
      `Along ${along(dimension)}, ${fileName(after)} follows ${fileName(before)} at chunk ${count(step)}; judging by the numbers of all others, ${files === 1 ? `${fileName(file)} is` : `${count(files)} files from ${fileName(file)} on are`} missing between them.`,
    remedy: "If the file exists, add it. If not, readers must expect a gap in the coordinate there.",
    readers: "Readers do not notice: the array is shorter, and its steps along the dimension are uneven.",
    about: "source",
    question: "complete",
  }),
};

function separatorText(separator: string): string {
  return separator.length === 1 ? `“${separator}”` : `“c${separator.slice(1)}” (Zarr v3)`;
}
