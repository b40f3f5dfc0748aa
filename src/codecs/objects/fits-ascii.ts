/**
 * kerchunk's `FITSAscii`: rows of an ASCII table (FITS 4.0 §7.2), whose fields of text become numbers as NumPy's `astype`
 * makes them: with Python's `int` and `float`, so that a field of blanks, or an exponent written D, is an error.
 */
import type { DataType, StructuredField, StructuredType } from "#core/metadata/data-type.ts";
import type { JsonObject } from "#core/json/json.ts";
import { badConfiguration, brief, decodeFailed, type Decoder, decodeTooLarge, numpyType } from "../codec.ts";
import { elementTypeOf, isLong, writeLongs, writeNumbers, type ElementType } from "../numbers/element-type.ts";
import { castBytes } from "../numbers/element-type-cast.ts";

const ID = "FITSAscii";

export const fitsAscii: Decoder = {
  prepare: (configuration) => {
    const from = structureMember(configuration, "indtypes");
    const to = structureMember(configuration, "outdtypes");
    if (from.fields.length !== to.fields.length) {
      throw badConfiguration(ID, "outdtypes", `${from.fields.length} fields, as indtypes has`, `${to.fields.length}`);
    }
    const columns = from.fields.map((field, at) => columnOf(field, to.fields[at] as StructuredField));
    return {
      label: `ASCII table, ${columns.length} fields`,
      decode: (input, limit) => decode(input, limit, { columns, from: from.itemSize, to: to.itemSize }),
    };
  },
};

function structureMember(configuration: JsonObject, member: string): StructuredType {
  const written = configuration.get(member) ?? null;
  const type = numpyType(written);
  if (type?.kind === "structured" && type.itemSize > 0) return type;
  throw badConfiguration(ID, member, "a list of fields, each [name, type]", brief(written));
}

interface Column {
  readonly from: StructuredField;
  readonly to: StructuredField;
  /** Writes one element of the field. */
  readonly put: (source: Uint8Array<ArrayBuffer>, target: Uint8Array<ArrayBuffer>) => void;
}

/** NumPy turns structures field by field, in their order. */
function columnOf(from: StructuredField, to: StructuredField): Column {
  const [one, other] = [elementTypeOf(from.type), elementTypeOf(to.type)];
  const isPlain = from.shape === undefined && to.shape === undefined;
  if (isPlain && from.type.kind === "bytes" && to.type.kind === "bytes") {
    return { from, to, put: (source, target) => target.set(source.subarray(0, target.length)) };
  }
  if (isPlain && from.type.kind === "bytes" && other !== undefined && other.kind !== "bool") {
    return { from, to, put: (source, target) => target.set(fromText(source, other, to.name)) };
  }
  if (isPlain && one !== undefined && other !== undefined) {
    const types = { from: one, to: other };
    return { from, to, put: (source, target) => target.set(castBytes(ID, source.slice(), types, target.length)) };
  }
  const found = `${shortType(from.type)} as ${shortType(to.type)}`;
  throw badConfiguration(ID, `outdtypes, ${to.name.slice(0, 40)}`, "numbers or text, of text or numbers", found);
}

const shortType = ({ text }: DataType): string => text.slice(0, 40);

interface Table {
  readonly columns: readonly Column[];
  /** Bytes a row. */
  readonly from: number;
  readonly to: number;
}

function decode(input: Uint8Array<ArrayBuffer>, limit: number, { columns, from, to }: Table): Uint8Array<ArrayBuffer> {
  const rows = input.length / from;
  if (!Number.isInteger(rows)) throw decodeFailed(ID, `whole rows of ${from} bytes`, `${input.length} bytes`);
  if (rows * to > limit) throw decodeTooLarge(ID, limit, `${rows * to} bytes`);
  const result = new Uint8Array(rows * to);
  for (let row = 0; row < rows; row++) {
    for (const { from: source, to: target, put } of columns) {
      const at = row * from + source.offset;
      const into = row * to + target.offset;
      put(input.subarray(at, at + source.type.itemSize), result.subarray(into, into + target.type.itemSize));
    }
  }
  return result;
}

const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const FLOAT = /^[+-]?(?:(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?|inf|infinity|nan)$/i;
const TEXT = new TextDecoder("latin1");

function fromText(source: Uint8Array, type: ElementType, field: string): Uint8Array<ArrayBuffer> {
  const text = TEXT.decode(source).replace(/\0+$/, "").trim();
  const bad = (expected: string) => decodeFailed(ID, `${expected} in the field ${field.slice(0, 40)}`, brief(text));
  if (type.kind === "float") {
    if (!FLOAT.test(text)) throw bad("a number");
    return writeNumbers(Float64Array.of(floatOf(text.toLowerCase().replaceAll("_", ""))), type);
  }
  if (!INTEGER.test(text)) throw bad("a whole number");
  const integer = BigInt(text.replaceAll("_", "").replace(/^\+/, ""));
  const bits = 8 * type.size;
  const fitting = type.kind === "int" ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
  if (fitting !== integer) throw bad(`a whole number that ${type.text} can hold`);
  if (isLong(type)) return writeLongs(BigInt64Array.of(BigInt.asIntN(64, integer)), type);
  return writeNumbers(Float64Array.of(Number(integer)), type);
}

function floatOf(text: string): number {
  if (text.includes("nan")) return NaN;
  if (text.includes("inf")) return text.startsWith("-") ? -Infinity : Infinity;
  return Number(text);
}
