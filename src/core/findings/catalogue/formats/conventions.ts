/** Conventions over the hierarchy: levels of one image (multiscales, OME-NGFF), and where it is (proj, spatial). */
import { about } from "../entry.ts";
import { counted, listed, quoted } from "#core/words.ts";

/** `member`: as one would write it; `found`: in words. */
type Malformed = { readonly member: string; readonly expected: string; readonly found: string };

/** Readers that each rule stops or misleads, by their source. Rules that nobody minds are notes. */
const STOPS = {
  version:
    "Neuroglancer ignores multiscales without a version, and then reports neither array nor OME multiscale metadata.",
  "other-version": "Readers look for the metadata where that version has them, and find no image.",
  channels: "Viewers show channels with the names and colors of others, or fail on those that have none.",
  "ome-in-v2": "Neuroglancer refuses OME-NGFF 0.5 in a Zarr v2 store.",
  axes: "Neuroglancer refuses the image; other viewers take the last dimensions as y and x.",
  "axis-name": "Neuroglancer refuses the image.",
  "axis-repeated": "Viewers that look an axis up by its name, such as vizarr, find only the first.",
  "axes-order": "ome-zarr-py (napari, ome_zarr) raises ValueError.",
  "no-levels": "Neuroglancer (“At least one scale must be specified”), vizarr and GDAL find no image to open.",
  transformations:
    "Neuroglancer gives a level without a scale elements of size 1, and multiplies several scales; others take the first.",
  translation:
    "Neuroglancer refuses a translation of another length, and applies transformations as listed; others always scale first.",
  "level-order": "Viewers take the first level as full resolution; vizarr shows the last one from afar.",
  "level-scale": "Viewers draw that level at another size than the others: the image jumps when one zooms.",
  "level-type": "Neuroglancer refuses levels of different data types; GDAL leaves them out.",
  "level-names": "xarray names the dimensions differently from viewers of OME-NGFF.",
  omero: "vizarr fails on a channel without a window; Neuroglancer refuses an image without a list of channels.",
  plate: "vizarr fails on the plate, or shows the well at another place than readers that use the other statement.",
  well: "vizarr fails on the well, and on its plate.",
  "spatial-shape": "OpenLayers computes the size of a pixel from it, and so shows the data at another size.",
  "no-crs": "GDAL, rioxarray and OpenLayers find no CRS here.",
  undeclared: "rioxarray, GDAL, rio-tiler and OpenLayers ignore these attributes unless the convention is declared.",
  flat: "GDAL, rioxarray and OpenLayers cannot compute where a pixel is.",
};

export type StoppingRule = keyof typeof STOPS;

export type Must = {
  /** `note`: no reader is known that minds. */
  readonly rule: StoppingRule | "note";
  /** Its name and version: "OME-NGFF 0.4". */
  readonly convention: string;
  /** Section of its text. */
  readonly section: string;
  /** Path of the member: `multiscales[0].version`. */
  readonly member: string;
  /** Its right form in words: "a list of objects". */
  readonly expected: string;
  readonly found: string;
  /** Follows “Write”: JSON, where only one can be meant. */
  readonly write?: string;
  /** Members beside it that break the same rule: other levels, channels, wells. */
  readonly more?: number;
};

type NotSmaller = {
  readonly level: number;
  readonly path: string;
  readonly shape: readonly number[];
  readonly other: string;
  readonly otherShape: readonly number[];
};

const { warning, graded } = about("metadata");

export const CONVENTIONS = {
  "levels-malformed": warning<Malformed>("Invalid multiscale levels", {
    explain: ({ member, expected, found }) =>
      `Expected ${quoted(member, 80)} in the group's attributes to be ${expected}; found ${found}. Refscope leaves out that level.`,
    remedy: "Correct the group's attributes.",
    readers: "Viewers of multiscale levels may refuse the group.",
  }),
  "level-absent": warning<{ level: number; path: string }>("Multiscale level not found", {
    explain: ({ level, path }) =>
      `The group's attributes name ${quoted(path, 120)} as level ${level}, but there is no such array or group.`,
    remedy: "Correct the path, or write the level.",
    readers: "Viewers fail when they reach that level.",
  }),
  "level-not-smaller": warning<NotSmaller>("Coarser level is not smaller", {
    explain: ({ level, path, shape, other, otherShape }) =>
      `Expected level ${level}, ${quoted(path, 120)}, to be coarser than ${quoted(other, 120)}. None of its dimensions is smaller: [${shape.join(", ")}] and [${otherShape.join(", ")}].`,
    remedy: "Correct the order of the levels, or their scales.",
    readers: "Viewers fetch more than they show, or show the level in the wrong place.",
  }),
  "convention-must": graded<Must>("Metadata breaks its convention", {
    severity: ({ rule }) => (rule === "note" ? "info" : "warning"),
    heading: ({ convention }) => `Metadata breaks ${convention}`,
    explain: ({ convention, section, member, expected, found, more }) =>
      `In ${convention} (§${section}), ${quoted(member, 120)} must be ${expected}; found ${found}.${more === undefined ? "" : ` ${counted(more, "other member")} like it ${more === 1 ? "breaks" : "break"} the same rule.`}`,
    remedy: ({ member, write }) => (write === undefined ? `Correct ${quoted(member, 120)}.` : `Write ${write}.`),
    readers: ({ rule }) => (rule === "note" ? "No reader is known to mind." : STOPS[rule]),
  }),
  "georeference-malformed": warning<Malformed>("Invalid georeference", {
    explain: ({ member, expected, found }) =>
      `Expected the attribute ${quoted(member, 80)} to be ${expected}; found ${found}. Refscope ignores it.`,
    remedy: "Correct the attribute.",
    readers: "Readers of these conventions may place the data wrongly, or not at all.",
  }),
  "spatial-dimension-absent": warning<{ name: string; dimensions: readonly string[] }>(
    "Spatial dimension not found in the array",
    {
      explain: ({ name, dimensions }) =>
        `“spatial:dimensions” names ${quoted(name, 80)}; the array's dimensions are ${dimensions.length === 0 ? "not named" : listed(dimensions.map((one) => quoted(one, 80)))}.`,
      remedy: "Name two of the array's dimensions, y first.",
      readers: "Readers of the convention do not know which dimension is which.",
    },
  ),
};
