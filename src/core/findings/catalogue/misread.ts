/** Chunks that were decoded, or not, and another reading of their bytes that explains them. */
import { chunkAt, type Place } from "../place.ts";
import { entry } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { count, counted, cut, listed } from "../../words.ts";
import { SILENT } from "./value-phrases.ts";

const SST = chunkAt("sst", [3, 0, 1]);
const FILE: Place = { kind: "target", target: "s3://ocean/2004.nc", chunk: SST };

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

function headingOf({ problem, shift, lengthen }: RepairFacts): string | undefined {
  if (problem === "offset") return `The offset is shifted by ${counted(Math.abs(shift), "byte")}`;
  if (problem !== "length") return undefined;
  return `The length is ${counted(Math.abs(lengthen), "byte")} too ${lengthen > 0 ? "short" : "long"}`;
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

/** A chunk that does not decode as declared, and does in another reading. */
function failing(title: string, example: Partial<RepairFacts>) {
  const facts = {
    codecs: [],
    size: undefined,
    declared: undefined,
    byteOrder: undefined,
    shift: 0,
    lengthen: 0,
  } as const;
  const cause: Finding = {
    code: "unexpected",
    place: SST,
    facts: { doing: "Decoding", message: "not a stream" },
    count: 1,
  };
  return entry<RepairFacts & { readonly cause: Finding }>({
    title,
    heading: headingOf,
    severity: "error",
    explain: (own) =>
      `As declared the chunk does not decode. ${repairText(own)}: read so, it ${own.isProven ? "decodes from its first byte to its last" : "has the size that it should have"}.`,
    remedy: (own) => repairAdvice(own, false),
    readers: FAILS,
    about: subjectOf(example),
    question: "values",
    action: "suggest-repairs",
    example: { place: SST, facts: { ...facts, problem: "offset", isProven: true, ...example, cause } },
  });
}

/** Where a click on it leads: to the reference, or to the codecs. */
const subjectOf = ({ problem }: Partial<RepairFacts>): "references" | "values" =>
  problem === "offset" || problem === "length" ? "references" : "values";

export const MISREAD = {
  "target-unfit": entry<{
    readonly failed: number;
    readonly chunks: number;
    /** Bytes by which all of it seems to have moved. */
    readonly moved: number | undefined;
    /** What the first of the chunks look like. */
    readonly looks: string | undefined;
    /** There is no other file. */
    readonly isAlone: boolean;
    readonly cause: Finding;
  }>({
    title: "The references do not fit the file",
    severity: "error",
    explain: ({ failed, chunks, moved, looks, isAlone }) =>
      [
        `${count(failed)} of the ${counted(chunks, "chunk")} that were read from this file do not decode${isAlone ? "" : ", while those of other files do"}.`,
        moved === undefined
          ? "Either it was rewritten or replaced after the references were made, or they never fitted it: nothing tells which."
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
        isAlone: false,
        cause: {
          code: "decode-failed",
          place: SST,
          facts: { codec: "zlib", expected: "a zlib stream", found: "another" },
          count: 1,
        },
      },
    },
  }),
  "range-offset-wrong": failing("The offset of the reference is wrong", { problem: "offset", shift: -7 }),
  "range-length-wrong": failing("The length of the reference is wrong", { problem: "length", lengthen: 4920 }),
  "chunk-codec-skipped": failing("Stored without a codec that is declared", {
    problem: "codec-not-applied",
    codecs: ["zlib"],
    isProven: false,
  }),
  "chunk-codecs-other": failing("Stored with other codecs than declared", {
    problem: "codec-undeclared",
    codecs: ["zlib"],
  }),
  "values-misread": entry<RepairFacts & { readonly chunks: number; readonly of: number }>({
    title: "Values are put together from the wrong bytes",
    severity: "warning",
    explain: (facts) =>
      `${facts.of === 1 ? "The chunk decodes, but its" : "The chunks decode, but their"} numbers have none of the order that measurements have. ${repairText(facts)}: read so, ${facts.of === 1 ? "it makes sense" : facts.chunks === facts.of ? `all ${counted(facts.of, "chunk")} make sense` : `${count(facts.chunks)} of ${counted(facts.of, "chunk")} make sense`}.`,
    remedy: (facts) => repairAdvice(facts, true),
    readers: SILENT,
    about: "values",
    action: "suggest-repairs",
    example: {
      place: SST,
      facts: {
        problem: "byte-order",
        codecs: [],
        size: undefined,
        declared: undefined,
        byteOrder: "big",
        shift: 0,
        lengthen: 0,
        isProven: false,
        chunks: 12,
        of: 12,
      },
    },
  }),
};
