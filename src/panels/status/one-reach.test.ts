/** Chunks that no source gave have one state: the same number in headline, answers, problems, footer, tree, map and JSON. */
import { describe, expect, it } from "vitest";
import { smallParquet, smallStore } from "../../../e2e/support/small-sets.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { lostChunks } from "#core/check/lost-chunks.ts";
import { headlineOf, type Judged, shownAnswer, verdictOf } from "#core/check/verdict-words.ts";
import { explained } from "#core/findings/explain.ts";
import { inWords } from "#core/findings/explained.ts";
import { failure, targetAt } from "#core/findings/finding.ts";
import { createEngine } from "#engine/engine.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { setReport } from "../check/CheckHead.tsx";
import { nodeHealth } from "../hierarchy/tree.ts";
import { healthOf } from "./HealthLine.tsx";

const STATES = ["offline", "host down", "missing", "denied"] as const;
type State = (typeof STATES)[number];
type Files = Readonly<Record<string, string | Uint8Array>>;

/** A set, and its chunks that lie in sources, by array. */
interface Case {
  readonly files: Files;
  readonly opens?: string;
  /** Objects of the set itself that are its sources. */
  readonly objects?: RegExp;
  readonly out: Readonly<Record<string, number>>;
  /** An object that a server does not have is a chunk that is missing: it is not out of reach. */
  readonly isMissing?: true;
}

const DATA = "https://data.example/";
const zarray = (shape: readonly number[], chunks: readonly number[], dtype = "|u1") =>
  JSON.stringify({ zarr_format: 2, compressor: null, filters: null, fill_value: 0, order: "C", dtype, shape, chunks });
const time = `base64:${Buffer.from(Float64Array.of(1, 2, 3, 4).buffer).toString("base64")}`;
const GROUP = { ".zgroup": '{"zarr_format":2}' };
/** `time` in the document; four chunks of `sst` in two files. */
const refs = (url: (at: number) => string, sst = "sst", whole = false) => ({
  ...GROUP,
  "time/.zarray": zarray([4], [4], "<f8"),
  "time/.zattrs": '{"_ARRAY_DIMENSIONS":["time"]}',
  "time/0": time,
  [`${sst}/.zarray`]: zarray([4, 8], [1, 8]),
  [`${sst}/.zattrs`]: '{"_ARRAY_DIMENSIONS":["time","x"]}',
  ...Object.fromEntries([0, 1, 2, 3].map((at) => [`${sst}/${at}.0`, whole ? [url(at)] : [url(at), (at % 2) * 8, 8]])),
});
const document = (content: object, more: Files = {}) => ({ "refs.json": JSON.stringify(content), ...more });
const file = (at: number) => `${DATA}f${at >> 1}.bin`;
const asVersion1 = (content: object, more: object = {}) => document({ version: 1, ...more, refs: content });
const gen = {
  key: "g/{{ i }}.0",
  url: `${DATA}g.bin`,
  offset: "{{ i * 8 }}",
  length: "8",
  dimensions: { i: [0, 1, 2] },
};
const { "time/.zarray": _, "time/.zattrs": __, "time/0": ___, ...withoutTime } = refs(file);

