/** Repairs of keys that fit no chunk: written with another separator, or of no use to any reader. */
import { metadataOfChunk } from "../../../core/metadata/array-metadata.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import { chunkKey, coordinatesOf, type KeySeparator, parseChunkName } from "../../../core/metadata/chunk-grid.ts";
import { BLOCK_ROWS, type ReferenceTable, type StrayKey } from "../../../core/table/reference-table.ts";
import type { Certainty, RepairEvidence } from "../../../core/repair.ts";
import type { RepairOffer } from "../../../core/repair-offer.ts";
import { referenceAt } from "../../chunk/chunk-reference.ts";
import { keyOfRow } from "../../edit/document-index.ts";
import { type EngineSet, isDocument } from "../../engine-set.ts";
import { claimsOf } from "./claims.ts";
import { decodingTask, tryRange } from "./range-candidates.ts";
import { rangeReader } from "./range-reader.ts";
import { separatorOffer } from "./separator-offer.ts";
import { notEditable, writtenValue } from "./written-reference.ts";

export async function strayOffers(set: EngineSet, key: string, context: CallContext): Promise<readonly RepairOffer[]> {
  const strays = set.index.strays();
  const row = strays.rowOfKey(key);
  const stray = row === undefined ? undefined : strays.list[strays.positionOf(row)];
  if (row === undefined || stray === undefined) return [];
  const array = arrayIdOf(set.table, row);
  const renamed = await separatorOffer(set, array, context);
  if (renamed !== undefined) return [renamed];
  const moved = stray.reason === "wrong-rank" ? await renameOffer(set, stray, array, context) : undefined;
  if (moved !== undefined) return [moved];
  const why = reasonOf(set, stray, array);
  return why === undefined ? [] : [await removal(set, stray, array, why, context)];
}

export const arrayIdOf = ({ blocks }: ReferenceTable, row: number): number =>
  blocks[Math.floor(row / BLOCK_ROWS)]?.array[row % BLOCK_ROWS] ?? -1;

/** `undefined` where a reader may ask for it after all: metadata that are missing would make it a chunk. */
export function reasonOf({ table }: EngineSet, { reason }: StrayKey, array: number): RepairEvidence | undefined {
  const grid = table.arrays[array]?.grid;
  if (grid === undefined) return undefined;
  if (reason === "outside-grid") return { kind: "outside-grid", grid };
  if (reason === "wrong-rank") return { kind: "wrong-rank", rank: grid.length };
  return reason === "not-a-chunk-key" ? { kind: "no-chunk-key" } : undefined;
}

async function removal(
  set: EngineSet,
  stray: StrayKey,
  array: number,
  why: RepairEvidence,
  context: CallContext,
): Promise<RepairOffer> {
  const { key, row } = stray;
  const refused = notEditable(set, row);
  const twin = await rowOfSameRange(set, row, context);
  const slot = set.table.arrays[array];
  const shared: readonly RepairEvidence[] =
    twin === undefined ? [] : [{ kind: "bytes-referenced-by", key: keyOfRow(set, twin) }];
  return {
    change: { kind: "remove" },
    certainty: certaintyOf(set, stray, array, twin !== undefined),
    key,
    ...(slot === undefined ? {} : { array: slot.path }),
    edits: refused === undefined ? [{ kind: "remove-reference", key }] : [],
    ...(refused && { refused }),
    before: writtenValue(set, row) ?? referenceAt(set, row).written,
    after: "",
    evidence: [why, ...shared],
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
function certaintyOf(set: EngineSet, { key, reason }: StrayKey, array: number, isTwin: boolean): Certainty {
  const slot = set.table.arrays[array];
  const grid = slot?.grid;
  if (isTwin || slot === undefined || grid === undefined) return "safe";
  if (reason !== "outside-grid") return "needs-you";
  const coordinates = coordinatesIn(slot.path, key, grid.length, slot.separator);
  const axis = coordinates?.findIndex((at, dimension) => at === grid[dimension]) ?? -1;
  if (axis < 0) return "safe";
  const layer = grid.reduce((product, count, dimension) => (dimension === axis ? product : product * count), 1);
  const strays = set.index.strays();
  const inLayer = strays.rowsOf(array).filter((row) => {
    const other = strays.list[strays.positionOf(row)]?.key ?? "";
    return coordinatesIn(slot.path, other, grid.length, slot.separator)?.[axis] === grid[axis];
  }).length;
  return inLayer >= layer ? "needs-you" : "likely";
}

export function coordinatesIn(path: string, key: string, rank: number, separator: KeySeparator) {
  return parseChunkName(path === "" ? key : key.slice(path.length + 1), rank, separator);
}

// A key with too many or too few numbers, whose chunk is the only one that it can be.

/** Chunks that have no reference; with more, a key may be that of too many. */
const MAX_MISSING = 1000;
const MAX_CELLS = 1_000_000;

/** `set` reads within a budget. */
async function renameOffer(
  set: EngineSet,
  { key, row }: StrayKey,
  array: number,
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
  return {
    change: { kind: "rename", to },
    certainty: "likely",
    key,
    array: slot.path,
    edits:
      refused === undefined && value !== undefined
        ? [
            { kind: "remove-reference", key },
            { kind: "set-reference", key: to, value },
          ]
        : [],
    ...(refused && { refused }),
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

/** Whether `part` is `whole` with numbers left out, their order kept. */
function isPartOf(part: readonly number[], whole: readonly number[]): boolean {
  if (part.length >= whole.length) return false;
  let at = 0;
  for (const number of whole) if (number === part[at]) at += 1;
  return at === part.length;
}
