/**
 * FlatBuffers read by vtable slot, without generated code (https://flatbuffers.dev/internals). Every offset, length and
 * vtable is checked against the buffer before it is followed, and all that is looked at is counted: a small file whose
 * offsets all lead to the same large part is refused, not read a million times.
 */
import { damaged, type FileName } from "./fault.ts";
import { objectId } from "./object-id.ts";
import type { Exact } from "./types.ts";

export interface Flat {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly file: FileName;
  /** Bytes that may still be looked at. */
  budget: number;
}

/** A place in the tree, for messages; the text is made when something is wrong. */
interface Place {
  readonly flat: Flat;
  readonly parent: Place | undefined;
  readonly name: string;
  /** Place in its vector, -1 where it is in none. */
  readonly index: number;
}

export interface FlatTable extends Place {
  readonly at: number;
  readonly vtable: number;
  readonly vtableSize: number;
  /** Bytes of the table itself. */
  readonly size: number;
}

export interface FlatVector extends Place {
  /** Position of the first element. */
  readonly at: number;
  readonly count: number;
}

/** Bytes that may be looked at, as a multiple of the file: honest writers share a few strings and all vtables. */
const MAX_SHARING = 32;

/** The root table. The identifier "Ichk" that writers add is not asked for, as in the official reader. */
export function openFlat(bytes: Uint8Array, file: FileName): FlatTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flat: Flat = { bytes, view, file, budget: MAX_SHARING * bytes.length + 1_048_576 };
  const place: Place = { flat, parent: undefined, name: "", index: -1 };
  if (bytes.length < 8) throw flatFault(place, "a FlatBuffer of at least 8 bytes", `${bytes.length} bytes`);
  return tableAt(place, view.getUint32(0, true));
}

export function flatFault(place: Place, expected: string, found: string): Error {
  return damaged(place.flat.file, { field: fieldPath(place), expected, found });
}

/** The field `name` of a table, for messages about its value. */
export function valueFault(table: FlatTable, name: string, expected: string, found: string): Error {
  return flatFault({ flat: table.flat, parent: table, name, index: -1 }, expected, found);
}

function fieldPath({ parent, name, index }: Place): string {
  const own = index < 0 ? name : `${name}[${index}]`;
  const above = parent === undefined ? "" : fieldPath(parent);
  return above === "" || own === "" ? above + own : `${above}.${own}`;
}

function charge(place: Place, bytes: number): void {
  const { flat } = place;
  flat.budget -= bytes;
  if (flat.budget >= 0) return;
  throw flatFault(
    place,
    `parts that are used at most ${MAX_SHARING} times each on average`,
    "offsets that lead to the same parts again and again",
  );
}

function tableAt(place: Place, at: number): FlatTable {
  const { flat, parent, name, index } = place;
  const { view } = flat;
  const end = view.byteLength;
  if (at + 4 > end) throw flatFault(place, `a table within ${end} bytes`, `one at byte ${at}`);
  const vtable = at - view.getInt32(at, true);
  if (vtable < 0 || vtable + 4 > end) throw flatFault(place, `a vtable within ${end} bytes`, `one at byte ${vtable}`);
  const vtableSize = view.getUint16(vtable, true);
  const size = view.getUint16(vtable + 2, true);
  if (vtableSize < 4 || vtable + vtableSize > end || size < 4 || at + size > end) {
    throw flatFault(
      place,
      `a table and a vtable of at least 4 bytes each within ${end} bytes`,
      `${size} bytes at byte ${at} and ${vtableSize} at byte ${vtable}`,
    );
  }
  charge(place, size);
  return { flat, parent, name, index, at, vtable, vtableSize, size };
}

/** Position of a field's value in the table, 0 where it is absent. `slot` counts fields from 0, unions twice. */
export function fieldAt(table: FlatTable, slot: number, bytes: number, name: string): number {
  const entry = 4 + 2 * slot;
  if (entry + 2 > table.vtableSize) return 0;
  const offset = table.flat.view.getUint16(table.vtable + entry, true);
  if (offset === 0) return 0;
  if (offset < 4 || offset + bytes > table.size) {
    throw valueFault(table, name, `${bytes} bytes within a table of ${table.size}`, `them at byte ${offset}`);
  }
  return table.at + offset;
}

/** Reads a field of this many bytes: `absent` where it is not there. */
const numberField =
  (bytes: number, read: (view: DataView, at: number) => number) =>
  (table: FlatTable, slot: number, name: string, absent = 0): number => {
    const at = fieldAt(table, slot, bytes, name);
    return at === 0 ? absent : read(table.flat.view, at);
  };

export const uint8Field = numberField(1, (view, at) => view.getUint8(at));
export const uint16Field = numberField(2, (view, at) => view.getUint16(at, true));
export const uint32Field = numberField(4, (view, at) => view.getUint32(at, true));
export const int32Field = numberField(4, (view, at) => view.getInt32(at, true));

