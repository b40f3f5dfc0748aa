/** Chunks that a store keeps as objects of their own. */
import { chunkAt, placeText, type Place } from "../place.ts";
import { entry } from "./entry.ts";
import type { NoFacts } from "../fact.ts";
import { count, counted } from "./phrases.ts";

const SST = chunkAt("sst", [0, 0, 1]);
const nameOf = (place: Place): string => `The object of the chunk ${placeText(place)}`;

/** `expected`: bytes of the chunk by its shape and type, uncompressed as it is. */
type ObjectSize = { readonly size: number; readonly expected: number; readonly itemSize: number };

function explainSize({ size, expected, itemSize }: ObjectSize, place: Place): string {
  const isWhole = size % itemSize === 0;
  const elements = isWhole
    ? `${counted(size / itemSize, "element")} of ${count(expected / itemSize)}`
    : `no whole number of elements of ${counted(itemSize, "byte")}`;
  return `${nameOf(place)} has ${counted(size, "byte")}, but an uncompressed chunk of this shape and type has ${count(expected)}: ${elements}.`;
}

export const CHUNK_OBJECTS = {
  "chunk-object-empty": entry<NoFacts>({
    title: "A chunk's object of no bytes",
    severity: "error",
    explain: (_, place) =>
      `${nameOf(place)} is there, but has no bytes: it was created and never written, as an interrupted upload leaves it.`,
    remedy: "Write or copy the chunk again; where it should be missing, remove the object.",
    readers: "zarr-python raises on it, whatever the codecs; a missing object would read as the fill value.",
    about: "references",
    question: "values",
    example: { place: SST, facts: {} },
  }),
  "chunk-object-size": entry<ObjectSize>({
    title: "A chunk's object has the wrong size",
    severity: "error",
    explain: explainSize,
    remedy: ({ size, expected }) =>
      size < expected
        ? "Write or copy the chunk again: it was cut short, or the chunk shape in the metadata is wrong."
        : "Correct the chunk shape or data type in the metadata, or write the chunk again.",
    readers: "zarr-python raises, since the bytes do not fit the chunk's shape.",
    about: "references",
    question: "values",
    example: { place: SST, facts: { size: 76, expected: 80, itemSize: 4 } },
  }),
};
