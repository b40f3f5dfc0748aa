/**
 * numcodecs' filters as codecs of Zarr v3 (`numcodecs.delta`, …), which zarr-python hands arrays rather than bytes: what
 * is decoded has the array's type, in whatever byte order, and what is encoded another, which codecs after it meet.
 */
import { swapBytes } from "#core/values/byte-order.ts";
import type { ScalarType } from "#core/metadata/data-type.ts";
import type { JsonObject } from "#core/json/json.ts";
import { badConfiguration, type ChunkOutline, type Decoder } from "../codec.ts";
import { elementTypeMember, elementTypeOf, numpyName, type ElementType } from "./element-type.ts";

interface FilterMembers {
  /** The member that names the type of decoded elements. */
  readonly decoded: string;
  /** The member that names the type of encoded ones, or none where zarr-python does not know that they may differ. */
  readonly encoded: string | undefined;
  /** True if zarr-python uses the array's type when `decoded` is not given. */
  readonly isFilled: boolean;
}

export function arrayFilter(id: string, filter: Decoder, members: FilterMembers): Decoder {
  return {
    prepare: (written, array) => {
      const configuration = filled(written, members, array);
      const step = filter.prepare(configuration, array);
      const own = arrayType(id, array);
      const to = elementTypeMember(id, configuration, members.decoded) ?? own;
      refuseOther(id, members.decoded, to, own);
      const from = encodedType(id, configuration, members) ?? to;
      refuseOrder(id, members.encoded ?? members.decoded, from, own);
      if (to.size === 1 || to.big === own.big) return step;
      return {
        ...step,
        decode: async (input, limit, signal) => swapBytes(await step.decode(input, limit, signal), to.size),
      };
    },
    encoded: (written, array) => {
      const type = encodedType(id, filled(written, members, array), members);
      return type === undefined ? array : { ...array, dataType: withType(array, type), fillValue: null };
    },
  };
}

/** `numcodecs.packbits`: one dimension of bytes, the first of which counts the padding. */
export function bitFilter(id: string, filter: Decoder): Decoder {
  return {
    prepare: (configuration, array) => {
      if (array.dataType.kind === "bool") return filter.prepare(configuration, array);
      throw badConfiguration(id, "data type", "booleans", array.dataType.text.slice(0, 80));
    },
    encoded: (_, array) => {
      const length = 1 + Math.ceil(array.elements / 8);
      const dataType: ScalarType = { kind: "uint", itemSize: 1, byteOrder: "none", text: "uint8" };
      return { ...array, dataType, chunkShape: [length], elements: length, fillValue: null };
    },
  };
}

function filled(written: JsonObject, { decoded, isFilled }: FilterMembers, array: ChunkOutline): JsonObject {
  const type = elementTypeOf(array.dataType);
  const isGiven = (written.get(decoded) ?? null) !== null;
  return !isFilled || isGiven || type === undefined ? written : new Map([...written, [decoded, numpyName(type)]]);
}

function encodedType(codec: string, configuration: JsonObject, { encoded }: FilterMembers): ElementType | undefined {
  return encoded === undefined ? undefined : elementTypeMember(codec, configuration, encoded);
}

function arrayType(codec: string, { dataType }: ChunkOutline): ElementType {
  const type = elementTypeOf(dataType);
  if (type !== undefined) return type;
  const expected = "booleans, integers or floats of at most 64 bits";
  throw badConfiguration(codec, "data type", expected, dataType.text.slice(0, 80));
}

function refuseOther(codec: string, member: string, type: ElementType, own: ElementType): void {
  if (type.kind === own.kind && type.size === own.size) return;
  throw badConfiguration(codec, member, `the type of what is encoded, ${own.text}`, type.text);
}

/** numcodecs takes the bytes for the type that is written, whatever byte order the codec `bytes` has made them of. */
function refuseOrder(codec: string, member: string, type: ElementType, own: ElementType): void {
  if (type.size === 1 || own.size === 1 || type.big === own.big) return;
  const expected = `a ${own.big ? "big" : "little"}-endian type, as the codec “bytes” says; zarr-python reads other values than were written`;
  throw badConfiguration(codec, member, expected, type.text);
}

function withType({ dataType }: ChunkOutline, { kind, size, big, text }: ElementType): ScalarType {
  const known = dataType.byteOrder === "none" ? (big ? "big" : "little") : dataType.byteOrder;
  return { kind, itemSize: size, byteOrder: size === 1 ? "none" : known, text };
}
