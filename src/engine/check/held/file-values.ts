/** Values of small one-dimensional arrays as a source file has them: its coordinates. */
import type { ByteSource, CallContext } from "#core/byte-source.ts";
import { parsed } from "#core/json/parse-json.ts";
import { parseDataTypeV2 } from "#core/metadata/parse-data-type.ts";
import type { SourceArray } from "#core/source-file.ts";
import { decodeValues, float64Of } from "#core/values/values.ts";
import type { HeldFile } from "./held-files.ts";
import { decodeBytes } from "#engine/open/data-file/undo-filters.ts";

/** Elements. */
const MAX_ELEMENTS = 200_000;

const NUMBER = /^[<>|](?:[iu][1248]|f[248])$/;

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
  if (shape.length !== 1 || length > MAX_ELEMENTS || typeof type !== "string" || !NUMBER.test(type)) return undefined;
  const dataType = parseDataTypeV2(type);
  const values = new Float64Array(length).fill(NaN);
  const put = (ordinal: number, stored: Uint8Array): void => {
    const count = Math.min(chunk, length - ordinal * chunk, Math.floor(stored.length / dataType.itemSize));
    if (count <= 0) return;
    const bytes = stored.slice(0, count * dataType.itemSize);
    const { numbers } = decodeValues(bytes, { dataType, chunks: [count], order: "C" });
    if (numbers !== undefined) values.set(float64Of(numbers), ordinal * chunk);
  };
  for (let at = 0; at < references.count; at += 1) {
    const range = { offset: references.offset[at] as number, length: references.length[at] as number };
    const { bytes } = await source.read(range, context);
    put(references.ordinal[at] as number, await decodeBytes(filters, bytes));
  }
  for (const [ordinal, bytes] of inline) put(ordinal, await decodeBytes(filters, bytes));
  return references.count + inline.size === 0 ? undefined : values;
}
