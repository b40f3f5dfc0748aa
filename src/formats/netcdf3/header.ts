/**
 * The header of a NetCDF-3 file: dimensions, attributes, variables (NetCDF classic format specification, and CDF-5's).
 */
import { attempt } from "#core/basics.ts";
import type { FileBytes } from "#core/file-bytes.ts";
import { targetAt } from "#core/findings/fact.ts";
import { failure } from "#core/findings/finding.ts";
import type { DataType } from "#core/metadata/data-type.ts";
import { parseDataTypeV2 } from "#core/metadata/parse-data-type.ts";
import { swapBytes } from "#core/values/byte-order.ts";
import { jsonFloat } from "#core/values/number-text.ts";
import { numbersOf } from "#core/values/values.ts";
import { HeaderFields, MoreNeeded } from "./header-fields.ts";

export interface Header {
  /** 1 classic, 2 64-bit offset, 5 64-bit data. */
  readonly version: 1 | 2 | 5;
  /** `undefined`: it was written as a stream, and the file's length says how many. */
  readonly records: number | undefined;
  readonly attributes: readonly Attribute[];
  readonly variables: readonly Variable[];
  readonly length: number;
}

export interface Dimension {
  readonly name: string;
  /** 0 is the record dimension. */
  readonly length: number;
}

export interface Attribute {
  readonly name: string;
  readonly type: DataType;
  /** JSON text each; of characters the one string. */
  readonly values: readonly string[];
}

export interface Variable {
  readonly name: string;
  readonly dimensions: readonly Dimension[];
  readonly attributes: readonly Attribute[];
  readonly type: DataType;
  /** Offset of its first value from the first byte of the file. */
  readonly begin: number;
  /** Range of its entry in the header. */
  readonly entry: { readonly offset: number; readonly length: number };
}

/** Element types by `nc_type`; from 7 on only in CDF-5. */
const TYPES: readonly (DataType | undefined)[] = [
  undefined,
  ...["|i1", "|S1", ">i2", ">i4", ">f4", ">f8", "|u1", ">u2", ">u4", ">i8", ">u8"].map(parseDataTypeV2),
];

const [DIMENSION, VARIABLE, ATTRIBUTE] = [10, 11, 12];
/** Bytes fetched at first; twice as many each time that the header goes on. */
const FIRST = 8192;
const MOST_OF_HEADER = 64 * 1024 ** 2;

/** @throws RefscopeError `data-file-damaged`, `data-file-too-large` */
export async function readHeader(file: FileBytes): Promise<Header> {
  for (let length = FIRST; ; length *= 2) {
    if (length > MOST_OF_HEADER)
      throw failure("data-file-too-large", targetAt(file.name), { limit: MOST_OF_HEADER, what: "bytes of header" });
    const bytes = await file.read(0, length);
    try {
      return headerOf(new HeaderFields(file, bytes));
    } catch (error) {
      if (!(error instanceof MoreNeeded)) throw error;
    }
  }
}

function headerOf(fields: HeaderFields): Header {
  const version = fields.take("signature", 4)[3];
  if (version !== 1 && version !== 2 && version !== 5) {
    fields.at = 0;
    return fields.fail("signature", { expected: "CDF with 1, 2 or 5 behind it", found: `${version}` });
  }
  fields.wide = version === 5 ? 8 : 4;
  const ones = fields.wide === 4 ? 2 ** 32 - 1 : 2 ** 64;
  const records = fields.uint("number of records");
  const least = 2 * fields.wide;
  const dimensions = fields.list("list of dimensions", DIMENSION, least, () => dimensionOf(fields));
  const attributes = attributesOf(fields, "attributes of the file");
  const names = new Set<string>();
  const variables = fields.list("list of variables", VARIABLE, 2 * least, () =>
    variableOf(fields, dimensions, version, names),
  );
  return { version, records: records === ones ? undefined : records, attributes, variables, length: fields.at };
}

function dimensionOf(fields: HeaderFields): Dimension {
  const name = fields.name("name of a dimension");
  return { name, length: fields.uint(`length of the dimension ${name}`) };
}

const attributesOf = (fields: HeaderFields, structure: string): readonly Attribute[] =>
  fields.list(structure, ATTRIBUTE, 2 * fields.wide + 4, () => {
    const name = fields.name(structure);
    const type = typeOf(fields, structure);
    const count = fields.count(structure, type.itemSize);
    const bytes = fields.padded(structure, count * type.itemSize);
    return { name, type, values: type.kind === "bytes" ? [stringText(bytes)] : numberTexts(type, bytes) };
  });

function typeOf(fields: HeaderFields, structure: string): DataType {
  const code = fields.u32(structure);
  const type = TYPES[code];
  if (type !== undefined && (code <= 6 || fields.wide === 8)) return type;
  fields.at -= 4;
  return fields.fail(structure, { expected: `of type 1 to ${fields.wide === 8 ? 11 : 6}`, found: `type ${code}` });
}

function numberTexts(type: DataType, bytes: Uint8Array): readonly string[] {
  const numbers: ArrayLike<number | bigint> = numbersOf(swapBytes(bytes, type.itemSize), type) ?? [];
  return Array.from(numbers, (number) => (type.kind === "float" ? jsonFloat(Number(number)) : String(number)));
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });
const LATIN1 = new TextDecoder("latin1");

/** Zeros at the end are padding; what is not UTF-8 is taken for Latin-1, which has a character for every byte. */
function stringText(bytes: Uint8Array): string {
  const content = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
  return JSON.stringify(attempt(() => UTF8.decode(content)) ?? LATIN1.decode(content));
}

function variableOf(fields: HeaderFields, all: readonly Dimension[], version: number, names: Set<string>): Variable {
  const offset = fields.at;
  const name = fields.name("name of a variable");
  const structure = `variable ${name}`;
  if (names.has(name)) fields.fail(structure, { expected: "there once", found: "another of its name" });
  names.add(name);
  const rank = fields.count(structure, fields.wide);
  const dimensions = Array.from({ length: rank }, (_, axis) => {
    const number = fields.uint(structure);
    const dimension = all[number];
    if (dimension === undefined || (dimension.length === 0 && axis > 0))
      return fields.fail(structure, { expected: "of dimensions that there are", found: `dimension ${number}` });
    return dimension;
  });
  const attributes = attributesOf(fields, structure);
  const type = typeOf(fields, structure);
  // The size that the header states may have overflowed: shape and type give it.
  fields.uint(structure);
  const begin = fields.uint(structure, version === 1 ? 4 : 8);
  return { name, dimensions, attributes, type, begin, entry: { offset, length: fields.at - offset } };
}
