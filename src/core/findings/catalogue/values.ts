/** What a chunk's values are where nothing is stored, and the windows in which values are asked for. */
import { chunkAt, nodeAt, WHOLE_SET } from "../place.ts";
import { entry } from "./entry.ts";
import type { NoFacts } from "../fact.ts";
import { count, counted, cut } from "../../words.ts";

const SST = chunkAt("sst", [0, 0, 1]);
const ABOUT_VIEW = "Readers are not affected: this is about what the page shows.";

/** `hashedAs`: what the values count as where an array is hashed; `chunks`: how many are missing. */
type FillUndefined = { readonly chunks: number; readonly hashedAs: "zeros" | "null" | undefined };

/** `fillValue`: as the metadata write it. `filled`: what has no bytes of its own. */
type FillUnfit = {
  readonly filled: "chunk" | "inner chunk";
  readonly fillValue: string;
  readonly dataType: string;
};

export const VALUES = {
  "fill-value-undefined": entry<FillUndefined>({
    title: "Missing chunks have no defined value",
    severity: "warning",
    explain: ({ chunks, hashedAs }) =>
      hashedAs === undefined
        ? "The chunk has no reference and the array's fill_value is null: its values are not defined."
        : `${counted(chunks, "chunk")} ${chunks === 1 ? "is" : "are"} missing and fill_value is null, so values are not defined; they are hashed as ${hashedAs}.`,
    remedy: "Set fill_value in the array's metadata to the value that missing chunks should have.",
    readers: "Readers differ: zarr-python gives whatever was in memory, or zeros.",
    about: "metadata",
    example: { place: SST, facts: { chunks: 1, hashedAs: undefined } },
  }),
  "fill-value-unfit": entry<FillUnfit>({
    title: "The fill value does not fit the data type",
    severity: ({ filled }) => (filled === "chunk" ? "warning" : "error"),
    explain: ({ filled, fillValue, dataType }) =>
      `${filled === "chunk" ? "The chunk has no reference" : "An inner chunk of the shard is empty"}, and fill_value ${cut(fillValue, 80)} is not a value of type ${cut(dataType, 80)}: what it reads as is not defined.`,
    remedy: "Correct fill_value in the array's metadata.",
    readers: "What readers make of such a fill value differs: some refuse the array, some convert the value.",
    about: "metadata",
    example: { place: SST, facts: { filled: "chunk", fillValue: '"none"', dataType: "<i2" } },
  }),
  "digest-too-large": entry<{
    readonly unit: "chunks" | "elements" | "bytes";
    readonly found: number;
    readonly limit: number;
  }>({
    title: "The array is too large to be hashed",
    severity: "error",
    explain: ({ unit, found, limit }) =>
      unit === "chunks"
        ? `The grid has ${count(found)} chunks; at most ${count(limit)} are read one by one.`
        : `One row of chunks has ${count(found)} ${unit}; at most ${count(limit)} are put together.`,
    readers: "Readers are not affected: this is about Refscope's own hashes.",
    about: "values",
    example: { place: nodeAt("sst"), facts: { unit: "chunks", found: 6_000_000, limit: 5_000_000 } },
  }),
  "selection-invalid": entry<
    | { readonly problem: "two-ellipses" | "too-many"; readonly part: string; readonly shape: readonly number[] }
    | { readonly problem: "unreadable" | "zero-step"; readonly part: string; readonly dimension: number }
    | { readonly problem: "outside"; readonly part: string; readonly dimension: number; readonly length: number }
  >({
    title: "The selection cannot be read",
    severity: "error",
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
    about: "values",
    example: { place: nodeAt("sst"), facts: { problem: "outside", part: "12", dimension: 0, length: 12 } },
  }),
  "selection-too-large": entry<{
    readonly unit: "chunks" | "bytes" | "elements";
    readonly found: number;
    readonly limit: number;
  }>({
    title: "The selection is too large",
    severity: "error",
    explain: ({ unit, found, limit }) => `It has ${count(found)} ${unit}; at most ${count(limit)} are read at once.`,
    remedy: "Select less, or take every n-th element with a step.",
    readers: "Readers are not affected: this is Refscope's own limit.",
    about: "values",
    example: { place: nodeAt("sst"), facts: { unit: "bytes", found: 3_000_000_000, limit: 2_147_483_647 } },
  }),
  "npy-objects": entry<{ readonly dtype: string }>({
    title: "Type cannot be saved as .npy",
    severity: "error",
    explain: ({ dtype }) =>
      `Elements of type ${cut(dtype, 80)} have no fixed size; NumPy would write them as Python objects, which run code when they are read.`,
    remedy: "Take the values as JSON or CSV.",
    readers: "Readers are not affected: this is about what Refscope writes.",
    about: "values",
    example: { place: nodeAt("names"), facts: { dtype: "|O" } },
  }),
  "selection-failed": entry<{ readonly chunks: number }>({
    title: "Chunks of the selection could not be read",
    severity: "error",
    explain: ({ chunks }) => `${counted(chunks, "chunk")} could not be read, so no file was written.`,
    remedy: "Select a part without these chunks, or fix their references.",
    readers: "Readers differ: most fill such chunks with the fill value, some fail.",
    about: "values",
    example: { place: nodeAt("sst"), facts: { chunks: 3 } },
  }),
  "no-values": entry<NoFacts>({
    title: "The chunk has no values",
    severity: "error",
    explain: () => "Values were requested from a chunk that has none: it is missing, or was not decoded to its end.",
    readers: ABOUT_VIEW,
    about: "values",
    example: { place: SST, facts: {} },
  }),
  "reading-gone": entry<NoFacts>({
    title: "The reading is no longer kept",
    severity: "error",
    explain: () => "Bytes or values were requested from a chunk that was read earlier and is no longer kept.",
    remedy: "Select the chunk again.",
    readers: ABOUT_VIEW,
    about: "values",
    example: { place: WHOLE_SET, facts: {} },
  }),
  "slice-outside": entry<{
    readonly inside: readonly number[];
    readonly dimension: number;
    readonly position: number;
  }>({
    title: "Slice outside the chunk",
    severity: "error",
    explain: ({ inside, dimension, position }) =>
      `A plane of a chunk needs two different dimensions and a position in each of the others, inside [${inside.join(", ")}]; position ${position} of dimension ${dimension} is not.`,
    readers: ABOUT_VIEW,
    about: "values",
    example: { place: WHOLE_SET, facts: { inside: [1, 12, 16], dimension: 0, position: 3 } },
  }),
  "window-too-large": entry<{ readonly rows: number; readonly columns: number; readonly limit: number }>({
    title: "Too many cells at once",
    severity: "error",
    explain: ({ rows, columns, limit }) =>
      `A table of at most ${counted(limit, "cell")} can be requested; ${rows} × ${columns} cells were requested.`,
    readers: ABOUT_VIEW,
    about: "values",
    example: { place: nodeAt("sst"), facts: { rows: 1000, columns: 1000, limit: 100_000 } },
  }),
};
