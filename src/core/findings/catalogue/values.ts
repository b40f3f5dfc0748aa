/** Values where nothing is stored, and selections of values. */
import { about } from "./entry.ts";
import { count, counted, cut, listed } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";
import { number, range, share } from "./value-phrases.ts";

const ABOUT_VIEW = "Readers are not affected: this is about what the page shows.";

/** `hashedAs`: what the values count as where an array is hashed; `chunks`: how many are missing. */
type FillUndefined = { readonly chunks: number; readonly hashedAs: "zeros" | "null" | undefined };

/** `fillValue`: as the metadata write it. `filled`: what has no bytes of its own. */
type FillUnfit = {
  readonly filled: "chunk" | "inner chunk";
  readonly fillValue: string;
  readonly dataType: string;
};

/** `fill`, `range`: unpacked. `zeros`: share of stored values that are 0, where that explains it, else 0. */
type ChunksLost = {
  readonly missing: number;
  readonly chunks: number;
  readonly fill: number;
  readonly isMasked: boolean;
  readonly range: readonly number[];
  readonly zeros: number;
  readonly shards: { readonly of: number; readonly partly: number } | undefined;
  /** Arrays of the same grid that have all chunks. */
  readonly complete: readonly string[];
  readonly isSure: boolean;
};

const MAX_NAMED = 3;

function witnesses({ zeros, shards, complete }: ChunksLost): string {
  const names = complete.slice(0, MAX_NAMED);
  const more = complete.length - names.length;
  const arrays = listed(more > 0 ? [...names, counted(more, "other array")] : names);
  return [
    ...(zeros > 0
      ? [`${share(zeros)} of them are 0: chunks of zeros were probably not written while fill_value was 0.`]
      : []),
    ...(shards === undefined
      ? []
      : [
          `${shards.partly === shards.of ? `Each of the ${count(shards.of)} shards lacks` : `${count(shards.partly)} of ${count(shards.of)} shards lack`} some of its chunks, each shard others, as when several writers write into the same shard at the same time: the last one keeps its own chunks alone.`,
        ]),
    ...(complete.length === 0
      ? []
      : [`Over the same grid or area, ${arrays} ${complete.length === 1 ? "has" : "have"} all chunks.`]),
  ]
    .map((one) => ` ${one}`)
    .join("");
}

type Part = { part: string; dimension: number };

const INVALID_SELECTIONS = {
  "two-ellipses": "A selection may have only one “...”; this one has several.",
  "too-many": ({ part, shape }: { part: string; shape: readonly number[] }) =>
    `“${cut(part, 80)}” names more dimensions than the array has: its shape is [${shape.join(", ")}].`,
  unreadable: ({ part, dimension }: Part) =>
    `Dimension ${dimension}: expected an integer or a slice like 10:20:2; found “${cut(part, 80)}”.`,
  "zero-step": ({ part, dimension }: Part) => `The slice “${cut(part, 80)}” of dimension ${dimension} has a step of 0.`,
  outside: ({ part, dimension, length }: Part & { length: number }) =>
    `Position ${cut(part, 80)} of dimension ${dimension} is outside its length, ${count(length)}.`,
  "no-such-place": ({ why }: { part: string; why: string }) => why,
};

const { error, graded } = about("values");
const aboutView = about("values", { readers: ABOUT_VIEW });
const metadata = about("metadata");

type TooLarge = { unit: "chunks" | "elements" | "bytes"; found: number; limit: number };
type SliceOutside = { inside: readonly number[]; dimension: number; position: number };

