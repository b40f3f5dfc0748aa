/** Lengths of references that a chunk cannot have. */
import { about } from "./entry.ts";
import { count, counted } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";

const WRITE_AGAIN = "Rewrite the reference from the current file, with the tool that made the dataset.";

/** Elements of a whole chunk. */
type Elements = {
  readonly dtype: string;
  readonly itemSize: number;
  readonly chunkShape: readonly number[];
};

const elementsText = ({ dtype, chunkShape }: Elements): string =>
  chunkShape.length === 0
    ? `one element of ${dtype}`
    : `${chunkShape.join(" × ")} ${chunkShape.every((length) => length === 1) ? "element" : "elements"} of ${dtype}`;

/** Fewest and most bytes of all chunks. */
type Throughout = {
  readonly dtype: string;
  readonly chunkShape: readonly number[];
  readonly expected: number;
  readonly least: number;
  readonly most: number;
};

/** Explanations that the lengths fit instead. */
const FITS = {
  type: ({ itemSize, dtype }: Throughout & { itemSize: number }) =>
    `They fit elements of ${counted(itemSize, "byte")}, so the dtype ${dtype} is wrong, or every length is.`,
  chunks: ({ chunks, chunkShape }: Throughout & { chunks: readonly number[] }) =>
    `They fit chunks of shape ${chunks.join(" × ")}, with which the keys fill the grid. The chunk shape ${chunkShape.join(" × ")} is wrong.`,
  checksum: ({ missing }: Throughout & { missing: boolean }) =>
    missing
      ? "The 4 extra bytes are a checksum such as fletcher32: the filter is missing from the metadata."
      : "Each has 4 bytes too few: the metadata names a checksum filter that was not applied.",
  compressor:
    "The data seems to be compressed: the compressor is missing from the metadata. Or the references are truncated.",
  nothing: ({ least, expected }: Throughout) =>
    `That is ${(least / expected).toPrecision(3)} times the expected size: dtype, chunk shape or filters are wrong.`,
};

const lengthsText = ({ least, most }: Throughout): string =>
  least === most ? counted(least, "byte") : `${count(least)}–${count(most)} bytes`;

const { error, graded } = about("references", { question: "values" });

export const LENGTHS = {
  "range-empty": error<{ others: number; isObject: boolean }>("Empty reference", {
    explain: ({ others, isObject }) =>
      `${isObject ? "The chunk's object is empty" : "The reference has length 0"}, so there is nothing to decode.${others > 0 ? ` ${counted(others, "other chunk")} of the array ${others === 1 ? "has" : "have"} bytes.` : ""}`,
    remedy: "Write the chunk's true length, or remove the reference if the chunk has no data.",
    readers: "Readers request no bytes and fail to decode them; some servers send the whole file instead.",
  }),
  "chunk-length-wrong": error<
    Elements & {
      problem: "short" | "long";
      expected: number;
      length: number;
      /** Chunks of the array whose length is right. */
      right: number;
    }
  >("Impossible chunk length", {
    brief: ({ problem }) => (problem === "short" ? "too short" : "too long"),
    explain: (facts) => {
      const { problem, expected, length, right } = facts;
      const difference = Math.abs(expected - length);
      const others =
        right > 0 ? ` ${counted(right, "other chunk")} of the array ${right === 1 ? "has" : "have"} that length.` : "";
      const what =
        problem === "short"
          ? `so the chunk is truncated: ${counted(difference, "byte")} ${difference === 1 ? "is" : "are"} missing`
          : `which is ${counted(difference, "byte")} too long and reaches into the bytes that follow`;
      return `A chunk of ${elementsText(facts)} has ${counted(expected, "byte")} uncompressed; the reference has ${count(length)}, ${what}.${others}`;
    },
    remedy: ({ expected }) => `If the offset is right, set the length to ${expected}.`,
    readers: "zarr-python raises when it shapes the chunk; others fill the rest with whatever was in memory.",
  }),
  "chunk-lengths-fit-other": error<Throughout & ToldBy<typeof FITS, "fits">>(
    "Chunk lengths do not match the metadata",
    {
      explain: (facts) => {
        const { dtype, chunkShape, expected } = facts;
        const elements = elementsText({ dtype, chunkShape, itemSize: 0 });
        return `A chunk of ${elements} has ${counted(expected, "byte")} by the metadata; every chunk of the array has ${lengthsText(facts)}. ${sentenceOf(FITS, "fits")(facts)}`;
      },
      remedy: "Correct the array's metadata.",
      readers: "zarr-python raises for every chunk, or returns wrong values if sizes happen to fit.",
      about: "metadata",
    },
  ),
  "compressed-length-impossible": graded<
    Elements & {
      problem: "short" | "long";
      expected: number;
      length: number;
      right: number;
      codec: string;
    }
  >("Impossible compressed length", {
    severity: ({ problem }) => (problem === "short" ? "error" : "warning"),
    explain: (facts) => {
      const { problem, codec, length, expected } = facts;
      const than =
        problem === "short"
          ? `fewer than ${codec} can produce. The chunk is truncated`
          : `more than ${codec} can produce. The range is too long, or dtype or chunk shape is wrong`;
      return `A chunk of ${elementsText(facts)} has ${counted(expected, "byte")} uncompressed; the reference has ${count(length)}, ${than}.`;
    },
    remedy: WRITE_AGAIN,
    readers: "Readers fail to decode a truncated chunk; if it is too long they ignore the rest or fail.",
  }),
  "inline-length-wrong": error<
    Elements & { expected: number; length: number; cut?: "characters" | "numbers" | undefined }
  >("Inline value has the wrong size", {
    explain: (facts) => {
      const { itemSize, expected, length, cut } = facts;
      const elements = length % itemSize === 0 ? ` (${counted(length / itemSize, "element")})` : "";
      const found = `Expected ${elementsText(facts)} (${counted(expected, "byte")}); the inline value has ${counted(length, "byte")}${elements}.`;
      if (cut === undefined) return found;
      return cut === "characters"
        ? `${found} The zero bytes at the end were cut off when the value was inlined; padded with zeros, it fits.`
        : `${found} Its last element is incomplete: probably the zero bytes at the end were cut off when the value was inlined.`;
    },
    remedy: ({ expected, cut }) =>
      cut === undefined
        ? "Rewrite the value with as many elements as the chunk shape in the metadata."
        : `Pad each value with zero bytes to ${counted(expected, "byte")} (as base64), or reference the bytes in the source file.`,
    readers: "zarr-python raises when it shapes the chunk.",
  }),
};
