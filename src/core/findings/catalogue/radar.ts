/** What decoded values tell: chunks that do not fit their neighbours, files that do not fit the others, coordinates. */
import { chunkAt, nodeAt, type Place } from "../place.ts";
import { entry } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { count, counted, cut, listed, quoted } from "./phrases.ts";

const SST = chunkAt("sst", [3, 0, 1]);
const FILE: Place = { kind: "target", target: "s3://ocean/2004.nc", chunk: SST };
const SILENT = "Readers give these values without a word: nothing in the references tells that they are wrong.";
const MISLEADS =
  "Readers give the coordinate as it is: selecting by its values finds other data than meant, or raises.";

/** Another reading of a chunk, or of all chunks of an array, that gives values where the declared one does not. */
export type RepairFacts = {
  readonly problem:
    "codec-not-applied" | "codec-undeclared" | "codec-order" | "element-size" | "byte-order" | "offset" | "length";
  readonly codecs: readonly string[];
  /** Element sizes of shuffle, in bytes. */
  readonly size: number | undefined;
  readonly declared: number | undefined;
  readonly byteOrder: string | undefined;
  /** Bytes. */
  readonly shift: number;
  readonly lengthen: number;
  /** A checksum held, or a stream was whole. */
  readonly isProven: boolean;
};

/** `it`: what is meant, as the subject of a sentence. */
function repairText({ problem, codecs, size, declared, byteOrder, shift, lengthen }: RepairFacts): string {
  const names = listed(codecs.map((codec) => cut(codec, 40)));
  const wider =
    size === undefined || problem !== "codec-undeclared" ? "" : `, with elements of ${counted(size, "byte")}`;
  switch (problem) {
    case "codec-not-applied":
      return `The bytes were stored without ${names}, which the metadata declare`;
    case "codec-undeclared":
      return `${names} was applied${wider}, which the metadata do not declare`;
    case "codec-order":
      return `The codecs were applied in another order than declared; they decode as ${names}`;
    case "element-size":
      return `Shuffle was applied to elements of ${counted(size ?? 0, "byte")}; the metadata declare ${count(declared ?? 0)}`;
    case "byte-order":
      return `The bytes of each number are in ${cut(byteOrder ?? "", 20)}-endian order, not in the one that the metadata declare`;
    case "offset":
      return `The data begin ${counted(Math.abs(shift), "byte")} ${shift > 0 ? "behind" : "before"} the offset of the reference${lengthText(lengthen)}`;
    case "length":
      return `The reference is ${counted(Math.abs(lengthen), "byte")} too ${lengthen > 0 ? "short" : "long"} for the data`;
  }
}

const lengthText = (lengthen: number): string =>
  lengthen === 0
    ? ""
    : `, and its length is ${counted(Math.abs(lengthen), "byte")} too ${lengthen > 0 ? "short" : "long"}`;

function repairAdvice({ problem, shift, lengthen, codecs, byteOrder, size }: RepairFacts, isArray: boolean): string {
  const names = listed(codecs.map((codec) => cut(codec, 40)));
  const metadata = "in the array's metadata";
  switch (problem) {
    case "codec-not-applied":
      return isArray
        ? `Take ${names} out of the codecs ${metadata}.`
        : `Store the chunk again with its codecs, or inline its decoded and encoded bytes: metadata cannot say that one chunk lacks ${names}.`;
    case "codec-undeclared":
      return `Add ${names} to the codecs ${metadata}.`;
    case "codec-order":
      return `Put the codecs in this order ${metadata}.`;
    case "element-size":
      return `Set the element size of shuffle to ${count(size ?? 0)} ${metadata}.`;
    case "byte-order":
      return `Declare the data type as ${cut(byteOrder ?? "", 20)}-endian ${metadata}, or split the array where only some files are so.`;
    case "offset":
      return `Add ${count(shift)} to the offset${lengthen === 0 ? "" : ` and ${count(lengthen)} to the length`}, or make the references again from the file as it is now.`;
    case "length":
      return `Add ${count(lengthen)} to the length, or make the references again from the file as it is now.`;
  }
}

