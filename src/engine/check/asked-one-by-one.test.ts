/** Sets whose chunks are asked for one by one: what is not known is asked for, and nothing is said of what is not. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RangeServer, startRangeServer } from "../../../e2e/support/range-server.ts";
import { smallParquet, smallStore } from "../../../e2e/support/small-sets.ts";
import { putStore, type StoreFiles } from "../../../e2e/support/stores.ts";
import type { CheckState, Verdict } from "#core/check/check.ts";
import { headlineOf, type Judged, verdictOf } from "#core/check/verdict-words.ts";
import { explained } from "#core/findings/explain.ts";
import { inWords } from "#core/findings/explained.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { createEngine, type Engine } from "../engine.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { arrayAt } from "./testing/made-set.ts";
import { QUICK } from "./testing/open-with-targets.ts";

let server: RangeServer;
beforeAll(async () => {
  server = await startRangeServer();
});
afterAll(() => server.stop());

interface Seen {
  readonly state: CheckState;
  readonly verdict: Verdict;
  readonly headline: string;
  /** Codes of warnings and errors. */
  readonly alarms: readonly string[];
}

interface Checked {
  readonly engine: Engine;
  readonly set: number;
  readonly seen: () => Promise<Seen>;
}

/** Opened, and looked at as the page does unasked. */
async function glanced(path: string): Promise<Checked> {
  const engine = createEngine({ http: QUICK });
  const source = { kind: "url", url: server.url(path) } as const;
  const opened = await engine.call("set.open", { source, locations: NO_LOCATIONS }, CONTEXT);
  if (opened.kind !== "set") throw new Error(opened.title);
  const { id: set } = opened.set;
  await engine.call("check.glance", { set }, CONTEXT);
  const seen = async (): Promise<Seen> => {
    const state = await engine.call("check.state", { set, isAsked: true }, CONTEXT);
    const { format, references, states, nodes } = await engine.call("set.summary", { set }, CONTEXT);
    const cells = nodes.reduce((sum, { cells: own = 0 }) => sum + own, 0);
    const findings = state.findings.map((found) => inWords(found, explained));
    const judged: Judged = { set: { format, references, states, cells }, findings, checked: state };
    const alarms = findings.filter(({ said }) => said.severity !== "info").map(({ found }) => found.code);
    return { state, verdict: verdictOf(judged), headline: headlineOf(judged), alarms };
  };
  return { engine, set, seen };
}

async function checkedWhole(path: string): Promise<Seen> {
  const { engine, set, seen } = await glanced(path);
  await Promise.all([engine.call("check.sources", { set }, CONTEXT), engine.call("check.values", { set }, CONTEXT)]);
  return seen();
}

const put = (path: string, files: StoreFiles): string => {
  putStore(server, path, files);
  return path;
};

/** A store with consolidated metadata of which a request misbehaves. */
function misbehaving(name: string, key: string, fault: string): string {
  server.misbehave(`/${name}/${key}`, fault);
  return put(`/${name}`, smallStore(2, true));
}

it.each([
  ["a Zarr v2 store", () => put("/two", smallStore(2, true))],
  ["a Zarr v3 store", () => put("/three", smallStore(3, true))],
  [
    "Kerchunk Parquet",
    () => {
      const { set, sources } = smallParquet(server.url("/sources"));
      put("/sources", sources);
      return put("/set.parq", set);
    },
  ],
])("of %s what is not known is looked up unasked, and all of it is decoded when that is asked", async (_, path) => {
  const unasked = await (await glanced(path())).seen();
  expect(unasked.alarms).toEqual([]);
  expect(unasked.state.chunks).toEqual({ of: 8, decoded: 0, failed: 0 });
  expect(unasked.headline).toMatch(/^No problems found so far(; sources not checked)?$/);
  expect(unasked.verdict.complete).toEqual({ answer: "yes", why: "All 8 chunks have references." });
  expect(unasked.verdict.values.answer).toBe("not-checked");
  const whole = await checkedWhole(path());
  expect(whole.alarms).toEqual([]);
  expect(whole.headline).toBe("No problems found");
  expect(whole.state.chunks).toEqual({ of: 8, decoded: 8, failed: 0 });
});

