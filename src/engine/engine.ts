/** The engine as one object: open sets by handle, and what can be asked of them. No thread, no screen. */
import type { CallContext } from "../core/byte-source.ts";
import { RefscopeError } from "../core/errors.ts";
import type { Locations } from "../core/location.ts";
import type {
  Cells,
  CellsSpec,
  NodeDetail,
  OpenAnswer,
  OpenRequest,
  OpenSource,
  Overview,
  Raster,
  RasterSpec,
  RowsAnswer,
  SetSummary,
  ShardAnswer,
  Slice,
  SliceSpec,
  UnreadableTargets,
  ViewInfo,
  ViewSpec,
} from "../core/open-set.ts";
import type { Trial } from "../core/lab.ts";
import type { Reading } from "../core/reading.ts";
import { cellsOf, sliceOf } from "../core/slice.ts";
import { hostLimit } from "../io/host-limit.ts";
import { droppedFiles } from "../io/local-files.ts";
import { documentSet, repositoryOf, type EngineSet, type SetRepository } from "./engine-set.ts";
import { openAny, type AnyOptions } from "./open/open-any.ts";
import { overviewOf } from "./describe/overview.ts";
import { rasterOf } from "./table/raster.ts";
import type { LabOperations } from "./lab/operations.ts";
import { keepReadings, type KeptReadings } from "./chunk/readings.ts";
import { findKey, type FoundKey } from "./table/find-key.ts";
import { rowsOf } from "./table/rows.ts";
import { summaryOf } from "./describe/summary.ts";
import type { Network } from "./open/target-reader.ts";
import { once } from "./once.ts";
import { loadRest, loadWindow } from "./table/load-pages.ts";
import type { StudioOperations } from "./edit/operations.ts";
import { openView, type View } from "./table/view.ts";
import { carriedReadings } from "./chunk/carried-readings.ts";
import { withFiles } from "./open/added-files.ts";
import { keepStages } from "./stage-bytes.ts";
import { unreadableTargets } from "./unreadable-targets.ts";

/** All handles are numbers that the engine gave out; an unknown one throws `set-closed`, `view-closed`, `reading-gone`. */
export interface Engine {
  open(request: OpenRequest, context: CallContext): Promise<OpenAnswer>;
  close(set: number): void;
  locate(set: number, locations: Locations, files: OpenSource | undefined): void;
  overview(set: number, path: string, context: CallContext): Promise<Overview>;
  /** Targets that cannot be read from here; nothing is asked of the network. */
  unreadable(set: number, context: CallContext): Promise<UnreadableTargets>;
  /** `whole`: texts of any length; else the beginnings of long ones. */
  node(set: number, path: string, context: CallContext, whole?: boolean): Promise<NodeDetail>;
  view(set: number, spec: ViewSpec, context: CallContext): Promise<ViewInfo>;
  closeView(set: number, view: number): void;
  /** Fetches the pages of references that the rows lie in, where they are not here. */
  rows(set: number, view: number, from: number, to: number, context: CallContext): Promise<RowsAnswer>;
  /** What is known of the set by now: counts, nodes and findings grow with the pages of references that were fetched. */
  summary(set: number, context: CallContext): Promise<SetSummary>;
  /** Fetches the pages of references at or below a path that are not here. */
  loadPages(set: number, path: string, context: CallContext): Promise<SetSummary>;
  shard(set: number, array: string, shard: readonly number[], context: CallContext): Promise<ShardAnswer>;
  find(set: number, view: number, key: string, context: CallContext): Promise<FoundKey>;
  raster(set: number, spec: RasterSpec, context: CallContext): Promise<Raster>;
  read(set: number, array: string, coordinates: readonly number[], context: CallContext): Promise<Reading>;
  /** Reads a chunk otherwise than declared. Throws `trial-configuration`. */
  tryRead(
    set: number,
    array: string,
    coordinates: readonly number[],
    trial: Trial,
    context: CallContext,
  ): Promise<Reading>;
  /** Bytes that were not kept are made again. */
  stageBytes(
    set: number,
    reading: number,
    stage: number,
    from: number,
    to: number,
    context: CallContext,
  ): Promise<StageBytes>;
  slice(set: number, spec: SliceSpec): Slice;
  cells(set: number, spec: CellsSpec): Cells;
  /** The history of the repository that the set is a snapshot of. Throws `no-repository`. */
  repository(set: number): SetRepository;
  /** Editing and exporting, whose code is fetched when it is first asked for. */
  studio(): Promise<StudioOperations>;
  /** Suggesting repairs and making edits of them; fetched alike. */
  lab(): Promise<LabOperations>;
}

