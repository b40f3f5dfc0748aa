/** Decoded values: chunks that do not fit their neighbours, files that do not fit the others. */
import { about } from "./entry.ts";
import { count, counted, cut, listed, percent, quoted } from "#core/words.ts";
import { type RowsTurned, shiftedText, type StepsShifted, turnedText } from "./turned-phrases.ts";
import {
  changeText,
  filesText,
  number,
  ofFile,
  position,
  printed,
  range,
  share,
  SILENT,
  stored,
} from "./value-phrases.ts";

type Beside = {
  readonly chunks: number;
  readonly elements: number;
  /** Coordinates of the chunk beside it, and its range of values. */
  readonly beside: readonly number[];
  readonly besideRange: readonly number[];
};

const besideText = ({ beside, besideRange }: Beside): string =>
  beside.length === 0 ? "" : ` The neighbouring chunk ${position(beside)} has values from ${range(besideRange)}.`;

/** Which of the ways to declare a missing value there are, and name it not. */
const fillNaming = (value: string, isFillValue: boolean): string =>
  isFillValue
    ? `only fill_value names it. In Zarr v3, xarray masks only what the attribute _FillValue names, so it reads as ${value}`
    : "neither fill_value nor _FillValue nor missing_value names it";

function wildText(isBit: boolean, isSure: boolean): string {
  if (!isSure) return "It may be a rare value; nothing else says that stored bytes are wrong";
  if (!isBit) return "This is implausibly far from all others: stored bytes are wrong";
  return "With one bit flipped it would match its neighbours, which are much alike: a bit of the stored bytes is probably wrong";
}

function zeroedText({ isPlain, isSure }: { readonly isPlain: boolean; readonly isSure: boolean }): string {
  if (!isPlain) return isSure ? "" : ", which may be right";
  return `, and so are its stored bytes: ${isSure ? "this part of the file is a hole or was never written" : "they may be right, or a part of the file that was never written"}`;
}

const MANY_ZEROS = 20;

const { warning, note, graded } = about("values", { readers: SILENT });
const values = about("values");

type ValuesOfOtherType = { dtype: string; likely: string; range: readonly number[] };
/** `coordinate`: least and greatest of one that was read whole. */
type ValuesOutsideValidRange = {
  outside: number;
  of: number;
  least: number | undefined;
  most: number | undefined;
  coordinate: readonly number[] | undefined;
  /** Least and greatest after unpacking, if the range is of unpacked values. */
  unpacked?: readonly number[];
};

/** `from`, `to`: steps; `jump`, `left`, `usual`: distances of neighbouring steps, unpacked. */
type ReadOtherwise = {
  reading: string;
  factor: number | undefined;
  dimension: string;
  from: number;
  to: number;
  steps: number;
  jump: number;
  left: number;
  usual: number;
};

const OTHERWISE: Readonly<Record<string, string>> = {
  "packed-twice": "values are packed twice: what was packed already was packed again, and wrapped in the integer type",
  "not-packed": "values are stored as they are, not packed as scale_factor and add_offset say",
  kelvin: "values are in kelvin, those before in degrees Celsius",
  celsius: "values are in degrees Celsius, those before in kelvin",
  sign: "values have the opposite sign",
  "byte-order": "values have the other byte order",
  times: "values are multiplied by",
};

