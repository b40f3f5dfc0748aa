/** Types of elements (HDF5 File Format Specification 3.0, IV.A.2.d), and what NumPy has for them. */
import { bytesFor, type Cursor } from "./hdf5-file.ts";

export type Datatype = { readonly size: number } & (
  | {
      readonly kind: "integer";
      readonly signed: boolean;
      readonly big: boolean;
      readonly precision: number;
      readonly shift: number;
    }
  | { readonly kind: "float"; readonly big: boolean; readonly isStandard: boolean }
  | { readonly kind: "bits"; readonly big: boolean }
  | { readonly kind: "string"; readonly padding: "null" | "zero" | "space" }
  | { readonly kind: "opaque"; readonly tag: string }
  | { readonly kind: "compound"; readonly members: readonly Member[] }
  | { readonly kind: "reference"; readonly of: "object" | "region" | "other" }
  | { readonly kind: "enum"; readonly base: Datatype; readonly names: readonly string[]; readonly values: Uint8Array }
  | { readonly kind: "vlen"; readonly isString: boolean; readonly base: Datatype }
  | { readonly kind: "array"; readonly base: Datatype; readonly shape: readonly number[] }
  | { readonly kind: "complex"; readonly base: Datatype }
  | { readonly kind: "other"; readonly number: number }
);

export interface Member {
  readonly name: string;
  readonly offset: number;
  readonly type: Datatype;
}

const MOST_DEPTH = 32;
const MOST_MEMBERS = 10_000;

export function readDatatype(fields: Cursor, depth = 0): Datatype {
  const [first, bits, size] = [fields.u(1), fields.u(3), fields.u(4)];
  const [number, version] = [first & 15, first >> 4];
  if (depth > MOST_DEPTH) fields.fail("a type of few levels", "more");
  const base = (): Datatype => readDatatype(fields, depth + 1);
  switch (number) {
    case 0: {
      const [shift, precision] = [fields.u(2), fields.u(2)];
      return { kind: "integer", size, big: (bits & 1) === 1, signed: (bits & 8) !== 0, precision, shift };
    }
    case 1:
      return { kind: "float", size, ...floatOf(fields, bits, size) };
    case 3:
      return { kind: "string", size, padding: (["null", "zero", "space"] as const)[bits & 15] ?? "null" };
    case 4:
      fields.skip(4);
      return { kind: "bits", size, big: (bits & 1) === 1 };
    case 5:
      return { kind: "opaque", size, tag: textOf(fields.take(bits & 0xff)) };
    case 6:
      return { kind: "compound", size, members: membersOf(fields, version, bits & 0xffff, size, depth) };
    case 7:
      return { kind: "reference", size, of: (["object", "region"] as const)[bits & 15] ?? "other" };
    case 8: {
      const [of, count] = [base(), bits & 0xffff];
      const names = Array.from({ length: count }, () => memberName(fields, version));
      return { kind: "enum", size, base: of, names, values: fields.take(count * of.size) };
    }
    case 9:
      return { kind: "vlen", size, isString: (bits & 15) === 1, base: base() };
    case 10: {
      const rank = fields.u(1);
      if (version < 3) fields.skip(3);
      const shape = Array.from({ length: rank }, () => fields.u(4));
      if (version < 3) fields.skip(4 * rank);
      return { kind: "array", size, shape, base: base() };
    }
    case 11:
      return { kind: "complex", size, base: base() };
    default:
      return { kind: "other", size, number };
  }
}

/** Tells if a float is one that processors have, of 2, 4 or 8 bytes (IEEE 754). */
function floatOf(fields: Cursor, bits: number, size: number): { readonly big: boolean; readonly isStandard: boolean } {
  const [shift, precision] = [fields.u(2), fields.u(2)];
  const [exponentAt, exponent, mantissaAt, mantissa] = [fields.u(1), fields.u(1), fields.u(1), fields.u(1)];
  fields.skip(4);
  const known = new Map([
    [2, [10, 5, 10]],
    [4, [23, 8, 23]],
    [8, [52, 11, 52]],
  ]).get(size);
  const layout = [exponentAt, exponent, mantissa];
  const isStandard =
    shift === 0 &&
    precision === 8 * size &&
    mantissaAt === 0 &&
    (bits & 0x40) === 0 &&
    known?.every((one, at) => one === layout[at]) === true;
  return { big: (bits & 1) === 1, isStandard };
}

function membersOf(fields: Cursor, version: number, count: number, size: number, depth: number): readonly Member[] {
  if (count > MOST_MEMBERS) fields.fail(`at most ${MOST_MEMBERS} members`, `${count}`);
  return Array.from({ length: count }, () => {
    const name = memberName(fields, version);
    const offset = fields.u(version < 3 ? 4 : bytesFor(size));
    let shape: readonly number[] = [];
    if (version === 1) {
      const rank = Math.min(4, fields.u(1));
      fields.skip(3 + 4 + 4);
      shape = Array.from({ length: 4 }, () => fields.u(4)).slice(0, rank);
    }
    const type = readDatatype(fields, depth + 1);
    if (shape.length === 0) return { name, offset, type };
    return { name, offset, type: { kind: "array", base: type, shape, size: product(shape) * type.size } };
  });
}

/** Ends in NUL; before version 3 padded to 8 bytes. */
function memberName(fields: Cursor, version: number): string {
  const end = fields.bytes.indexOf(0, fields.at);
  if (end < 0) fields.fail("a name that ends", "none");
  const name = textOf(fields.bytes.subarray(fields.at, end));
  const length = end + 1 - fields.at;
  fields.skip(version < 3 ? Math.ceil(length / 8) * 8 : length);
  return name;
}

