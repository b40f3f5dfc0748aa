/** From what was scanned to the reference table, and again when grids become known later. */
import { RefscopeError } from "../../core/errors.ts";
import { FindingLog, type Finding } from "../../core/finding.ts";
import type { BadReference, ColumnBlock, InlinePool, ReferenceTable, StrayKey } from "../../core/reference-table.ts";
import { chunkKey, coordinatesOf } from "../../core/chunk-grid.ts";
import { blockOf, placeOf } from "./columns.ts";
import { removeDuplicates } from "./duplicates.ts";
import type { ReferenceSet } from "./reference-set.ts";
import type { PendingKeys } from "./scanner.ts";
import { keyAt, pathAt, reasonAt, restText, settle, type StrayList, type StrayReason } from "./settle.ts";
import type { Grid, Slots } from "./slots.ts";
import { targetDictionary, type TargetFacts } from "./targets.ts";

/** More stray keys than this are hardly strays: the document is of another kind, or lacks its metadata. */
const MOST_STRAYS = 3_000_000;

/** What a table is made from; kept with it, so that grids can be given later. */
interface Parts {
  readonly rows: number;
  readonly blocks: readonly ColumnBlock[];
  readonly slots: Slots;
  readonly inline: InlinePool;
  readonly targets: TargetFacts;
  readonly bad: Map<number, BadReference>;
  readonly bigLengths: Map<number, number>;
  readonly wideOrdinals: Map<number, number>;
  readonly heldBytes: () => number;
}

export interface FinishedTable {
  readonly table: ReferenceTable;
  readonly findings: readonly Finding[];
}

const PARTS = new WeakMap<ReferenceTable, { readonly parts: Parts; readonly strays: StrayList }>();

/** The table of a set that was read to its end. The set's scanner must not be used after. */
export function finishTable(set: ReferenceSet): FinishedTable & { readonly targets: TargetFacts } {
  const output = set.scanner.output();
  const targets = targetDictionary(output.targets, output.blocks, output.rows);
  const parts: Parts = {
    rows: output.rows,
    blocks: output.blocks,
    slots: set.slots,
    inline: output.inline,
    targets,
    bad: set.bad,
    bigLengths: set.bigLengths,
    wideOrdinals: new Map(),
    heldBytes: () => output.byteLength() + targets.byteLength,
  };
  return { ...build(parts, output.pending), targets };
}

/**
 * A table in which the arrays of `grids` (by path) have these grids: their stray keys become chunks of them, where they
 * fit. For arrays whose metadata are references themselves and had to be fetched. The table given is used up: it shares
 * its columns with the new one.
 */
export function resolveGrids(table: ReferenceTable, grids: ReadonlyMap<string, Grid>): FinishedTable {
  const kept = PARTS.get(table);
  if (kept === undefined) return { table, findings: [] };
  for (const slot of kept.parts.slots.all) slot.awaited = false;
  for (const [path, grid] of grids) {
    const slot = kept.parts.slots.all[kept.parts.slots.obtain(path)];
    if (slot === undefined || slot.final !== undefined) continue;
    slot.final = grid;
    slot.scanned = grid;
  }
  return build(kept.parts, kept.strays.keys);
}

function build(parts: Parts, pending: PendingKeys): FinishedTable {
  const settled = settle({ ...parts, pending });
  refuseStrays(parts, settled);
  const unique = removeDuplicates({ ...parts, strays: settled });
  const strays = unique.strays;
  const kept = { ...parts, rows: unique.rows, blocks: parts.blocks.slice(0, Math.ceil(unique.rows / 65_536)) };
  const findings = new FindingLog();
  noteStrays(kept, strays, findings);
  let list: readonly StrayKey[] | undefined;
  const table: ReferenceTable = {
    rows: kept.rows,
    blocks: kept.blocks,
    arrays: parts.slots.all.map(({ path, final }) => ({
      path,
      grid: final?.grid,
      separator: final?.separator ?? ".",
    })),
    targets: parts.targets.dictionary,
    inline: parts.inline,
    bigLengths: parts.bigLengths,
    wideOrdinals: parts.wideOrdinals,
    bad: parts.bad,
    /** Made when first asked for: a set whose grids are awaited may have millions for a while. */
    get strays() {
      list ??= strayKeys(kept, strays);
      return list;
    },
    get byteLength() {
      const maps = parts.bad.size * 200 + (parts.bigLengths.size + parts.wideOrdinals.size) * 40;
      return parts.heldBytes() + maps + strays.keys.allocated;
    },
  };
  if (unique.firstRow !== undefined) findings.add(duplicateFinding(kept, strays, unique.firstRow, unique.removed));
  PARTS.set(table, { parts: kept, strays });
  return { table, findings: findings.list() };
}

