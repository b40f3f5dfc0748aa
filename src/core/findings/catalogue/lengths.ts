/** Lengths of references that a chunk cannot have. */
import { about } from "./entry.ts";
import { count, counted } from "../../words.ts";

const WRITE_AGAIN = "Write the reference again with the tool that made the set, from the file as it is.";

/** What the elements of a whole chunk are. */
type Elements = {
  readonly dtype: string;
  readonly itemSize: number;
  readonly chunkShape: readonly number[];
};

const elementsText = ({ dtype, chunkShape }: Elements): string =>
  chunkShape.length === 0
    ? `one element of ${dtype}`
    : `${chunkShape.join(" × ")} ${chunkShape.every((length) => length === 1) ? "element" : "elements"} of ${dtype}`;

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

const { error, graded } = about("references", { question: "values" });
const ofMetadata = about("metadata");

export const LENGTHS = {
  "range-empty": error<{ readonly others: number; readonly isObject: boolean }>({
    title: "Empty reference",
    explain: ({ others, isObject }) =>
      `${isObject ? "The chunk's object is empty" : "The reference has the length 0"}: nothing is read, and nothing can be decoded.${others > 0 ? ` ${counted(others, "other chunk")} of the array ${others === 1 ? "has" : "have"} bytes.` : ""}`,
    remedy: "Write the reference again with the chunk's true length, or remove it where the chunk has no data.",
    readers:
      "Readers ask for no bytes, and fail when they decode them; some servers answer with the whole file instead.",
  }),
  "chunk-length-wrong": error<
    Elements & {
      readonly problem: "short" | "long";
      readonly expected: number;
      readonly length: number;
      /** Chunks of the array whose length is right. */
      readonly right: number;
    }
  >({
    title: "Impossible chunk length",
    brief: ({ problem }) => (problem === "short" ? "too short" : "too long"),
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
    remedy: ({ expected }) => `If the offset is right, set the length to ${expected}.`,
    readers: "zarr-python raises an error when it shapes the chunk; others fill the rest with what was in memory.",
  }),
  "chunk-lengths-fit-other": ofMetadata.error<OtherLayout & Throughout>({
    title: "Chunk lengths do not match the metadata",
    explain: (facts) => {
      const { dtype, chunkShape, expected } = facts;
      const elements = elementsText({ dtype, chunkShape, itemSize: 0 });
      return `A chunk of ${elements} has ${counted(expected, "byte")} as the metadata describe it; every chunk of the array has ${lengthsText(facts)}. ${fitText(facts)}`;
    },
    remedy: "Correct the array's metadata.",
    readers: "zarr-python raises an error for every chunk, or reads wrong values where sizes happen to fit.",
    question: "values",
  }),
  "compressed-length-impossible": graded<
    Elements & {
      readonly problem: "short" | "long";
      readonly expected: number;
      readonly length: number;
      readonly right: number;
      readonly codec: string;
    }
  >({
    title: "Impossible compressed length",
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
  }),
  "inline-length-wrong": error<Elements & { readonly expected: number; readonly length: number }>({
    title: "Inline value has the wrong size",
    explain: (facts) => {
      const { itemSize, expected, length } = facts;
      const elements = length % itemSize === 0 ? ` (${counted(length / itemSize, "element")})` : "";
      return `The chunk has ${elementsText(facts)}, ${counted(expected, "byte")}; the inline value has ${counted(length, "byte")}${elements}.`;
    },
    remedy: "Write the value again, with as many elements as the chunk shape in the metadata says.",
    readers: "zarr-python raises an error when it shapes the chunk.",
  }),
};
