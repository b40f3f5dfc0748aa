/** What a chunk's values are where nothing is stored, and the windows in which values are asked for. */
import { about } from "./entry.ts";
import { count, counted, cut } from "../../words.ts";

const ABOUT_VIEW = "Readers are not affected: this is about what the page shows.";

/** `hashedAs`: what the values count as where an array is hashed; `chunks`: how many are missing. */
type FillUndefined = { readonly chunks: number; readonly hashedAs: "zeros" | "null" | undefined };

/** `fillValue`: as the metadata write it. `filled`: what has no bytes of its own. */
type FillUnfit = {
  readonly filled: "chunk" | "inner chunk";
  readonly fillValue: string;
  readonly dataType: string;
};

const { error } = about("values");
const aboutView = about("values", { readers: ABOUT_VIEW });
const ofMetadata = about("metadata");

export const VALUES = {
  "fill-value-undefined": ofMetadata.warning<FillUndefined>({
    title: "Missing chunks have no defined value",
    explain: ({ chunks, hashedAs }) =>
      hashedAs === undefined
        ? "The chunk has no reference and the array's fill_value is null: its values are not defined."
        : `${counted(chunks, "chunk")} ${chunks === 1 ? "is" : "are"} missing and fill_value is null, so values are not defined; they are hashed as ${hashedAs}.`,
    remedy: "Set fill_value in the array's metadata to the value that missing chunks should have.",
    readers: "Readers differ: zarr-python gives whatever was in memory, or zeros.",
  }),
  "fill-value-unfit": ofMetadata.graded<FillUnfit>({
    title: "The fill value does not fit the data type",
    severity: ({ filled }) => (filled === "chunk" ? "warning" : "error"),
    explain: ({ filled, fillValue, dataType }) =>
      `${filled === "chunk" ? "The chunk has no reference" : "An inner chunk of the shard is empty"}, and fill_value ${cut(fillValue, 80)} is not a value of type ${cut(dataType, 80)}: what it reads as is not defined.`,
    remedy: "Correct fill_value in the array's metadata.",
    readers: "What readers make of such a fill value differs: some refuse the array, some convert the value.",
  }),
  "digest-too-large": error<{
    readonly unit: "chunks" | "elements" | "bytes";
    readonly found: number;
    readonly limit: number;
  }>({
    title: "The array is too large to be hashed",
    explain: ({ unit, found, limit }) =>
      unit === "chunks"
        ? `The grid has ${count(found)} chunks; at most ${count(limit)} are read one by one.`
        : `One row of chunks has ${count(found)} ${unit}; at most ${count(limit)} are put together.`,
    readers: "Readers are not affected: this is about Refscope's own hashes.",
  }),
  "selection-invalid": error<
    | { readonly problem: "two-ellipses" | "too-many"; readonly part: string; readonly shape: readonly number[] }
    | { readonly problem: "unreadable" | "zero-step"; readonly part: string; readonly dimension: number }
    | { readonly problem: "outside"; readonly part: string; readonly dimension: number; readonly length: number }
  >({
    title: "The selection cannot be read",
    explain: (facts) => {
      const part = cut(facts.part, 80);
      switch (facts.problem) {
        case "two-ellipses":
          return "A selection may have one “...”; there are several.";
        case "too-many":
          return `“${part}” names more dimensions than the array has: its shape is [${facts.shape.join(", ")}].`;
        case "unreadable":
          return `For dimension ${facts.dimension} an integer or a slice like 10:20:2 was expected, found “${part}”.`;
        case "zero-step":
          return `The slice “${part}” of dimension ${facts.dimension} has a step of 0.`;
        case "outside":
          return `Position ${part} of dimension ${facts.dimension} is outside its length, ${count(facts.length)}.`;
      }
    },
    remedy: "Write one integer or slice for each dimension, separated by commas, as in Python (0,10:20,:).",
    readers: "NumPy and zarr-python refuse it, too.",
  }),
  "selection-too-large": error<{
    readonly unit: "chunks" | "bytes" | "elements";
    readonly found: number;
    readonly limit: number;
  }>({
    title: "The selection is too large",
    explain: ({ unit, found, limit }) => `It has ${count(found)} ${unit}; at most ${count(limit)} are read at once.`,
    remedy: "Select less, or take every n-th element with a step.",
    readers: "Readers are not affected: this is Refscope's own limit.",
  }),
  "npy-objects": error<{ readonly dtype: string }>({
    title: "Type cannot be saved as .npy",
    explain: ({ dtype }) =>
      `Elements of type ${cut(dtype, 80)} have no fixed size; NumPy would write them as Python objects, which run code when they are read.`,
    remedy: "Take the values as JSON or CSV.",
    readers: "Readers are not affected: this is about what Refscope writes.",
  }),
  "selection-failed": error<{ readonly chunks: number }>({
    title: "Chunks of the selection could not be read",
    explain: ({ chunks }) => `${counted(chunks, "chunk")} could not be read, so no file was written.`,
    remedy: "Select a part without these chunks, or fix their references.",
    readers: "Readers differ: most fill such chunks with the fill value, some fail.",
  }),
  "no-values": aboutView.error({
    title: "The chunk has no values",
    explain: "Values were requested from a chunk that has none: it is missing, or was not decoded to its end.",
  }),
  "reading-gone": aboutView.error({
    title: "The reading is no longer kept",
    explain: "Bytes or values were requested from a chunk that was read earlier and is no longer kept.",
    remedy: "Select the chunk again.",
  }),
  "slice-outside": aboutView.error<{
    readonly inside: readonly number[];
    readonly dimension: number;
    readonly position: number;
  }>({
    title: "Slice outside the chunk",
    explain: ({ inside, dimension, position }) =>
      `A plane of a chunk needs two different dimensions and a position in each of the others, inside [${inside.join(", ")}]; position ${position} of dimension ${dimension} is not.`,
  }),
  "window-too-large": aboutView.error<{ readonly rows: number; readonly columns: number; readonly limit: number }>({
    title: "Too many cells at once",
    explain: ({ rows, columns, limit }) =>
      `A table of at most ${counted(limit, "cell")} can be requested; ${rows} × ${columns} cells were requested.`,
  }),
};
