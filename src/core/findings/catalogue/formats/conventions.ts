/** Conventions over the hierarchy: levels of one picture (multiscales, OME-NGFF), and where it lies (proj, spatial). */
import { about } from "../entry.ts";
import { listed, quoted } from "../../../words.ts";

/** `member`: as one would write it; `found`: in words. */
type Malformed = { readonly member: string; readonly expected: string; readonly found: string };

type AxesProblem =
  | { readonly problem: "absent"; readonly member: string; readonly version: string }
  /** A scale has another count of numbers than there are axes. */
  | { readonly problem: "scale"; readonly member: string; readonly axes: number; readonly numbers: number }
  /** Or an array another count of dimensions. */
  | { readonly problem: "rank"; readonly path: string; readonly axes: number; readonly rank: number };

function axesWords(facts: AxesProblem): string {
  if (facts.problem === "absent")
    return `${quoted(facts.member, 80)} has no axes, which OME-NGFF ${facts.version} requires: nothing says which dimension is which.`;
  if (facts.problem === "scale")
    return `The scale of ${quoted(facts.member, 80)} has ${facts.numbers} numbers, and there are ${facts.axes} axes.`;
  return `The array ${quoted(facts.path, 120)} has ${facts.rank} dimensions, and there are ${facts.axes} axes.`;
}

type NotSmaller = {
  readonly level: number;
  readonly path: string;
  readonly shape: readonly number[];
  readonly other: string;
  readonly otherShape: readonly number[];
};

const { warning } = about("metadata");

export const CONVENTIONS = {
  "levels-malformed": warning<Malformed>({
    title: "Invalid multiscale levels",
    explain: ({ member, expected, found }) =>
      `${quoted(member, 80)} of the group's attributes must be ${expected}; it is ${found}. That level is left out.`,
    remedy: "Correct the attributes of the group.",
    readers: "Viewers of such levels may refuse the group.",
  }),
  "level-absent": warning<{ readonly level: number; readonly path: string }>({
    title: "Multiscale level not found",
    explain: ({ level, path }) =>
      `The group's attributes say that level ${level} is ${quoted(path, 120)}; there is no such array or group.`,
    remedy: "Correct the path, or write the level.",
    readers: "Viewers fail where they come to that level.",
  }),
  "level-not-smaller": warning<NotSmaller>({
    title: "Coarser level is not smaller",
    explain: ({ level, path, shape, other, otherShape }) =>
      `Level ${level}, ${quoted(path, 120)}, should be coarser than ${quoted(other, 120)}, but no dimension of it is smaller: [${shape.join(", ")}] and [${otherShape.join(", ")}].`,
    remedy: "Correct the order of the levels, or their scales.",
    readers: "Viewers fetch more than they show, or show the level at a wrong place.",
  }),
  "level-axes": warning<AxesProblem>({
    title: "Axes do not match the levels",
    explain: axesWords,
    remedy: "Give an axis for each dimension, and a number of each scale for each axis.",
    readers: "Viewers of OME-NGFF refuse the image, or take the last dimensions for y and x.",
  }),
  "georeference-malformed": warning<Malformed>({
    title: "Invalid georeference",
    explain: ({ member, expected, found }) =>
      `The attribute ${quoted(member, 80)} must be ${expected}; it is ${found}. It is left out.`,
    remedy: "Correct the attribute.",
    readers: "Readers of these conventions may place the data wrongly, or not at all.",
  }),
  "spatial-dimension-absent": warning<{ readonly name: string; readonly dimensions: readonly string[] }>({
    title: "Spatial dimension not found in the array",
    explain: ({ name, dimensions }) =>
      `“spatial:dimensions” names ${quoted(name, 80)}; the array's dimensions are ${dimensions.length === 0 ? "not named" : listed(dimensions.map((one) => quoted(one, 80)))}.`,
    remedy: "Name two of the array's dimensions, that of y first.",
    readers: "Readers of the convention do not know which dimension is which.",
  }),
};
