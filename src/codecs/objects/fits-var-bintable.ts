/**
 * kerchunk's `FITSVarBintable`: a binary table of FITS (FITS 4.0 §7.3) some of whose columns hold arrays of any length. The
 * rows have a count and a place for each of these; the arrays lie in the heap, which kerchunk takes to begin right after
 * the rows (FITS's THEAP may say otherwise).
 */
import type { StructuredField, StructuredType } from "#core/metadata/data-type.ts";
import { isJsonObject, type JsonObject } from "#core/json/json.ts";
import { numbersOf } from "#core/values/values.ts";
import { writeVariable } from "#core/values/variable-elements.ts";
import { swapBytes } from "#core/values/byte-order.ts";
import { badConfiguration, brief, decodeFailed, decodeTooLarge, integerMember } from "../codec.ts";
import type { Bytes, Decoder } from "../codec.ts";
import { fieldJson, haveSameFields, isWritable, recordOf, sameField, writtenRecord } from "./record-json.ts";

const ID = "FITSVarBintable";

export const fitsVarBintable: Decoder = {
  prepare: (configuration, { dataType }) => {
    const from = writtenRecord(ID, "dt_in", configuration.get("dt_in") ?? null);
    const to = writtenRecord(ID, "dt_out", configuration.get("dt_out") ?? null);
    const rows = integerMember(ID, configuration, "nrow", { minimum: 0, maximum: 2 ** 31 - 1, otherwise: -1 });
    if (rows < 0) throw badConfiguration(ID, "nrow", "the number of rows", "nothing");
    const columns = to.fields.map((field) => columnOf(field, from, configuration));
    if (!haveSameFields(to, recordOf(dataType)))
      throw badConfiguration(ID, "dt_out", "the fields of the array's data type", brief(to.text));
    const arrays = columns.filter(({ kind }) => kind === "array").length;
    return {
      label: `table of ${columns.length} columns, ${arrays} of any length`,
      makes: "json",
      makesRecords: true,
      decode: (input, limit) => decode(input, limit, { columns, rowBytes: from.itemSize, rows }),
    };
  },
};

interface ElementKind {
  readonly kind: "int" | "uint";
  readonly itemSize: number;
}

/** Letters of FITS for the elements of arrays: those that kerchunk reads. */
const ELEMENTS: ReadonlyMap<unknown, ElementKind> = new Map([
  ["B", { kind: "uint", itemSize: 1 }],
  ["I", { kind: "int", itemSize: 2 }],
  ["J", { kind: "int", itemSize: 4 }],
]);

type Column =
  | { readonly kind: "plain"; readonly field: StructuredField }
  /** `field`: its count and its place in the heap. */
  | {
      readonly kind: "array";
      readonly field: StructuredField;
      readonly type: ElementKind;
    };

function columnOf(to: StructuredField, from: StructuredType, configuration: JsonObject): Column {
  const field = from.fields.find(({ name }) => name === to.name);
  const name = to.name.slice(0, 40);
  if (field === undefined) throw badConfiguration(ID, `dt_out, ${name}`, "a field of dt_in", "another");
  if (to.type.kind !== "object") {
    if (sameField(field, to) && isWritable(to.type)) return { kind: "plain", field };
    const found = `${field.type.text.slice(0, 40)} as ${to.type.text.slice(0, 40)}`;
    throw badConfiguration(ID, `dt_out, ${name}`, "the type that the field has in dt_in", found);
  }
  const { kind, itemSize } = field.type;
  if (kind !== "int" || itemSize < 4 || field.shape?.length !== 1 || (field.shape[0] ?? 0) < 2) {
    throw badConfiguration(
      ID,
      `dt_in, ${name}`,
      "a count and a place, as (2,) of >i4 or >i8",
      field.type.text.slice(0, 40),
    );
  }
  const types = configuration.get("types");
  const letter = types !== undefined && isJsonObject(types) ? types.get(to.name) : undefined;
  const type = ELEMENTS.get(letter);
  if (type !== undefined) return { kind: "array", field, type };
  throw badConfiguration(ID, `types, ${name}`, "B, I or J, which are all that kerchunk reads", brief(letter));
}

interface Table {
  readonly columns: readonly Column[];
  readonly rowBytes: number;
  readonly rows: number;
}

function decode(input: Bytes, limit: number, { columns, rowBytes, rows }: Table): Bytes {
  if (rows * rowBytes > input.length) {
    throw decodeFailed(ID, `${rows} rows of ${rowBytes} bytes`, `${input.length} bytes`);
  }
  const heap = input.subarray(rows * rowBytes);
  const recordAt = (row: number) => input.subarray(row * rowBytes, (row + 1) * rowBytes);
  checkSize({ columns, rowBytes, rows }, heap, recordAt, limit);
  const encoder = new TextEncoder();
  const parts: Bytes[] = [];
  let size = 4;
  for (let row = 0; row < rows; row += 1) {
    const record = recordAt(row);
    const texts = columns.map((column) =>
      column.kind === "plain"
        ? fieldJson(record, column.field)
        : arrayJson(itemsOf(heap, record, column, row), column.type),
    );
    const part = encoder.encode(`[${texts.join(",")}]`);
    size += 4 + part.length;
    if (size > limit) throw decodeTooLarge(ID, limit, `more than ${limit} bytes`);
    parts.push(part);
  }
  return writeVariable(parts);
}

/** Many rows may name the same bytes: before any text of them is made. A number takes two characters at least. */
function checkSize({ columns, rows }: Table, heap: Bytes, recordAt: (row: number) => Bytes, limit: number): void {
  const arrays = columns.filter((column) => column.kind === "array");
  let least = 0;
  for (let row = 0; row < rows; row += 1) {
    for (const column of arrays) least += (2 * itemsOf(heap, recordAt(row), column, row).length) / column.type.itemSize;
    if (least > limit) throw decodeTooLarge(ID, limit, `more than ${limit} bytes`);
  }
}

/** Takes items as Python slices: negative places count from the end, items past it are left out. */
function itemsOf(heap: Bytes, record: Bytes, { field, type }: Extract<Column, { kind: "array" }>, row: number): Bytes {
  const [count = 0, place = 0] = [0, 1].map((at) => numberAt(record, field, at));
  const within = (at: number) => Math.min(heap.length, Math.max(0, at < 0 ? at + heap.length : at));
  const [from, to] = [within(place), within(place + count * type.itemSize)];
  const items = heap.subarray(from, Math.max(from, to));
  if (items.length % type.itemSize === 0) return items;
  throw decodeFailed(ID, `elements of ${type.itemSize} bytes`, `${items.length} bytes of the heap in row ${row}`);
}

function numberAt(record: Bytes, { offset, type }: StructuredField, at: number): number {
  const start = offset + at * type.itemSize;
  const bytes = record.slice(start, start + type.itemSize);
  return Number(numbersOf(type.byteOrder === "big" ? swapBytes(bytes, type.itemSize) : bytes, type)?.[0] ?? 0);
}

function arrayJson(bytes: Bytes, type: ElementKind): string {
  const numbers = numbersOf(swapBytes(bytes, type.itemSize), { ...type, byteOrder: "little", text: "" });
  return `[${numbers?.join(",") ?? ""}]`;
}
