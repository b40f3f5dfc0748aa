/** Tests of hosts' answers for names that cannot exist, and to preflights. */
import { expect, it } from "vitest";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import type { Fetch } from "#io/http/http-target.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openAny } from "#engine/open/open-any.ts";
import { openBehind, QUICK } from "../testing/open-with-targets.ts";
import { checkSources } from "./check-sources.ts";

const ORIGIN = "https://page.example";
const OPEN = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*" };

type Answer = readonly [status: number, headers?: Readonly<Record<string, string>>];

interface Host {
  readonly missing: Answer;
  readonly options?: Answer;
  readonly denied?: readonly string[];
  readonly open?: Readonly<Record<string, string>>;
}

/** Texts by path. */
function hostOf(files: Readonly<Record<string, string>>, { missing, options = [204], denied = [], open = OPEN }: Host) {
  const log: string[] = [];
  const fetch: Fetch = async (address, { method = "GET", headers }) => {
    const { pathname } = new URL(address);
    log.push(`${method} ${pathname}`);
    const [status, own = {}] = method === "OPTIONS" ? options : missing;
    const text = files[pathname];
    if (method === "OPTIONS" || (text === undefined && !denied.includes(pathname)))
      return new Response(status === 204 ? null : "", { status, headers: own });
    if (text === undefined) return new Response("", { status: 403, headers: open });
    const length = { "Content-Length": String(text.length) };
    const body = method === "HEAD" ? null : text;
    if (new Headers(headers).get("Range") === null) return new Response(body, { headers: { ...open, ...length } });
    const range = { "Content-Range": `bytes 0-${text.length - 1}/${text.length}` };
    return new Response(body, { status: 206, headers: { ...open, ...range, ...length } });
  };
  return { fetch, log };
}

const REFS = {
  "a/.zarray": zarrayWith({ shape: [2], chunks: [1], dtype: "|V9", fill_value: null }),
  "a/0": ["https://data.example/d/a.nc", 0, 9],
  "a/1": ["https://data.example/d/b.nc", 0, 9],
};
const A = { "/d/a.nc": "123456789" };
const BOTH = { ...A, "/d/b.nc": "123456789" };

async function ofTargets(files: Readonly<Record<string, string>>, host: Host) {
  const set = await openBehind(REFS, "https://sets.example", { ...QUICK, fetch: hostOf(files, host).fetch });
  return (await checkSources(set, { limit: 9, written: 0, origin: ORIGIN }, CONTEXT)).findings;
}

const ARRAY = { zarr_format: 3, node_type: "array", shape: [4], data_type: "uint8", fill_value: 0, attributes: {} };
const KEYS = { chunk_key_encoding: { name: "default" } };
const grid = (length: number) => ({ name: "regular", configuration: { chunk_shape: [length] } });
const BYTES = [{ name: "bytes" }];
const PLAIN = JSON.stringify({ ...ARRAY, ...KEYS, chunk_grid: grid(1), codecs: BYTES });
const sharded = (at: "start" | "end") => {
  const configuration = { chunk_shape: [1], codecs: BYTES, index_codecs: BYTES, index_location: at };
  const codecs = [{ name: "sharding_indexed", configuration }];
  return JSON.stringify({ ...ARRAY, ...KEYS, chunk_grid: grid(2), codecs });
};

async function ofStore(files: Readonly<Record<string, string>>, host: Host) {
  const { fetch, log } = hostOf(files, host);
  const opening = { locations: NO_LOCATIONS, network: { http: { ...QUICK, fetch } }, options: {}, context: CONTEXT };
  const opened = await openAny({ kind: "url", url: "https://data.example/s.zarr" }, opening);
  if (opened.kind !== "set") throw new Error("no set");
  const { findings } = await checkSources(opened.set, { limit: 9, written: 0, origin: ORIGIN }, CONTEXT);
  return { findings, set: opened.set, log };
}

const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