export const VALUES = {
  "fill-value-undefined": metadata.warning<FillUndefined>("Missing chunks have no defined value", {
    explain: ({ chunks, hashedAs }) =>
      hashedAs === undefined
        ? "The chunk has no reference and the array's fill_value is null, so its values are not defined."
        : `${counted(chunks, "chunk")} ${chunks === 1 ? "is" : "are"} missing and fill_value is null, so their values are not defined. Refscope hashes them as ${hashedAs}.`,
    remedy: "Set fill_value in the array's metadata to the value that missing chunks should have.",
    readers: "Readers differ: zarr-python returns whatever was in memory, or zeros.",
  }),
  "fill-value-unfit": metadata.graded<FillUnfit>("Fill value does not match the data type", {
    severity: ({ filled }) => (filled === "chunk" ? "warning" : "error"),
    explain: ({ filled, fillValue, dataType }) =>
      `${filled === "chunk" ? "The chunk has no reference" : "An inner chunk of the shard is empty"}, and fill_value ${cut(fillValue, 80)} is not a value of type ${cut(dataType, 80)}. Its values are not defined.`,
    remedy: "Correct fill_value in the array's metadata.",
    readers: "Readers differ: some refuse the array, some convert the value.",
  }),
  "chunks-lost": graded<ChunksLost>("Missing chunks unlike stored ones", {
    question: "complete",
    holds: "the fill value instead of data",
    severity: ({ isSure, zeros, shards, complete }) =>
      isSure ? "error" : zeros > 0 && shards === undefined && complete.length === 0 ? "info" : "warning",
    brief: ({ missing }) => `${counted(missing, "chunk")} missing`,
    explain: (facts) =>
      `${count(facts.missing)} of ${counted(facts.chunks, "chunk")} ${facts.missing === 1 ? "has" : "have"} no reference and ${facts.missing === 1 ? "reads" : "read"} as ${number(facts.fill)}${facts.isMasked && !Number.isNaN(facts.fill) ? ", which marks missing values" : ""}. No stored value is that: they range from ${range(facts.range)}.${witnesses(facts)}`,
    remedy: ({ zeros, shards }) => {
      if (zeros > 0) return "Set fill_value back to 0, or write the chunks of zeros.";
      return `Write these chunks again${shards === undefined ? " from their source" : ", whole shards at a time or with one writer a shard"}.`;
    },
    readers: "Readers silently return the fill value for missing chunks.",
  }),
  "digest-too-large": error<TooLarge>("Array too large to hash", {
    explain: ({ unit, found, limit }) =>
      unit === "chunks"
        ? `The grid has ${count(found)} chunks; Refscope reads at most ${count(limit)} one by one.`
        : `One row of chunks has ${count(found)} ${unit}; Refscope combines at most ${count(limit)}.`,
    readers: "Readers are not affected: this is about Refscope's own hashes.",
  }),
  "selection-invalid": error<ToldBy<typeof INVALID_SELECTIONS> & { part: string; shape?: readonly number[] }>(
    "Invalid selection",
    {
      explain: sentenceOf(INVALID_SELECTIONS, "problem"),
      remedy:
        "Write one integer or slice for each dimension, separated by commas, as in Python (0,10:20,:), or places by name (time=2015-07-04,lat=45N).",
      readers: ({ problem }) =>
        problem === "no-such-place"
          ? "xarray's sel raises KeyError, or takes the nearest place if it is told to."
          : "NumPy and zarr-python also refuse it.",
    },
  ),
  "selection-too-large": error<TooLarge>("Selection too large", {
    explain: ({ unit, found, limit }) =>
      `The selection has ${count(found)} ${unit}; Refscope reads at most ${count(limit)} at once.`,
    remedy: "Select less, or take every n-th element with a step.",
    readers: "Readers are not affected: this is Refscope's own limit.",
  }),
  "npy-objects": error<{ dtype: string }>("Type cannot be saved as .npy", {
    explain: ({ dtype }) =>
      `Elements of type ${cut(dtype, 80)} have no fixed size. NumPy would write them as Python objects, which run code when read.`,
    remedy: "Save the values as JSON or CSV.",
    readers: "Readers are not affected: this is about what Refscope writes.",
  }),
  "selection-failed": error<{ chunks: number }>("Chunks in the selection failed", {
    explain: ({ chunks }) => `${counted(chunks, "chunk")} could not be read, so no file was written.`,
    remedy: "Select a part without these chunks, or fix their references.",
    readers: "Readers differ: most return the fill value for such chunks, some fail.",
  }),
  "no-values": aboutView.error("Chunk has no values", {
    explain: "Values were requested from a chunk that has none: it is missing, or was not fully decoded.",
  }),
  "reading-gone": aboutView.error("Chunk data no longer available", {
    explain: "Bytes or values were requested from a chunk that was read earlier and is no longer in memory.",
    remedy: "Select the chunk again.",
  }),
  "slice-outside": aboutView.error<SliceOutside>("Slice outside the chunk", {
    explain: ({ inside, dimension, position }) =>
      `A slice needs two different dimensions and, in each other one, a position inside [${inside.join(", ")}]. Position ${position} of dimension ${dimension} is outside.`,
  }),
  "window-too-large": aboutView.error<{ rows: number; columns: number; limit: number }>("Too many elements at once", {
    explain: ({ rows, columns, limit }) =>
      `Refscope shows at most ${counted(limit, "element")} at once; ${rows} × ${columns} were requested.`,
  }),
};
