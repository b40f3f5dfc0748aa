/** Values of attributes and of elements that have no fixed size, as JSON text. */
import { fromFloat16 } from "#core/values/float16.ts";
import { jsonFloat } from "#core/values/number-text.ts";
import { at, Cursor, damaged, signed, type Hdf5File } from "./hdf5-file.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import { decoded, type Datatype, isBoolean, product, textWithin } from "./datatype.ts";
import type { Attribute } from "./messages.ts";

/** Objects of the global heap (III.E), by collection: kept, since neighbours are asked for next. */
export interface GlobalHeap {
  get(address: number, index: number): Promise<Uint8Array>;
}

const MOST_COLLECTIONS = 256;

export function globalHeap(file: Hdf5File): GlobalHeap {
  const collections = new Map<number, Promise<ReadonlyMap<number, Uint8Array>>>();
  return {
    async get(address, index) {
      let reading = collections.get(address);
      if (reading === undefined) {
        if (collections.size >= MOST_COLLECTIONS) collections.clear();
        reading = readCollection(file, address);
        collections.set(address, reading);
      }
      const found = (await reading).get(index);
      if (found !== undefined) return found;
      throw damaged(file, "global heap", file.base + address, { expected: `object ${index}`, found: "none" });
    },
  };
}

async function readCollection(file: Hdf5File, address: number): Promise<ReadonlyMap<number, Uint8Array>> {
  const { L, base } = file;
  const kind = "global heap";
  const size = (await signed(file, kind, "GCOL", address, 8 + L, 4096)).skip(4).u(L);
  // Heads are padded to 8 bytes, which shows where lengths have fewer.
  const padding = (8 - L) % 8;
  const fields = new Cursor(file, kind, base + address, await at(file, kind, address, size), 8 + L + padding);
  const objects = new Map<number, Uint8Array>();
  while (fields.left >= 8 + L + padding) {
    const index = fields.u(2);
    const length = fields.skip(6).u(L);
    fields.skip(padding);
    if (index === 0) break;
    const padded = Math.min(fields.left, Math.ceil(length / 8) * 8);
    objects.set(index, fields.take(padded).subarray(0, length));
  }
  return objects;
}

/** `undefined` for what JSON has no word for: references, compounds. */
type Text = string | undefined;

export interface Texts {
  readonly texts: readonly Text[];
  /** A string is not UTF-8, and was read as Latin-1. */
  readonly isLatin1: boolean;
}

/** True if every value of the type has a JSON form. */
export function hasTexts(type: Datatype): boolean {
  switch (type.kind) {
    case "vlen":
    case "array":
    case "complex":
      return (type.kind === "vlen" && type.isString) || hasTexts(type.base);
    case "compound":
      return type.members.every((member) => hasTexts(member.type));
    case "reference":
      return type.of === "object";
    case "float":
      return type.isStandard;
    case "other":
      return false;
    case "integer":
    case "bits":
    case "enum":
    case "string":
    case "opaque":
      return true;
  }
}

/** The path of an object, by its address. */
type PathOf = (address: number) => string | undefined;

/** Elements one after another. Compounds and complex numbers are lists, opaque bytes base64, references paths. */
export async function elementTexts(
  file: Hdf5File,
  heap: GlobalHeap,
  type: Datatype,
  bytes: Uint8Array,
  pathOf?: PathOf,
): Promise<Texts> {
  const notes = { isLatin1: false };
  const count = type.size === 0 ? 0 : Math.floor(bytes.length / type.size);
  const texts: Text[] = [];
  for (let number = 0; number < count; number += 1)
    texts.push(await textAt(type, bytes.subarray(number * type.size, (number + 1) * type.size)));
  return { texts, ...notes };

  async function textAt(of: Datatype, one: Uint8Array): Promise<Text> {
    if (of.kind === "array" || of.kind === "complex") {
      const inner = await elementTexts(file, heap, of.base, one, pathOf);
      notes.isLatin1 ||= inner.isLatin1;
      return nested(inner.texts, of.kind === "array" ? of.shape : [2]);
    }
    if (of.kind === "compound") {
      const texts: Text[] = [];
      for (const { offset, type: member } of of.members)
        texts.push(await textAt(member, one.subarray(offset, offset + member.size)));
      return nested(texts, [texts.length]);
    }
    if (of.kind === "reference" && of.of === "object" && pathOf !== undefined) {
      const path = pathOf(new Cursor(file, "reference", file.base, one).u(file.O));
      return path === undefined ? "null" : JSON.stringify(path);
    }
    if (of.kind === "opaque") return JSON.stringify(toBase64(one));
    if (of.kind !== "vlen") {
      const plain = plainText(of, one);
      notes.isLatin1 ||= plain?.isLatin1 === true;
      return plain?.text;
    }
    const content = await vlenBytes(file, heap, of, one);
    if (of.isString) return stringText(cutAtNull(content), notes);
    const inner = await elementTexts(file, heap, of.base, content, pathOf);
    notes.isLatin1 ||= inner.isLatin1;
    return nested(inner.texts, [inner.texts.length]);
  }
}