const parquet = smallParquet(DATA.slice(0, -1)).set;
const CASES: Readonly<Record<string, Case>> = {
  "Version 1": { files: asVersion1(refs(file)), out: { sst: 4 } },
  "Version 0": { files: document(refs(file)), out: { sst: 4 } },
  templates: {
    files: asVersion1(
      refs((at) => `{{u}}f${at >> 1}.bin`),
      { templates: { u: DATA } },
    ),
    out: { sst: 4 },
  },
  gen: {
    files: asVersion1({ ...refs(file), "g/.zarray": zarray([3, 8], [1, 8]) }, { gen: [gen] }),
    out: { sst: 4, g: 3 },
  },
  "whole files": { files: asVersion1(refs((at) => `${DATA}w${at}.bin`, "sst", true)), out: { sst: 4 } },
  "one file of two": {
    files: {
      ...asVersion1(refs((at) => (at < 2 ? "near.bin" : `${DATA}far.bin`))),
      "near.bin": Uint8Array.from({ length: 16 }, (___, at) => at + 1),
    },
    out: { sst: 2 },
  },
  "a group": { files: asVersion1({ ...refs(file, "a/b/sst"), "a/.zgroup": GROUP[".zgroup"] }), out: { "a/b/sst": 4 } },
  "two hosts": {
    files: asVersion1(refs((at) => `https://${at >> 1}.data.example/f.bin`)),
    out: { sst: 4 },
  },
  "nothing else": { files: asVersion1(withoutTime), out: { sst: 4 } },
  "Kerchunk Parquet": { files: parquet, opens: "", out: { sst: 4, time: 2, lat: 1, lon: 1 } },
  "a Zarr v2 store": { files: smallStore(2, true), opens: "", objects: /\/sst\/\d/, out: { sst: 4 }, isMissing: true },
  "a Zarr v3 store": { files: smallStore(3, true), opens: "", objects: /\/sst\/c\//, out: { sst: 4 }, isMissing: true },
};

/** Answers for the set's own files; anything else, and `objects`, are as the state has it. */
function fetchFor({ files, objects }: Case, state: State): typeof fetch {
  return async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const path = url.startsWith(SET) ? decodeURIComponent(url.slice(SET.length).replace(/[?#].*$/, "")) : undefined;
    if (path === undefined || objects?.test(url) === true) {
      if (state === "offline") throw failure("offline", targetAt(url), {});
      if (state === "host down")
        throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
      return new Response("", { status: state === "missing" ? 404 : 403 });
    }
    const content = files[path];
    if (content === undefined) return new Response("", { status: 404 });
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
    const range = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("range") ?? "");
    if (range === null) return new Response(bytes, { headers: { "content-length": String(bytes.length) } });
    const [from, to] = [Number(range[1]), Math.min(bytes.length, Number(range[2]) + 1)];
    const headers = { "content-range": `bytes ${from}-${to - 1}/${bytes.length}` };
    return new Response(bytes.slice(from, to), { status: 206, headers });
  };
}

const SET = "https://set.example/one/";

async function seen(one: Case, state: State, sources: boolean, values: boolean) {
  const engine = createEngine({ http: { fetch: fetchFor(one, state), attempts: 1 } });
  const source = { kind: "url", url: SET + (one.opens ?? "refs.json") } as const;
  const opened = await engine.call("set.open", { source, locations: NO_LOCATIONS }, CONTEXT);
  if (opened.kind !== "set") throw new Error(opened.title);
  const { id: set } = opened.set;
  if (sources) await engine.call("check.sources", { set }, CONTEXT);
  if (values) await engine.call("check.values", { set }, CONTEXT);
  const checked = await engine.call("check.state", { set, isAsked: true }, CONTEXT);
  const tally = await engine.call("chunk.tally", { set }, CONTEXT);
  const mapped = await Promise.all(
    Object.keys(one.out).map((array) => engine.call("chunk.results", { set, array }, CONTEXT)),
  );
  const { format, references, states, nodes } = await engine.call("set.summary", { set }, CONTEXT);
  const cells = nodes.reduce((sum, { cells: own = 0 }) => sum + own, 0);
  const findings = checked.findings.map((found) => ({ ...inWords(found, explained), place: found.place }));
  const judged: Judged = { set: { format, references, states, cells }, findings, checked };
  const verdict = verdictOf(judged);
  const report = setReport(
    {
      verdict,
      checked,
      findings,
      nodes: new Map(nodes.map((node) => [node.path, node])),
      aside: undefined,
      compared: { verdicts: [] },
    },
    () => [],
  );
  return { judged, verdict, findings, nodes, tally, report, mapped };
}

describe.each(STATES)("out of reach: %s", (state) => {
  it.each(Object.keys(CASES))("is counted alike everywhere: %s", async (name) => {
    const one = CASES[name]!;
    for (const [sources, values] of [
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      // Objects of a store are no sources that are asked one by one.
      if (one.objects !== undefined && !values) continue;
      const { judged, verdict, findings, nodes, tally, report, mapped } = await seen(one, state, sources, values);
      const out = state === "missing" && one.isMissing === true ? {} : one.out;
      const all = Object.values(out).reduce((sum, chunks) => sum + chunks, 0);
      const how = { name, sources, values };
      // JSON.
      expect({ ...how, n: report.checked.chunks.unreached ?? 0 }).toEqual({ ...how, n: all });
      expect({ ...how, n: report.checked.chunks.failed }).toEqual({ ...how, n: 0 });
      // Problems: of every array as many chunks.
      expect({ ...how, n: Object.fromEntries(lostChunks(findings, "unreached")) }).toEqual({ ...how, n: out });
      // Footer.
      const health = healthOf(nodes, tally);
      expect({ ...how, n: health.unreached }).toEqual({ ...how, n: all === 0 ? undefined : `${all} out of reach` });
      expect({ ...how, failed: health.failed }).toEqual({ ...how, failed: undefined });
      // Map: not read, and not failed.
      expect({ ...how, failed: mapped.reduce((sum, { failed }) => sum + failed, 0) }).toEqual({ ...how, failed: 0 });
      // Tree.
      const marks = nodes.flatMap((node) => {
        const mark = nodeHealth(
          node,
          tally.arrays.find(({ path }) => path === node.path),
        );
        return mark?.kind === "unreached" ? [[node.path, Number(mark.text)]] : [];
      });
      expect({ ...how, n: Object.fromEntries(marks) as object }).toEqual({ ...how, n: out });
      if (all === 0) continue;
      expect(health.missing).toBeUndefined();
      // Headline and answers.
      expect(headlineOf(judged)).toMatch(
        new RegExp(`\\b${all} chunks (are|could not be checked: their sources are) out of reach`),
      );
      const shown = shownAnswer(judged, "values", verdict.values);
      expect(`${shown.text}. ${shown.why}`).toContain(
        `${all} chunks could not be checked: their sources are out of reach`,
      );
      expect({ ...how, answer: verdict.values.answer }).not.toMatchObject({ answer: "no" });
      expect(verdict.complete.why).toMatch(new RegExp(`(?:^|for )${all} chunks`));
      expect(JSON.stringify(verdict)).not.toMatch(/failed|lost|cannot be read/);
    }
  });
});
