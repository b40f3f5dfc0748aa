/** Ranges: lengths that a chunk cannot have, and bytes that more than one chunk claims. */
import { chunkAt } from "../place.ts";
import { entry } from "./entry.ts";
import { count, counted, quoted } from "./phrases.ts";

const WRITE_AGAIN = "Write the reference again with the tool that made the set, from the file as it is.";
const SILENTLY_OTHER = "Readers read the range as it is written, and show the values of another chunk without a word.";
const SST = chunkAt("sst", [1, 0, 2]);

type Range = { readonly target: string; readonly offset: number; readonly length: number };

const bytesText = ({ offset, length }: Range): string => `bytes ${count(offset)} to ${count(offset + length - 1)}`;

const targetName = (target: string): string => quoted(target.slice(target.lastIndexOf("/") + 1) || target, 80);

/** What the elements of a whole chunk are. */
type Elements = {
  readonly dtype: string;
  readonly itemSize: number;
  readonly chunkShape: readonly number[];
};

const elementsText = ({ dtype, chunkShape }: Elements): string =>
  chunkShape.length === 0 ? `one element of ${dtype}` : `${chunkShape.join(" × ")} elements of ${dtype}`;

type OtherLayout =
  | { readonly fits: "type"; readonly itemSize: number }
  | { readonly fits: "chunks"; readonly chunks: readonly number[] }
  | { readonly fits: "checksum"; readonly missing: boolean }
  | { readonly fits: "compressor" | "nothing" };

/** Of all chunks: fewest and most bytes. */
type Throughout = {
  readonly dtype: string;
  readonly chunkShape: readonly number[];
  readonly expected: number;
  readonly least: number;
  readonly most: number;
};

function fitText(facts: OtherLayout & Throughout): string {
  const { dtype, chunkShape, expected, least } = facts;
  switch (facts.fits) {
    case "type":
      return `They fit elements of ${counted(facts.itemSize, "byte")} instead: the dtype ${dtype} is wrong.`;
    case "chunks":
      return `They fit chunks of shape ${facts.chunks.join(" × ")} instead, with which the keys fill the grid: the chunk shape ${chunkShape.join(" × ")} is wrong.`;
    case "checksum":
      return facts.missing
        ? "The 4 bytes more are those of a checksum such as fletcher32: the filter is missing from the metadata."
        : "4 bytes are too few: the metadata name a checksum filter that was not applied.";
    case "compressor":
      return "Such lengths are those of compressed data: the compressor is missing from the metadata (or the references are cut).";
    case "nothing":
      return `That is ${(least / expected).toPrecision(3)} times what is expected: dtype, chunk shape or filters are wrong.`;
  }
}

const lengthsText = ({ least, most }: Throughout): string =>
  least === most ? counted(least, "byte") : `${count(least)} to ${count(most)} bytes`;

