/** Names of dimensions: HDF5's dimension scales, and netCDF-4's conventions over them. */
import { finding } from "../../core/findings/finding.ts";
import { nodeAt } from "../../core/findings/fact.ts";
import type { Around } from "./dataset.ts";
import { Cursor } from "./hdf5-file.ts";
import { textOf } from "./datatype.ts";
import { readSpace } from "./messages.ts";
import type { Hdf5Object, Objects } from "./objects.ts";
import { MESSAGE } from "./object-header.ts";
import { numberText, referencesOf } from "./values.ts";

/** What netCDF-4 writes into the attribute NAME of a dimension that has no values. */
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

/** `undefined` where the dataset is a dimension without values. */
export async function dimensionsOf(around: Around, object: Hdf5Object): Promise<readonly string[] | undefined> {
  const { file, heap, objects, findings } = around;
  const path = object.path.slice(1);
  const own = isScale(object);
  if (own && textIn(object, "NAME")?.startsWith(NO_VARIABLE) === true) return undefined;
  const space = object.messages.get(MESSAGE.dataspace);
  const { shape = [] } =
    space === undefined ? {} : readSpace(new Cursor(file, "dataspace", space.offset, space.body), file.L);
  const list = attributeOf(object, "DIMENSION_LIST");
  const attached = list === undefined ? [] : await referencesOf(file, heap, list);
  const known = own ? netcdfNames(around, object, shape.length) : undefined;
  return shape.map((_, axis) => {
    const scales = attached[axis] ?? [];
    const [first] = scales.map((address) => objects.paths.get(address)).filter((scale) => scale !== undefined);
    if (scales.length === 1 && first !== undefined) return first.slice(1);
    if (own) return known?.[axis] ?? path;
    if (scales.length > 1 && first !== undefined) {
      findings.push(
        finding("hdf5-several-scales", nodeAt(path), { axis, scales: scales.length, taken: first.slice(1) }),
      );
      return first.slice(1);
    }
    return `phony_dim_${axis}`;
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
