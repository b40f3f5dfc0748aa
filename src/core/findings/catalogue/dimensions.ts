/** Lengths of dimensions and coordinates across the arrays of one group; and codecs that no reader has. */
import { type Place } from "../place.ts";
import { about } from "./entry.ts";
import { count, counted, listed, quoted } from "../../words.ts";

const nameOf = (place: Place): string => quoted(place.kind === "node" && place.path !== "" ? place.path : "/", 80);

type WrongDimension = {
  readonly name: string;
  readonly length: number;
  readonly expected: number;
  /** The array that has the other length. */
  readonly by: string;
};

/** `order`: of the names, in which all lengths would be right. */
type Sizes = {
  readonly dimensions: readonly WrongDimension[];
  readonly order: readonly string[] | undefined;
  /** A coordinate, or several arrays, say otherwise; else one array is against one other. */
  readonly isCertain: boolean;
};

function explainSizes({ dimensions, order }: Sizes, place: Place): string {
  const parts = dimensions.map(
    ({ name, length, expected, by }) =>
      `${quoted(name, 60)} has length ${count(length)} here and ${count(expected)} in ${quoted(by, 60)}`,
  );
  const swapped =
    order === undefined
      ? ""
      : ` The names are in the wrong order: as ${listed(order.map((name) => quoted(name, 60)))} all lengths would agree.`;
  return `The dimensions of ${nameOf(place)} disagree with other arrays of its group: ${listed(parts)}.${swapped}`;
}

const { warning, note, graded } = about("metadata");

export const DIMENSIONS = {
  "dimension-size-disagrees": graded<Sizes>("Conflicting dimension sizes", {
    severity: ({ isCertain }) => (isCertain ? "warning" : "info"),
    explain: explainSizes,
    remedy: ({ order }) =>
      order === undefined
        ? "Correct the shape of the wrong array, or rename its dimension."
        : `Write its dimension names as ${JSON.stringify(order)}.`,
    readers:
      "xarray refuses the whole group (conflicting sizes for a dimension). zarr-python reads the array on its own.",
  }),
  /** `arrays`: those that have the dimension. */
  "coordinate-absent": note<{ name: string; length: number; arrays: number }>("Dimension has no coordinate", {
    explain: ({ name, length, arrays }, place) => {
      const more = arrays > 1 ? ` and ${counted(arrays - 1, "more array")}` : "";
      return `${nameOf(place)}${more} ${arrays > 1 ? "have" : "has"} the dimension ${quoted(name, 60)} of length ${count(length)}, but no array ${quoted(name, 60)} holds its coordinates. Other dimensions have one.`;
    },
    remedy: "If the dimension has coordinates, add their array to the dataset. If not, nothing is wrong.",
    readers: "xarray numbers the dimension from 0, so you cannot select by coordinate.",
    question: "complete",
  }),
  "codec-unregistered": warning<{ codec: string; nearest: string | undefined }>("Codec unknown to all readers", {
    explain: ({ codec }, place) =>
      `The metadata of ${nameOf(place)} names the codec ${quoted(codec, 80)}. Neither numcodecs nor imagecodecs nor any reader known to Refscope has it, so the chunks cannot be decoded.`,
    remedy: ({ nearest }) =>
      nearest === undefined
        ? "Write the data with a codec that readers have, or correct the codec's name."
        : `If “${nearest}” was meant, correct the name. If not, write the data with a codec that readers have.`,
    readers: "zarr-python raises when it opens the array, unless a package of your own registers the codec.",
  }),
  /** `words`: what it is known to be. */
  "codec-package-needed": note<{ codec: string; words: string }>("Codec needs an extra package", {
    explain: ({ codec, words }, place) =>
      `${nameOf(place)} is stored with the codec ${quoted(codec, 80)} (${words}), which Refscope does not decode and few readers have.`,
    remedy: "Where you read the dataset, install the package with this codec (imagecodecs, or an extra of numcodecs).",
    readers: "zarr-python reads the chunks if that package is installed and registered, and raises if not.",
    question: "readers",
  }),
};
