/**
 * How a set is put together; its counts, nodes and findings are brought up to date when asked, since its table may
 * grow.
 */
import type { CallContext } from "#core/byte-source.ts";
import { chunkAt, type ChunkPlace, type Finding, nodeAt, type Place, placed } from "#core/findings/finding.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { groupedBy } from "#core/basics.ts";
import type { Hierarchy, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { cellCount, coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import type { ArraySlot } from "#core/table/reference-table.ts";
import type { ReferencePages } from "#core/table/reference-pages.ts";
import { tableBuilder, type TableBuilder } from "#core/table/table-builder.ts";
import { arrayPages, type ArrayPages } from "../table/array-pages.ts";
import type { RuleCoverage } from "#core/open-set.ts";
import type { ShardReader } from "../chunk/shard-reader.ts";
import { Met, type EngineSet } from "../engine-set.ts";
import { runRules } from "../rules/count-rules.ts";
import { readLevelMarks, nodeSummaries } from "../describe/summary.ts";
import { indexTable, type TableIndex } from "../table/table-index.ts";
import { tally, uncounted, type TableTally } from "../table/tally.ts";

/** A table without rows yet: `index`, `log` and `revision` are parts of the set that is made of it. */
export interface GrowingTable {
  readonly builder: TableBuilder;
  readonly index: TableIndex;
  /** Id of the array in the table, by path. */
  readonly ids: ReadonlyMap<string, number>;
  /** Found since the set was opened. */
  readonly log: FindingLog;
  readonly revision: () => number;
  /** Readers of arrays with shards, by id. */
  readonly shards: ReadonlyMap<number, ShardReader>;
  addPages(path: string, pages: ReferencePages): ArrayPages;
  /** A page a shard. */
  addShards(reader: ShardReader): void;
}

/** Parts of a growing table for `makeSet`. */
export const partsOf = (table: GrowingTable): Pick<SetParts, "index" | "growing" | "shards"> => ({
  index: table.index,
  growing: table,
  shards: table.shards,
});

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
export function growingTable(
  slots: readonly ArraySlot[],
  watched: (pages: ReferencePages, path: string, grid: readonly number[]) => ReferencePages = (pages) => pages,
): GrowingTable {
  const builder = tableBuilder();
  const ids = new Map(
    slots.map(({ path, grid, separator, virtual }) => [path, builder.addArray(path, grid, separator, virtual)]),
  );
  const paged = new Map<number, ArrayPages>();
  const shards = new Map<number, ShardReader>();
  const index = indexTable(builder.live(), undefined, paged);
  const log = new FindingLog();
  let revision = 0;
  const addPages = (path: string, pages: ReferencePages): ArrayPages => {
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
    const added = arrayPages(watched(pages, path, grid ?? []), { id, table: builder, cells, changed, found });
    paged.set(id, added);
    return added;
  };
  const addShards = (reader: ShardReader): void => {
    addPages(reader.node.path, reader.pages);
    shards.set(ids.get(reader.node.path) ?? 0, reader);
  };
  return { builder, index, ids, log, shards, revision: () => revision, addPages, addShards };
}

/** Parts of a set that a format provides once its metadata and the first of its references are loaded. */
export interface SetParts extends Omit<
  EngineSet,
  | "table"
  | "keys"
  | "metadataKeys"
  | "tally"
  | "nodes"
  | "findings"
  | "coverage"
  | "met"
  | "revision"
  | "isCounted"
  | "refresh"
> {
  /** Keys of metadata; absent = the documents. */
  readonly metadataKeys?: number;
  /** Found while opening it. */
  readonly opening: readonly Finding[];
  /** Log and revision of a table that may grow. */
  readonly growing?: Pick<GrowingTable, "log" | "revision">;
  /** Counting is left to the first `refresh` where there is much to count: the set is shown before. */
  readonly countsLater?: boolean | undefined;
}

/** Rows: fewer are counted, and their rules run, in less time than a picture of the screen takes to be drawn. */
const FEW_ROWS = 100_000;

const countedBy = ({ hierarchy, index, unlisted = false, sourceFile }: SetParts) => ({
  hierarchy,
  index,
  unlisted,
  isFile: sourceFile !== undefined,
});

/** The only place where a set is put together: of documents, stores, repositories, at once or page by page. */
export async function makeSet<P extends SetParts>(
  parts: P,
  context: CallContext,
): Promise<EngineSet & Omit<P, "opening" | "growing" | "countsLater">> {
  const { opening, growing, countsLater = false, ...rest } = parts;
  const { index, hierarchy, documents } = parts;
  const { table } = index;
  const metadataKeys = parts.metadataKeys ?? documents.size;
  const revision = () => growing?.revision() ?? 0;
  await readLevelMarks(hierarchy);
  let counted: Counted = { counts: uncounted(index), findings: [], coverage: [], upTo: undefined };
  const under: { way: Promise<void> | undefined } = { way: undefined };
  const count = async (context: CallContext): Promise<void> => {
    const upTo = revision();
    const counts = await tally(index, "", context);
    counted = { counts, ...(await runRules({ ...countedBy(parts), counts }, context)), upTo };
  };
  const refresh = async (context: CallContext): Promise<void> => {
    // Who asks while it is under way waits for it; where that was cancelled by who asked first, it is done again.
    while (under.way !== undefined) await under.way.catch(() => undefined);
    if (counted.upTo === revision()) return;
    under.way = count(context);
    await under.way.finally(() => (under.way = undefined));
  };
  if (!countsLater || table.rows <= FEW_ROWS) await refresh(context);
  const changing = {
    get keys() {
      return table.rows + metadataKeys;
    },
    get tally() {
      return counted.counts;
    },
    get nodes() {
      return nodeSummaries(hierarchy, counted.counts, (path) => index.pagesOf(path));
    },
    get findings() {
      const all = new FindingLog();
      all.addAll(opening);
      if (growing !== undefined) all.addAll(growing.log.list());
      for (const [id, pages] of index.paged)
        all.addAll(failureFindings(table.arrays[id]?.path ?? "", pages, table.arrays[id]?.grid));
      all.addAll(counted.findings);
      return all.list();
    },
    get coverage() {
      return counted.coverage;
    },
    get revision() {
      return revision();
    },
    get isCounted() {
      return counted.upTo !== undefined;
    },
  };
  return Object.defineProperties(
    { ...rest, table, metadataKeys, met: new Met(), refresh },
    Object.getOwnPropertyDescriptors(changing),
  ) as EngineSet & typeof rest;
}

interface Counted {
  readonly counts: TableTally;
  readonly findings: readonly Finding[];
  readonly coverage: readonly RuleCoverage[];
  /** The revision that was counted. */
  readonly upTo: number | undefined;
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

/** Place of a chunk of this page, for an object that many arrays may have references in. */
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