export const RANGES = {
  "range-empty": entry<{ readonly others: number }>({
    title: "A reference of no bytes",
    severity: "error",
    explain: ({ others }) =>
      `The reference has the length 0: nothing is read, and nothing can be decoded.${others > 0 ? ` ${counted(others, "other reference")} of the array ${others === 1 ? "has" : "have"} bytes.` : ""}`,
    remedy: "Write the reference again with the chunk's true length, or remove it where the chunk has no data.",
    readers:
      "Readers ask for no bytes, and fail when they decode them; some servers answer with the whole file instead.",
    about: "references",
    question: "values",
    example: { place: SST, facts: { others: 47 } },
  }),
  "chunk-length-wrong": entry<
    Elements & {
      readonly problem: "short" | "long";
      readonly expected: number;
      readonly length: number;
      /** Chunks of the array whose length is right. */
      readonly right: number;
    }
  >({
    title: "A length that the chunk cannot have",
    brief: ({ problem }) => (problem === "short" ? "too short" : "too long"),
    severity: "error",
    explain: (facts) => {
      const { problem, expected, length, right } = facts;
      const lacking = Math.abs(expected - length);
      const others =
        right > 0 ? ` ${counted(right, "other chunk")} of the array ${right === 1 ? "has" : "have"} that length.` : "";
      const what =
        problem === "short"
          ? `the reference has ${count(length)}: ${counted(lacking, "byte")} are missing, the chunk is truncated`
          : `the reference has ${count(length)}: it is ${counted(lacking, "byte")} too long, and reaches into what lies behind`;
      return `A chunk of ${elementsText(facts)} has ${counted(expected, "byte")} uncompressed; ${what}.${others}`;
    },
    remedy: ({ expected }) => `Set the length to ${expected}, where the offset is right.`,
    readers: "zarr-python raises an error when it shapes the chunk; others fill the rest with what was in memory.",
    about: "references",
    question: "values",
    example: {
      place: chunkAt("u", [1, 2, 1]),
      facts: {
        dtype: "<f8",
        itemSize: 8,
        chunkShape: [12, 30, 60],
        problem: "short",
        expected: 172_800,
        length: 118_913,
        right: 17,
      },
    },
  }),
  "chunk-lengths-fit-other": entry<OtherLayout & Throughout>({
    title: "No chunk has the length that the metadata give",
    severity: "error",
    explain: (facts) => {
      const { dtype, chunkShape, expected } = facts;
      const elements = elementsText({ dtype, chunkShape, itemSize: 0 });
      return `A chunk of ${elements} has ${counted(expected, "byte")} as the metadata describe it; every chunk of the array has ${lengthsText(facts)}. ${fitText(facts)}`;
    },
    remedy: "Correct the array's metadata.",
    readers: "zarr-python raises an error for every chunk, or reads wrong values where sizes happen to fit.",
    about: "metadata",
    question: "values",
    example: {
      place: chunkAt("p", [0, 0, 0]),
      facts: {
        dtype: "<f4",
        chunkShape: [2, 180, 360],
        expected: 518_400,
        least: 1_036_800,
        most: 1_036_800,
        fits: "type",
        itemSize: 8,
      },
    },
  }),
  "compressed-length-impossible": entry<
    Elements & {
      readonly problem: "short" | "long";
      readonly expected: number;
      readonly length: number;
      readonly right: number;
      readonly codec: string;
    }
  >({
    title: "A length that compression cannot give",
    severity: ({ problem }) => (problem === "short" ? "error" : "warning"),
    explain: (facts) => {
      const { problem, codec, length, expected } = facts;
      const than =
        problem === "short"
          ? `fewer than ${codec} can make of them: the chunk is truncated`
          : `more than ${codec} makes of them at worst: the range is too long, or dtype or chunk shape are wrong`;
      return `A chunk of ${elementsText(facts)} has ${counted(expected, "byte")} uncompressed; the reference has ${count(length)}, ${than}.`;
    },
    remedy: WRITE_AGAIN,
    readers: "Readers fail to decode a chunk that is cut; of one that is too long they ignore the rest or fail.",
    about: "references",
    question: "values",
    example: {
      place: SST,
      facts: {
        dtype: "<f4",
        itemSize: 4,
        chunkShape: [24, 100, 100],
        problem: "long",
        expected: 960_000,
        length: 2_400_000,
        right: 11,
        codec: "zlib",
      },
    },
  }),
  "inline-length-wrong": entry<Elements & { readonly expected: number; readonly length: number }>({
    title: "An inline value with another number of elements",
    severity: "error",
    explain: (facts) => {
      const { itemSize, expected, length } = facts;
      const elements = length % itemSize === 0 ? ` (${counted(length / itemSize, "element")})` : "";
      return `The chunk has ${elementsText(facts)}, ${counted(expected, "byte")}; the inline value has ${counted(length, "byte")}${elements}.`;
    },
    remedy: "Write the value again, with as many elements as the chunk shape in the metadata says.",
    readers: "zarr-python raises an error when it shapes the chunk.",
    about: "references",
    question: "values",
    example: {
      place: chunkAt("lat", [0]),
      facts: { dtype: "<f8", itemSize: 8, chunkShape: [90], expected: 720, length: 712 },
    },
  }),
  "steps-from-same-bytes": entry<{
    readonly dimension: string | number;
    readonly step: number;
    readonly same: number;
    readonly target: string | undefined;
    /** The file that names say it should be. */
    readonly instead: string | undefined;
    readonly arrays: readonly string[];
  }>({
    title: "A file is used twice",
    severity: "warning",
    explain: ({ dimension, step, same, target, instead, arrays }) => {
      const where = typeof dimension === "number" ? `dimension ${dimension}` : dimension;
      const file = target === undefined ? "the same bytes" : `the same bytes of ${targetName(target)}`;
      const many =
        arrays.length > 1
          ? ` in ${count(arrays.length)} arrays (${arrays.slice(0, 5).join(", ")}${arrays.length > 5 ? ", …" : ""})`
          : "";
      const other =
        instead === undefined
          ? ""
          : ` By the names of the others, ${targetName(instead)} belongs there; it is not used.`;
      return `Chunks ${same} and ${step} along ${where} are read from ${file}${many}: one of them stands in place of other data.${other}`;
    },
    remedy: ({ instead }) =>
      instead === undefined
        ? "Find the file that belongs to one of the two, and write its references again."
        : `Write the references of ${targetName(instead)} into that step.`,
    readers: SILENTLY_OTHER,
    about: "references",
    question: "values",
    example: {
      place: chunkAt("p", [3, 0, 0]),
      facts: { dimension: "time", step: 3, same: 2, target: "rain1.2.nc", instead: "rain1.3.nc", arrays: ["p"] },
    },
  }),
  "range-repeated": entry<Range & { readonly problem: "few" | "many"; readonly one: string; readonly other: string }>({
    title: "Two chunks with the same range",
    severity: ({ problem }) => (problem === "few" ? "warning" : "info"),
    explain: (facts) => {
      const { problem, one, other, target } = facts;
      const all =
        problem === "many"
          ? " Many chunks of the array share a range so, which is right where they hold the same values."
          : "";
      return `${one} and ${other} have identical references, ${bytesText(facts)} of ${targetName(target)}: one of them is a copy, right only where both chunks hold the same values.${all}`;
    },
    remedy: "Write the reference of one of them again, from the file that holds it.",
    readers: SILENTLY_OTHER,
    about: "references",
    question: "values",
    example: {
      place: chunkAt("flow", [1, 0]),
      facts: { problem: "few", one: "flow 0.1", other: "flow 1.0", target: "basin.bin", offset: 13_468, length: 326 },
    },
  }),
  "range-shared": entry<Range & { readonly ranges: number }>({
    title: "Many chunks share one range",
    severity: "info",
    explain: (facts) =>
      `${facts.ranges === 1 ? "A range is" : `${count(facts.ranges)} ranges are`} used by three or more chunks, as ${bytesText(facts)} of ${targetName(facts.target)}: right where these chunks are constant.`,
    readers: "Readers show the same values in all of these chunks.",
    about: "references",
    question: "values",
    example: { place: chunkAt("mask", [0, 0]), facts: { ranges: 1, target: "data.bin", offset: 6560, length: 48 } },
  }),
  "range-of-other-array": entry<Range & { readonly other: string }>({
    title: "A chunk that points at another array's",
    severity: "warning",
    explain: (facts) =>
      `The reference is identical with that of ${facts.other}, ${bytesText(facts)} of ${targetName(facts.target)}: the chunk reads the data of another array.`,
    remedy: WRITE_AGAIN,
    readers: "Readers decode the other array's bytes with this array's codecs: wrong values, or an error.",
    about: "references",
    question: "values",
    example: {
      place: chunkAt("sst", [1, 1, 2]),
      facts: { other: "u 0.2.1", target: "ocean-a.nc", offset: 1_608_704, length: 172_800 },
    },
  }),
  "arrays-share-ranges": entry<{ readonly one: string; readonly other: string }>({
    title: "Two arrays are read from the same ranges",
    severity: "info",
    explain: ({ one, other }) =>
      `Chunks of ${quoted(one, 80)} and of ${quoted(other, 80)} have the same references throughout: both arrays are made of the same bytes.`,
    readers: "Readers show both, each with its own metadata.",
    about: "references",
    example: { place: chunkAt("lat", [0]), facts: { one: "lat", other: "latitude" } },
  }),
  "ranges-overlap": entry<
    Range & {
      readonly problem: "early" | "late" | "long" | "claimed";
      readonly bytes: number;
      readonly other: string;
      /** Further chunks that it overlaps. */
      readonly others: number;
    }
  >({
    title: "Ranges that overlap",
    severity: "warning",
    explain: (facts) => {
      const { problem, bytes, other, others, target } = facts;
      const shared = counted(bytes, "byte");
      const range = `The range (${bytesText(facts)} of ${targetName(target)}) shares ${shared} with ${other}${others > 0 ? ` and ${count(others)} more` : ""}`;
      const cause = {
        early: `it begins ${shared} before the one in front of it ends, and as many lie unused behind it: the offset is too small by ${count(bytes)}`,
        late: `${shared} lie unused in front of it, and it ends as many behind where the next begins: the offset is too large by ${count(bytes)}`,
        long: `it ends ${shared} behind where the next one begins: the length is too long, or the offset of one of the two is shifted`,
        claimed:
          "it follows none of its neighbours, while the other does: the reference points into bytes of another chunk",
      }[problem];
      return `${range}: ${cause}.`;
    },
    remedy: ({ problem, offset, bytes, length }) => {
      if (problem === "early") return `Set the offset to ${offset + bytes}.`;
      if (problem === "late") return `Set the offset to ${offset - bytes}.`;
      return problem === "long"
        ? `Set the length to ${length - bytes}, if the next chunk's reference is right.`
        : WRITE_AGAIN;
    },
    readers: "Readers read the shifted bytes: compressed chunks fail to decode, uncompressed ones show wrong values.",
    about: "references",
    question: "values",
    example: {
      place: chunkAt("sst", [0, 2, 1]),
      facts: {
        problem: "early",
        bytes: 1,
        other: "sst 0.2.0",
        others: 0,
        target: "ocean-a.nc",
        offset: 86_301,
        length: 2910,
      },
    },
  }),
  "whole-beside-ranges": entry<{
    readonly target: string;
    readonly parts: number;
    /** Where the last of these ends. */
    readonly end: number;
    /** Bytes of a chunk, where it is not compressed. */
    readonly stored: number | undefined;
    readonly isPossible: boolean;
  }>({
    title: "A whole file for one chunk",
    severity: ({ isPossible }) => (isPossible ? "info" : "error"),
    explain: ({ target, parts, end, stored }) => {
      const chunk = stored === undefined ? "" : ` A chunk has ${counted(stored, "byte")}.`;
      return `The reference is the whole of ${targetName(target)}, of which ${counted(parts, "other reference")} take parts, up to byte ${count(end)}: offset and length are lost.${chunk}`;
    },
    remedy: "Write the chunk's offset and length into the reference.",
    readers: "Readers fetch the whole file for the chunk, and fail to decode it, or cut it to size.",
    about: "references",
    question: "values",
    example: {
      place: chunkAt("u", [0, 0, 2]),
      facts: { target: "ocean-a.nc", parts: 56, end: 1_970_344, stored: 172_800, isPossible: false },
    },
  }),
};
