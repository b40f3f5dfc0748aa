/** Repairs of keys that fit no chunk: written with another separator, or of no use to any reader. */
import { metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import { cellCount, chunkKey, coordinatesOf, ordinalOf, parseChunkName } from "#core/metadata/chunk-grid.ts";
import type { KeySeparator } from "#core/metadata/chunk-grid.ts";
import type { ArraySlot, StrayKey } from "#core/table/reference-table.ts";
import type { Certainty, NotEditable, RepairEvidence } from "#core/repair.ts";
import type { RepairOffer, RepairSearch } from "#core/repair-offer.ts";
import type { TableEdit } from "#core/studio.ts";
import { referenceAt } from "#engine/chunk/chunk-reference.ts";
import { keyOfRow } from "#engine/edit/document-index.ts";
import { type EngineSet, isDocument } from "#engine/engine-set.ts";
import { columnsAt } from "#engine/table/batch.ts";
import { claimsOf } from "./claims.ts";
import { decodingTask, tryRange } from "./range-candidates.ts";
import { rangeReader } from "./range-reader.ts";
import { editsOrWhyNot, notEditable, writtenValue } from "./written-reference.ts";
import { rowOf } from "#engine/table/array-index.ts";

export async function strayOffers(set: EngineSet, key: string, context: CallContext): Promise<readonly RepairOffer[]> {
  const stray = strayOf(set, key);
  if (stray === undefined) return [];
  const renamed = await separatorOffer(set, stray.array, context);
  if (renamed !== undefined) return [renamed];
  const moved = stray.reason === "wrong-rank" ? await renameOffer(set, stray, context) : undefined;
  if (moved !== undefined) return [moved];
  const why = reasonOf(set, stray);
  if (why === undefined) return [];
  const twin = await rowOfSameRange(set, stray.row, context);
  const shared: readonly RepairEvidence[] =
    twin === undefined ? [] : [{ kind: "bytes-referenced-by", key: keyOfRow(set, twin) }];
  const offer = removal(set, stray, [stray], { kind: "remove-reference", key });
  const isSafe = twin !== undefined || set.table.arrays[stray.array]?.grid === undefined;
  return [{ ...offer, ...(isSafe && { certainty: "safe" }), evidence: [why, ...shared] }];
}

const MAX_KEYS = 20_000;

/**
 * Removes all keys of an array that fail alike; `undefined` if a reader may request them, or the separator is wrong.
 */
export async function alikeRemoval(
  set: EngineSet,
  key: string,
  context: CallContext,
): Promise<RepairSearch | undefined> {
  const first = strayOf(set, key);
  const why = first === undefined ? undefined : reasonOf(set, first);
  // Keys of another rank may each be another chunk's: that is asked of each.
  if (first === undefined || why === undefined || first.reason === "wrong-rank") return undefined;
  if ((await separatorOffer(set, first.array, context)) !== undefined) return undefined;
  const all = straysOf(set, first.array).filter(({ reason }) => reason === first.reason);
  if (all.length < 2) return undefined;
  const keys = all.map((one) => one.key);
  const offer = {
    ...removal(set, first, all, { kind: "remove-references", keys }),
    evidence: [why],
    alike: { references: keys.length, read: 0 },
  };
  return { subject: { kind: "key", key }, offers: [offer], spent: { bytes: 0, requests: 0 } };
}

/** A key that no reader asks for, with the array that it is counted to. */
type StrayOfArray = StrayKey & { readonly array: number };

function strayOf({ index, table }: EngineSet, key: string): StrayOfArray | undefined {
  const strays = index.strays();
  const row = strays.rowOfKey(key);
  const stray = row === undefined ? undefined : strays.list[strays.positionOf(row)];
  return row === undefined || stray === undefined ? undefined : { ...stray, array: columnsAt(table, row).array };
}

function straysOf({ index }: EngineSet, array: number): readonly StrayKey[] {
  const strays = index.strays();
  return strays.rowsOf(array).flatMap((row) => strays.list[strays.positionOf(row)] ?? []);
}

/** `undefined` where a reader may ask for it after all: metadata that are missing would make it a chunk. */
function reasonOf({ table }: EngineSet, { reason, array }: StrayOfArray): RepairEvidence | undefined {
  const grid = table.arrays[array]?.grid;
  if (grid === undefined) return undefined;
  if (reason === "outside-grid") return { kind: "outside-grid", grid };
  if (reason === "wrong-rank") return { kind: "wrong-rank", rank: grid.length };
  return reason === "not-a-chunk-key" ? { kind: "no-chunk-key" } : undefined;
}

function removal(
  set: EngineSet,
  first: StrayOfArray,
  keys: readonly StrayKey[],
  edit: TableEdit,
): Omit<RepairOffer, "evidence"> {
  const { key, row, array } = first;
  const refused =
    keys.length > MAX_KEYS ? "too-many" : keys.map((one) => notEditable(set, one.row)).find((one) => one !== undefined);
  const slot = set.table.arrays[array];
  return {
    change: { kind: "remove" },
    certainty: certaintyOf(set, first, keys),
    key,
    ...(slot === undefined ? {} : { array: slot.path }),
    ...editsOrWhyNot(refused ?? [edit]),
    before: writtenValue(set, row) ?? referenceAt(set, row).written,
    after: "",
    chunks: [],
  };
}

async function rowOfSameRange(set: EngineSet, row: number, context: CallContext): Promise<number | undefined> {
  const { reference } = referenceAt(set, row);
  if (reference.kind !== "range") return undefined;
  const { target, offset, length } = reference;
  const claims = (await claimsOf(set.index, [target], row, context)).get(target) ?? [];
  return claims.find(({ start, end }) => start === offset && end === offset + length)?.row;
}

/**
 * Bytes that nothing else refers to may be data: where keys fill a whole layer behind the grid, the shape may be what is
 * wrong, and only who made the set knows.
 */
function certaintyOf(set: EngineSet, { reason, array }: StrayOfArray, keys: readonly StrayKey[]): Certainty {
  const slot = set.table.arrays[array];
  const grid = slot?.grid;
  if (slot === undefined || grid === undefined || reason !== "outside-grid") return "needs-you";
  const placeOf = ({ key }: StrayKey) => coordinatesIn(slot.path, key, grid.length, slot.separator);
  const axes = new Set(keys.map((one) => placeOf(one)?.findIndex((at, axis) => at === grid[axis]) ?? -1));
  axes.delete(-1);
  const all = axes.size === 0 ? [] : straysOf(set, array).map(placeOf);
  const fillsLayer = (axis: number) =>
    all.filter((at) => at?.[axis] === grid[axis]).length >= cellCount(grid.with(axis, 1));
  return axes.size === 0 ? "safe" : [...axes].some(fillsLayer) ? "needs-you" : "likely";
}

function coordinatesIn(path: string, key: string, rank: number, separator: KeySeparator) {
  return parseChunkName(path === "" ? key : key.slice(path.length + 1), rank, separator);
}

// A key with too many or too few numbers, whose chunk is the only one that it can be.

/** Chunks that have no reference; with more, a key may be that of too many. */
const MAX_MISSING = 1000;
const MAX_CELLS = 1_000_000;

/** `set` reads within a budget. */
async function renameOffer(
  set: EngineSet,
  { key, row, array }: StrayOfArray,
  context: CallContext,
): Promise<RepairOffer | undefined> {
  const slot = set.table.arrays[array];
  const node = slot === undefined ? undefined : set.hierarchy.nodes.get(slot.path);
  if (slot?.grid === undefined || node?.kind !== "array") return undefined;
  const numbers = key.slice(slot.path === "" ? 0 : slot.path.length + 1).split(/[./]/);
  if (!numbers.every((part) => /^\d+$/.test(part))) return undefined;
  const written = numbers.map(Number);
  const missing = await missingCells(set, array, slot.grid, context);
  const fits = missing.filter((cell) => isPartOf(cell, written) || isPartOf(written, cell));
  const [coordinates] = fits;
  if (coordinates === undefined || fits.length !== 1) return undefined;
  const { reference } = referenceAt(set, row);
  if (reference.kind !== "range") return undefined;
  const metadata = metadataOfChunk(node.metadata, coordinates);
  const task = decodingTask(metadata, rangeReader(set, context), context);
  if ((await tryRange(task, reference.target, reference)) === undefined) return undefined;
  const to = chunkKey(slot.path, coordinates, slot.separator);
  const value = writtenValue(set, row);
  const refused = isDocument(set) && value === undefined ? "generated" : notEditable(set, row);
  const edits: readonly TableEdit[] =
    value === undefined
      ? []
      : [
          { kind: "remove-reference", key },
          { kind: "set-reference", key: to, value },
        ];
  return {
    change: { kind: "rename", to },
    certainty: "likely",
    key,
    array: slot.path,
    ...editsOrWhyNot(refused ?? edits),
    before: key,
    after: to,
    evidence: [
      { kind: "wrong-rank", rank: slot.grid.length },
      { kind: "only-missing", key: to },
      { kind: "exact-size", bytes: task.expected },
    ],
    chunks: [{ coordinates }],
  };
}

async function missingCells(
  set: EngineSet,
  array: number,
  grid: readonly number[],
  context: CallContext,
): Promise<readonly (readonly number[])[]> {
  const index = await set.index.arrayIndex(array, context);
  const found: (readonly number[])[] = [];
  if (index.ordinals !== undefined || index.cells > MAX_CELLS) return [];
  for (let cell = 0; cell < index.cells && found.length <= MAX_MISSING; cell += 1) {
    if (index.rows[cell] === 0) found.push(coordinatesOf(grid, cell));
  }
  return found.length > MAX_MISSING ? [] : found;
}

/** True if `part` is `whole` with numbers left out, in the same order. */
function isPartOf(part: readonly number[], whole: readonly number[]): boolean {
  if (part.length >= whole.length) return false;
  let at = 0;
  for (const number of whole) if (number === part[at]) at += 1;
  return at === part.length;
}

// Keys of an array's chunks that are written with another separator than its metadata say.

const SEPARATORS: readonly KeySeparator[] = [".", "/", "c.", "c/"];

interface Renamed {
  readonly row: number;
  readonly from: string;
  readonly to: string;
  readonly coordinates: readonly number[];
}

/** `undefined` where keys are not merely written otherwise. */
export async function separatorOffer(
  set: EngineSet,
  array: number,
  context: CallContext,
): Promise<RepairOffer | undefined> {
  const slot = set.table.arrays[array];
  if (slot?.grid === undefined) return undefined;
  const strays = set.index.strays();
  const rows = strays.rowsOf(array);
  if (rows.length === 0) return undefined;
  const index = await set.index.arrayIndex(array, context);
  const keys = rows.map((row) => ({ row, key: strays.list[strays.positionOf(row)]?.key ?? "" }));
  for (const separator of SEPARATORS) {
    if (separator === slot.separator) continue;
    const renamed = keys.flatMap(({ row, key }) => renamedKey(slot, separator, row, key));
    const free = renamed.filter(({ coordinates }) => rowOf(index, ordinalOf(slot.grid ?? [], coordinates) ?? -1) < 0);
    if (free.length > 0 && free.length === rows.length) return offerOf(set, slot, separator, free);
  }
  return undefined;
}

/** The key with the declared separator; empty list if it is no chunk key under any separator. */
function renamedKey(slot: ArraySlot, separator: KeySeparator, row: number, key: string): readonly Renamed[] {
  const { path, grid = [], separator: own } = slot;
  const coordinates = parseChunkName(path === "" ? key : key.slice(path.length + 1), grid.length, separator);
  if (coordinates === undefined || grid.length === 0 || ordinalOf(grid, coordinates) === undefined) return [];
  return [{ row, from: key, to: chunkKey(path, coordinates, own), coordinates }];
}

function offerOf(set: EngineSet, slot: ArraySlot, from: KeySeparator, keys: readonly Renamed[]): RepairOffer {
  const values = keys.length > MAX_KEYS ? [] : keys.map(({ row }) => writtenValue(set, row));
  const edits: readonly TableEdit[] = [
    { kind: "remove-references", keys: keys.map((one) => one.from) },
    { kind: "set-references", values: keys.map(({ to }, at) => [to, values[at] ?? ""]) },
  ];
  const [first] = keys;
  return {
    change: { kind: "separator", from, to: slot.separator, references: keys.length },
    certainty: "safe",
    key: first?.from ?? "",
    array: slot.path,
    ...editsOrWhyNot(refusal(set, keys, values) ?? edits),
    before: first?.from ?? "",
    after: first?.to ?? "",
    evidence: [{ kind: "keys-fit", keys: keys.length }],
    chunks: keys.slice(0, MAX_READ_AGAIN).map(({ coordinates }) => ({ coordinates })),
  };
}

const MAX_READ_AGAIN = 4;

function refusal(set: EngineSet, keys: readonly Renamed[], values: readonly (string | undefined)[]) {
  const refused = keys.map(({ row }) => notEditable(set, row)).find((one) => one !== undefined);
  if (refused !== undefined) return refused;
  const isKept = values.length > 0 && values.every((value) => value !== undefined);
  return isKept ? undefined : ("too-many" satisfies NotEditable);
}
