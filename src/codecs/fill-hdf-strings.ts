/**
 * kerchunk's `fill_hdf_strings`: HDF5's references into the heap (16 bytes, a NUL-padded `S16` each) become the strings
 * of `id_map`, by the reference as text; a map that is one string, or null, stands for every element.
 */
import type { DataType, ScalarType } from "../core/data-type.ts";
import { RefscopeError } from "../core/errors.ts";
import { writeJson } from "../core/json-write.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { parseDataTypeV2 } from "../core/parse-data-type.ts";
import { writeVariable } from "../core/variable-elements.ts";
import type { Codec } from "./codec.ts";
import { brief, stringMember } from "./configuration.ts";
import { badConfiguration, decodeFailed, decodeTooLarge } from "./failure.ts";

const ID = "fill_hdf_strings";

export const fillHdfStrings: Codec = {
  id: ID,
  kind: "array-array",
  words: "Puts text in the place of HDF5's references to it.",
  python: [{ name: "kerchunk" }],
  prepare: (configuration) => {
    const type = textType(configuration);
    const map = configuration.get("id_map") ?? null;
    const label = isJsonObject(map) ? `strings by ${map.size} references` : `${brief(map)} for every string`;
    return {
      label,
      makes: "json",
      decode: (input, limit) => {
        const count = input.length / type.itemSize;
        if (!Number.isInteger(count)) {
          throw decodeFailed(ID, `whole elements of ${type.itemSize} bytes`, `${input.length} bytes`);
        }
        return written(count, limit, isJsonObject(map) ? byReference(input, type, map) : everywhere(map));
      },
    };
  },
};

function textType(configuration: JsonObject): ScalarType {
  const text = stringMember(ID, configuration, "dtype");
  const type = parsed(text);
  if (type !== undefined && (type.kind === "bytes" || type.kind === "unicode") && type.itemSize > 0) return type;
  throw badConfiguration(ID, "dtype", "a string type such as S16 (structures of strings are not decoded)", brief(text));
}

function parsed(text: string | undefined): DataType | undefined {
  try {
    return parseDataTypeV2(text ?? null);
  } catch (error) {
    if (error instanceof RefscopeError) return undefined;
    throw error;
  }
}

const ENCODER = new TextEncoder();

function everywhere(value: JsonValue): (at: number) => Uint8Array {
  const json = ENCODER.encode(writeJson(value));
  return () => json;
}

function byReference(input: Uint8Array<ArrayBuffer>, type: ScalarType, map: JsonObject): (at: number) => Uint8Array {
  const known = new Map([...map].map(([reference, value]) => [reference, ENCODER.encode(writeJson(value))]));
  const textOf = type.kind === "bytes" ? fromUtf8 : (bytes: Uint8Array) => fromUtf32(bytes, type.byteOrder === "big");
  return (at) => {
    const reference = textOf(input.subarray(at * type.itemSize, (at + 1) * type.itemSize)).replace(/\0+$/, "");
    const value = known.get(reference);
    if (value !== undefined) return value;
    const found = `${JSON.stringify(reference.slice(0, 40))} in element ${at}`;
    throw decodeFailed(ID, "references that id_map names", found);
  };
}

function fromUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw decodeFailed(ID, "references in UTF-8, as kerchunk reads them", "other bytes");
  }
}

function fromUtf32(bytes: Uint8Array, big: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const codes = Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, !big));
  if (codes.some((code) => code > 0x10_ffff)) throw decodeFailed(ID, "text in UTF-32", "other bytes");
  return String.fromCodePoint(...codes);
}

/** Counted before memory is taken, as many elements may stand for one long string. */
function written(count: number, limit: number, element: (at: number) => Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let size = 4;
  for (let at = 0; at < count; at++) {
    const part = element(at);
    size += 4 + part.length;
    if (size > limit) throw decodeTooLarge(ID, limit, `more than ${limit} bytes`);
    parts.push(part);
  }
  return writeVariable(parts);
}