/** An element of variable length: how many, the collection of the global heap, which object. */
export async function vlenBytes(
  file: Hdf5File,
  heap: GlobalHeap,
  { base, isString }: Extract<Datatype, { kind: "vlen" }>,
  element: Uint8Array,
): Promise<Uint8Array> {
  const fields = new Cursor(file, "element of variable length", file.base, element);
  const [count, address, index] = [fields.u(4), fields.limit(file.O), fields.u(4)];
  const length = count * (isString ? 1 : base.size);
  if (length === 0 || address === undefined || address === 0) return new Uint8Array(0);
  const object = await heap.get(address, index);
  if (object.length < length) fields.fail(`an object of ${length} bytes`, `${object.length} bytes`);
  return object.subarray(0, length);
}

const cutAtNull = (bytes: Uint8Array): Uint8Array => {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
};

function stringText(bytes: Uint8Array, notes: { isLatin1: boolean }): string {
  const { text, isUtf8 } = decoded(bytes);
  notes.isLatin1 ||= !isUtf8;
  return JSON.stringify(text);
}

/** Nests values as rows of rows. */
export function nested(texts: readonly Text[], shape: readonly number[]): Text {
  if (texts.includes(undefined)) return undefined;
  const [, ...inner] = shape;
  if (shape.length === 0) return texts[0];
  if (inner.length === 0) return `[${texts.join(",")}]`;
  const size = product(inner);
  if (size === 0) return "[]";
  const rows = Array.from({ length: Math.floor(texts.length / size) }, (_, row) =>
    nested(texts.slice(row * size, (row + 1) * size), inner),
  );
  return `[${rows.join(",")}]`;
}

function plainText(
  type: Datatype,
  bytes: Uint8Array,
): { readonly text: string; readonly isLatin1: boolean } | undefined {
  if (type.kind === "string") {
    const notes = { isLatin1: false };
    const text = stringText(textWithin(bytes, type.padding), notes);
    return { text, ...notes };
  }
  const text = numberText(type, bytes);
  return text === undefined ? undefined : { text, isLatin1: false };
}

/** A number as JSON, as Python writes it; floats have a point. */
export function numberText(type: Datatype, bytes: Uint8Array): string | undefined {
  if (type.kind === "enum") {
    const text = numberText(type.base, bytes);
    return isBoolean(type) ? String(text !== "0") : text;
  }
  if (type.kind === "float") return type.isStandard ? jsonFloat(floatOf(bytes, type.big)) : undefined;
  if (type.kind !== "integer" && type.kind !== "bits") return undefined;
  const whole = wholeOf(bytes, type.big);
  if (type.kind === "bits") return String(whole);
  const mask = (1n << BigInt(type.precision)) - 1n;
  const value = (whole >> BigInt(type.shift)) & mask;
  const isNegative = type.signed && type.precision > 0 && value >> BigInt(type.precision - 1) === 1n;
  return String(isNegative ? value - mask - 1n : value);
}

function wholeOf(bytes: Uint8Array, big: boolean): bigint {
  let value = 0n;
  for (const byte of big ? bytes : bytes.toReversed()) value = (value << 8n) | BigInt(byte);
  return value;
}

function floatOf(bytes: Uint8Array, big: boolean): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length === 8) return view.getFloat64(0, !big);
  return bytes.length === 4 ? view.getFloat32(0, !big) : fromFloat16(view.getUint16(0, !big));
}

/** The value of an attribute: one element stands for itself, whatever its shape, as Kerchunk has it. */
export async function attributeText(file: Hdf5File, heap: GlobalHeap, attribute: Attribute) {
  const { type, space, bytes } = attribute;
  if (space.shape === undefined) return { text: '""', isLatin1: false };
  const { texts, isLatin1 } = await elementTexts(file, heap, type, bytes);
  const text = texts.length === 1 ? texts[0] : nested(texts, space.shape);
  return { text: text === '""' && type.kind === "string" ? '" "' : text, isLatin1 };
}

/** Addresses of the objects that an attribute's references mean, a list an element (of variable length or not). */
export async function referencesOf(file: Hdf5File, heap: GlobalHeap, { type, bytes }: Attribute) {
  const lists: (readonly number[])[] = [];
  for (let from = 0; from + type.size <= bytes.length && type.size > 0; from += type.size) {
    const element = bytes.subarray(from, from + type.size);
    const content = type.kind === "vlen" ? await vlenBytes(file, heap, type, element) : element;
    const fields = new Cursor(file, "attribute", file.base, content);
    const addresses: number[] = [];
    while (fields.left >= file.O) addresses.push(fields.u(file.O));
    lists.push(addresses);
  }
  return lists;
}
