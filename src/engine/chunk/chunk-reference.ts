/** From chunk coordinates to the chunk's reference, as plain data and as written. */
import { chunkKey, chunkName, gridOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import { addressOf, type CallContext } from "#core/byte-source.ts";
import { failure, finding, type Finding, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { unreadableInline, type Reference } from "#core/table/reference.ts";
import {
  FIRST_SPECIAL_TARGET,
  LENGTH_BIG,
  LENGTH_WHOLE,
  TARGET_BAD,
  TARGET_INLINE,
  TARGET_NATIVE,
  TARGET_NULL,
  type ReferenceTable,
} from "#core/table/reference-table.ts";
import { rowOf } from "../table/array-index.ts";
import { columnsAt } from "../table/batch.ts";
import type { EngineSet, InlineBytes, NativeChunkId } from "../engine-set.ts";
import type { Reading } from "#core/reading.ts";

export interface ChunkReference extends Pick<Reading, "coordinates" | "key" | "state" | "written" | "origin"> {
  readonly node: ArrayNode;
  readonly ordinal: number;
  readonly name: string;
  readonly reference: Reference;
  readonly inlineOddity?: NonNullable<InlineBytes["oddity"]>;
}

/** Throws `outside-grid` where the array has no such chunk. */
export async function chunkReference(
  set: EngineSet,
  node: ArrayNode,
  coordinates: readonly number[],
  context: CallContext,
): Promise<ChunkReference> {
  const { shape, chunks, separator } = node.metadata;
  const grid = gridOf(shape, chunks);
  const ordinal = ordinalOf(grid, coordinates);
  if (ordinal === undefined) throw failure("outside-grid", nodeAt(node.path), { of: "chunk", coordinates, grid });
  const key = chunkKey(node.path, coordinates, separator);
  const chunk = { node, coordinates, ordinal, key, name: chunkName(coordinates, separator) };
  const id = set.index.arrayIds.get(node.path);
  const unread = id === undefined ? undefined : await failureOfPage(set, id, ordinal, context);
  if (unread !== undefined) return { ...chunk, state: "bad", ...unreadPage(unread) };
  const row = id === undefined ? -1 : rowOf(await set.index.arrayIndex(id, context), ordinal);
  const origin = row < 0 ? undefined : set.index.originOf?.(row);
  const found = referenceAt(set, row);
  const native = found.reference.kind === "native" ? nativeAt(set, node.path, ordinal, key) : {};
  const isVirtual = found.reference.kind === "range" && set.table.arrays[id ?? -1]?.virtual === true;
  const state = isVirtual ? "virtual" : found.reference.kind;
  return { ...chunk, state, ...found, ...native, ...(origin === undefined ? {} : { origin }) };
}

export function nativeAt(set: EngineSet, array: string, ordinal: number, key: string): ReferenceAt {
  const place = set.nativePlace?.(array, { ordinal });
  if (place === undefined) return { reference: { kind: "native", key }, written: key };
  const { offset, length } = place.range;
  return { reference: { kind: "native", ...place }, written: `[${JSON.stringify(place.key)}, ${offset}, ${length}]` };
}

/** An object of the store by its address; `undefined` where it has none. */
export function addressedNative(set: EngineSet, array: string, chunk: NativeChunkId, key: string) {
  const place = set.nativePlace?.(array, chunk);
  const resolution = set.resolveKey?.(place?.key ?? key);
  const target = resolution && addressOf(resolution);
  if (resolution === undefined || target === undefined) return undefined;
  const reference: Reference = place ? { kind: "range", target, ...place.range } : { kind: "whole", target };
  return { reference, isUrl: resolution.kind === "url" };
}

/** Fetches the page that holds the reference, where it is not here; why it cannot be read. */
async function failureOfPage(
  { index }: EngineSet,
  id: number,
  ordinal: number,
  context: CallContext,
): Promise<Finding | undefined> {
  const paged = index.paged.get(id);
  if (paged === undefined) return undefined;
  const page = paged.pages.pageOf(ordinal);
  if (paged.stateOf(page) !== "loaded") await paged.load([page], context);
  return paged.failureOf(page);
}

function unreadPage(failure: Finding): ReferenceAt {
  return { reference: { kind: "bad", reason: failure, written: "" }, written: "" };
}

type ReferenceAt = Pick<ChunkReference, "reference" | "written" | "inlineOddity">;

interface ReferenceSource {
  readonly table: ReferenceTable;
  readonly format: Pick<EngineSet["format"], "decodeInline" | "inlineText">;
}

/** The reference in a row of the table; row -1 is none. */
export function referenceAt(set: ReferenceSource, row: number): ReferenceAt {
  const { table } = set;
  if (row < 0 || row >= table.rows) return { reference: { kind: "missing" }, written: "" };
  const { target, offset, length } = columnsAt(table, row);
  if (target === TARGET_INLINE) return inlineAt(set, offset, length);
  if (target === TARGET_BAD) return badAt(table, row);
  if (target === TARGET_NATIVE) return { reference: { kind: "native", key: "" }, written: "" };
  const url = target === TARGET_NULL ? null : target < FIRST_SPECIAL_TARGET ? table.targets.text(target) : null;
  if (length === LENGTH_WHOLE) return { reference: { kind: "whole", target: url }, written: JSON.stringify([url]) };
  const bytes = length === LENGTH_BIG ? (table.bigLengths.get(row) ?? length) : length;
  return {
    reference: { kind: "range", target: url, offset, length: bytes },
    written: `[${JSON.stringify(url)}, ${offset}, ${bytes}]`,
  };
}

const LONGEST_WRITTEN = 300;

function inlineAt({ table, format }: ReferenceSource, offset: number, length: number): ReferenceAt {
  const raw = table.inline.slice(offset, length);
  const { bytes, oddity } = format.decodeInline(raw);
  const shown = raw.subarray(0, LONGEST_WRITTEN);
  const text = format.inlineText?.(shown) ?? new TextDecoder().decode(shown);
  const written = raw.length > LONGEST_WRITTEN ? `"${text}… (${raw.length} characters)"` : `"${text}"`;
  if (oddity === "bad-base64" || oddity === "lone-surrogate") {
    const reason = unreadableInline(oddity);
    return { reference: { kind: "bad", reason, written }, written };
  }
  return { reference: { kind: "inline", bytes }, written, ...(oddity === undefined ? {} : { inlineOddity: oddity }) };
}

/** A set keeps what is wrong with a million of its references. */
const NOT_KEPT = { reason: finding("reference-not-kept", WHOLE_SET, {}), written: "" };

function badAt(table: ReferenceTable, row: number): ReferenceAt {
  const { reason, written } = table.bad.get(row) ?? NOT_KEPT;
  return { reference: { kind: "bad", reason, written }, written };
}
