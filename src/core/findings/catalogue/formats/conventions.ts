/** Conventions over the hierarchy: levels of one image (multiscales, OME-NGFF), and where it is (proj, spatial). */
import { about } from "../entry.ts";
import { listed, quoted } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";

/** `member`: as one would write it; `found`: in words. */
type Malformed = { readonly member: string; readonly expected: string; readonly found: string };

const AXES_PROBLEMS = {
  absent: ({ member, version }: { member: string; version: string }) =>
    `${quoted(member, 80)} has no axes, which OME-NGFF ${version} requires. Nothing says which dimension is which.`,
  /** A scale has more or fewer numbers than there are axes. */
  scale: ({ member, axes, numbers }: { member: string; axes: number; numbers: number }) =>
    `The scale of ${quoted(member, 80)} has ${numbers} numbers, but there are ${axes} axes.`,
  /** Or an array more or fewer dimensions. */
  rank: ({ path, axes, rank }: { path: string; axes: number; rank: number }) =>
    `The array ${quoted(path, 120)} has ${rank} dimensions, but there are ${axes} axes.`,
};

type NotSmaller = {
  readonly level: number;
  readonly path: string;
  readonly shape: readonly number[];
  readonly other: string;
  readonly otherShape: readonly number[];
};

const { warning } = about("metadata");

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
  "level-axes": warning<ToldBy<typeof AXES_PROBLEMS>>("Axes do not match the levels", {
    explain: sentenceOf(AXES_PROBLEMS, "problem"),
    remedy: "Write one axis for each dimension, and one number in each scale for each axis.",
    readers: "OME-NGFF viewers refuse the image, or use the last dimensions as y and x.",
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
