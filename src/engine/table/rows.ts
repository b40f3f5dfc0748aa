/**
 * The rows of a view in full, for the few that are on screen: keys, URLs and reasons are made here and nowhere else.
 */
import type { CallContext } from "#core/byte-source.ts";
import { chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { finding, type Finding, keyAt, nodeAt } from "#core/findings/finding.ts";
import type { ViewRow } from "#core/open-set.ts";
import { FIRST_SPECIAL_TARGET, STRAY_CODES, TARGET_NULL } from "#core/table/reference-table.ts";
import type { ReferenceTable, StrayKey } from "#core/table/reference-table.ts";
import { STATES } from "#core/table/reference.ts";
import { type EngineSet, isUnreached, type NativePlace } from "../engine-set.ts";
import { columnsAt, lengthOf, ordinalOfRow, stateCodeOf } from "./batch.ts";
import { ENTRY_FAILED, ENTRY_UNKNOWN } from "./array-index.ts";
import type { FirstTargets } from "./first-targets.ts";
import type { TableIndex } from "./table-index.ts";
import type { ReadingResults } from "./read-entries.ts";
import { entryAt, type View } from "./view.ts";

/** Places of native chunks, in formats in which they are not the objects of their own keys. */
export type NativePlaces = EngineSet["nativePlace"];

/** If each object costs a request, no more are requested in advance than the screen needs. */
const MAX_ASKED = 200;

/** Fetches the pages behind rows `from` to `to` (excluded) of a view of an array's cells. Rows say what failed. */
export async function loadWindow(view: View, from: number, to: number, context: CallContext): Promise<void> {
  const { scope, index, info } = view;
  const paged = scope.array === undefined ? undefined : index.paged.get(scope.array.id);
  if (scope.array === undefined || paged === undefined) return;
  const wanted = new Set<number>();
  for (let position = Math.max(0, from); position < Math.min(to, info.rows); position += 1) {
    const entry = entryAt(view, position);
    if (scope.rows?.[entry] !== ENTRY_UNKNOWN) continue;
    wanted.add(paged.pages.pageOf(scope.array.index.ordinals?.[entry] ?? entry));
  }
  if (paged.pages.isChunk === true && wanted.size > MAX_ASKED) return;
  await paged.load(wanted, context);
}

/** Rows `from` to `to` (excluded) of the view, cut at its end. */
export function rowsOf(
  view: View,
  from: number,
  to: number,
  results: ReadingResults,
  natives?: NativePlaces,
): readonly ViewRow[] {
  const rows: ViewRow[] = [];
  const end = Math.min(to, view.info.rows);
  for (let position = Math.max(0, from); position < end; position += 1) {
    const place = rowPlace(view, entryAt(view, position));
    rows.push(viewRow(view.index, place, position, results, natives));
  }
  return rows;
}

/** A reference's row, or -1 and the cell that has none. */
export type Place = { readonly row: number } | { readonly row: -1; readonly array: number; readonly ordinal: number };

function rowPlace({ scope }: View, entry: number): Place {
  const at = scope.rows?.[entry] ?? entry + 1;
  const row = at >= ENTRY_FAILED ? -1 : at - 1;
  if (row >= 0 || scope.array === undefined) return { row };
  return { row: -1, array: scope.array.id, ordinal: scope.array.index.ordinals?.[entry] ?? entry };
}

/** `position` is the row's in its view, -1 where no view lists it. */
export function viewRow(
  index: TableIndex,
  place: Place,
  position: number,
  results: ReadingResults,
  natives?: NativePlaces,
): ViewRow {
  const { table } = index;
  if ("ordinal" in place) {
    const cell = cellFields(table, place.array, place.ordinal, results);
    return { index: position, ...NO_REFERENCE, ...cell, ...withoutRow(index, place.array, place.ordinal) };
  }
  const { row } = place;
  const { array } = columnsAt(table, row);
  const ordinal = ordinalOfRow(table, row);
  const strays = index.strays();
  const stray = ordinal < 0 ? strays.list[strays.positionOf(row)] : undefined;
  const cell = ordinal < 0 ? strayFields(table, array, stray) : cellFields(table, array, ordinal, results);
  const reasons = [table.bad.get(row)?.reason, stray && strayReason(table, array, stray)];
  const reference = referenceFields(index, row);
  const chunk = ordinal < 0 ? { row } : { ordinal };
  const native = reference.state === "native" ? nativeFields(natives?.(cell.array ?? "", chunk)) : {};
  const fields = { ...reference, ...native, reasons: reasons.filter((reason) => reason !== undefined) };
  const origin = index.originOf?.(row);
  return { index: position, ...cell, ...fields, ...(origin === undefined ? {} : { origin }) };
}

/** A range of an object of the store, in place of a target. */
function nativeFields(place: NativePlace | undefined): Partial<ReferenceFields> {
  if (place === undefined) return {};
  const { offset, length } = place.range;
  return { target: place.key, offset, length, end: offset + length };
}

/** A cell without a row has no reference, or its page is not here. */
function withoutRow(index: TableIndex, array: number, ordinal: number): Pick<ViewRow, "state" | "reasons"> {
  const paged = index.paged.get(array);
  if (paged === undefined || paged.stateOfChunk(ordinal) === "loaded") return { state: "missing", reasons: [] };
  const failure = paged.failureOf(paged.pages.pageOf(ordinal));
  if (failure === undefined) return { state: "unknown", reasons: [] };
  return { state: "bad", reasons: [failure] };
}

type CellFields = Pick<ViewRow, "key" | "array" | "coordinates" | "result" | "read">;

function cellFields(table: ReferenceTable, array: number, ordinal: number, results: ReadingResults): CellFields {
  const slot = table.arrays[array];
  const coordinates = coordinatesOf(slot?.grid ?? [], ordinal);
  const path = slot?.path ?? "";
  const key = chunkKey(path, coordinates, slot?.separator ?? ".");
  const read = results.get(path)?.get(ordinal);
  if (read === undefined) return { key, array: path, coordinates, result: "not tried" };
  // It is not read, and the reason is said.
  return { key, array: path, coordinates, result: isUnreached(read) ? "not tried" : read.result, read };
}

function strayFields(table: ReferenceTable, array: number, stray: StrayKey | undefined): CellFields {
  return { key: stray?.key ?? "", array: table.arrays[array]?.path, coordinates: undefined, result: "not tried" };
}

const NO_REFERENCE = {
  target: undefined,
  targetId: undefined,
  offset: undefined,
  length: undefined,
  end: undefined,
} as const;

type ReferenceFields = Pick<ViewRow, "state" | "target" | "targetId" | "offset" | "length" | "end">;

function referenceFields({ table, firstTargets }: TableIndex, row: number): ReferenceFields {
  const { array, target, offset, length } = columnsAt(table, row);
  const kind = STATES[stateCodeOf(target, length)] ?? "bad";
  const state = kind === "range" && table.arrays[array]?.virtual === true ? "virtual" : kind;
  const size = lengthOf(table, row, target, length);
  const fields = { ...NO_REFERENCE, state, length: size < 0 ? undefined : size };
  const where = targetFields(table, target, firstTargets);
  return kind === "range" ? { ...fields, ...where, offset, end: offset + size } : { ...fields, ...where };
}

function targetFields(
  table: ReferenceTable,
  id: number,
  firstTargets: FirstTargets,
): Pick<ViewRow, "target" | "targetId"> {
  if (id === TARGET_NULL) return { target: null, targetId: undefined };
  if (id >= FIRST_SPECIAL_TARGET) return { target: undefined, targetId: undefined };
  return { target: table.targets.text(id), targetId: firstTargets.of(id) };
}

/** Why a key is not a chunk of the array it seems to belong to. */
function strayReason(table: ReferenceTable, array: number, { key, reason }: StrayKey): Finding {
  const slot = table.arrays[array];
  if (reason === "grid-unread")
    return finding("chunk-grid-unsupported", nodeAt(slot?.path ?? ""), { found: undefined });
  return finding(STRAY_CODES[reason], keyAt(key), slot === undefined ? {} : { grid: slot.grid });
}