export interface StageBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly total: number;
}

/** A set and what is asked of it. */
interface Session {
  readonly set: EngineSet;
  readonly views: Map<number, View>;
  readonly readings: KeptReadings;
}

/** Sorted views of ten million rows hold 40 MB each; the screen closes them, this bounds what it forgets. */
const MAX_VIEWS = 8;
const MAX_ROWS = 2000;
const MAX_STAGE_BYTES = 1 << 20;

/** One limit of requests per host for all sets. */
const theNetwork = (): Network => ({ http: { limit: hostLimit() } });

export function createEngine(network: Network = theNetwork()): Engine {
  const sessions = new Map<number, Session>();
  let lastHandle = 0;
  const nextHandle = () => {
    lastHandle += 1;
    return lastHandle;
  };
  const session = (set: number) => sessionOf(sessions, set);
  const add = (set: EngineSet) => {
    const id = nextHandle();
    sessions.set(id, { set, views: new Map(), readings: keepReadings() });
    return id;
  };
  return {
    async open(request, context) {
      const opened = await openAny(request.source, request.locations, openOptions(request), network, context);
      if (opened.kind === "choose") return opened;
      return { kind: "set", set: summaryOf(opened.set, add(opened.set)) };
    },
    close: (set) => {
      sessions.delete(set);
    },
    locate: (set, locations, files) => {
      relocate(session(set).set, locations, files);
    },
    overview: (set, path, context) => overviewOf(session(set).set, path, context),
    unreadable: (set, context) => unreadableTargets(session(set).set, context),
    async node(set, path, context, whole) {
      const { describeNode } = await import("./describe/node-detail.ts");
      return describeNode(session(set).set, path, context, whole);
    },
    raster(set, spec, context) {
      const { index, results, repository } = session(set).set;
      const changes = spec.colour === "change" ? repository?.changesOf(spec.array) : undefined;
      return rasterOf(index, spec, results, context, changes);
    },
    ...viewOperations(session, nextHandle),
    ...pageOperations(session),
    ...readingOperations(session),
    repository: (set) => repositoryOf(session(set).set),
    lab: once(async () => {
      const { labOperations } = await import("./lab/operations.ts");
      return labOperations((set) => session(set).set);
    }),
    studio: once(async () => {
      const { studioOperations } = await import("./edit/operations.ts");
      return studioOperations({ get: (set) => documentSet(session(set).set), add }, network);
    }),
  };
}

function openOptions({ overrides, most, choice, paths = [], ask = false, ref }: OpenRequest): AnyOptions {
  return { ...(overrides === undefined ? {} : { overrides: new Map(overrides) }), most, choice, paths, ask, ref };
}

function sessionOf(sessions: ReadonlyMap<number, Session>, set: number): Session {
  const found = sessions.get(set);
  if (found !== undefined) return found;
  throw new RefscopeError({ code: "set-closed", doing: "Asking about a set", found: "that it is no longer open" });
}

function relocate({ targets }: EngineSet, locations: Locations, files: OpenSource | undefined): void {
  const added = files?.kind === "files" ? files.files : [];
  targets.relocate(locations, added.length === 0 ? targets.files : withFiles(targets.files, droppedFiles(added)));
}

