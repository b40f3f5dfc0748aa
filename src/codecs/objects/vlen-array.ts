/**
 * `vlen-array` (numcodecs): each element a one-dimensional array of one type, laid out as `vlen-bytes` lays bytes out.
 */
import { swapBytes } from "#core/values/byte-order.ts";
import type { ScalarType } from "#core/metadata/data-type.ts";
import type { JsonObject } from "#core/json/json.ts";
import {
  badConfiguration,
  brief,
  type Bytes,
  decodeFailed,
  type Decoder,
  finish,
  newOutput,
  numpyType,
  type Output,
  stringMember,
  setUint32,
  writeText,
} from "../codec.ts";
import { itemJson } from "./record-json.ts";
import { placesOf } from "./vlen.ts";

const ID = "vlen-array";

export const vlenArray: Decoder = {
  prepare: (configuration, { dataType, elements }) => {
    if (dataType.kind !== "object") {
      throw badConfiguration(ID, "data type", "elements of no fixed size (|O)", dataType.text.slice(0, 80));
    }
    const type = typeMember(configuration);
    return {
      label: `arrays of any length, ${type.text}`,
      makes: "json",
      decode: (input, limit) => listsOf(input, placesOf(ID, input, elements), type, limit),
    };
  },
};

const KINDS: ReadonlySet<string> = new Set(["bool", "int", "uint", "float", "complex", "unicode"]);

/** NumPy cannot view bytes as dates or objects. */
function typeMember(configuration: JsonObject): ScalarType {
  const written = stringMember(ID, configuration, "dtype");
  const type = numpyType(written);
  const isPlain = type !== undefined && type.kind !== "structured" && type.kind !== "object" && KINDS.has(type.kind);
  const isWide = type?.itemSize === 32 || (type?.kind === "float" && type.itemSize > 8);
  if (isPlain && !isWide && type.itemSize > 0) return type;
  throw badConfiguration(ID, "dtype", "a type of numbers or text, such as <i4", brief(written));
}

function listsOf(input: Bytes, places: Uint32Array, type: ScalarType, limit: number): Bytes {
  const output = newOutput(ID, limit, input.length * 2);
  writeNumber(output, places.length / 2);
  for (let i = 0; i < places.length; i += 2) {
    const bytes = input.subarray(places[i], places[i + 1]);
    if (bytes.length % type.itemSize !== 0) {
      throw decodeFailed(ID, `elements of type ${type.text}`, `${bytes.length} bytes in element ${i / 2}`);
    }
    const start = output.length;
    writeNumber(output, 0);
    writeItems(output, bytes, type);
    setUint32(output, start, output.length - start - 4);
  }
  return finish(output);
}

function writeNumber(output: Output, number: number): void {
  writeText(output, "\0\0\0\0");
  setUint32(output, output.length - 4, number);
}

function writeItems(output: Output, bytes: Bytes, type: ScalarType): void {
  const unit = type.kind === "complex" ? type.itemSize / 2 : type.kind === "unicode" ? 4 : type.itemSize;
  const little = type.byteOrder === "big" ? swapBytes(bytes, unit) : bytes;
  writeText(output, "[");
  for (let at = 0; at < little.length; at += type.itemSize) {
    if (at > 0) writeText(output, ",");
    writeText(output, itemJson(little.subarray(at, at + type.itemSize), type));
  }
  writeText(output, "]");
}
