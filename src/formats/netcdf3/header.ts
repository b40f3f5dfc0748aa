/** The header of a NetCDF-3 file: dimensions, attributes, variables (NetCDF classic format specification, and CDF-5's). */
import type { FileBytes } from "../../core/file-bytes.ts";
import { targetAt } from "../../core/findings/fact.ts";
import { failure } from "../../core/findings/finding.ts";
import { jsonFloat } from "../../core/values/number-text.ts";
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
  readonly type: ElementType;
  /** JSON text each; of characters the one string. */
  readonly values: readonly string[];
}

export interface Variable {
  readonly name: string;
  readonly dimensions: readonly Dimension[];
  readonly attributes: readonly Attribute[];
  readonly type: ElementType;
  /** Offset of its first value from the first byte of the file. */
  readonly begin: number;
  /** Range of its entry in the header. */
  readonly entry: { readonly offset: number; readonly length: number };
}

export interface ElementType {
  readonly numpy: string;
  readonly size: number;
  /** JSON text. */
  readonly read: (view: DataView, at: number) => string;
}

const CHARACTER: ElementType = { numpy: "|S1", size: 1, read: (view, at) => String(view.getUint8(at)) };

/** Element types by `nc_type`; from 7 on only in CDF-5. */
const TYPES: readonly (ElementType | undefined)[] = [
  undefined,
  { numpy: "|i1", size: 1, read: (view, at) => String(view.getInt8(at)) },
  CHARACTER,
  { numpy: ">i2", size: 2, read: (view, at) => String(view.getInt16(at)) },
  { numpy: ">i4", size: 4, read: (view, at) => String(view.getInt32(at)) },
  { numpy: ">f4", size: 4, read: (view, at) => jsonFloat(view.getFloat32(at)) },
  { numpy: ">f8", size: 8, read: (view, at) => jsonFloat(view.getFloat64(at)) },
  { numpy: "|u1", size: 1, read: (view, at) => String(view.getUint8(at)) },
  { numpy: ">u2", size: 2, read: (view, at) => String(view.getUint16(at)) },
  { numpy: ">u4", size: 4, read: (view, at) => String(view.getUint32(at)) },
  { numpy: ">i8", size: 8, read: (view, at) => String(view.getBigInt64(at)) },
  { numpy: ">u8", size: 8, read: (view, at) => String(view.getBigUint64(at)) },
];

export const isCharacter = (type: ElementType): boolean => type === CHARACTER;

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
    const count = fields.count(structure, type.size);
    const bytes = fields.padded(structure, count * type.size);
    return { name, type, values: type === CHARACTER ? [stringText(bytes)] : numbers(type, bytes, count) };
  });

function typeOf(fields: HeaderFields, structure: string): ElementType {
  const code = fields.u32(structure);
  const type = TYPES[code];
  if (type !== undefined && (code <= 6 || fields.wide === 8)) return type;
  fields.at -= 4;
  return fields.fail(structure, { expected: `of type 1 to ${fields.wide === 8 ? 11 : 6}`, found: `type ${code}` });
}

function numbers({ size, read }: ElementType, bytes: Uint8Array, length: number): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length }, (_, number) => read(view, number * size));
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });
const LATIN1 = new TextDecoder("latin1");

/** Zeros at the end are padding; what is not UTF-8 is taken for Latin-1, which has a character for every byte. */
function stringText(bytes: Uint8Array): string {
  const content = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
  try {
    return JSON.stringify(UTF8.decode(content));
  } catch {
    return JSON.stringify(LATIN1.decode(content));
  }
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
