/** Lengths of dimensions and coordinates across the arrays of one group; and codecs that no reader has. */
import type { Place } from "../fact.ts";
import { about } from "./entry.ts";
import { count, counted, listed, quoted } from "#core/words.ts";

const quotedPath = (place: Place): string => quoted(place.kind === "node" && place.path !== "" ? place.path : "/", 80);

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
      `${quoted(name, 60)} has length ${count(length)}; in ${quoted(by, 60)} it has ${count(expected)}`,
  );
  const swapped =
    order === undefined
      ? ""
      : ` The names are in the wrong order: as ${listed(order.map((name) => quoted(name, 60)))} all lengths would agree.`;
  return `xarray does not open the group: conflicting sizes. In ${quotedPath(place)}, ${listed(parts)}.${swapped}`;
}

const { warning, note, graded } = about("metadata");

export const DIMENSIONS = {
  "dimension-size-disagrees": warning<Sizes>("Conflicting dimension sizes", {
    elements: () => Infinity,
    explain: explainSizes,
    remedy: ({ order, isCertain }) => {
      if (order !== undefined) return `Write its dimension names as ${JSON.stringify(order)}.`;
      return isCertain
        ? "Correct the shape of the wrong array, or rename its dimension."
        : "If the group was appended to, append the shorter array too, or fill it. Otherwise rename its dimension.";
    },
    readers:
      "xarray refuses the whole group (conflicting sizes for a dimension). zarr-python reads the array on its own.",
  }),
  "crs-absent": graded<{ x: string; y: string; units: string; arrays: readonly string[]; isSeries: boolean }>(
    "Projected coordinates without a CRS",
    {
      // A single picture is often looked at as it is; a series is subset by place.
      severity: ({ isSeries }) => (isSeries ? "warning" : "info"),
      explain: ({ x, y, units, arrays }) =>
        `The coordinates ${x} and ${y} are projected (${units}), but nothing names their map projection: ${listed(arrays.slice(0, 3))} ${arrays.length === 1 ? "has" : "have"} no grid_mapping, and there is no spatial_ref or proj: attribute.`,
      remedy: "Add a grid mapping variable (spatial_ref with crs_wkt), and name it in the attribute grid_mapping.",
      readers: "titiler and rioxarray raise, or take the metres for degrees. xarray itself does not need it.",
    },
  ),
  "coordinate-chunks-many": note<{ requests: number; arrays: readonly string[]; chunk: number }>("Slow to open", {
    explain: ({ requests, arrays, chunk }) =>
      `Opening costs ${count(requests)} requests: ${listed(arrays.slice(0, 3))} ${arrays.length === 1 ? "is" : "are"} stored in chunks of length ${count(chunk)}, and readers load coordinates before they show anything.`,
    remedy: "Write the coordinate in one chunk, or inline it in the references.",
    readers: "xarray loads every dimension coordinate when it opens a dataset.",
    about: "references",
  }),
  /** `arrays`: those that have the dimension. */
  "coordinate-absent": note<{ name: string; length: number; arrays: number }>("Dimension has no coordinate", {
    explain: ({ name, length, arrays }, place) => {
      const more = arrays > 1 ? ` and ${counted(arrays - 1, "more array")}` : "";
      return `${quotedPath(place)}${more} ${arrays > 1 ? "have" : "has"} the dimension ${quoted(name, 60)} of length ${count(length)}, but no array ${quoted(name, 60)} holds its coordinates. Other dimensions have one.`;
    },
    remedy: "If the dimension has coordinates, add their array to the dataset. If not, nothing is wrong.",
    readers: "xarray numbers the dimension from 0, so you cannot select by coordinate.",
    question: "complete",
  }),
  "codec-unregistered": warning<{ codec: string; nearest: string | undefined }>("Codec unknown to all readers", {
    elements: () => Infinity,
    explain: ({ codec }, place) =>
      `The metadata of ${quotedPath(place)} names the codec ${quoted(codec, 80)}. Neither numcodecs nor imagecodecs nor any reader known to Refscope has it, so the chunks cannot be decoded.`,
    remedy: ({ nearest }) =>
      nearest === undefined
        ? "Write the data with a codec that readers have, or correct the codec's name."
        : `If “${nearest}” was meant, correct the name. If not, write the data with a codec that readers have.`,
    readers: "zarr-python raises when it opens the array, unless a package of your own registers the codec.",
  }),
  /** `words`: what it is known to be. */
  "codec-package-needed": note<{ codec: string; words: string }>("Codec needs an extra package", {
    explain: ({ codec, words }, place) =>
      `${quotedPath(place)} is stored with the codec ${quoted(codec, 80)} (${words}), which Refscope does not decode and few readers have.`,
    remedy: "Where you read the dataset, install the package with this codec (imagecodecs, or an extra of numcodecs).",
    readers: "zarr-python reads the chunks if that package is installed and registered, and raises if not.",
    question: "readers",
  }),
};
