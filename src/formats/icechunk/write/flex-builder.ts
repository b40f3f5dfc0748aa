/**
 * FlexBuffers (https://flatbuffers.dev/flexbuffers) of JSON values: parts before what leads to them, the root at the
 * end. Everything is eight bytes wide: the values are few, and their files are compressed.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { joinBytes } from "#core/bytes.ts";
import { compareBytes } from "./order.ts";

const WIDTH = 8;
/** Base-2 logarithm of the width, in the lower bits of a packed type. */
const WIDE = 3;
const [NULL, INT, UINT, FLOAT, KEY, STRING, MAP, VECTOR, VECTOR_KEY, BOOL] = [0, 1, 2, 3, 4, 5, 9, 10, 14, 26] as const;

interface Output {
  readonly parts: Uint8Array[];
  used: number;
  readonly keys: Map<string, number>;
}

/** A value where it stands: its number, or the place that its offset leads to. */
type Written = { readonly type: number } & ({ readonly bits: bigint } | { readonly to: number });

/** Bytes are a FlexBuffer already: what JSON cannot tell apart, as 1.0 and 1, stays as it is. */
export const flexBytes = (value: JsonValue | Uint8Array): Uint8Array =>
  value instanceof Uint8Array ? value : flexBuffer(value);

export function flexBuffer(value: JsonValue): Uint8Array<ArrayBuffer> {
  const out: Output = { parts: [], used: 0, keys: new Map() };
  const root = write(out, value);
  addSlots(out, [root]);
  add(out, Uint8Array.of(packed(root), WIDTH));
  return joinBytes(out.parts);
}

const packed = ({ type }: Written): number => (type << 2) | WIDE;

function add(out: Output, bytes: Uint8Array): number {
  const at = out.used;
  out.parts.push(bytes);
  out.used += bytes.length;
  return at;
}

/** Values side by side, at a multiple of their width. */
function addSlots(out: Output, values: readonly Written[]): number {
  add(out, new Uint8Array((WIDTH - (out.used % WIDTH)) % WIDTH));
  const start = out.used;
  const view = new DataView(new ArrayBuffer(WIDTH * values.length));
  for (const [index, value] of values.entries())
    view.setBigUint64(WIDTH * index, "bits" in value ? value.bits : BigInt(start + WIDTH * index - value.to), true);
  return add(out, new Uint8Array(view.buffer));
}

const number = (bits: number | bigint): Written => ({ type: UINT, bits: BigInt(bits) });

function write(out: Output, value: JsonValue): Written {
  if (value === null) return { type: NULL, bits: 0n };
  if (typeof value === "boolean") return { type: BOOL, bits: BigInt(value) };
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return integer(BigInt(value as number | bigint));
  if (typeof value === "number")
    return { type: FLOAT, bits: new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n };
  if (typeof value === "string") return writeText(out, value);
  return isJsonObject(value) ? writeMap(out, value) : writeVector(out, value);
}

const integer = (value: bigint): Written =>
  value < 0n ? { type: INT, bits: BigInt.asUintN(64, value) } : { type: UINT, bits: BigInt.asUintN(64, value) };

function writeText(out: Output, text: string): Written {
  const bytes = new TextEncoder().encode(text);
  addSlots(out, [number(bytes.length)]);
  const to = add(out, bytes);
  add(out, new Uint8Array(1));
  return { type: STRING, to };
}

function writeVector(out: Output, values: readonly JsonValue[]): Written {
  const written = values.map((value) => write(out, value));
  addSlots(out, [number(written.length)]);
  return { type: VECTOR, to: addTyped(out, written) };
}

function addTyped(out: Output, written: readonly Written[]): number {
  const to = addSlots(out, written);
  add(out, Uint8Array.from(written, packed));
  return to;
}

/** Keys in the order of their bytes, in which readers search them. A map's own keys end at a zero byte. */
function writeMap(out: Output, members: JsonObject): Written {
  const encoder = new TextEncoder();
  const sorted = [...members]
    .map(([key, value]) => ({ key, bytes: encoder.encode(key), value }))
    .toSorted((a, b) => compareBytes(a.bytes, b.bytes));
  const keys = sorted.map(({ key, bytes }): Written => {
    const to = out.keys.get(key) ?? add(out, joinBytes([bytes, new Uint8Array(1)]));
    out.keys.set(key, to);
    return { type: KEY, to };
  });
  const values = sorted.map(({ value }) => write(out, value));
  addSlots(out, [number(keys.length)]);
  const keysAt = addSlots(out, keys);
  addSlots(out, [{ type: VECTOR_KEY, to: keysAt }, number(WIDTH), number(values.length)]);
  return { type: MAP, to: addTyped(out, values) };
}