it("nothing is said of a store whose arrays nobody can list", async () => {
  const { headline, verdict } = await checkedWhole(put("/unlisted", smallStore(2, false)));
  expect(headline).toContain("so far");
  for (const question of ["complete", "values", "sources"] as const)
    expect(verdict[question].answer).toBe("not-checked");
});

it.each([
  ["denied", "403", "chunk-denied", "Not known for 1 chunk: access is denied."],
  ["not answered for", "drop", "host-unreachable", "1 chunk could not be checked: its source is out of reach."],
  ["a server's failure", "500", "http-status", "1 chunk could not be checked: its source is out of reach."],
])("a coordinate's chunk that is %s has no missing values, and is not read", async (_, fault, code, why) => {
  const { alarms, verdict, headline } = await checkedWhole(misbehaving(`lat-${fault}`, "lat/0", fault));
  expect(alarms).toEqual([code]);
  expect(headline).toBe("Opens, but 1 chunk could not be checked: its source is out of reach");
  expect(verdict.complete).toEqual({ answer: "partly", why });
  expect(verdict.values.answer).not.toBe("yes");
  expect(verdict.sources.answer).not.toBe("yes");
});

it("a record that cannot be read leaves its chunks unknown", async () => {
  const { set, sources } = smallParquet(server.url("/sources"));
  put("/sources", sources);
  const { alarms, verdict } = await checkedWhole(put("/broken.parq", { ...set, "lat/refs.0.parq": "nothing" }));
  expect(alarms).toEqual(["parquet-record-broken"]);
  expect(verdict.complete.answer).toBe("partly");
  expect(verdict.values).toEqual({
    answer: "partly",
    why: "No problems in 7 of 8 chunks. The reference of 1 chunk cannot be read.",
  });
});

it("of a record that is not there the chunks are not missing once more", async () => {
  const { set, sources } = smallParquet(server.url("/sources"));
  put("/sources", sources);
  const files = Object.entries(set).filter(([key]) => key !== "sst/refs.1.parq");
  const { alarms } = await checkedWhole(put("/lacking.parq", Object.fromEntries(files)));
  expect(alarms).toEqual(["parquet-record-missing"]);
});

/** Bytes in chunks of one, of which each is asked for by a request; a coordinate beside them. */
function longStore(length: number): StoreFiles {
  const made = { chunks: [1], dtype: "|u1" };
  const metadata = {
    ".zgroup": { zarr_format: 2 },
    ...arrayAt("long", { shape: [length], dimensions: ["y"], ...made }),
    ...arrayAt("x", { shape: [2], dimensions: ["x"], ...made }),
  };
  return { ".zmetadata": JSON.stringify({ zarr_consolidated_format: 1, metadata }), "x/0": "a", "x/1": "b" };
}

it("of very many, coordinates are known first and a part of the others, and the cost says how many", async () => {
  server.reset();
  const { engine, set, seen } = await glanced(put("/long", longStore(30_000)));
  expect(server.requests.filter(({ method }) => method === "HEAD")).toHaveLength(64);
  expect((await seen()).state.chunks.of).toBe(2);
  const costs = await engine.call("check.costs", { set }, CONTEXT);
  expect(costs).toMatchObject({ unknown: 29_938, fetched: 10_000 });
  const [sample] = await engine.call("check.samples", { set }, CONTEXT);
  expect(sample).toMatchObject({ share: 0.05, of: 29_940, isAbout: true });
  expect(sample?.chunks).toBeGreaterThan(60);
  const before = server.requests.length;
  await engine.call("check.values", { set, share: 0.01 }, CONTEXT);
  const asked = server.requests.slice(before).filter(({ path }) => path.includes("/long/long/"));
  expect(asked.length).toBeGreaterThan(100);
  expect(asked.length).toBeLessThan(1000);
});
