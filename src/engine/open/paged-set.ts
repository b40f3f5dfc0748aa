/** A set whose table grows: its counts, nodes and findings are brought up to date when asked. */
import type { CallContext } from "../../core/byte-source.ts";
import { type Finding, placed } from "../../core/findings/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import { groupedBy } from "../../core/grouped.ts";
import type { Hierarchy, HierarchyNode } from "../../core/hierarchy.ts";
import { cellCount, coordinatesOf, gridOf } from "../../core/chunk-grid.ts";
import type { ArraySlot } from "../../core/reference-table.ts";
import type { ReferencePages } from "../../core/reference-pages.ts";
import { tableBuilder, type TableBuilder } from "../../core/table-builder.ts";
import { arrayPages, type ArrayPages } from "../table/array-pages.ts";
import type { EngineSet } from "../engine-set.ts";
import { runRules } from "../check/count-rules.ts";
import { readLevelMarks } from "../describe/level-marks.ts";
import { nodeSummaries } from "../describe/node-summaries.ts";
import { indexTable, type TableIndex } from "../table/table-index.ts";
import { tally, type TableTally } from "../table/tally.ts";
import { chunkAt, nodeAt, type ChunkPlace, type Place } from "../../core/findings/place.ts";

export interface GrowingTable {
  readonly builder: TableBuilder;
  readonly index: TableIndex;
  /** Id of the array in the table, by path. */
  readonly ids: ReadonlyMap<string, number>;
  /** Found since the set was opened. */
  readonly log: FindingLog;
  readonly revision: () => number;
  addPages(path: string, pages: ReferencePages): ArrayPages;
}

/**
 * A slot for each array of a hierarchy, those whose chunk grid is not read included. `virtual`: ranges are virtual
 * chunks, but for inner chunks of shards.
 */
export function slotsOf({ nodes }: Hierarchy, { virtual = false } = {}): readonly ArraySlot[] {
  return [...nodes.values()].flatMap((node) => {
    const slot = slotOf(node);
    if (slot === undefined) return [];
    const isSharded = node.kind === "array" && node.metadata.sharding !== undefined;
    return virtual && !isSharded ? { ...slot, virtual } : slot;
  });
}

function slotOf(node: HierarchyNode): ArraySlot | undefined {
  if (node.kind === "array") {
    const { shape, chunks, separator } = node.metadata;
    return { path: node.path, grid: gridOf(shape, chunks), separator };
  }
  if (node.kind !== "broken" || node.gridUnread === undefined) return undefined;
  return { path: node.path, grid: undefined, separator: node.gridUnread };
}

/** A table without rows yet. */
export function growingTable(slots: readonly ArraySlot[]): GrowingTable {
  const builder = tableBuilder();
  const ids = new Map(
    slots.map(({ path, grid, separator, virtual }) => [path, builder.addArray(path, grid, separator, virtual)]),
  );
  const paged = new Map<number, ArrayPages>();
  const index = indexTable(builder.live(), undefined, paged);
  const log = new FindingLog();
  let revision = 0;
  return {
    builder,
    index,
    ids,
    log,
    revision: () => revision,
    addPages(path, pages) {
      const id = ids.get(path) ?? 0;
      const { grid } = slots[id] ?? {};
      const cells = grid === undefined ? 0 : cellCount(grid);
      const changed = (page: number, from: number, to: number): void => {
        revision += 1;
        index.pageChanged(id, page, from, to);
      };
      const found = (findings: readonly Finding[]): void => {
        for (const finding of findings) log.add(placed(finding, nodeAt(path)));
      };
      const added = arrayPages(pages, { id, table: builder, cells, changed, found });
      paged.set(id, added);
      return added;
    },
  };
}

/** What a set has beside its table. */
export interface GrowingSet extends Omit<
  EngineSet,
  | "table"
  | "index"
  | "keys"
  | "metadataKeys"
  | "tally"
  | "nodes"
  | "findings"
  | "coverage"
  | "results"
  | "noted"
  | "failures"
  | "unbuilt"
  | "answers"
  | "revision"
  | "refresh"