export const RADAR = {
  "values-of-other-type": warning<ValuesOfOtherType>("Wrong data type declared", {
    explain: (facts) =>
      `The metadata declares ${cut(facts.dtype, 40)}. Read this way, the values range from ${range(facts.range)}, which is implausible. Read as ${facts.likely}, the same bytes are ordinary numbers.`,
    remedy: ({ likely }) => `Declare ${likely} in the array's metadata.`,
  }),
  "values-of-other-order": warning<{
    order: "C" | "F";
    /** Rows and columns of each plane are transposed, rather than all dimensions. */
    isPlanes: boolean;
    /** Mean difference between neighbours as a share of the spread, as declared and in the other order. */
    rough: number;
    otherwise: number;
    target: string | undefined;
    chunks: number;
  }>("Wrong element order declared", {
    explain: ({ order, isPlanes, rough, otherwise, target, chunks }) => {
      const other = order === "C" ? "F" : "C";
      const how = isPlanes ? "with rows and columns transposed" : `in ${other} order`;
      return `In ${counted(chunks, "chunk")}${ofFile(target)} the elements are scrambled. Neighbouring elements differ by ${share(rough)} of the spread in ${order} order, as declared, and by ${share(otherwise)} ${how}.`;
    },
    remedy: ({ order, target, isPlanes }) =>
      target === undefined && !isPlanes
        ? `Set the order to ${order === "C" ? "F" : "C"} in the array's metadata (in Zarr v3 with a transpose codec).`
        : "Rewrite the data with its dimensions in the declared order, or leave the file out.",
  }),
  "shard-index-checksum-undeclared": values.error<{ shards: number }>("Undeclared checksum in shard indexes", {
    explain: ({ shards }) =>
      `In ${counted(shards, "checked shard")}, the index is followed by 4 bytes that are its crc32c, which index_codecs does not name.`,
    remedy: "Add crc32c to index_codecs in the array's metadata.",
    readers:
      "Readers find the entries, because the index is at the start of the shard, but verify nothing. Anyone who rewrites the shard writes a different format.",
    about: "metadata",
    question: "values",
  }),
  "values-are-text": values.error<{ chunks: number; start: string | undefined; page: string | undefined }>(
    "Text instead of data",
    {
      explain: ({ chunks, start, page }) =>
        [
          `The bytes of ${counted(chunks, "chunk")} are text, but were read as numbers.`,
          page !== undefined
            ? `The file is an HTML page, ${quoted(page, 120)}: a sign-in or error page was saved or sent instead of the data.`
            : start === undefined
              ? ""
              : `The file begins ${quoted(printed(start), 80)}.`,
        ]
          .filter((part) => part !== "")
          .join(" "),
      remedy: ({ start }) =>
        start === undefined
          ? "Compare the chunk with the original file, and make the references again."
          : "Fetch the file again, signed in if needed, and make the references from it.",
      readers: SILENT,
      holds: "text instead of data",
      about: "source",
      question: "values",
    },
  ),
  "chunk-shifted": warning<{ column: number; row: number; size: number }>("Chunk data is shifted", {
    explain: ({ column, row, size }) =>
      `In all rows the values jump at column ${count(column)} of ${count(row)} and continue from the end of one row to the next. The rows begin ${counted(column * size, "byte")} later, or ${counted((row - column) * size, "byte")} earlier, than the reference says.`,
    remedy: "Make the references again from the current file: the data they point to has moved.",
  }),
  "chunk-zeroed": graded<
    Beside & {
      isPlain: boolean;
      /** Zeros in all other chunks of the array. */
      others: number;
      /** Something else tells that these are no data: where all other values lie, or a chunk beside it. */
      isSure: boolean;
    }
  >("All-zero chunk", {
    severity: ({ others, isPlain, chunks, isSure }) =>
      !isSure || (others > 0 && others > chunks) ? "info" : isPlain ? "error" : "warning",
    explain: (facts) =>
      `All ${counted(facts.elements, "element")} of the chunk are zero${zeroedText(facts)}.${besideText(facts)}`,
    remedy: ({ isSure }) =>
      isSure
        ? "Fetch or recreate the file, and compare the chunk with the original file."
        : "If zeros cannot be right there, compare the chunk with the original file.",
    holds: "zeros instead of data",
  }),
  /** `steps`: those at one end of the chunk that are lost, and all of its steps. */
  "chunk-all-missing": graded<Beside & { isSure: boolean; steps?: readonly number[] | undefined }>(
    "All-missing chunk",
    {
      heading: ({ steps }) => (steps === undefined ? undefined : "A part of a chunk was lost"),
      severity: ({ isSure }) => (isSure ? "warning" : "info"),
      explain: (facts) =>
        facts.steps === undefined
          ? `All ${counted(facts.elements, "element")} of the chunk are missing (NaN or the fill value), although the chunk has stored bytes.${besideText(facts)}`
          : `At one end of the chunk, ${count(facts.steps[0] ?? 0)} of its ${counted(facts.steps[1] ?? 0, "step")} have no value, all others have. Writers that share a chunk leave that, as where appended data do not begin one: the last overwrites what the others have written.${besideText(facts)}`,
      remedy: ({ steps }) =>
        steps === undefined
          ? "Check whether the source has values there: a failed read that was saved looks like this."
          : "Write these steps again, with writers that share no chunk (in xarray, chunks as the store has them).",
    },
  ),
  "chunk-constant": note<Beside & { value: number }>("Constant chunk among varying ones", {
    explain: (facts) =>
      `All ${counted(facts.elements, "element")} of the chunk are ${number(facts.value, ...facts.besideRange)}.${besideText(facts)}`,
    remedy: "Check whether the source has a single value there: a placeholder looks like this.",
  }),
  "fill-undeclared": graded<{
    value: number;
    /** The array has 32-bit floats. Absent = no. */
    isSingle?: boolean;
    times: number;
    files: number;
    chunks: number;
    of: number;
    target: string | undefined;
    /** It is what `fill_value` says, which is no mark where it is not masked (Zarr v3). */
    isFillValue: boolean;
    /** Writers mark missing values with it, or nothing else is as large. */
    isUsual: boolean;
    /** The array declares another value as missing. */
    hasOther: boolean;
    version: 2 | 3;
    /** Declared value, if a codec unpacks it to this value. */
    packed: number | undefined;
    /** A fill value that is the same number, rounded to fewer digits. */
    rounded: number | undefined;
    /** Range of the other values. */
    range: readonly number[];
  }>("Undeclared missing value", {
    elements: ({ times }) => times,
    severity: ({ times, isUsual, isFillValue, packed, rounded }) =>
      (isUsual && times > 1) || isFillValue || packed !== undefined || rounded !== undefined ? "warning" : "info",
    explain: (facts) => {
      const { times, chunks, of, target, range: others, packed, isUsual, isSingle } = facts;
      const value = stored(facts.value, isSingle);
      const occurs = `The value ${value} occurs ${times === 1 ? "once" : `${count(times)} times`} in ${count(chunks)} of ${counted(of, "chunk")}${ofFile(target)}`;
      if (facts.rounded !== undefined)
        return `${occurs}. fill_value ${stored(facts.rounded)} differs from the stored ${value}: it is the same number, rounded, so readers do not mask it.`;
      if (packed !== undefined)
        return `${occurs}. It is the declared fill value ${stored(packed)} after a codec has unpacked it. Readers look for ${stored(packed)}, which never occurs, so missing values read as data.`;
      return `${occurs}, far from all others, which range from ${range(others)}. It ${isUsual && times > 1 ? "marks" : "may mark"} missing values, but ${fillNaming(value, facts.isFillValue)}.`;
    },
    remedy: ({ value, isSingle, chunks, of, isFillValue, hasOther, version, packed, rounded }) => {
      const fill = stored(value, isSingle);
      if (rounded !== undefined) return `Set fill_value to ${fill}.`;
      if (packed !== undefined) return `Declare ${fill} as _FillValue, in the units of the unpacked values.`;
      if (isFillValue || (version === 3 && !hasOther))
        return `Write the attribute _FillValue = ${fill} beside fill_value.`;
      if (!hasOther) return `Set fill_value to ${fill}.`;
      return `Declare ${fill} as missing_value${chunks < of ? ", and keep _FillValue for the other files; or leave this file out" : ""}.`;
    },
  }),
  "fill-masks-values": graded<{
    array: string;
    zeros: number;
    elements: number;
    /** Position of the first 0 in a coordinate. */
    position: number | undefined;
    isTime: boolean;
    /** All chunks of the array were decoded. */
    isWhole: boolean;
    /** A level of an image. */
    isImage?: boolean;
  }>("Real zeros read as missing", {
    elements: ({ zeros }) => zeros,
    // A zero here and there says little; many are data.
    severity: ({ isWhole, isImage = false, position, zeros, elements }) =>
      isWhole && !isImage && (position !== undefined || (zeros >= MANY_ZEROS && zeros >= elements / MANY_ZEROS))
        ? "warning"
        : "info",
    explain: ({ array, zeros, elements, position, isTime }) =>
      position === undefined
        ? `${percent(zeros / elements)} of ${array} is 0 (${count(zeros)} of ${count(elements)} decoded elements), which is the fill_value. There is no _FillValue attribute, so xarray takes fill_value for it and reads every real zero as NaN.`
        : `${array}[${count(position)}] is 0, which is the fill_value${zeros > 1 ? `, and so are ${counted(zeros - 1, "more value")}` : ""}. There is no _FillValue attribute, so xarray takes fill_value for it and reads ${isTime ? "NaT" : "NaN"} there.`,
    remedy: "Set fill_value to null, or to NaN where chunks are missing.",
    readers: "In Zarr v2, xarray masks as described; zarr-python returns the stored zeros.",
  }),
  "value-wild": graded<{
    value: number;
    range: readonly number[];
    isBit: boolean;
    /** No measurement is like that: far beyond all, or one bit away from neighbours that are much alike. */
    isSure: boolean;
  }>("Isolated outlier", {
    elements: () => 1,
    severity: ({ isSure }) => (isSure ? "warning" : "info"),
    explain: ({ value, range: others, isBit, isSure }) =>
      `One element is ${number(value, ...others)}; all other values of the array range from ${range(others)}. ${wildText(isBit, isSure)}.`,
    remedy: ({ isSure }) =>
      isSure
        ? "Fetch the file again, and compare it with a checksum from its provider."
        : "Look at the element and its surroundings; if it cannot be, compare the file with a checksum from its provider.",
  }),
  "file-ends-inside-chunk": warning<FileEnds>("A file ends inside a chunk", {
    explain: fileEndText,
    remedy:
      "Rechunk so that every file begins at a chunk, write a rectilinear chunk grid, or keep one dataset per file; leave the shape as it is.",
    readers: "Readers do not notice: they return values at the wrong steps, and the fill value for the rest.",
  }),
  "rows-turned": warning<RowsTurned>("Steps reversed along a dimension", {
    explain: turnedText,
    remedy: ({ dimension, target, isAppended }) => {
      if (target !== undefined)
        return "Leave the file out, or rewrite it with the dimension in the same direction as the others.";
      const name = cut(dimension, 60);
      return isAppended
        ? `Write the coordinate ${name} in the order of the other steps, and write these steps again, reversed along ${name}.`
        : `Write these steps again, reversed along ${name}.`;
    },
  }),
  "step-repeated": note<{
    along: string;
    /** Each has the values of the step before it; of many the first. */
    steps: readonly number[];
    count: number;
    places: number;
  }>("Step repeats the one before", {
    explain: ({ along, steps, count: times, places }) =>
      `Along ${cut(along, 60)}, ${times === 1 ? "step" : "steps"} ${listed(steps.map((step) => count(step)))}${times > steps.length ? " and more" : ""} (counted from 0) ${times === 1 ? "has" : "have"} exactly the values of the step before, at all ${counted(places, "compared place")}. All other steps differ from the step before.`,
    remedy:
      "Check whether the source was already new when the step was added: a file that was read too early looks like this.",
  }),
  "steps-shifted": warning<StepsShifted>("Steps shifted by whole cells", {
    explain: shiftedText,
    remedy: ({ target }) =>
      `Compare the coordinates in the ${target === undefined ? "sources of these steps" : "file"} with those of the others, and bring all to one extent before combining.`,
  }),
  "files-swapped": graded<{
    isSure: boolean;
    files: readonly string[];
    arrays: readonly string[];
    /** Mean difference from one file to the next, and with the two exchanged. */
    jump: number;
    left: number;
  }>("Two source files are swapped", {
    severity: ({ isSure }) => (isSure ? "warning" : "info"),
    explain: ({ files, arrays, jump, left, isSure }) =>
      `Values of ${listed(arrays.slice(0, 5).map((array) => cut(array, 60)))} jump by ${number(jump)} on average where ${filesText(files)} begin and end. With the two swapped they jump by ${number(left)}, as elsewhere.${isSure ? "" : " That may be by chance."}`,
    remedy: "Swap the two files' references along the axis, or combine the files again in order.",
  }),
  "chunks-swapped": warning<{ jump: number; left: number; files: readonly string[] }>("Two chunks are swapped", {
    explain: ({ jump, left, files }) =>
      `Two chunks are in each other's place along the axis${files.every((file) => file === "") ? "" : `, of ${filesText([...new Set(files)])}`}: values jump by ${number(Number(jump.toPrecision(4)))} where they begin and end, and by ${number(Number(left.toPrecision(4)))} with the two exchanged, as elsewhere.`,
    remedy: "Exchange the two references.",
  }),
  "steps-read-otherwise": warning<ReadOtherwise>("Steps are encoded otherwise", {
    heading: ({ reading }) => (reading === "packed-twice" ? "Values are packed twice" : undefined),
    explain: ({ reading, factor, dimension, from, to, steps, jump, left, usual }) => {
      const until = to >= steps - 1 ? "on" : `to ${count(to)}`;
      return `From step ${count(from)} of ${dimension} ${until}, ${OTHERWISE[reading] ?? ""}${factor === undefined ? "" : ` ${number(factor)}`}. As they are, these values jump by ${number(Number(jump.toPrecision(3)))}; read so, they continue the steps before with ${number(Number(left.toPrecision(3)))} (usual: ${number(Number(usual.toPrecision(3)))}).`;
    },
    remedy: ({ reading, from }) =>
      reading === "packed-twice"
        ? `Write the steps from ${count(from)} on again, decoded first (xarray.decode_cf): what was appended was packed already. Do not change valid_range or the packing.`
        : `Write the steps from ${count(from)} on again as the attributes say.`,
    readers: "Readers unpack all steps alike, and return wrong values silently.",
  }),
  "packing-changes": graded<{
    /** Something else than a jump tells it. */
    isSure: boolean;
    /** Values after the boundary are so many times those before it, and so much more. */
    factor: number;
    amount: number;
    isFit: boolean;
    /** The amount is the same everywhere. */
    isEven: boolean;
    /** Means before and after. */
    levels: readonly number[];
    file: string;
    before: string;
    files: number;
    of: number;
    isToEnd: boolean;
  }>("Packing or units change between files", {
    severity: ({ isSure }) => (isSure ? "warning" : "info"),
    explain: (facts) => {
      const which =
        facts.files === 1
          ? "Only this file differs"
          : `${count(facts.files)} of ${counted(facts.of, "file")} differ${facts.isToEnd ? ", to the end" : ""}`;
      return `From ${quoted(facts.before, 120)} to ${quoted(facts.file, 120)} the mean changes from ${range(facts.levels)} at the same places${changeText(facts)}. ${which}. ${facts.isSure ? "The scale_factor, add_offset or unit of the files differs from the attributes, which are those of one file" : "The scale_factor, add_offset or unit may differ between the files, or the data themselves change there"}.`;
    },
    remedy: "Compare scale_factor, add_offset and units in the two files, and unpack them before combining.",
  }),
  "chunk-unlike-others": graded<{
    /** So far from all others that no measurement is. */
    isSure: boolean;
    problem: "rough" | "far";
    chunks: number;
    range: readonly number[];
    otherRange: readonly number[];
    rough: number;
    otherRough: number;
  }>("Chunk unlike all others", {
    severity: ({ isSure }) => (isSure ? "warning" : "info"),
    explain: ({ problem, range: own, otherRange, rough, otherRough }) =>
      problem === "far"
        ? `The chunk's values range from ${range(own)}; those of all other chunks along the axis range from ${range(otherRange)}.`
        : `Neighbouring elements differ by ${share(rough)} of the spread; in the other chunks along the axis by at most ${share(otherRough)}. The values may be decoded from the wrong bytes.`,
    remedy: "Compare the chunk with its neighbours, and check that its reference points to the right bytes.",
  }),
  "values-outside-valid-range": values.graded<ValuesOutsideValidRange>("Values outside the valid range", {
    // Arrays that lie outside altogether are not a few odd values.
    severity: ({ coordinate, outside, of, unpacked }) =>
      coordinate === undefined && unpacked === undefined && outside < of ? "info" : "warning",
    elements: ({ outside }) => outside,
    explain: ({ outside, of, least, most, coordinate, unpacked }) =>
      `${count(outside)} of ${counted(of, "decoded value")} ${outside === 1 ? "is" : "are"} outside the valid range in the attributes (valid_range, valid_min, valid_max), ${range([least ?? -Infinity, most ?? Infinity])}.${coordinate === undefined ? "" : ` The coordinate ranges from ${range(coordinate)}: readers that mask what is not valid lose the data there.`}${unpacked === undefined ? "" : ` Unpacked, they range from ${range(unpacked)}: the range is in unpacked units, but counts for stored numbers.`}`,
    remedy: ({ coordinate, unpacked }) =>
      unpacked !== undefined
        ? "Write the valid range in stored numbers, of the stored type (CF §8.1); or remove it."
        : coordinate === undefined
          ? "Look at these values first: readers that mask them hide what is wrong. If they are right, correct the valid range (of packed values, in stored numbers)."
          : `Correct the valid range: the coordinate needs ${range(coordinate)}, or a wider one.`,
    readers: "xarray keeps such values; netCDF4-python, THREDDS and R mask them.",
  }),
};

