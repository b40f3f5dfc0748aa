/** For tests: reads documents from memory, and says what is in a table in the words of JSON. */
import type { CallContext } from "#core/byte-source.ts";
import { chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import {
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_WIDE,
  TARGET_BAD,
  TARGET_INLINE,
  TARGET_NULL,
  type ReferenceTable,
} from "#core/table/reference-table.ts";
import { blockOf, placeOf } from "./columns.ts";
import { decodeString } from "./json-bytes.ts";
import type { KerchunkDocument, KerchunkRead } from "./interpret.ts";
import { readKerchunkJson, type ReadOptions } from "./index.ts";

export const QUIET: CallContext = { signal: new AbortController().signal, report: () => undefined };

/** A stream that gives the bytes in pieces of `size`. */
export function streamOf(bytes: Uint8Array, size = bytes.length || 1): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

export async function readText(
  document: string | Uint8Array,
  options: Partial<ReadOptions> = {},
  piece?: number,
): Promise<KerchunkRead> {
  const bytes = typeof document === "string" ? new TextEncoder().encode(document) : document;
  return await readKerchunkJson(streamOf(bytes, piece), { sizeHint: bytes.length, context: QUIET, ...options });
}

export async function readSet(
  document: string | Uint8Array,
  options: Partial<ReadOptions> = {},
  piece?: number,
): Promise<KerchunkDocument> {
  const read = await readText(document, options, piece);
  if (read.kind !== "set") throw new Error(`expected a set, got ${JSON.stringify(read)}`);
  return read.document;
}

/** A reference as JSON would have it; an inline value is its text, a bad one its reason. */
export type PlainReference = string | readonly (string | number | null)[] | { readonly bad: string };

/** All rows in order: key and reference. Throws where the table contradicts itself. */
export function plainRows(table: ReferenceTable): readonly (readonly [key: string, value: PlainReference])[] {
  const strays = new Map(table.strays.map((stray) => [stray.row, stray.key]));
  return Array.from({ length: table.rows }, (_, row) => [keyOf(table, row, strays), valueOf(table, row)] as const);
}

function keyOf(table: ReferenceTable, row: number, strays: ReadonlyMap<number, string>): string {
  const block = blockOf(table.blocks, row);
  const stray = strays.get(row);
  if (stray !== undefined) return stray;
  const array = table.arrays[block.array[placeOf(row)] ?? -1];
  if (array?.grid === undefined) throw new Error(`row ${row} has no grid and is not a stray`);
  const dense = block.ordinal[placeOf(row)] ?? 0;
  const ordinal = dense === ORDINAL_WIDE ? table.wideOrdinals.get(row) : dense;
  if (ordinal === undefined) throw new Error(`row ${row} has no wide ordinal`);
  return chunkKey(array.path, coordinatesOf(array.grid, ordinal), array.separator);
}

function valueOf(table: ReferenceTable, row: number): PlainReference {
  const block = blockOf(table.blocks, row);
  const at = placeOf(row);
  const [target, offset, short] = [block.target[at] ?? 0, block.offset[at] ?? 0, block.length[at] ?? 0];
  if (target === TARGET_BAD) return { bad: table.bad.get(row)?.written ?? "?" };
  if (target === TARGET_INLINE) return decodeString(table.inline.slice(offset, short)).text;
  const url = target === TARGET_NULL ? null : table.targets.text(target);
  if (short === LENGTH_WHOLE) return [url];
  return [url, offset, short === LENGTH_BIG ? (table.bigLengths.get(row) ?? -1) : short];
}