> {
  readonly table: GrowingTable;
  /** Found while opening it. */
  readonly opening: readonly Finding[];
}

const MAX_FAILURES = 1000;

/** One finding a code and object, with the first pages that failed so. */
function failureFindings(array: string, pages: ArrayPages, grid: readonly number[] | undefined): readonly Finding[] {
  const failed = pages.failures(MAX_FAILURES).map(([page, found]) => ({
    ...found,
    place: pagePlace(placed(found, nodeAt(array)).place, () => firstChunk(array, page, pages, grid)),
  }));
  const alike = groupedBy(failed, ({ code, place }) => (place.kind === "target" ? `${code} ${place.target}` : code));
  return [...alike.values()].map((all) => {
    const places = all.slice(0, MAX_PLACES).map(({ place }) => place);
    return { ...all[0], count: all.length, ...(places.length > 1 ? { places } : {}) };
  });
}

const MAX_PLACES = 100;

/** Of an object that many arrays may have references in, one of the chunks that are in this page. */
function pagePlace(place: Place, chunk: () => ChunkPlace | undefined): Place {
  if (place.kind !== "target" || place.chunk !== undefined) return place;
  const first = chunk();
  return first === undefined ? place : { ...place, chunk: first };
}

/** Pages may have millions of chunks: of those one is enough that is met in steps. */
function firstChunk(array: string, page: number, { pages }: ArrayPages, grid: readonly number[] | undefined) {
  if (grid === undefined) return undefined;
  const step = Math.max(1, Math.floor(cellCount(grid) / STEPS));
  let first = Array.from({ length: STEPS }, (_, at) => at * step).find(
    (ordinal) => ordinal < cellCount(grid) && pages.pageOf(ordinal) === page,
  );
  if (first === undefined && pages.cellsOf(page) <= MAX_VISITED) pages.visit(page, (ordinal) => (first ??= ordinal));
  return first === undefined ? undefined : chunkAt(array, coordinatesOf(grid, first));
}

const STEPS = 256;
const MAX_VISITED = 10_000;

export async function growingSet(parts: GrowingSet, context: CallContext): Promise<EngineSet> {
  const { table: growing, opening, ...rest } = parts;
  const { index, log } = growing;
  const table = growing.builder.live();
  const check = (counted: TableTally, context: CallContext) =>
    runRules({ hierarchy: parts.hierarchy, counts: counted, index, unlisted: parts.unlisted === true }, context);
  await readLevelMarks(parts.hierarchy);
  let counts = await tally(index, "", context);
  let checked = await check(counts, context);
  let upTo = growing.revision();
  const metadataKeys = parts.documents.size;
  return {
    ...rest,
    table,
    index,
    metadataKeys,
    get keys() {
      return table.rows + metadataKeys;
    },
    get tally() {
      return counts;
    },
    get nodes() {
      return nodeSummaries(parts.hierarchy, counts, (path) => index.paged.get(index.arrayIds.get(path) ?? -1));
    },
    get findings() {
      const all = new FindingLog();
      all.addAll(opening);
      all.addAll(log.list());
      for (const [id, pages] of index.paged)
        all.addAll(failureFindings(table.arrays[id]?.path ?? "", pages, table.arrays[id]?.grid));
      all.addAll(checked.findings);
      return all.list();
    },
    get coverage() {
      return checked.coverage;
    },
    results: new Map(),
    noted: { readings: 0 },
    failures: new Map(),
    unbuilt: new Map(),
    answers: new Map(),
    get revision() {
      return growing.revision();
    },
    async refresh(context) {
      if (upTo === growing.revision()) return;
      const now = growing.revision();
      const counted = await tally(index, "", context);
      checked = await check(counted, context);
      counts = counted;
      upTo = now;
    },
  };
}
