/** Virtual and native chunks of a repository, wherever the engine shows them. */
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { SortColumn, ViewFilter } from "#core/open-set.ts";
import { STATE_CODE, STATES_IN_ORDER } from "#core/table/reference.ts";
import { fixtureFiles } from "#formats/icechunk/testing/objects.ts";
import { droppedFiles } from "#io/local-files.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { findKey } from "./operations.ts";
import { openFiles } from "../open/open-any.ts";
import { overviewOf } from "../describe/overview.ts";
import { rasterOf } from "./raster.ts";
import { readChunk } from "../chunk/read-chunk.ts";
import { rowsOf } from "./rows.ts";
import { openView } from "./view.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const OFFLINE = { http: { fetch: () => Promise.reject(new Error("There is no network here.")), attempts: 1 } };

async function open(): Promise<EngineSet> {
  const files = [...fixtureFiles("v2")].map(([path, bytes]) => ({ path, blob: new Blob([bytes.slice()]) }));
  const locations = NO_LOCATIONS;
  const opened = await openFiles(droppedFiles(files), { locations, network: OFFLINE, options: {}, context: CONTEXT });
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

async function listed(set: EngineSet, scope: string, filter: ViewFilter, sort?: SortColumn) {
  const order = sort === undefined ? {} : { sort: { column: sort, descending: false } };
  const view = await openView(set.index, { scope, filter, ...order }, CONTEXT);
  return { view, rows: rowsOf(view, 0, Infinity, set.met.results, set.nativePlace) };
}

describe("the state of virtual chunks", () => {
  it("is the same in counts, rows, filters, facets, readings and the map", async () => {
    const set = await open();
    const all = await listed(set, "", {});
    const virtual = all.rows.filter(({ state }) => state === "virtual");
    expect(virtual).toHaveLength(7);
    expect(all.rows.filter(({ state }) => state === "range")).toEqual([]);
    expect(all.view.info.facets.states).toMatchObject({ virtual: 7, range: 0 });
    expect((await overviewOf(set, "", CONTEXT)).states).toMatchObject({ virtual: 7, range: 0, native: 3 });
    expect((await listed(set, "", { states: ["range"] })).rows).toEqual([]);
    for (const scope of ["", "air", "air/virt"]) {
      const { rows, view } = await listed(set, scope, { states: ["virtual"] });
      expect(rows.map(({ state }) => state)).toEqual(rows.map(() => "virtual"));
      expect(rows.length).toBe(view.info.facets.states.virtual);
      expect(rows.length).toBeGreaterThan(0);
    }
    for (const { array = "", coordinates = [], target, offset, length, end } of virtual) {
      const { state, reference } = await chunkReference(set, arrayNode(set, array), coordinates, CONTEXT);
      expect(state).toBe("virtual");
      expect(reference).toEqual({ kind: "range", target, offset, length });
      expect(end).toBe((offset ?? 0) + (length ?? 0));
    }
    const [first] = virtual;
    const read = await readChunk(set, first?.array ?? "", first?.coordinates ?? [], CONTEXT);
    expect(read.reading.state).toBe("virtual");
    const window = { from: 0, to: 9 };
    const plane = { rowDimension: 0, columnDimension: 1, fixed: [0, 0], rows: window, columns: window };
    const spec = { ...plane, array: "air/virt", colour: "state", width: 9, height: 9 } as const;
    const { codes } = await rasterOf(set.index, spec, set.met.results, CONTEXT);
    expect([...codes]).toContain(STATE_CODE.virtual);
    expect([...codes]).not.toContain(STATE_CODE.range);
  });

  it("stands beside ranges in the order of states", async () => {
    const set = await open();
    const places = (await listed(set, "", {}, "state")).rows.map(({ state }) => STATES_IN_ORDER.indexOf(state));
    expect(new Set(places).size).toBeGreaterThan(2);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

describe("rows of native chunks", () => {
  it("give the chunk file and the range in it, as the Chunk region does", async () => {
    const set = await open();
    const natives = (await listed(set, "", { states: ["native"] })).rows;
    expect(natives).toHaveLength(3);
    for (const { array = "", coordinates = [], key, target, targetId, offset, length, end } of natives) {
      const chunk = await chunkReference(set, arrayNode(set, array), coordinates, CONTEXT);
      expect(chunk.written).toBe(JSON.stringify([target, offset, length]).replaceAll(",", ", "));
      expect(target).toMatch(/^chunks\/[0-9A-Z]{20}$/);
      expect(targetId).toBeUndefined();
      expect(end).toBe((offset ?? 0) + (length ?? 0));
      const { view } = await listed(set, array, {});
      const found = await findKey(view, key, set.met.results, CONTEXT, set.nativePlace);
      expect(found.row).toMatchObject({ key, state: "native", target, offset, length, end });
    }
  });

  it("give only a length where the format says no place", async () => {
    const set = await open();
    const view = await openView(set.index, { scope: "", filter: { states: ["native"] } }, CONTEXT);
    const [row] = rowsOf(view, 0, 1, set.met.results);
    expect(row).toMatchObject({ state: "native", target: undefined, offset: undefined, end: undefined });
    expect(row?.length).toBeGreaterThan(0);
  });
});
