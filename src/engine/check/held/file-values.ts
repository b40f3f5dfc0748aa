/** Values of small one-dimensional arrays as a source file has them: its coordinates. */
import type { ByteSource, CallContext } from "../../../core/byte-source.ts";
import { parsed } from "../../../core/json/parse-json.ts";
import type { SourceArray } from "../../../core/source-file.ts";
import type { HeldFile } from "./held-files.ts";
import { decodeBytes } from "../../open/data-file/undo-filters.ts";

/** Elements. */
const MOST = 200_000;

type Read = (view: DataView, at: number, little: boolean) => number;

const NUMBERS: Readonly<Record<string, Read>> = {
  f4: (view, at, little) => view.getFloat32(at, little),
  f8: (view, at, little) => view.getFloat64(at, little),
  i1: (view, at) => view.getInt8(at),
  u1: (view, at) => view.getUint8(at),
  i2: (view, at, little) => view.getInt16(at, little),
  u2: (view, at, little) => view.getUint16(at, little),
  i4: (view, at, little) => view.getInt32(at, little),
  u4: (view, at, little) => view.getUint32(at, little),
  i8: (view, at, little) => Number(view.getBigInt64(at, little)),
  u8: (view, at, little) => Number(view.getBigUint64(at, little)),
};

/** `undefined` where it is too long, of no numbers, or has chunks that are not there. */
export function valuesInFile(
  { source, values }: Pick<HeldFile, "source" | "values">,
  array: SourceArray,
  context: CallContext,
): Promise<Float64Array | undefined> {
  const read = values.get(array) ?? readValues(source, array, context);
  values.set(array, read);
  return read;
}

async function readValues(
  source: ByteSource,
  { shape, chunks, dtype, filters, references, inline }: SourceArray,
  context: CallContext,
): Promise<Float64Array | undefined> {
  const [length, chunk] = [shape[0] ?? 0, chunks[0] ?? 1];
  const type = parsed(dtype);
  const read = typeof type === "string" ? NUMBERS[type.slice(1)] : undefined;
  if (shape.length !== 1 || length > MOST || typeof type !== "string" || read === undefined) return undefined;
  const values = new Float64Array(length).fill(NaN);
  const size = Number(type.slice(2));
  const put = (ordinal: number, bytes: Uint8Array): void => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < chunk && ordinal * chunk + at < length && (at + 1) * size <= bytes.length; at += 1)
      values[ordinal * chunk + at] = read(view, at * size, type[0] !== ">");
  };
  for (let at = 0; at < references.count; at += 1) {
    const range = { offset: references.offset[at] as number, length: references.length[at] as number };
    const { bytes } = await source.read(range, context);
    put(references.ordinal[at] as number, filters.length === 0 ? bytes : await decodeBytes(filters, bytes));
  }
  for (const [ordinal, bytes] of inline) put(ordinal, filters.length === 0 ? bytes : await decodeBytes(filters, bytes));
  return references.count + inline.size === 0 ? undefined : values;
}
