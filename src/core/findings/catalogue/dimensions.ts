/** What arrays of one group say of each other: lengths of dimensions, coordinates; and codecs that no reader has. */
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
      `${quoted(name, 60)} has the length ${count(length)} here and ${count(expected)} in ${quoted(by, 60)}`,
  );
  const swapped =
    order === undefined
      ? ""
      : ` With its names in the order ${listed(order.map((name) => quoted(name, 60)))} all lengths would agree: the names are in the wrong order.`;
  return `The dimensions of ${nameOf(place)} disagree with other arrays of its group: ${listed(parts)}.${swapped}`;
}

const { warning, note, graded } = about("metadata");

export const DIMENSIONS = {
  "dimension-size-disagrees": graded<Sizes>({
    title: "Conflicting dimension sizes",
    severity: ({ isCertain }) => (isCertain ? "warning" : "info"),
    explain: explainSizes,
    remedy: ({ order }) =>
      order === undefined
        ? "Correct the shape of the array that is wrong, or give its dimension another name."
        : `Write the names of its dimensions as ${JSON.stringify(order)}.`,
    readers:
      "xarray refuses the whole group (conflicting sizes for a dimension); zarr-python reads the array by itself.",
  }),
  /** `arrays`: those that have the dimension. */
  "coordinate-absent": note<{ readonly name: string; readonly length: number; readonly arrays: number }>({
    title: "Dimension has no coordinate",
    explain: ({ name, length, arrays }, place) => {
      const more = arrays > 1 ? ` and ${counted(arrays - 1, "more array")}` : "";
      return `${nameOf(place)}${more} ${arrays > 1 ? "have" : "has"} the dimension ${quoted(name, 60)} of length ${count(length)}, but there is no array ${quoted(name, 60)} with its coordinates, as other dimensions have one.`;
    },
    remedy: "If the dimension has coordinates, add their array to the set; else nothing is wrong.",
    readers: "xarray numbers the dimension from 0: selecting by coordinate is not possible.",
    question: "complete",
  }),
  "codec-unregistered": warning<{ readonly codec: string; readonly nearest: string | undefined }>({
    title: "Codec unknown to all readers",
    explain: ({ codec }, place) =>
      `The metadata of ${nameOf(place)} name the codec ${quoted(codec, 80)}, which neither numcodecs nor imagecodecs nor any reader known to Refscope has: its chunks cannot be decoded.`,
    remedy: ({ nearest }) =>
      nearest === undefined
        ? "Write the data with a codec that readers have, or correct the codec's name."
        : `Correct the name if “${nearest}” was meant; else write the data with a codec that readers have.`,
    readers: "zarr-python raises when the array is opened, unless a package of your own registers the codec.",
  }),
  /** `words`: what it is known to be. */
  "codec-package-needed": note<{ readonly codec: string; readonly words: string }>({
    title: "Codec needs an extra package",
    explain: ({ codec, words }, place) =>
      `${nameOf(place)} is stored with the codec ${quoted(codec, 80)} (${words}), which Refscope does not decode and few readers have.`,
    remedy: "Install the package that has the codec (imagecodecs, or an extra of numcodecs) where you read the set.",
    readers: "zarr-python reads the chunks where that package is installed and registered, and raises where it is not.",
    question: "readers",
  }),
};