/** Phrases about source files that end inside a chunk. */
export type FileEnds = {
  readonly dimension: string;
  readonly axis: number;
  /** Late: the file is followed by what its chunk lacks at its end; early: the next file was put over its end. */
  readonly problem: "late" | "early";
  /** The chunk in which the file ends, by its place along the dimension; the first whose values are shifted. */
  readonly chunk: number;
  readonly from: number;
  /** Steps that are missing at the end of the chunk; of early files, at the end of the last chunk that there is. */
  readonly missing: number;
  readonly last?: number;
  /** Steps of a chunk, and chunks along the dimension. */
  readonly of: number;
  readonly chunks: number;
  /** Number of steps by which values are late or early. */
  readonly shift: number;
  /** Chunks that end so. */
  readonly tails: number;
  /** Dates: the file's last, the next one's first, and what that is read as. */
  readonly ends: string | undefined;
  readonly begins: string | undefined;
  readonly reads: string | undefined;
  /** The file that is shifted. */
  readonly target: string | undefined;
};

function fileEndText(facts: FileEnds): string {
  const { problem, chunk, from, missing, last = chunk, of, chunks, shift, tails, begins, reads } = facts;
  const where = `Along ${cut(facts.dimension, 60)}`;
  const next = facts.target === undefined ? "the next file" : quoted(facts.target, 120);
  const steps = counted(shift, "step");
  const dates = begins === undefined || reads === undefined ? "" : `: ${begins} is read as ${reads}`;
  const grid = "A regular chunk grid cannot hold files whose lengths are not multiples of the chunk length.";
  if (problem === "late") {
    const others = tails > 1 ? ` ${counted(tails - 1, "more chunk")} along it ${tails === 2 ? "ends" : "end"} so.` : "";
    const end = facts.ends === undefined ? "A file ends there" : `A file ends there (${facts.ends})`;
    return `${where}, the last ${count(missing)} of ${counted(of, "step")} are missing throughout chunk ${count(chunk)} of ${count(chunks)} (counted from 0), and values go on in the next chunk. ${end}, inside the chunk. From chunk ${count(from)} on, with ${next}, values are ${steps} late${dates}.${others} ${grid}`;
  }
  const rest = chunks - 1 - last;
  const lost = rest === 0 ? "" : `, and ${counted(rest, "chunk")} after it ${rest === 1 ? "has" : "have"} no reference`;
  return `${where}, values end ${steps} before the coordinate does: the last ${count(missing)} steps of chunk ${count(last)} of ${count(chunks)} (counted from 0) are missing${lost}. As many steps before ${begins ?? "the last year"}, chunk ${count(chunk)} begins: the file before it ends inside that chunk, and ${next} was put over its last ${steps}. From chunk ${count(from)} on, values are ${steps} early${dates}. ${grid}`;
}
