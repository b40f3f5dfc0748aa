/** Names of dimensions: HDF5's dimension scales, and netCDF-4's conventions over them. */
import { finding } from "#core/findings/finding.ts";
import { nodeAt } from "#core/findings/fact.ts";
import type { Around } from "./dataset.ts";
import { Cursor } from "./hdf5-file.ts";
import { textOf } from "./datatype.ts";
import { readSpace } from "./messages.ts";
import type { Hdf5Object, Objects } from "./objects.ts";
import { MESSAGE } from "./object-header.ts";
import { numberText, referencesOf } from "./values.ts";

/** NAME attribute that netCDF-4 gives a dimension without values. */
const NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable";

const attributeOf = ({ attributes }: Hdf5Object, wanted: string) => attributes.find(({ name }) => name === wanted);

function textIn(object: Hdf5Object, name: string): string | undefined {
  const attribute = attributeOf(object, name);
  return attribute?.type.kind === "string" ? textOf(attribute.bytes) : undefined;
}

const isScale = (object: Hdf5Object): boolean => textIn(object, "CLASS") === "DIMENSION_SCALE";

/** Paths of dimensions by netCDF's own number. */
export function netcdfDimensions({ byPath }: Objects): ReadonlyMap<string, string> {
  const dimensions = new Map<string, string>();
  for (const object of byPath.values()) {
    const attribute = attributeOf(object, "_Netcdf4Dimid");
    const number = attribute && numberText(attribute.type, attribute.bytes);
    if (number !== undefined && isScale(object)) dimensions.set(number, object.path.slice(1));
  }
  return dimensions;
}

/** Dimensions of a dataset: their names, their lengths, and which of them may grow. */
export interface Dimensions {
  readonly names: readonly string[];
  readonly shape: readonly number[];
  readonly grows: readonly boolean[];
  /** The dataset is a dimension without values. */
  readonly isBare: boolean;
}

export async function dimensionsOf(around: Around, object: Hdf5Object): Promise<Dimensions> {
  const message = object.messages.get(MESSAGE.dataspace);
  const { L } = around.file;
  const space = message && readSpace(new Cursor(around.file, "dataspace", message.offset, message.body), L);
  const { shape = [], most = [] } = space ?? {};
  const isBare = isScale(object) && textIn(object, "NAME")?.startsWith(NO_VARIABLE) === true;
  const names = isBare ? shape.map(() => object.path.slice(1)) : await namesOf(around, object, shape);
  return { names, shape, grows: shape.map((_, axis) => most[axis] === undefined), isBare };
}

/** Marks of netCDF-4, in whose model a dimension has one length for all variables. */
export const isNetcdf = ({ byPath }: Objects): boolean =>
  byPath.get("/")?.attributes.some(({ name }) => name === "_NCProperties" || name === "_nc3_strict") === true ||
  [...byPath.values()].some((object) => attributeOf(object, "_Netcdf4Dimid") !== undefined);

/** Lengths of dimensions that may grow: as many as any variable has. */
export function lengthsOf(all: Iterable<Dimensions>): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>();
  for (const { names, shape, grows } of all)
    for (const [axis, name] of names.entries())
      if (grows[axis] === true && !name.startsWith(PHONY))
        lengths.set(name, Math.max(lengths.get(name) ?? 0, shape[axis] as number));
  return lengths;
}

const PHONY = "phony_dim_";

/** One of an object's paths: in the nearest of the groups that `from` lies in, else its first. */
function pathSeenFrom({ paths }: Objects, address: number, from: string): string | undefined {
  const all = paths.get(address) ?? [];
  const isAbove = (path: string): boolean => from.startsWith(path.slice(0, path.lastIndexOf("/") + 1));
  const near = all.filter(isAbove).toSorted((one, other) => other.split("/").length - one.split("/").length);
  return near[0] ?? all[0];
}

async function namesOf(around: Around, object: Hdf5Object, shape: readonly number[]): Promise<readonly string[]> {
  const { file, heap, objects, findings } = around;
  const path = object.path.slice(1);
  const own = isScale(object);
  const list = attributeOf(object, "DIMENSION_LIST");
  const attached = list === undefined ? [] : await referencesOf(file, heap, list);
  const known = own ? netcdfNames(around, object, shape.length) : undefined;
  return shape.map((_, axis) => {
    const scales = attached[axis] ?? [];
    const [first] = scales.flatMap((address) => pathSeenFrom(objects, address, object.path) ?? []);
    if (scales.length === 1 && first !== undefined) return first.slice(1);
    if (own) return known?.[axis] ?? path;
    if (scales.length > 1 && first !== undefined) {
      findings.push(
        finding("hdf5-several-scales", nodeAt(path), { axis, scales: scales.length, taken: first.slice(1) }),
      );
      return first.slice(1);
    }
    return `${PHONY}${axis}`;
  });
}

/** A coordinate of several dimensions is a scale itself, whose own name would stand for each of them. */
function netcdfNames(
  { dimensions, findings }: Around,
  object: Hdf5Object,
  rank: number,
): readonly string[] | undefined {
  const attribute = attributeOf(object, "_Netcdf4Coordinates");
  if (attribute === undefined || rank < 2) return undefined;
  const { type, bytes } = attribute;
  const names: string[] = [];
  for (let from = 0; from + type.size <= bytes.length; from += type.size) {
    const name = dimensions.get(numberText(type, bytes.subarray(from, from + type.size)) ?? "");
    if (name !== undefined) names.push(name);
  }
  if (names.length !== rank) return undefined;
  const path = object.path.slice(1);
  findings.push(
    finding("kerchunk-would-write", nodeAt(path), {
      what: "dimensions",
      kerchunk: Array.from(names, () => path).join(", "),
      here: names.join(", "),
    }),
  );
  return names;
}