export function uint64Field(table: FlatTable, slot: number, name: string): Exact {
  const at = fieldAt(table, slot, 8, name);
  return at === 0 ? 0 : uint64At(table.flat.view, at);
}

/** `at` must be within the view. */
export function uint64At(view: DataView, at: number): Exact {
  const high = view.getUint32(at + 4, true);
  return high < 0x20_0000 ? high * 0x1_0000_0000 + view.getUint32(at, true) : view.getBigUint64(at, true);
}

/** A whole number of any size: a bigint where a number would not be exact. */
export function exact(value: bigint): Exact {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}

/** Infinities and NaN have no JSON form: the official reader makes them null. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** An id, a struct of `size` bytes; `undefined` where it is absent. */
export function idField(table: FlatTable, slot: number, size: 8 | 12, name: string): string | undefined {
  const at = fieldAt(table, slot, size, name);
  return at === 0 ? undefined : objectId(table.flat.bytes, at, size);
}

/** Target of a field's offset, with at least 4 bytes there; 0 if the field is absent. */
function targetOf(table: FlatTable, slot: number, name: string): number {
  const at = fieldAt(table, slot, 4, name);
  if (at === 0) return 0;
  const target = at + table.flat.view.getUint32(at, true);
  if (target + 4 > table.flat.view.byteLength) {
    throw valueFault(table, name, `an offset within ${table.flat.view.byteLength} bytes`, `one to byte ${target}`);
  }
  return target;
}

export function tableField(table: FlatTable, slot: number, name: string): FlatTable | undefined {
  const target = targetOf(table, slot, name);
  return target === 0 ? undefined : tableAt({ flat: table.flat, parent: table, name, index: -1 }, target);
}

/** A vector whose elements take `elementSize` bytes each; tables and strings take 4. */
export function vectorField(table: FlatTable, slot: number, elementSize: number, name: string): FlatVector | undefined {
  const target = targetOf(table, slot, name);
  if (target === 0) return undefined;
  const { flat } = table;
  const count = flat.view.getUint32(target, true);
  const vector = { flat, parent: table, name, index: -1, at: target + 4, count };
  const room = flat.view.byteLength - vector.at;
  if (count * elementSize > room) {
    throw flatFault(vector, `at most ${room} bytes, which are left of the file`, `${count} elements of ${elementSize}`);
  }
  charge(vector, count * elementSize);
  return vector;
}

/** Bytes of a vector, where they lie in the file. */
export function bytesField(table: FlatTable, slot: number, name: string): Uint8Array | undefined {
  const vector = vectorField(table, slot, 1, name);
  return vector === undefined ? undefined : table.flat.bytes.subarray(vector.at, vector.at + vector.count);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function textField(table: FlatTable, slot: number, name: string): string | undefined {
  const bytes = bytesField(table, slot, name);
  return bytes === undefined ? undefined : textOf(bytes, () => valueFault(table, name, "UTF-8 text", "other bytes"));
}

export function textOf(bytes: Uint8Array, fault: () => Error): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw fault();
  }
}

/** The table that element `index` of a vector leads to. */
export function tableIn(vector: FlatVector, index: number): FlatTable {
  const { flat, parent, name } = vector;
  const at = vector.at + 4 * index;
  return tableAt({ flat, parent, name, index }, at + flat.view.getUint32(at, true));
}

export function textIn(vector: FlatVector, index: number): string {
  const { flat, parent, name } = vector;
  const place = { flat, parent, name, index };
  const at = vector.at + 4 * index;
  const target = at + flat.view.getUint32(at, true);
  const end = flat.view.byteLength;
  const length = target + 4 > end ? end : flat.view.getUint32(target, true);
  if (target + 4 + length > end) throw flatFault(place, `text within ${end} bytes`, `it at byte ${target}`);
  charge(place, length);
  const bytes = flat.bytes.subarray(target + 4, target + 4 + length);
  return textOf(bytes, () => flatFault(place, "UTF-8 text", "other bytes"));
}

/** `read` of every table of a vector; nothing of an absent one. */
export function mapTables<T>(vector: FlatVector | undefined, read: (table: FlatTable) => T): readonly T[] {
  return mapIndices(vector, (of, index) => read(tableIn(of, index)));
}

export function mapIndices<T>(vector: FlatVector | undefined, read: (vector: FlatVector, index: number) => T) {
  if (vector === undefined) return [];
  const values: T[] = [];
  for (let index = 0; index < vector.count; index += 1) values.push(read(vector, index));
  return values;
}

/** The value, or the error for a missing field that the format requires. */
export function required<T>(table: FlatTable, name: string, value: T | undefined): T {
  if (value === undefined) throw valueFault(table, name, "a value, which the format requires", "none");
  return value;
}