it("“not found” without CORS beside files with it: of stores a warning, of targets that are all there a note", async () => {
  const store = await ofStore({ "/s.zarr/zarr.json": PLAIN }, { missing: [404] });
  expect(codes(store.findings)).toEqual(["cors-absent-on-missing"]);
  const [all] = await ofTargets(BOTH, { missing: [404] });
  expect(all).toMatchObject({ code: "cors-absent-on-missing" });
  expect(all && explained(all).severity).toBe("info");
  const some = await ofTargets(A, { missing: [404] });
  const found = some.find(({ code }) => code === "cors-absent-on-missing");
  expect(found && explained(found).severity).toBe("warning");
});

it("says nothing where “not found” has CORS, or nothing has", async () => {
  expect((await ofStore({ "/s.zarr/zarr.json": PLAIN }, { missing: [404, OPEN] })).findings).toEqual([]);
  expect(await ofTargets(BOTH, { missing: [404, OPEN] })).toEqual([]);
  expect(codes(await ofTargets(BOTH, { missing: [404], open: {} }))).toEqual(["cors-absent"]);
});

it("a preflight is asked for where shards end with their index, and told where it is refused", async () => {
  const files = { "/s.zarr/zarr.json": sharded("end") };
  const allowed = { ...OPEN, "Access-Control-Allow-Headers": "Range, Authorization" };
  const of = async (options: Answer, open = OPEN) =>
    (await ofStore(files, { missing: [404, OPEN], options, open })).findings.map(({ code, facts }) => [
      code,
      facts["why"],
    ]);
  expect(await of([204, allowed])).toEqual([]);
  expect(await of([405])).toEqual([["preflight-refused", "status"]]);
  expect(await of([204, OPEN])).toEqual([["preflight-refused", "header"]]);
  expect(await of([204, { "Access-Control-Allow-Headers": "*" }])).toEqual([["preflight-refused", "origin"]]);
  expect(await of([204, allowed], { ...OPEN, "Access-Control-Expose-Headers": "ETag" })).toEqual([
    ["cors-headers-hidden", undefined],
  ]);
  const { log } = await ofStore({ "/s.zarr/zarr.json": sharded("start") }, { missing: [404, OPEN] });
  expect(log.filter((line) => line.startsWith("OPTIONS"))).toEqual([]);
});

it("403 of a target means missing where the host says it of any name, and denied where it does not", async () => {
  const messages = async (missing: Answer) => {
    const [found] = await ofTargets(A, { missing, denied: ["/d/b.nc"] });
    return found && explained(found).message;
  };
  expect(await messages([403, OPEN])).toMatch(/also returns 403 for a name that cannot exist.* probably missing/);
  expect(await messages([404, OPEN])).toMatch(
    /returns 404 for a name that cannot exist, so access to this one is denied/,
  );
});

it("a chunk of a store that denies what it does not have is missing, if it gives another; else it is not known", async () => {
  const load = async (files: Readonly<Record<string, string>>, host: Host) => {
    const { set } = await ofStore({ "/s.zarr/zarr.json": PLAIN, ...files }, host);
    const pages = set.index.paged.get(0);
    for (const page of [0, 1]) await pages?.load([page], CONTEXT);
    await set.refresh(CONTEXT);
    return [set.tally.states.missing, set.tally.states.unknown, codes(set.findings)];
  };
  const first = { "/s.zarr/c/0": "1" };
  expect(await load(first, { missing: [403, OPEN] })).toEqual([
    1,
    2,
    expect.arrayContaining(["chunk-missing-as-denied"]),
  ]);
  const [missing, unknown] = await load({}, { missing: [403, OPEN] });
  expect([missing, unknown]).toEqual([0, 2]);
  expect(await load(first, { missing: [404, OPEN], denied: ["/s.zarr/c/1"] })).toEqual([
    0,
    2,
    expect.not.arrayContaining(["chunk-missing-as-denied"]),
  ]);
});
