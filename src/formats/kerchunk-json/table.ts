/** From what was scanned to the reference table, and again when grids become known later. */
import { STRAY_CODES } from "../../core/stray-codes.ts";
import { failure } from "../../core/findings/failure.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import { keyAt as placeAtKey, WHOLE_SET } from "../../core/findings/place.ts";
import type { BadReference, ColumnBlock, InlinePool, ReferenceTable, StrayKey } from "../../core/reference-table.ts";
import { chunkKey, coordinatesOf } from "../../core/chunk-grid.ts";
import { blockOf, placeOf } from "./columns.ts";
import { learnConsolidated } from "./consolidated-grids.ts";
import { removeDuplicates } from "./duplicates.ts";
import { rowOrigins, type RowOrigins } from "./origins.ts";
import type { MetadataRepeats, ReferenceSet } from "./reference-set.ts";
import { eachText } from "./key-texts.ts";
import { newRow, type Removal } from "./removal.ts";
import type { RenderedSet } from "./render-set.ts";
import { repeatFindings } from "./repeat-findings.ts";
import type { PendingKeys } from "./scanner.ts";
import { keyAt, pathAt, reasonAt, restText, settle, type StrayList } from "./resolve-pending-keys.ts";
import type { Grid, Slots } from "./slots.ts";
import { targetDictionary, type TargetFacts } from "./targets.ts";

/** More stray keys than this are hardly strays: the document is of another kind, or lacks its metadata. */
const MAX_STRAYS = 3_000_000;

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
  readonly rendered: RenderedSet | undefined;
  /** One for each time that repeated keys were removed. */
  readonly removals: readonly Removal[];
}

export interface FinishedTable {
  readonly table: ReferenceTable;
  readonly origins: RowOrigins;
  /** Number that a row of the table before has in this one: of one whose key was repeated that of the next. */
  newRow(row: number): number;
  readonly findings: readonly Finding[];
}

const PARTS = new WeakMap<ReferenceTable, { readonly parts: Parts; readonly strays: StrayList }>();

/** The table of a set that was read to its end. The set's scanner must not be used after. */
export function finishTable(
  set: ReferenceSet,
  rendered?: RenderedSet,
): FinishedTable & { readonly targets: TargetFacts } {
  learnConsolidated(set);
  const output = set.scanner.output();
  const rendering = rendered && { targets: rendered.targets, genFrom: rendered.gen.firstRow };
  const targets = targetDictionary(output.targets, output.blocks, output.rows, rendering);
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
    rendered,
    removals: [],
  };
  return { ...build(parts, output.pending, set.repeats), targets };
}

/**
 * A table in which the arrays of `grids` (by path) have these grids: their stray keys become chunks of them, where they
 * fit. For arrays whose metadata are references themselves and had to be fetched. The table given is used up: it shares
 * its columns with the new one.
 */
export function resolveGrids(table: ReferenceTable, grids: ReadonlyMap<string, Grid>): FinishedTable {
  const kept = PARTS.get(table);
  if (kept === undefined) {
    return { table, origins: rowOrigins(undefined, [], table.rows), newRow: (row) => row, findings: [] };
  }
  for (const slot of kept.parts.slots.all) slot.awaited = false;
  for (const [path, grid] of grids) {
    const slot = kept.parts.slots.all[kept.parts.slots.obtain(path)];
    if (slot === undefined || slot.final !== undefined) continue;
    slot.final = grid;
    slot.scanned = grid;
  }
  return build(kept.parts, kept.strays.keys);
}

function build(parts: Parts, pending: PendingKeys, repeats?: MetadataRepeats): FinishedTable {
  const settled = settle({ ...parts, pending });
  refuseStrays(parts, settled);
  const gen = parts.rendered?.gen;
  const before = rowOrigins(gen, parts.removals, parts.rows);
  const {
    rows,
    strays,
    removal,
    repeats: rowRepeats,
  } = removeDuplicates({ ...parts, strays: settled }, before.refsRows);
  const removals = removal === undefined || gen === undefined ? parts.removals : [...parts.removals, removal];
  const kept = { ...parts, rows, blocks: parts.blocks.slice(0, Math.ceil(rows / 65_536)), removals };
  const findings = new FindingLog();
  noteStrays(kept, strays, findings);
  findings.addAll(
    repeatFindings({
      rows: rowRepeats,
      metadata: repeats,
      keyOf: (row) => keyOfRow(kept, strays, row),
      genOrdinal: (row) => before.genOrdinal(row),
      renderer: parts.rendered?.renderer,
    }),
  );
  const table = tableOf(kept, strays);
  PARTS.set(table, { parts: kept, strays });
  const moved = (row: number) => (removal === undefined ? row : newRow(removal.removed, row));
  return { table, origins: rowOrigins(gen, removals, rows), newRow: moved, findings: findings.list() };
}

function tableOf(parts: Parts, strays: StrayList): ReferenceTable {
  let list: readonly StrayKey[] | undefined;
  return {
    rows: parts.rows,
    blocks: parts.blocks,
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
      list ??= strayKeys(parts, strays);
      return list;
    },
    get byteLength() {
      const maps = parts.bad.size * 200 + (parts.bigLengths.size + parts.wideOrdinals.size) * 40;
      return parts.heldBytes() + maps + strays.keys.allocated;
    },
  };
}

function strayKeys(parts: Parts, strays: StrayList): readonly StrayKey[] {
  const list: StrayKey[] = [];
  eachText(strays.keys, (row, rest) => {
    const key = keyAt(pathAt(parts.blocks, parts.slots, row), rest);
    list.push({ row, key, reason: reasonAt(strays, list.length) });
  });
  return list;
}

function refuseStrays(parts: Parts, strays: StrayList): void {
  if (strays.keys.count <= MAX_STRAYS || parts.slots.all.some((slot) => slot.awaited)) return;
  throw failure("too-many-stray-keys", WHOLE_SET, { strays: strays.keys.count, limit: MAX_STRAYS });
}

/** One finding for each array and reason, with the first key and the count. */
function noteStrays(parts: Parts, strays: StrayList, findings: FindingLog): void {
  const groups = new Map<
    number,
    { code: (typeof STRAY_CODES)[keyof typeof STRAY_CODES]; key: string; count: number }
  >();
  let index = 0;
  strays.keys.forEach((row, rest) => {
    const code = strays.reasons[index] ?? 0;
    const reason = reasonAt(strays, index++);
    const { array } = blockOf(parts.blocks, row);
    const id = array[placeOf(row)] ?? 0;
    const slot = parts.slots.all[id];
    // Where the grid is not read, the array has a finding of its own.
    if (slot?.awaited === true || reason === "grid-unread") return;
    const name = 65_536 * code + id;
    const group = groups.get(name);
    if (group !== undefined) group.count += 1;
    else groups.set(name, { count: 1, code: STRAY_CODES[reason], key: keyAt(slot?.path, restText(rest)) });
  });
  for (const { code, key, count } of groups.values()) findings.add(finding(code, placeAtKey(key), {}, count));
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
