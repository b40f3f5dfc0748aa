/** Chunks that decode wrongly or not at all as declared, and do with a change. */
import { about } from "./entry.ts";
import type { Finding } from "../fact.ts";
import type { DecodingChange } from "#core/repair.ts";
import { repairTitle } from "#core/repair.ts";
import { count, counted, cut, listed } from "#core/words.ts";
import { SILENT } from "./value-phrases.ts";

/** A change with which a chunk, or all chunks of an array, decode. */
export type RepairFacts = {
  readonly change: DecodingChange;
  /** A checksum held, or a stream was whole. */
  readonly isProven: boolean;
};

/** Text of the fault, by the change that helps. */
function faultText(change: DecodingChange): string {
  switch (change.kind) {
    case "codec-not-applied":
      return `The bytes were stored without ${listed(change.codecs.map((codec) => cut(codec, 40)))}, which the metadata declares`;
    case "codec-undeclared": {
      const { codec, detail } = change;
      const wider = detail?.kind === "element-size" ? `, with elements of ${counted(detail.size, "byte")}` : "";
      return `${cut(codec, 40)} was applied${wider}, which the metadata does not declare`;
    }
    case "codec-order":
      return `The codecs were applied in a different order from the declared one; they decode as ${listed(change.codecs.map((codec) => cut(codec, 40)))}`;
    case "element-size":
      return `Shuffle was applied to elements of ${counted(change.size, "byte")}; the metadata declares ${count(change.declared)}`;
    case "byte-order":
      return `The bytes of each number are in ${change.byteOrder}-endian order, not in the declared order`;
    case "move": {
      const { shift, lengthen } = change;
      if (shift === 0) return `The reference is ${lengthText(lengthen)} for the data`;
      const length = lengthen === 0 ? "" : `, and its length is ${lengthText(lengthen)}`;
      return `The data starts ${counted(Math.abs(shift), "byte")} ${shift > 0 ? "after" : "before"} the offset in the reference${length}`;
    }
  }
}

function headingOf({ change }: RepairFacts): string | undefined {
  if (change.kind !== "move") return undefined;
  const { shift, lengthen } = change;
  return shift === 0
    ? `The length is ${lengthText(lengthen)}`
    : `The offset is shifted by ${counted(Math.abs(shift), "byte")}`;
}

const lengthText = (lengthen: number): string =>
  `${counted(Math.abs(lengthen), "byte")} too ${lengthen > 0 ? "short" : "long"}`;

/** The fix, and where it goes. */
function repairAdvice({ change }: RepairFacts, isArray: boolean): string {
  const fix = repairTitle({ change });
  if (change.kind === "codec-not-applied")
    return isArray
      ? `${fix}: remove it from the codecs in the array's metadata.`
      : `${fix}: store the chunk again with its codecs, or inline it, encoded with them. Metadata cannot say that one chunk lacks a codec.`;
  if (change.kind === "byte-order")
    return `${fix}: declare it in the array's metadata. If only some files have this order, split the array.`;
  if (change.kind === "move") return `${fix}, or make the references again from the current file.`;
  return `${fix}, in the array's metadata.`;
}

const FAILS = "Readers raise for these chunks, or return the fill value.";

const { error, graded } = about("values");
const failed = about("values", { question: "values", action: "suggest-repairs", readers: FAILS });

/** A chunk that does not decode as declared, and does in another reading. */
function failing(title: string, about: "references" | "values" = "values") {
  return failed.error<RepairFacts & { cause: Finding }>(title, {
    about,
    heading: headingOf,
    explain: (own) =>
      `The chunk does not decode as declared. ${faultText(own.change)}. With that corrected, it ${own.isProven ? "decodes completely" : "has the expected size"}.`,
    remedy: (own) => repairAdvice(own, false),
  });
}

/** Formats of files, of which references are to lead to chunks. */
const FILES: ReadonlySet<string> = new Set(["hdf5", "netcdf3", "fits", "zip", "parquet", "icechunk"]);

/** Codec that Kerchunk or VirtualiZarr declares, by the format of the bytes; of others it is the format's own name. */
const DECODERS: ReadonlyMap<string, string> = new Map(
  ["jpeg", "png", "tiff"].map((format) => [format, `imagecodecs_${format}`]),
);

export const MISREAD = {
  "chunks-of-other-format": failed.error<{
    format: string;
    looks: string;
    codecs: readonly string[];
    chunks: number;
    /** A codec with which they decode; absent where none was found. */
    change: DecodingChange | undefined;
    cause: Finding;
  }>("Undeclared codec", {
    about: "metadata",
    explain: ({ looks, codecs, chunks, change }) => {
      const declared =
        codecs.length === 0
          ? "the metadata declares no codec"
          : `the metadata declares ${listed(codecs.map((codec) => cut(codec, 40)))}`;
      const found = change === undefined ? "" : ` ${faultText(change)}. With that corrected, they decode.`;
      return `The bytes of ${chunks === 1 ? "the chunk" : `all ${counted(chunks, "chunk")}`} begin like ${cut(looks, 80)}; ${declared}.${found}`;
    },
    remedy: ({ format, change }) => {
      if (change !== undefined) return `${repairTitle({ change })}, in the array's metadata.`;
      if (FILES.has(format))
        return "Make references to the chunks inside the files: these lead to the files themselves.";
      return `Declare the codec that decodes it (${DECODERS.get(format) ?? format}), in the array's metadata.`;
    },
  }),
  "target-unfit": error<{
    failed: number;
    chunks: number;
    /** Bytes by which all of it seems to have moved. */
    moved: number | undefined;
    /** Appearance of the first of the chunks. */
    looks: string | undefined;
    /** There is no other file. */
    isAlone: boolean;
    cause: Finding;
  }>("References do not match the source file", {
    explain: ({ failed, chunks, moved, looks, isAlone }) =>
      [
        `${count(failed)} of the ${counted(chunks, "chunk")} read from this file ${failed === 1 ? "does" : "do"} not decode${isAlone ? "" : "; those of other files do"}.`,
        moved === undefined
          ? "Either the file was rewritten or replaced after the references were made, or they never matched it. Nothing shows which."
          : `The file was rewritten after the references were made: the data they point to moved by ${counted(Math.abs(moved), "byte")}.`,
        ...(looks === undefined ? [] : [`The first of these chunks looks like ${cut(looks, 80)}.`]),
      ].join(" "),
    remedy: "Make the references again from the current file, or restore the file that they were made from.",
    readers: FAILS,
    about: "source",
    question: "values",
  }),
  "range-offset-wrong": failing("Wrong offset", "references"),
  "range-length-wrong": failing("Wrong length", "references"),
  "chunk-codec-skipped": failing("Declared codec was not applied"),
  "chunk-codecs-other": failing("Codecs do not match the metadata"),
  "values-misread": graded<RepairFacts & { chunks: number; of: number; isSure: boolean }>(
    "Values decoded from the wrong bytes",
    {
      severity: ({ isSure }) => (isSure ? "warning" : "info"),
      explain: (facts) =>
        `${facts.of === 1 ? "The chunk decodes, but its" : "The chunks decode, but their"} values ${facts.isSure ? "look like noise" : "may be read wrongly: no two are nearer than 256"}. ${faultText(facts.change)}. With that corrected, ${facts.of === 1 ? "it makes sense" : facts.chunks === facts.of ? `all ${counted(facts.of, "chunk")} make sense` : `${count(facts.chunks)} of ${counted(facts.of, "chunk")} make sense`}.`,
      remedy: (facts) => repairAdvice(facts, true),
      readers: SILENT,
      action: "suggest-repairs",
    },
  ),
};