function strayKeys(parts: Parts, strays: StrayList): readonly StrayKey[] {
  const list: StrayKey[] = [];
  strays.keys.forEach((row, rest) => {
    const key = keyAt(pathAt(parts.blocks, parts.slots, row), restText(rest));
    list.push({ row, key, reason: reasonAt(strays, list.length) });
  });
  return list;
}

function refuseStrays(parts: Parts, strays: StrayList): void {
  if (strays.keys.count <= MOST_STRAYS || parts.slots.all.some((slot) => slot.awaited)) return;
  throw new RefscopeError({
    code: "too-many-stray-keys",
    doing: "Finding the array of every reference",
    expected: `at most ${MOST_STRAYS} keys that belong to no chunk of an array`,
    found: `${strays.keys.count}`,
    advice: "Most likely the metadata (.zarray) of an array are missing from the set.",
  });
}

const STRAY_CODES: Readonly<Record<StrayReason, string>> = {
  "outside-grid": "key-outside-grid",
  "wrong-rank": "key-wrong-rank",
  "no-array": "key-without-array",
  "not-a-chunk-key": "key-not-a-chunk",
};

const STRAY_MESSAGES: Readonly<Record<StrayReason, string>> = {
  "outside-grid": "The chunk's coordinates lie outside the chunk grid that the array's metadata give.",
  "wrong-rank": "The key has more or fewer chunk coordinates than the array has dimensions.",
  "no-array": "The key looks like a chunk, but the set has no readable .zarray for its array.",
  "not-a-chunk-key": "The key is neither a metadata document nor a chunk key of Zarr version 2; no reader asks for it.",
};

/** One finding for each array and reason, with the first key and the count. */
function noteStrays(parts: Parts, strays: StrayList, findings: FindingLog): void {
  const groups = new Map<string, { finding: Finding; count: number }>();
  let index = 0;
  strays.keys.forEach((row, rest) => {
    const reason = reasonAt(strays, index++);
    const { array } = blockOf(parts.blocks, row);
    const id = array[placeOf(row)] ?? 0;
    const slot = parts.slots.all[id];
    if (slot?.awaited === true) return;
    const name = `${reason} ${id}`;
    const group = groups.get(name);
    if (group !== undefined) group.count += 1;
    else groups.set(name, { count: 1, finding: strayFinding(reason, slot?.path, keyAt(slot?.path, restText(rest))) });
  });
  for (const { finding, count } of groups.values()) findings.add(count === 1 ? finding : { ...finding, count });
}

function strayFinding(reason: StrayReason, array: string | undefined, key: string): Finding {
  return {
    code: STRAY_CODES[reason],
    severity: "warning",
    ...(array === undefined ? {} : { array }),
    key,
    message: STRAY_MESSAGES[reason],
    advice: "Correct the key or the metadata; as it is, reading the array never uses this reference.",
  };
}

function duplicateFinding(parts: Parts, strays: StrayList, row: number, count: number): Finding {
  const key = keyOfRow(parts, strays, row);
  return {
    code: "duplicate-key",
    severity: "warning",
    ...(key === undefined ? {} : { key }),
    message: "The key is written more than once; the last value counts, as in Python.",
    advice: "Remove the earlier reference, or correct its key if another chunk was meant.",
    ...(count === 1 ? {} : { count }),
  };
}

function keyOfRow(parts: Parts, strays: StrayList, row: number): string | undefined {
  const block = blockOf(parts.blocks, row);
  const slot = parts.slots.all[block.array[placeOf(row)] ?? 0];
  const ordinal = parts.wideOrdinals.get(row) ?? block.ordinal[placeOf(row)] ?? 0;
  let stray: string | undefined;
  strays.keys.forEach((at, rest) => {
    if (at === row) stray = keyAt(slot?.path, restText(rest));
  });
  if (stray !== undefined || slot?.final === undefined) return stray;
  return chunkKey(slot.path, coordinatesOf(slot.final.grid, ordinal), slot.final.separator);
}