export const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

const UTF8 = new TextDecoder("utf-8", { fatal: true });
const LATIN1 = new TextDecoder("latin1");

/** UTF-8; what is not is read as Latin-1, which has a character for every byte. */
export const textOf = (bytes: Uint8Array): string => decoded(unpadded(bytes)).text;

/** The text of a string of fixed size without what fills it up. */
export function textWithin(bytes: Uint8Array, padding: "null" | "zero" | "space"): Uint8Array {
  if (padding === "zero") return unpadded(bytes);
  const zero = bytes.indexOf(0);
  if (padding === "null") return zero < 0 ? bytes : bytes.subarray(0, zero);
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0x20) end -= 1;
  return bytes.subarray(0, end);
}

/** Zeros at the end of a string are padding. */
export function unpadded(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return bytes.subarray(0, end);
}

export function decoded(bytes: Uint8Array): { readonly text: string; readonly isUtf8: boolean } {
  try {
    return { text: UTF8.decode(bytes), isUtf8: true };
  } catch {
    return { text: LATIN1.decode(bytes), isUtf8: false };
  }
}

/**
 * A type as NumPy writes it in `.zarray`, with the shape of an array type's elements; `undefined` if NumPy has none.
 */
export interface NumpyType {
  /** JSON text. */
  readonly dtype: string;
  readonly inner: readonly number[];
  /** The bits in use, for integers that use only some. */
  readonly bits?: { readonly offset: number; readonly precision: number };
}

export function numpyType(type: Datatype): NumpyType | undefined {
  const text = plainType(type);
  if (text !== undefined) return { dtype: JSON.stringify(text), inner: [] };
  if (type.kind === "integer") return someBits(type);
  if (type.kind === "array") {
    const base = numpyType(type.base);
    return base && { ...base, inner: [...type.shape, ...base.inner] };
  }
  if (type.kind !== "compound") return undefined;
  const fields = packedFields(type.members, type.size);
  return fields && { dtype: `[${fields.join(",")}]`, inner: [] };
}

/** HDF5 hands these out as whole integers of their size. */
function someBits(type: Extract<Datatype, { kind: "integer" }>): NumpyType | undefined {
  const { shift: offset, precision } = type;
  const all = 8 * type.size;
  if (precision === 0 || precision === all || offset + precision > all) return undefined;
  const whole = numpyType({ ...type, shift: 0, precision: all });
  return whole && { ...whole, bits: { offset, precision } };
}

/** Fields in order: Zarr's structured types have no offsets, and what lies between fields is one of raw bytes. */
function packedFields(members: readonly Member[], size: number): readonly string[] | undefined {
  const names = new Set(members.map(({ name }) => name));
  const fields: string[] = [];
  let end = 0;
  const pad = (until: number): void => {
    let name = `pad_${end}`;
    while (names.has(name)) name = `_${name}`;
    if (until > end) fields.push(`["${name}","|V${until - end}"]`);
  };
  for (const { name, offset, type } of members.toSorted((one, other) => one.offset - other.offset)) {
    const of = offset >= end ? numpyType(type) : undefined;
    if (of === undefined || of.bits !== undefined) return undefined;
    pad(offset);
    const shape = of.inner.length > 0 ? `,[${of.inner.join(",")}]` : "";
    fields.push(`[${JSON.stringify(name)},${of.dtype}${shape}]`);
    end = offset + type.size;
  }
  if (end > size || fields.length === 0) return undefined;
  pad(size);
  return fields;
}

function plainType(type: Datatype): string | undefined {
  const { size } = type;
  const order = (big: boolean): string => (size === 1 ? "|" : big ? ">" : "<");
  const isWord = size === 1 || size === 2 || size === 4 || size === 8;
  switch (type.kind) {
    case "integer":
      if (!isWord || type.shift !== 0 || type.precision !== 8 * size) return undefined;
      return `${order(type.big)}${type.signed ? "i" : "u"}${size}`;
    case "float":
      return type.isStandard ? `${order(type.big)}f${size}` : undefined;
    case "bits":
      return isWord ? `${order(type.big)}u${size}` : undefined;
    case "enum":
      return isBoolean(type) ? "|b1" : plainType(type.base);
    case "string":
      return size > 0 ? `|S${size}` : undefined;
    case "opaque":
      return size > 0 ? `|V${size}` : undefined;
    case "complex":
    case "compound": {
      const part = complexPart(type);
      return part && `${part.big ? ">" : "<"}c${size}`;
    }
    case "array":
    case "vlen":
    case "reference":
    case "other":
      return undefined;
  }
}

/** True for an enumeration in which h5py stores booleans. */
export const isBoolean = ({ base, names, values }: Extract<Datatype, { kind: "enum" }>): boolean =>
  base.size === 1 && names.join() === "FALSE,TRUE" && values[0] === 0 && values[1] === 1;

/**
 * The type of both parts of a complex number; as h5py keeps these before HDF5 2.0, a compound of two floats r and i.
 */
export function complexPart(type: Datatype): Extract<Datatype, { kind: "float" }> | undefined {
  if (type.kind === "complex") return type.base.kind === "float" && type.base.isStandard ? type.base : undefined;
  if (type.kind !== "compound" || type.members.length !== 2) return undefined;
  const [r, i] = type.members;
  if (r?.name !== "r" || i?.name !== "i" || r.type.kind !== "float" || i.type.kind !== "float") return undefined;
  const { size, big, isStandard } = r.type;
  const isPair =
    r.offset === 0 && i.offset === size && i.type.size === size && type.size === 2 * size && big === i.type.big;
  return isPair && isStandard && size >= 4 ? r.type : undefined;
}
