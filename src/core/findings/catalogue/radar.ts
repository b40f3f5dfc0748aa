/** What decoded values tell: chunks that do not fit their neighbours, files that do not fit the others. */
import { about } from "./entry.ts";
import { count, counted, cut, listed, quoted } from "../../words.ts";
import { changeText, filesText, number, ofFile, position, printed, range, share, SILENT } from "./value-phrases.ts";

type Beside = {
  readonly chunks: number;
  readonly elements: number;
  /** Coordinates of the chunk beside it, and its range of values. */
  readonly beside: readonly number[];
  readonly besideRange: readonly number[];
};

const besideText = ({ beside, besideRange }: Beside): string =>
  beside.length === 0 ? "" : ` Chunk ${position(beside)} beside it has values from ${range(besideRange)}.`;

const { warning, note, graded } = about("values", { readers: SILENT });
const ofValues = about("values");

export const RADAR = {
  "values-of-other-type": warning<{
    readonly dtype: string;
    readonly likely: string;
    readonly range: readonly number[];
  }>({
    title: "Wrong data type declared",
    explain: (facts) =>
      `The metadata declare ${cut(facts.dtype, 40)}, and so read the values go from ${range(facts.range)}, which no measurement does. Read as ${facts.likely} the same bytes are ordinary numbers.`,
    remedy: ({ likely }) => `Declare ${likely} in the array's metadata.`,
  }),
  "values-of-other-order": warning<{
    readonly order: "C" | "F";
    /** Rows and columns of each plane are transposed, rather than all dimensions. */
    readonly isPlanes: boolean;
    /** Mean difference between neighbours as a share of the spread, as declared and in the other order. */
    readonly rough: number;
    readonly otherwise: number;
    readonly target: string | undefined;
    readonly chunks: number;
  }>({
    title: "Wrong element order declared",
    explain: ({ order, isPlanes, rough, otherwise, target, chunks }) => {
      const other = order === "C" ? "F" : "C";
      const how = isPlanes ? "with rows and columns transposed" : `in ${other} order`;
      return `In ${counted(chunks, "chunk")}${ofFile(target)} neighbouring elements differ by ${share(rough)} of the spread when read in ${order} order, as declared, and by ${share(otherwise)} ${how}: the elements are scrambled.`;
    },
    remedy: ({ order, target, isPlanes }) =>
      target === undefined && !isPlanes
        ? `Set the order to ${order === "C" ? "F" : "C"} in the array's metadata (in Zarr v3 with a transpose codec).`
        : "Write the data again with their dimensions in the declared order, or leave the file out.",
  }),
  "shard-index-checksum-undeclared": ofValues.error<{ readonly shards: number }>({
    title: "Shard indexes have a checksum that is not declared",
    explain: ({ shards }) =>
      `In ${counted(shards, "shard")} that ${shards === 1 ? "was" : "were"} looked at, the index is followed by 4 bytes that are its crc32c, which index_codecs do not name.`,
    remedy: "Add crc32c to index_codecs in the array's metadata.",
    readers:
      "Readers find the entries, since the index is at the start of the shard, but verify nothing; whoever writes the shard again writes another format.",
    about: "metadata",
    question: "values",
  }),
  "values-are-text": ofValues.error<{
    readonly chunks: number;
    readonly start: string;
    readonly page: string | undefined;
  }>({
    title: "Text instead of data",
    explain: ({ chunks, start, page }) =>
      [
        `The bytes of ${counted(chunks, "chunk")} are text and were read as numbers.`,
        page !== undefined
          ? `The file is an HTML page, ${quoted(page, 120)}, in place of data: a sign-in or error page was saved or sent instead of the file.`
          : start === ""
            ? "How the file begins could not be read."
            : `The file begins ${quoted(printed(start), 80)}.`,
      ].join(" "),
    remedy: "Fetch the file again, signed in where that is needed, and make the references from it.",
    readers: SILENT,
    about: "source",
    question: "values",
  }),
  "chunk-shifted": warning<{ readonly column: number; readonly row: number; readonly size: number }>({
    title: "Chunk data is shifted",
    explain: ({ column, row, size }) =>
      `In all rows the values jump at column ${count(column)} of ${count(row)}, and from the end of a row to the next they go on: the rows begin ${counted(column * size, "byte")} later, or ${counted((row - column) * size, "byte")} earlier, than the reference says.`,
    remedy: "Make the references again from the file as it is now: what they point at has moved.",
  }),
  "chunk-zeroed": graded<
    Beside & {
      readonly isPlain: boolean;
      /** Zeros in all other chunks of the array. */
      readonly others: number;
    }
  >({
    title: "All-zero chunk",
    severity: ({ others, isPlain, chunks }) => (others > 0 && others > chunks ? "info" : isPlain ? "error" : "warning"),
    explain: (facts) =>
      `All ${counted(facts.elements, "element")} of the chunk are zero${facts.isPlain ? ", and so are its stored bytes: a hole in the file, or a part of it that was never written" : ""}.${besideText(facts)}`,
    remedy: "Fetch or make the file again, and compare the chunk with the file that it was copied from.",
  }),
  "chunk-all-missing": warning<Beside>({
    title: "All-missing chunk",
    explain: (facts) =>
      `All ${counted(facts.elements, "element")} of the chunk are missing (NaN or the fill value), although it has bytes of its own.${besideText(facts)}`,
    remedy: "Look whether the source has values there: a failed read that was written down looks like this.",
  }),
  "chunk-constant": note<Beside & { readonly value: number }>({
    title: "Constant chunk among varying ones",
    explain: (facts) =>
      `All ${counted(facts.elements, "element")} of the chunk are ${number(facts.value)}.${besideText(facts)}`,
    remedy: "Look whether the source has one value there: a placeholder looks like this.",
  }),
  "fill-undeclared": graded<{
    readonly value: number;
    readonly times: number;
    readonly files: number;
    readonly chunks: number;
    readonly of: number;
    readonly target: string | undefined;
    /** It is what `fill_value` says, which is no mark where it is not masked (Zarr v3). */
    readonly isFillValue: boolean;
    /** Of the other values. */
    readonly range: readonly number[];
  }>({
    title: "Undeclared missing value",
    severity: ({ chunks, of }) => (chunks === of ? "info" : "warning"),
    explain: ({ value, times, chunks, of, target, range: others, isFillValue }) =>
      `The value ${number(value)} occurs ${count(times)} times in ${count(chunks)} of ${counted(of, "chunk")}${ofFile(target)}, far from all others, which go from ${range(others)}. It marks missing values, ${isFillValue ? "and is the fill_value, which in Zarr v3 masks nothing: no _FillValue or missing_value names it" : "and neither fill_value nor _FillValue or missing_value names it"}.`,
    remedy: ({ value, chunks, of }) =>
      `Declare ${number(value)} as missing_value${chunks < of ? ", and keep _FillValue for the other files; or leave this file out" : ""}.`,
  }),
  "value-wild": warning<{ readonly value: number; readonly range: readonly number[]; readonly isBit: boolean }>({
    title: "Isolated outlier",
    explain: ({ value, range: others, isBit }) =>
      `One element is ${number(value)}; all other values of the array go from ${range(others)}. ${isBit ? "With one bit turned it would be like those around it: a bit of the stored bytes is wrong" : "No measurement is so far from all others: stored bytes are wrong"}.`,
    remedy: "Fetch the file again, and compare it with a checksum from its provider.",
  }),
  "rows-turned": warning<{ readonly dimension: string; readonly target: string | undefined; readonly chunks: number }>({
    title: "Rows in reverse order",
    explain: ({ dimension, target, chunks }) =>
      `Along ${cut(dimension, 60)} the values of ${counted(chunks, "chunk")}${ofFile(target)} run the other way than those before and after: turned, they go on from one file to the next. The file has its rows upside down.`,
    remedy: "Leave the file out, or write it again with the dimension in the direction of the others.",
  }),
  "files-swapped": warning<{
    readonly files: readonly string[];
    readonly arrays: readonly string[];
    /** Mean difference from one file to the next, and with the two exchanged. */
    readonly jump: number;
    readonly left: number;
  }>({
    title: "Two source files are swapped",
    explain: ({ files, arrays, jump, left }) =>
      `Values of ${listed(arrays.slice(0, 5).map((array) => cut(array, 60)))} jump by ${number(jump)} on average where ${filesText(files)} begin and end; with the two exchanged by ${number(left)}, as elsewhere.`,
    remedy: "Exchange the two files' references along the axis, or combine the files again in their order.",
  }),
  "packing-changes": warning<{
    /** Values after the boundary are so many times those before it, and so much more. */
    readonly factor: number;
    readonly amount: number;
    readonly isFit: boolean;
    /** The amount is the same everywhere. */
    readonly isEven: boolean;
    /** Means before and after. */
    readonly levels: readonly number[];
    readonly file: string;
    readonly before: string;
    readonly files: number;
    readonly of: number;
    readonly isToEnd: boolean;
  }>({
    title: "Packing or units change between files",
    explain: (facts) => {
      const which =
        facts.files === 1
          ? "in this file alone"
          : `in ${count(facts.files)} of ${counted(facts.of, "file")}${facts.isToEnd ? ", to the end" : ""}`;
      return `From ${quoted(facts.before, 120)} to ${quoted(facts.file, 120)} the mean goes from ${number(facts.levels[0] ?? NaN)} to ${number(facts.levels[1] ?? NaN)} at the same places${changeText(facts)}; it is so ${which}. The files have another scale_factor, add_offset or unit than the attributes, which are those of one file.`;
    },
    remedy: "Compare scale_factor, add_offset and units in the two files, and unpack them before they are combined.",
  }),
  "chunk-unlike-others": warning<{
    readonly problem: "rough" | "far";
    readonly chunks: number;
    readonly range: readonly number[];
    readonly otherRange: readonly number[];
    readonly rough: number;
    readonly otherRough: number;
  }>({
    title: "A chunk unlike all others",
    explain: ({ problem, range: own, otherRange, rough, otherRough }) =>
      problem === "far"
        ? `Its values go from ${range(own)}, those of all other chunks along the axis from ${range(otherRange)}.`
        : `Neighbouring elements differ by ${share(rough)} of the spread, in the other chunks along the axis by ${share(otherRough)} at most: the values may be put together from the wrong bytes.`,
    remedy: "Look at the chunk beside its neighbours, and whether its reference points at the bytes that are meant.",
  }),
  "values-outside-valid-range": ofValues.note<{
    readonly outside: number;
    readonly of: number;
    readonly least: number | undefined;
    readonly most: number | undefined;
  }>({
    title: "Values outside the valid range",
    explain: ({ outside, of, least, most }) =>
      `${count(outside)} of ${counted(of, "value")} that were decoded lie outside the range that the attributes call valid, ${range([least ?? -Infinity, most ?? Infinity])}.`,
    remedy: "Correct valid_range, valid_min or valid_max, which are of the stored values, or look at these values.",
    readers: "xarray leaves such values as they are; netCDF4-python masks them.",
  }),
};
