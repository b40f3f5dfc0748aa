/** What the worker answers to each operation: the engine's answer, and which buffers to transfer. */
import type { Engine } from "../engine/engine.ts";
import type { Handlers } from "./host.ts";

export function engineHandlers(engine: Engine): Handlers {
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
    node: async ({ set, path }, context) => ({ result: await engine.node(set, path, context) }),
    view: async ({ set, spec }, context) => ({ result: await engine.view(set, spec, context) }),
    closeView: async ({ set, view }) => {
      engine.closeView(set, view);
      return { result: undefined };
    },
    rows: async ({ set, view, from, to }) => ({ result: engine.rows(set, view, from, to) }),
    find: async ({ set, view, key }, context) => ({ result: await engine.find(set, view, key, context) }),
    raster: async ({ set, spec }, context) => {
      const result = await engine.raster(set, spec, context);
      return { result, transfer: [result.codes.buffer, result.values.buffer] };
    },
    read: async ({ set, array, coordinates }, context) => ({
      result: await engine.read(set, array, coordinates, context),
    }),
    stageBytes: async ({ set, reading, stage, from, to }) => {
      const result = engine.stageBytes(set, reading, stage, from, to);
      return { result, transfer: [result.bytes.buffer] };
    },
    slice: async ({ set, spec }) => {
      const result = engine.slice(set, spec);
      return { result, transfer: [result.values.buffer] };
    },
    cells: async ({ set, spec }) => ({ result: engine.cells(set, spec) }),
  };
}
