/** A key with too many or too few numbers, whose chunk is the only one that it can be. */
import { metadataOfChunk } from "../../../core/array-metadata.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import { chunkKey, coordinatesOf } from "../../../core/chunk-grid.ts";
import type { StrayKey } from "../../../core/reference-table.ts";
import type { RepairOffer } from "../../../core/repairs.ts";
import { isDocument, type EngineSet } from "../../engine-set.ts";
import { referenceAt } from "../../chunk/chunk-reference.ts";
import { decodingTask, tryRange } from "./range-candidates.ts";
import { rangeReader } from "./range-reader.ts";
import { notEditable, writtenValue } from "./written-reference.ts";

/** Chunks that have no reference; with more, a key may be that of too many. */
const MAX_MISSING = 1000;
const MAX_CELLS = 1_000_000;

/** `set` reads within a budget. */
export async function renameOffer(
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
