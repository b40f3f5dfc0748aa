/**
 * kerchunk's `fill_hdf_strings`: HDF5's references into the heap (16 bytes, a NUL-padded `S16` each) become the strings
 * of `id_map`, by the reference as text; a map that is one string, or null, represents every element. In records (a dtype that
 * is a list of fields, or Python's text of one) this is done field by field.
 */
import { orThrow } from "#core/basics.ts";
import type { DataType, ScalarType, StructuredField, StructuredType } from "#core/metadata/data-type.ts";
import { writeJson } from "#core/json/parse-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { writeVariable } from "#core/values/variable-elements.ts";
import { badConfiguration, brief, decodeFailed, decodeTooLarge, numpyType, stringMember } from "../codec.ts";
import type { Decoder, DecodeStep } from "../codec.ts";
import { fieldJson, haveSameFields, isWritable, recordOf, sameField, writtenRecord } from "./record-json.ts";

const ID = "fill_hdf_strings";

export const fillHdfStrings: Decoder = {
  prepare: (configuration, { dataType }) => {
    const map = configuration.get("id_map") ?? null;
    const label = isJsonObject(map) ? `strings by ${map.size} references` : `${brief(map)} for every string`;
    const dtype = configuration.get("dtype");
    if (Array.isArray(dtype) || (typeof dtype === "string" && dtype.includes("["))) {
      return ofRecords(dtype as JsonValue, map, { label, array: dataType });
    }
    const type = textType(configuration);
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
  const type = numpyType(text);
  if (type !== undefined && (type.kind === "bytes" || type.kind === "unicode") && type.itemSize > 0) return type;
  throw badConfiguration(ID, "dtype", "a string type such as S16, or a list of fields", brief(text));
}

const ENCODER = new TextEncoder();

function everywhere(value: JsonValue): (at: number) => Uint8Array {
  const json = ENCODER.encode(writeJson(value));
  return () => json;
}

function byReference(input: Uint8Array<ArrayBuffer>, type: ScalarType, map: JsonObject): (at: number) => Uint8Array {
  const find = lookup(type, map);
  return (at) => find(input.subarray(at * type.itemSize, (at + 1) * type.itemSize), at);
}

/** Looks a value up by the bytes of its reference and gives it as JSON; `at`: for the error if the map lacks it. */
function lookup(type: ScalarType, map: JsonObject): (bytes: Uint8Array, at: number) => Uint8Array {
  const known = new Map([...map].map(([reference, value]) => [reference, ENCODER.encode(writeJson(value))]));
  const textOf = type.kind === "bytes" ? fromUtf8 : (bytes: Uint8Array) => fromUtf32(bytes, type.byteOrder === "big");
  return (bytes, at) => {
    const reference = textOf(bytes).replace(/\0+$/, "");
    const value = known.get(reference);
    if (value !== undefined) return value;
    const found = `${JSON.stringify(reference.slice(0, 40))} in element ${at}`;
    throw decodeFailed(ID, "references that id_map names", found);
  };
}

const fromUtf8 = (bytes: Uint8Array): string =>
  orThrow(
    () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    () => decodeFailed(ID, "references in UTF-8, as kerchunk reads them", "other bytes"),
  );

function fromUtf32(bytes: Uint8Array, big: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const codes = Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, !big));
  if (codes.some((code) => code > 0x10_ffff)) throw decodeFailed(ID, "text in UTF-32", "other bytes");
  return String.fromCodePoint(...codes);
}

interface Prepared {
  readonly label: string;
  /** The array's. */
  readonly array: DataType;
}

/** Every field of text becomes an object, as kerchunk has it; the others stay what they are. */
function ofRecords(dtype: JsonValue, map: JsonValue, { label, array }: Prepared): DecodeStep {
  const record = writtenRecord(ID, "dtype", dtype, true);
  const texts = record.fields.filter(isText);
  if (texts.length === 0) return { label: `${label}, of which there are none`, decode: (input) => input };
  checkFields(record, array, isJsonObject(map));
  const writers = record.fields.map((field) => fieldWriter(field, map));
  return {
    label: `${label} in ${texts.length} of ${record.fields.length} fields`,
    makes: "json",
    makesRecords: true,
    decode: (input, limit) => {
      const count = input.length / record.itemSize;
      if (!Number.isInteger(count)) {
        throw decodeFailed(ID, `whole records of ${record.itemSize} bytes`, `${input.length} bytes`);
      }
      return written(count, limit, (at) => {
        const bytes = input.subarray(at * record.itemSize, (at + 1) * record.itemSize);
        return ENCODER.encode(`[${writers.map((write) => write(bytes, at)).join(",")}]`);
      });
    },
  };
}

function checkFields(record: StructuredType, array: DataType, isMap: boolean): void {
  const fits = haveSameFields(record, recordOf(array), (field, beside) =>
    isText(field) ? beside.type.kind === "object" : sameField(field, beside),
  );
  if (!fits) throw badConfiguration(ID, "dtype", "the fields of the array's data type, text as objects", record.text);
  const odd = record.fields.find(
    (field) =>
      (isText(field) && (field.shape !== undefined || (isMap && field.type.kind === "unicode"))) ||
      !isWritable(field.type),
  );
  if (odd === undefined) return;
  const found = `the field ${odd.name.slice(0, 40)} of type ${odd.type.text.slice(0, 40)}`;
  throw badConfiguration(ID, "dtype", "fields of numbers, and of references of type S", found);
}

const isText = ({ type }: StructuredField): boolean => type.kind === "bytes" || type.kind === "unicode";

type WriteField = (record: Uint8Array<ArrayBuffer>, at: number) => string;

function fieldWriter(field: StructuredField, map: JsonValue): WriteField {
  const { offset, type } = field;
  if (type.kind !== "bytes" && type.kind !== "unicode") return (record) => fieldJson(record, field);
  if (!isJsonObject(map)) {
    const json = writeJson(map);
    return () => json;
  }
  const find = lookup(type, map);
  return (record, at) => DECODER.decode(find(record.subarray(offset, offset + type.itemSize), at));
}

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** Counted before memory is taken, as many elements may represent one long string. */
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