type ViewOperations = Pick<Engine, "view" | "closeView" | "rows" | "find">;

function viewOperations(session: (set: number) => Session, nextHandle: () => number): ViewOperations {
  const viewOf = (set: number, view: number) => {
    const found = session(set).views.get(view);
    if (found !== undefined) return found;
    throw new RefscopeError({
      code: "view-closed",
      doing: "Asking for rows",
      found: "that the view is no longer kept",
    });
  };
  return {
    async view(set, spec, context) {
      const { set: engineSet, views } = session(set);
      const view = await openView(engineSet.index, spec, context);
      const id = nextHandle();
      views.set(id, view);
      for (const oldest of views.keys()) if (views.size > MAX_VIEWS) views.delete(oldest);
      return { view: id, ...view.info };
    },
    closeView: (set, view) => {
      session(set).views.delete(view);
    },
    async rows(set, view, from, to, context) {
      const { set: engineSet } = session(set);
      const end = Math.min(to, from + MAX_ROWS);
      await loadWindow(viewOf(set, view), from, end, context);
      const { results, nativePlace } = engineSet;
      return { rows: rowsOf(viewOf(set, view), from, end, results, nativePlace), revision: engineSet.revision };
    },
    find(set, view, key, context) {
      const { results, nativePlace } = session(set).set;
      return findKey(viewOf(set, view), key, results, context, nativePlace);
    },
  };
}

type PageOperations = Pick<Engine, "summary" | "loadPages" | "shard">;

function pageOperations(session: (set: number) => Session): PageOperations {
  const summary = async (id: number, context: CallContext): Promise<SetSummary> => {
    const { set } = session(id);
    await set.refresh(context);
    return summaryOf(set, id);
  };
  return {
    summary,
    async loadPages(id, path, context) {
      await loadRest(session(id).set, path, context);
      return summary(id, context);
    },
    async shard(id, array, shard, context) {
      const { readShard } = await import("./chunk/read-shard.ts");
      return readShard(session(id).set, array, shard, context);
    },
  };
}

type ReadingOperations = Pick<Engine, "read" | "tryRead" | "stageBytes" | "slice" | "cells">;

function readingOperations(session: (set: number) => Session): ReadingOperations {
  const carried = carriedReadings();
  const stages = keepStages();
  return {
    async read(set, array, coordinates, context) {
      const { set: engineSet, readings } = session(set);
      // With the codecs, which opening a set does not need.
      const { readChunk } = await import("./chunk/read-chunk.ts");
      const chunk =
        (await carried.find(engineSet, array, coordinates, context)) ??
        (await readChunk(engineSet, array, coordinates, context));
      carried.keep(engineSet, chunk);
      stages.hold(chunk);
      return { id: readings.add(chunk), ...chunk.reading };
    },
    async tryRead(set, array, coordinates, trial, context) {
      const { set: engineSet, readings } = session(set);
      const { tryChunk } = await import("./lab/try-chunk.ts");
      const chunk = await tryChunk(engineSet, { array, coordinates, trial }, readings, context);
      stages.hold(chunk);
      return { id: readings.add(chunk), ...chunk.reading };
    },
    async stageBytes(set, reading, stage, from, to, { signal }) {
      const bytes = await stages.bytes(session(set).readings.get(reading), stage, signal);
      return { bytes: bytes.slice(from, Math.min(to, from + MAX_STAGE_BYTES)), total: bytes.length };
    },
    slice: (set, spec) => sliceOf(decodedOf(session(set), spec.reading), spec),
    cells: (set, spec) => cellsOf(decodedOf(session(set), spec.reading), spec),
  };
}

function decodedOf({ readings }: Session, id: number) {
  const { values, inside, scaling } = readings.get(id);
  if (values !== undefined) return { values, inside, scaling };
  throw new RefscopeError({ code: "no-values", doing: "Showing values", found: "a chunk that has none" });
}