const FAILS = "Readers raise for these chunks, or fill them with the fill value.";

const number = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);
const range = ([least = NaN, most = NaN]: readonly number[]): string => `${number(least)} to ${number(most)}`;
const position = ([...at]: readonly number[]): string => at.join(".");
const aspect = (file: string | undefined): string => (file === undefined ? "" : ` of ${quoted(file, 120)}`);

type Beside = {
  readonly chunks: number;
  readonly elements: number;
  /** Coordinates of the chunk beside it, and its range of values. */
  readonly beside: readonly number[];
  readonly besideRange: readonly number[];
};

const besideText = ({ beside, besideRange }: Beside): string =>
  beside.length === 0 ? "" : ` Chunk ${position(beside)} beside it has values from ${range(besideRange)}.`;

type AlongAxis = {
  /** Of the first few. */
  readonly positions: readonly number[];
  readonly values: readonly number[];
  readonly units: string | undefined;
};

const unitText = (units: string | undefined): string => (units === undefined ? "" : ` (${cut(units, 60)})`);
const filesText = (files: readonly string[]): string => listed(files.map((file) => quoted(file, 120)));

export const RADAR = {
  "target-unfit": entry<{
    readonly failed: number;
    readonly chunks: number;
    /** Bytes by which all of it seems to have moved. */
    readonly moved: number | undefined;
    /** What the first of the chunks look like. */
    readonly looks: string | undefined;
    readonly cause: Finding;
  }>({
    title: "The references do not fit the file",
    severity: "error",
    explain: ({ failed, chunks, moved, looks }) =>
      [
        `${count(failed)} of the ${counted(chunks, "chunk")} that were read from this file do not decode, while those of other files do.`,
        moved === undefined
          ? "It was rewritten or replaced after the references were made."
          : `It was rewritten after the references were made: what they point at moved by ${counted(Math.abs(moved), "byte")}.`,
        ...(looks === undefined ? [] : [`The bytes of the first of them look like ${cut(looks, 80)}.`]),
      ].join(" "),
    remedy: "Make the references again from the file as it is now, or bring back the file that they were made from.",
    readers: FAILS,
    about: "source",
    question: "values",
    example: {
      place: FILE,
      facts: {
        failed: 4,
        chunks: 5,
        moved: 96,
        looks: undefined,
        cause: {
          code: "decode-failed",
          place: SST,
          facts: { codec: "zlib", expected: "a zlib stream", found: "another" },
          count: 1,
        },
      },
    },
  }),
  "chunk-misdeclared": entry<RepairFacts & { readonly cause: Finding }>({
    title: "The chunk decodes otherwise than declared",
    severity: ({ problem }) => (problem === "length" ? "error" : "error"),
    explain: (facts) =>
      `As declared the chunk does not decode. ${repairText(facts)}${facts.isProven ? ": read so, it decodes from its first byte to its last" : ": read so, it has the size that it should have"}.`,
    remedy: (facts) => repairAdvice(facts, false),
    readers: FAILS,
    about: "values",
    example: {
      place: SST,
      facts: {
        ...{ problem: "offset", codecs: [], size: undefined, declared: undefined, byteOrder: undefined },
        ...{ shift: -7, lengthen: 0, isProven: true },
        cause: { code: "decode-failed", place: SST, facts: {}, count: 1 },
      },
    },
  }),
  "values-misread": entry<RepairFacts & { readonly chunks: number; readonly of: number }>({
    title: "Values are put together from the wrong bytes",
    severity: "warning",
    explain: (facts) =>
      `The chunks decode, but their numbers have none of the order that measurements have. ${repairText(facts)}: read so, ${facts.chunks === facts.of ? `all ${counted(facts.of, "chunk")} make sense` : `${count(facts.chunks)} of ${counted(facts.of, "chunk")} make sense`}.`,
    remedy: (facts) => repairAdvice(facts, true),
    readers: SILENT,
    about: "values",
    action: "suggest-repairs",
    example: {
      place: SST,
      facts: {
        ...{ problem: "byte-order", codecs: [], size: undefined, declared: undefined, byteOrder: "big" },
        ...{ shift: 0, lengthen: 0, isProven: false, chunks: 12, of: 12 },
      },
    },
  }),
  "values-of-other-type": entry<{ readonly dtype: string; readonly likely: string; readonly range: readonly number[] }>(
    {
      title: "The numbers are of another data type",
      severity: "warning",
      explain: (facts) =>
        `The metadata declare ${cut(facts.dtype, 40)}, and so read the values go from ${range(facts.range)}, which no measurement does. Read as ${facts.likely} the same bytes are ordinary numbers.`,
      remedy: ({ likely }) => `Declare ${likely} in the array's metadata.`,
      readers: SILENT,
      about: "values",
      example: { place: SST, facts: { dtype: "<u4", likely: "float32", range: [1_132_068_864, 1_134_297_088] } },
    },
  ),
  "values-of-other-order": entry<{
    readonly order: "C" | "F";
    /** Rows and columns of each plane are transposed, rather than all dimensions. */
    readonly isPlanes: boolean;
    /** Mean difference between neighbours as a share of the spread, as declared and in the other order. */
    readonly rough: number;
    readonly otherwise: number;
    readonly target: string | undefined;
    readonly chunks: number;
  }>({
    title: "Elements are stored in the other order",
    severity: "warning",
    explain: ({ order, isPlanes, rough, otherwise, target, chunks }) => {
      const other = order === "C" ? "F" : "C";
      const how = isPlanes ? "with rows and columns transposed" : `in ${other} order`;
      return `In ${counted(chunks, "chunk")}${aspect(target)} neighbouring elements differ by ${share(rough)} of the spread when read in ${order} order, as declared, and by ${share(otherwise)} ${how}: the elements are scrambled.`;
    },
    remedy: ({ order, target, isPlanes }) =>
      target === undefined && !isPlanes
        ? `Set the order to ${order === "C" ? "F" : "C"} in the array's metadata (in Zarr v3 with a transpose codec).`
        : "Write the data again with their dimensions in the declared order, or leave the file out.",
    readers: SILENT,
    about: "values",
    example: {
      place: SST,
      facts: { order: "F", isPlanes: false, rough: 0.9, otherwise: 0.1, target: undefined, chunks: 12 },
    },
  }),
  "shard-index-checksum-undeclared": entry<{ readonly shards: number }>({
    title: "Shard indexes have a checksum that is not declared",
    severity: "error",
    explain: ({ shards }) =>
      `In ${counted(shards, "shard")} that ${shards === 1 ? "was" : "were"} looked at, the index is followed by 4 bytes that are its crc32c, which index_codecs do not name.`,
    remedy: "Add crc32c to index_codecs in the array's metadata.",
    readers:
      "Readers find the entries, since the index is at the start of the shard, but verify nothing; whoever writes the shard again writes another format.",
    about: "metadata",
    question: "values",
    example: { place: nodeAt("sst"), facts: { shards: 3 } },
  }),
  "values-are-text": entry<{ readonly chunks: number; readonly start: string; readonly page: string | undefined }>({
    title: "Text in place of data",
    severity: "error",
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
    example: { place: FILE, facts: { chunks: 4, start: "<!DOCTYPE html>", page: "Sign in" } },
  }),
  "chunk-shifted": entry<{ readonly column: number; readonly row: number; readonly size: number }>({
    title: "The chunk is read too early or too late",
    severity: "warning",
    explain: ({ column, row, size }) =>
      `In all rows the values jump at column ${count(column)} of ${count(row)}, and from the end of a row to the next they go on: the rows begin ${counted(column * size, "byte")} later, or ${counted((row - column) * size, "byte")} earlier, than the reference says.`,
    remedy: "Make the references again from the file as it is now: what they point at has moved.",
    readers: SILENT,
    about: "values",
    example: { place: SST, facts: { column: 12, row: 90, size: 4 } },
  }),
  "chunk-zeroed": entry<
    Beside & {
      readonly isPlain: boolean;
      /** Zeros in all other chunks of the array. */
      readonly others: number;
    }
  >({
    title: "A chunk of zeros among chunks with data",
    severity: ({ others, isPlain, chunks }) => (others > 0 && others > chunks ? "info" : isPlain ? "error" : "warning"),
    explain: (facts) =>
      `All ${counted(facts.elements, "element")} of the chunk are zero${facts.isPlain ? ", and so are its stored bytes: a hole in the file, or a part of it that was never written" : ""}.${besideText(facts)}`,
    remedy: "Fetch or make the file again, and compare the chunk with the file that it was copied from.",
    readers: SILENT,
    about: "values",
    example: {
      place: SST,
      facts: { chunks: 1, elements: 192, beside: [2, 0, 1], besideRange: [271.2, 303.9], isPlain: true, others: 0 },
    },
  }),
  "chunk-all-missing": entry<Beside>({
    title: "A chunk without a single value",
    severity: "warning",
    explain: (facts) =>
      `All ${counted(facts.elements, "element")} of the chunk are missing (NaN or the fill value), although it has bytes of its own.${besideText(facts)}`,
    remedy: "Look whether the source has values there: a failed read that was written down looks like this.",
    readers: SILENT,
    about: "values",
    example: { place: SST, facts: { chunks: 1, elements: 192, beside: [2, 0, 1], besideRange: [271.2, 303.9] } },
  }),
  "chunk-constant": entry<Beside & { readonly value: number }>({
    title: "A chunk of one value among chunks that vary",
    severity: "info",
    explain: (facts) =>
      `All ${counted(facts.elements, "element")} of the chunk are ${number(facts.value)}.${besideText(facts)}`,
    remedy: "Look whether the source has one value there: a placeholder looks like this.",
    readers: SILENT,
    about: "values",
    example: {
      place: SST,
      facts: { chunks: 1, elements: 192, beside: [2, 0, 1], besideRange: [271.2, 303.9], value: 273.15 },
    },
  }),
  "fill-undeclared": entry<{
    readonly value: number;
    readonly times: number;
    readonly files: number;
    readonly chunks: number;
    readonly of: number;
    readonly target: string | undefined;
    /** Of the other values. */
    readonly range: readonly number[];
  }>({
    title: "Missing values that the attributes do not name",
    severity: ({ chunks, of }) => (chunks === of ? "info" : "warning"),
    explain: ({ value, times, chunks, of, target, range: others }) =>
      `The value ${number(value)} occurs ${count(times)} times in ${count(chunks)} of ${counted(of, "chunk")}${aspect(target)}, far from all others, which go from ${range(others)}. It marks missing values, and neither fill_value nor _FillValue or missing_value names it.`,
    remedy: ({ value }) =>
      `Name ${number(value)} as missing_value, beside the _FillValue of the other files, or leave the file out.`,
    readers: SILENT,
    about: "values",
    example: {
      place: FILE,
      facts: {
        value: 1e20,
        times: 14,
        files: 1,
        chunks: 2,
        of: 24,
        target: "s3://ocean/2004.nc",
        range: [271.2, 303.9],
      },
    },
  }),
  "value-wild": entry<{ readonly value: number; readonly range: readonly number[]; readonly isBit: boolean }>({
    title: "One value far from all others",
    severity: "warning",
    explain: ({ value, range: others, isBit }) =>
      `One element is ${number(value)}; all other values of the array go from ${range(others)}. ${isBit ? "With one bit turned it would be like those around it: a bit of the stored bytes is wrong" : "No measurement is so far from all others: stored bytes are wrong"}.`,
    remedy: "Fetch the file again, and compare it with a checksum from its provider.",
    readers: SILENT,
    about: "values",
    example: { place: SST, facts: { value: 8.1e33, range: [271.2, 303.9], isBit: true } },
  }),
  "rows-turned": entry<{ readonly dimension: string; readonly target: string | undefined; readonly chunks: number }>({
    title: "Rows run the other way",
    severity: "warning",
    explain: ({ dimension, target, chunks }) =>
      `Along ${cut(dimension, 60)} the values of ${counted(chunks, "chunk")}${aspect(target)} run the other way than those before and after: turned, they go on from one file to the next. The file has its rows upside down.`,
    remedy: "Leave the file out, or write it again with the dimension in the direction of the others.",
    readers: SILENT,
    about: "values",
    example: { place: FILE, facts: { dimension: "lat", target: "s3://ocean/2004.nc", chunks: 2 } },
  }),
  "files-swapped": entry<{
    readonly files: readonly string[];
    readonly arrays: readonly string[];
    /** Mean difference from one file to the next, and with the two exchanged. */
    readonly jump: number;
    readonly left: number;
  }>({
    title: "Two files stand in each other's place",
    severity: "warning",
    explain: ({ files, arrays, jump, left }) =>
      `Values of ${listed(arrays.slice(0, 5).map((array) => cut(array, 60)))} jump by ${number(jump)} on average where ${filesText(files)} begin and end; with the two exchanged by ${number(left)}, as elsewhere.`,
    remedy: "Exchange the two files' references along the axis, or combine the files again in their order.",
    readers: SILENT,
    about: "values",
    example: {
      place: FILE,
      facts: { files: ["s3://ocean/2004.nc", "s3://ocean/2007.nc"], arrays: ["sst"], jump: 3.1, left: 0.2 },
    },
  }),
  "packing-changes": entry<{
    /** Values after the boundary are so many times those before it, and so much more. */
    readonly factor: number;
    readonly amount: number;
    readonly isFit: boolean;
    /** Means before and after. */
    readonly levels: readonly number[];
    readonly file: string;
    readonly before: string;
    readonly files: number;
    readonly of: number;
    readonly isToEnd: boolean;
  }>({
    title: "Values are packed or scaled otherwise from a file on",
    severity: "warning",
    explain: (facts) => {
      const which =
        facts.files === 1
          ? "in this file alone"
          : `in ${count(facts.files)} of ${counted(facts.of, "file")}${facts.isToEnd ? ", to the end" : ""}`;
      return `From ${quoted(facts.before, 120)} to ${quoted(facts.file, 120)} the mean goes from ${number(facts.levels[0] ?? NaN)} to ${number(facts.levels[1] ?? NaN)} at the same places${changeText(facts)}; it is so ${which}. The files have another scale_factor, add_offset or unit than the attributes, which are those of one file.`;
    },
    remedy: "Compare scale_factor, add_offset and units in the two files, and unpack them before they are combined.",
    readers: SILENT,
    about: "values",
    example: {
      place: FILE,
      facts: {
        ...{
          factor: 10,
          amount: 0.02,
          isFit: true,
          levels: [28.4, 284.1],
          file: "s3://ocean/2004.nc",
          before: "s3://ocean/2003.nc",
        },
        ...{ files: 3, of: 12, isToEnd: false },
      },
    },
  }),
  "chunk-unlike-others": entry<{
    readonly problem: "rough" | "far";
    readonly chunks: number;
    readonly range: readonly number[];
    readonly otherRange: readonly number[];
    readonly rough: number;
    readonly otherRough: number;
  }>({
    title: "A chunk unlike all others",
    severity: "warning",
    explain: ({ problem, range: own, otherRange, rough, otherRough }) =>
      problem === "far"
        ? `Its values go from ${range(own)}, those of all other chunks along the axis from ${range(otherRange)}.`
        : `Neighbouring elements differ by ${share(rough)} of the spread, in the other chunks along the axis by ${share(otherRough)} at most: the values may be put together from the wrong bytes.`,
    remedy: "Look at the chunk beside its neighbours, and whether its reference points at the bytes that are meant.",
    readers: SILENT,
    about: "values",
    example: {
      place: SST,
      facts: {
        problem: "rough",
        chunks: 1,
        range: [-3.1e4, 3.2e4],
        otherRange: [271.2, 303.9],
        rough: 1.1,
        otherRough: 0.2,
      },
    },
  }),
  "values-outside-valid-range": entry<{
    readonly outside: number;
    readonly of: number;
    readonly least: number | undefined;
    readonly most: number | undefined;
  }>({
    title: "Values outside the valid range",
    severity: "info",
    explain: ({ outside, of, least, most }) =>
      `${count(outside)} of ${counted(of, "value")} that were decoded lie outside the range that the attributes call valid, ${range([least ?? -Infinity, most ?? Infinity])}.`,
    remedy: "Correct valid_range, valid_min or valid_max, which are of the stored values, or look at these values.",
    readers: "xarray leaves such values as they are; netCDF4-python masks them.",
    about: "values",
    example: { place: nodeAt("sst"), facts: { outside: 12, of: 1000, least: 0, most: 1 } },
  }),
  "coordinate-missing-values": entry<{ readonly missing: number; readonly of: number }>({
    title: "A coordinate without values",
    severity: "warning",
    explain: ({ missing, of }) =>
      missing === of
        ? `All ${counted(of, "value")} of the coordinate are missing: NaN, or the fill value.`
        : `${count(missing)} of the ${counted(of, "value")} of the coordinate are missing: NaN, or the fill value.`,
    remedy: "Write the coordinate's values inline, or look where the source has them.",
    readers: MISLEADS,
    about: "values",
    example: { place: nodeAt("lon"), facts: { missing: 16, of: 16 } },
  }),
  "coordinate-restarts": entry<AlongAxis & { readonly files: readonly string[]; readonly times: number }>({
    title: "The coordinate begins anew in every file",
    severity: "warning",
    explain: ({ values, times, units }) =>
      `It does not go on from file to file: ${counted(times, "file")} ${times === 1 ? "begins" : "begin"} near ${number(values[0] ?? NaN)} again. Each file counts from an origin of its own, and the units${unitText(units)} are those of one file.`,
    remedy:
      "Decode the times of each file with its own units before they are combined (cf:time in Kerchunk, decode_times in VirtualiZarr).",
    readers: MISLEADS,
    about: "values",
    example: {
      place: FILE,
      facts: { positions: [4, 8], values: [0, 0], units: "days since 2004-01-01", files: [], times: 2 },
    },
  }),
  "coordinate-unit-changes": entry<AlongAxis & { readonly files: readonly string[]; readonly factor: number }>({
    title: "The coordinate's unit changes from a file on",
    severity: "warning",
    explain: ({ values, positions, factor, files, units }) =>
      `After ${number(values[0] ?? NaN)} at position ${count(positions[0] ?? 0)} comes ${number(values[1] ?? NaN)}, ${times(factor)} what was to be expected${files.length === 0 ? "" : `, where ${quoted(files.at(-1) ?? "", 120)} begins`}. That file counts in another unit than the attributes say${unitText(units)}.`,
    remedy: "Decode the times of each file with its own units before they are combined.",
    readers: MISLEADS,
    about: "values",
    example: {
      place: FILE,
      facts: {
        positions: [11, 12],
        values: [11, 288],
        units: "days since 2004-01-01",
        files: ["s3://ocean/2004.nc"],
        factor: 24,
      },
    },
  }),
  "coordinate-files-unordered": entry<AlongAxis & { readonly files: readonly string[] }>({
    title: "Files are out of order along the coordinate",
    severity: "warning",
    explain: ({ positions, values, files, units }) =>
      `Within every file the coordinate is monotonic, from file to file it is not: at position ${count(positions[0] ?? 0)} it is ${number(values[0] ?? NaN)}${unitText(units)}. ${files.length === 0 ? "Chunks" : `The files ${filesText(files)}`} are not where their values belong.`,
    remedy: "Combine the files again in the order of the coordinate.",
    readers: MISLEADS,
    about: "values",
    example: {
      place: FILE,
      facts: {
        positions: [4, 12],
        values: [36, 12],
        units: undefined,
        files: ["s3://ocean/2007.nc", "s3://ocean/2004.nc"],
      },
    },
  }),
  "coordinate-repeated": entry<AlongAxis & { readonly count: number }>({
    title: "The coordinate has values twice",
    severity: "warning",
    explain: ({ positions, values, units, count: times }) =>
      `Positions ${count(positions[0] ?? 0)} and ${count(positions[1] ?? 0)} both have the value ${number(values[0] ?? NaN)}${unitText(units)}; that is so ${times === 1 ? "once" : `${count(times)} times`}.`,
    remedy: "Look whether a file or a step was taken twice, and leave one of them out.",
    readers: MISLEADS,
    about: "values",
    example: { place: nodeAt("time"), facts: { positions: [3, 4], values: [3, 3], units: undefined, count: 1 } },
  }),
  "file-repeated": entry<AlongAxis & { readonly files: readonly string[] }>({
    title: "A file is a copy of another",
    severity: "warning",
    explain: ({ positions, values, files, units }) =>
      `${filesText(files)} have the same values: the coordinate at positions ${count(positions[0] ?? 0)} and ${count(positions[1] ?? 0)} is ${number(values[0] ?? NaN)}${unitText(units)} in both, and the data are the same as well.`,
    remedy: "Fetch the file that should be there: it was saved, or named, as another.",
    readers: SILENT,
    about: "values",
    example: {
      place: FILE,
      facts: {
        positions: [4, 8],
        values: [4, 4],
        units: undefined,
        files: ["s3://ocean/2003.nc", "s3://ocean/2004.nc"],
      },
    },
  }),
  "coordinate-unordered": entry<AlongAxis & { readonly count: number; readonly swapped: boolean }>({
    title: "The coordinate is not monotonic",
    severity: "warning",
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
    readers: MISLEADS,
    about: "values",
    example: {
      place: nodeAt("time"),
      facts: { positions: [7, 9], values: [9, 7], units: undefined, count: 2, swapped: true },
    },
  }),
  "coordinate-gap": entry<
    AlongAxis & {
      readonly files: readonly string[];
      readonly step: number;
      /** The gap is as long as so many steps. */
      readonly steps: number;
    }
  >({
    title: "The coordinate leaves steps out",
    severity: "info",
    explain: ({ positions, values, units, step, steps, files }) =>
      `From position ${count(positions[0] ?? 0)} to ${count(positions[1] ?? 0)} the coordinate jumps from ${number(values[0] ?? NaN)} to ${number(values[1] ?? NaN)}${unitText(units)}: ${number(steps)} steps of ${number(step)}.${files.length < 2 ? "" : ` That is between ${filesText(files)}: a file may have been left out.`}`,
    remedy: "Look whether a file that belongs there exists, and add it.",
    readers: "Readers are not affected: the values that are there are right.",
    about: "references",
    question: "complete",
    example: {
      place: FILE,
      facts: {
        positions: [3, 4],
        values: [3, 8],
        units: "days since 2004-01-01",
        step: 1,
        steps: 5,
        files: ["s3://ocean/2003.nc", "s3://ocean/2005.nc"],
      },
    },
  }),
};

const share = (part: number): string => `${count(Math.round(part * 100))} %`;
const times = (factor: number): string => (factor >= 1 ? `${number(factor)} times` : `one ${number(1 / factor)}th of`);
const printed = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, " ").trim();

function changeText({
  factor,
  amount,
  isFit,
}: {
  readonly factor: number;
  readonly amount: number;
  readonly isFit: boolean;
}): string {
  if (!isFit) return "";
  if (Math.abs(factor - 1) < 0.15) return `, ${number(Math.abs(amount))} ${amount > 0 ? "more" : "less"}`;
  return `, about ${number(Number(factor.toPrecision(2)))} times as much`;
}
