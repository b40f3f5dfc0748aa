/** Members of `scale_offset` that are scalars of the array's type, and the fill values that it can encode. */
import { fillBytes } from "#core/values/fill-bytes.ts";
import { writeJson } from "#core/json/parse-json.ts";
import type { JsonObject } from "#core/json/json.ts";
import { badConfiguration, type ChunkOutline } from "../codec.ts";
import { elementTypeOf, type ElementType, integerRange, readElements } from "./element-type.ts";

export const ID = "scale_offset";

/** Reads a number spelled like a fill value of the array's type (Zarr v3 §"Data types"). */
export function scalarMember(configuration: JsonObject, member: string, otherwise: number, { dataType }: ChunkOutline) {
  const value = configuration.get(member) ?? otherwise;
  const bytes = fillBytes(value, dataType);
  if (bytes === undefined) {
    const found = writeJson(value).slice(0, 80);
    throw badConfiguration(ID, member, `a value of the data type ${dataType.text.slice(0, 80)}`, found);
  }
  const [scalar] = readElements(ID, bytes, { ...(elementTypeOf(dataType) as ElementType), big: false });
  return scalar as number | bigint;
}

/** zarr-python encodes the fill value when it opens an array, and opens none whose fill value it cannot encode. */
export function fillProblem(configuration: JsonObject, array: ChunkOutline): string | undefined {
  const type = elementTypeOf(array.dataType);
  const fill = array.fillValue ?? null;
  const bytes = fillBytes(fill, array.dataType);
  if (type === undefined || type.kind === "float" || type.kind === "bool" || bytes === undefined) return undefined;
  const [scale, offset] = [
    scalarMember(configuration, "scale", 1, array),
    scalarMember(configuration, "offset", 0, array),
  ];
  const [value] = readElements(ID, bytes, { ...type, big: false });
  const encoded = (BigInt(value ?? 0) - BigInt(offset)) * BigInt(scale);
  const [minimum, maximum] = integerRange(type);
  if (encoded >= minimum && encoded <= maximum) return undefined;
  return `a value that scale_offset can encode: (value - ${offset}) × ${scale} from ${minimum} to ${maximum}`;
}
