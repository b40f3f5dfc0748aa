/** What the worker answers to each operation: the engine's answer, and which buffers to transfer. */
import type { Engine } from "../engine/engine.ts";
import type { ShardAnswer } from "../core/open-set.ts";
import type { Handlers } from "./host.ts";
import type { Operation } from "./protocol.ts";

export function engineHandlers(engine: Engine): Handlers {
  return {
    ...setHandlers(engine),
    ...microscopeHandlers(engine),
    ...repositoryHandlers(engine),
    ...studioHandlers(engine),
  };
}

type StudioOperation = Exclude<
  Operation,
  | keyof ReturnType<typeof setHandlers>
  | keyof ReturnType<typeof microscopeHandlers>
  | keyof ReturnType<typeof repositoryHandlers>
>;

function setHandlers(engine: Engine) {
  return {
    open: async (request, context) => ({ result: await engine.open(request, context) }),
    close: async ({ set }) => {
      engine.close(set);
      return { result: undefined };
    },
    locate: async ({ set, locations, files }) => {
      engine.locate(set, locations, files);
      return { result: undefined };
    },
    overview: async ({ set, path }, context) => ({ result: await engine.overview(set, path, context) }),
    unreadable: async ({ set }, context) => ({ result: await engine.unreadable(set, context) }),
    node: async ({ set, path, whole }, context) => ({ result: await engine.node(set, path, context, whole) }),
    view: async ({ set, spec }, context) => ({ result: await engine.view(set, spec, context) }),
    closeView: async ({ set, view }) => {
      engine.closeView(set, view);
      return { result: undefined };
    },
    rows: async ({ set, view, from, to }, context) => ({ result: await engine.rows(set, view, from, to, context) }),
    summary: async ({ set }, context) => ({ result: await engine.summary(set, context) }),
    loadPages: async ({ set, path }, context) => ({ result: await engine.loadPages(set, path, context) }),
    shard: async ({ set, array, shard }, context) => {
      const result = await engine.shard(set, array, shard, context);
      return { result, transfer: shardBuffers(result) };
    },
    find: async ({ set, view, key }, context) => ({ result: await engine.find(set, view, key, context) }),
    raster: async ({ set, spec }, context) => {
      const result = await engine.raster(set, spec, context);
      return { result, transfer: [result.codes.buffer, result.values.buffer] };
    },
    read: async ({ set, array, coordinates }, context) => ({
      result: await engine.read(set, array, coordinates, context),
    }),
    stageBytes: async ({ set, reading, stage, from, to }, context) => {
      const result = await engine.stageBytes(set, reading, stage, from, to, context);
      return { result, transfer: [result.bytes.buffer] };
    },
    slice: async ({ set, spec }) => {
      const result = engine.slice(set, spec);
      return { result, transfer: [result.values.buffer] };
    },
    cells: async ({ set, spec }) => ({ result: engine.cells(set, spec) }),
  } satisfies Partial<Handlers>;
}

function shardBuffers({ state }: ShardAnswer): ArrayBuffer[] {
  if (state.kind !== "shard") return [];
  const { offsets, lengths, codes, inFileOrder, gaps } = state.map;
  return [offsets, lengths, codes, inFileOrder, gaps].map(({ buffer }) => buffer);
}

function microscopeHandlers(engine: Engine) {
  return {
    tryRead: async ({ set, array, coordinates, trial }, context) => ({
      result: await engine.tryRead(set, array, coordinates, trial, context),
    }),
    suggest: async ({ set, array, coordinates }, context) => ({
      result: await (await engine.lab()).suggest(set, array, coordinates, context),
    }),
    repairEdits: async ({ set, array, coordinates, trial, scope }, context) => ({
      result: await (await engine.lab()).repairEdits(set, array, coordinates, { trial, scope }, context),
    }),
    checkRepair: async ({ set, array, coordinates, trial }, context) => ({
      result: await (await engine.lab()).checkRepair(set, array, coordinates, trial, context),
    }),
    readAgain: async ({ set, array, chunks }, context) => ({
      result: await (await engine.lab()).readAgain(set, array, chunks, context),
    }),
    codecNames: async () => ({ result: (await engine.lab()).codecNames() }),
  } satisfies Partial<Handlers>;
}

function repositoryHandlers(engine: Engine) {
  return {
    history: async ({ set }, context) => ({ result: await engine.repository(set).history(context) }),
    ancestry: async ({ set, from, limit }, context) => ({
      result: await engine.repository(set).ancestry(from, limit, context),
    }),
    olderOperations: async ({ set, file }, context) => ({
      result: await engine.repository(set).olderOperations(file, context),
    }),
    compare: async ({ set, from, to, method }, context) => ({
      result: await engine.repository(set).compare({ from, to, method }, context),
    }),
    forgetComparison: async ({ set }) => {
      engine.repository(set).forgetComparison();
      return { result: undefined };
    },
    changedChunks: async ({ set, path, from, to }) => ({
      result: engine.repository(set).changedChunks(path, from, to),
    }),
  } satisfies Partial<Handlers>;
}

function studioHandlers(engine: Engine): Pick<Handlers, StudioOperation> {
  return {
    editSource: async ({ set }) => ({ result: (await engine.studio()).editSource(set) }),
    edit: async (request, context) => ({ result: await (await engine.studio()).edit(request, context) }),
    textEdits: async ({ text, edit }) => ({ result: (await engine.studio()).textEdits(text, edit) }),
    versionRows: async ({ set, spec, from, to }, context) => ({
      result: await (await engine.studio()).versionRows(set, spec, from, to, context),
    }),
    versionRowOf: async ({ set, spec, key }, context) => ({
      result: await (await engine.studio()).versionRowOf(set, spec, key, context),
    }),
    rowPlace: async ({ set, text, key }) => ({ result: (await engine.studio()).rowPlace(set, text, key) }),
    placeRow: async ({ set, text, offset }) => ({ result: (await engine.studio()).placeRow(set, text, offset) }),
    complete: async ({ text, offset }) => ({ result: (await engine.studio()).complete(text, offset) }),
    hoverText: async (request) => ({ result: (await engine.studio()).hoverText(request) }),
    readers: async ({ set }, context) => ({ result: await (await engine.studio()).readers(set, context) }),
    javascriptDocument: async ({ set }) => {
      const result = (await engine.studio()).javascriptDocument(set);
      return "bytes" in result ? { result, transfer: [result.bytes.buffer] } : { result };
    },
    javascriptAnswer: async ({ set, answer }, context) => ({
      result: await (await engine.studio()).javascriptAnswer(set, answer, context),
    }),
    export: async (request, context) => ({ result: await (await engine.studio()).export(request, context) }),
  };
}
