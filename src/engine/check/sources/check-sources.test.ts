/** Targets that are there or not, by what a misbehaving server or the files beside a document show. */
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../../../e2e/support/range-server.ts";
import { explained } from "#core/findings/explain.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import type { Finding } from "#core/findings/finding.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openBehind, openBeside, QUICK, type Refs } from "../testing/open-with-targets.ts";
import { writeZip } from "#io/fixtures/zip-writer.ts";
import { checkSources } from "./check-sources.ts";
import { heldCost, sourcesCost } from "./choose-targets.ts";

const ORIGIN = "https://page.example";
const LATER = Date.UTC(2026, 0, 1);
const DATA = Uint8Array.from({ length: 4000 }, (_, at) => (at * 7) & 255);

/** Chunks of 1000 bytes each, of targets of 4000. */
const CHUNKS = { shape: [40], chunks: [10], dtype: "|V100", fill_value: null };
const four = (target: string, array = "a"): Refs =>
  Object.fromEntries([0, 1, 2, 3].map((at) => [`${array}/${at}`, [target, at * 1000, 1000]]));
const set = (refs: Refs, more: object = {}): Refs => ({ "a/.zarray": zarrayWith({ ...CHUNKS, ...more }), ...refs });

const told = ({ code, place, count }: Finding) => [
  code,
  place.kind === "target" ? (place.target.split("/").at(-1) ?? "") : place.kind,
  count,
];

describe("targets in archives and in URLs", () => {
  const data = `data:;base64,${Buffer.from(DATA.slice(0, 2500)).toString("base64")}`;
  const zip = writeZip([
    { name: "in/a.nc", content: DATA },
    { name: "in/b.nc", content: DATA.slice(0, 2500), method: 8 },
  ]);
  const check = async (refs: Refs) =>
    checkSources(await openBeside(set(refs), { "all.zip": zip }), { limit: 100 }, CONTEXT);

  it("are there, or not, or end too soon", async () => {
    const sound = await check(four("zip://in/a.nc::all.zip"));
    expect(sound.findings).toEqual([]);
    expect(sound.reports).toMatchObject([{ isSound: true, probe: { size: 4000, requests: 0 } }]);
    const short = await check({ ...four("zip://in/b.nc::all.zip"), ...four(data, "b") });
    expect(short.findings.map(({ code, count }) => [code, count])).toEqual([["target-too-short", 4]]);
    const gone = await check(four("zip://in/c.nc::all.zip"));
    expect(gone.findings.map(({ code }) => code)).toEqual(["zip-member-missing"]);
    expect((await check(four("data:;base64,AAA"))).findings.map(({ code }) => code)).toEqual(["target-data-malformed"]);
  });

  it("in URLs cost nothing", async () => {
    const cost = await sourcesCost(await openBeside(set(four(data)), {}), { limit: 100 }, CONTEXT);
    expect(cost).toMatchObject({ targets: 1, requests: 0, bytes: 0, hosts: [{ host: "data: URLs", targets: 1 }] });
  });
});

describe("files beside a document", () => {
  const check = async (refs: Refs, files: Readonly<Record<string, BlobPart>>, written = Date.now()) =>
    checkSources(await openBeside(refs, files), { limit: 100, written }, CONTEXT);

  it("that are missing, or were found by their name alone, are told unasked, also where none lies as references say", async () => {
    const set1 = await openBeside(set(four("x/a.nc")), { "deep/a.nc": DATA, "deep/b.nc": DATA });
    const { findings, targets } = await checkSources(set1, { limit: 100, isHere: true }, CONTEXT);
    expect(findings.map(({ code, facts }) => [code, facts["file"]])).toEqual([["target-matched-by-name", "deep/a.nc"]]);
    expect(targets).toMatchObject({ asked: 1, answered: 1 });
    const elsewhere = await openBeside(set(four("x/c.nc")), { "deep/a.nc": DATA, "deep/b.nc": DATA });
    const missing = await checkSources(elsewhere, { limit: 100, isHere: true }, CONTEXT);
    expect(missing.findings).toMatchObject([{ code: "target-missing", facts: { where: "root" } }]);
  });

  it("that are as references say give nothing, and are told of", async () => {
    const { findings, reports, targets } = await check(set(four("a.nc")), { "a.nc": DATA });
    const cost = await sourcesCost(await openBeside(set(four("a.nc")), { "a.nc": DATA }), { limit: 100 }, CONTEXT);
    expect(findings).toEqual([]);
    expect(targets).toEqual({ of: 1, asked: 1, answered: 1, unrecorded: 0 });
    expect(cost).toEqual({
      targets: 1,
      asked: 1,
      requests: 0,
      bytes: 0,
      metadata: 0,
      hosts: [{ host: "local files", targets: 1 }],
    });
    expect(reports).toMatchObject([
      { target: "a.nc", references: 4, whole: 0, end: 4000, pastEnd: 0, isSound: true, codes: [] },
    ]);
    expect(reports[0]?.probe).toMatchObject({ url: "a.nc", size: 4000, requests: 0, content: { kind: "data" } });
  });

  it("of which there are very many are told of as few are: absent ones, and those that end too soon", async () => {
    const names = Array.from({ length: 10_050 }, (_, at) => `f${at}.nc`);
    const refs = Object.fromEntries(names.map((name, at) => [`a/${at}`, [name, 0, at === 10_049 ? 90 : 50]]));
    const files = Object.fromEntries(names.slice(7).map((name) => [name, "x".repeat(60)]));
    const opened = await openBeside(set(refs, { shape: [100_500] }), files);
    const { findings, targets, rules, reports } = await checkSources(
      opened,
      { limit: Infinity, written: Date.now() },
      CONTEXT,
    );
    expect(findings.map(({ code, count, facts }) => [code, count, facts["targets"]])).toEqual([
      ["target-missing", 7, 7],
      ["range-past-end", 1, undefined],
    ]);
    expect(findings[1]).toMatchObject({ place: { target: "f10049.nc" }, facts: { end: 90, size: 60 } });
    expect(targets).toEqual({ of: 10_050, asked: 10_050, answered: 10_043, unrecorded: 7 });
    expect(rules[0]).toMatchObject({ of: 10_050, lookedAt: 10_050, sampled: 0 });
    expect(reports).toHaveLength(8);
  });

  it("of which there are very many, taken by their name alone, are told of as few are", async () => {
    const names = Array.from({ length: 10_100 }, (_, at) => `s3://x/2020/f${at}.nc`);
    names[10_060] = "s3://x/2021/f10061.nc";
    const refs = Object.fromEntries(names.map((name, at) => [`a/${at}`, [name, 0, at === 10_099 ? 90 : 50]]));
    const files = Object.fromEntries(names.map((_, at) => [`f${at}.nc`, "x".repeat(60)]));
    const opened = await openBeside(set(refs, { shape: [101_000] }), files);
    const { findings, targets, reports } = await checkSources(
      opened,
      { limit: Infinity, written: Date.now() },
      CONTEXT,
    );
    const extent = (...counts: readonly number[]) => ({ arrays: counts.map((chunks) => ({ array: "a", chunks })) });
    expect(findings).toMatchObject([
      { code: "target-matched-by-name", count: 10_098, facts: { targets: 10_098 }, extent: extent(10_098) },
      { code: "target-name-elsewhere", count: 2, facts: { why: "shared", file: "f10061.nc" }, extent: extent(2) },
      { code: "range-past-end", count: 1, place: { target: "s3://x/2020/f10099.nc" }, facts: { end: 90, size: 60 } },
    ]);
    expect(findings[0]?.places).toHaveLength(100);
    expect(targets).toMatchObject({ of: 10_100, asked: 10_100, answered: 10_100 });
    expect(reports.map(({ target, codes }) => [target, codes])).toEqual([
      ["s3://x/2021/f10061.nc", ["target-name-elsewhere"]],
      ["s3://x/2020/f10061.nc", ["target-name-elsewhere"]],
      ["s3://x/2020/f10099.nc", ["range-past-end"]],
    ]);
  });

  it("that are missing are named, with the name that may be meant", async () => {
    const { findings, targets } = await check(set({ ...four("oceanb.nc") }), { "ocean-b.nc": DATA, "x.txt": "" });
    expect(findings.map(told)).toEqual([["target-missing", "oceanb.nc", 4]]);
    expect(findings[0]).toMatchObject({ facts: { near: "ocean-b.nc" }, places: { length: 4 } });
    expect(findings[0]?.extent?.arrays).toEqual([{ array: "a", chunks: 4, from: [0], to: [3] }]);
    expect(targets).toMatchObject({ asked: 1, answered: 0 });
  });

  it("of another folder, taken by their name alone, are told of", async () => {
    const refs = { ...four("2020/a.nc"), "a/3": ["2021/a.nc", 3000, 1000] };
    const taken = await check(set(refs), { "2020/a.nc": DATA });
    expect(taken.findings.map(told)).toEqual([["target-name-elsewhere", "a.nc", 1]]);
    expect(explained(taken.findings[0]!)).toMatchObject({
      severity: "error",
      message:
        "There is no file “2021/a.nc” among those you provided. Refscope read “2020/a.nc” instead, which has the same name, but other references mean that file.",
    });
    const buckets = await check(set({ ...four("s3://x/2020/a.nc"), "a/3": ["s3://x/2021/a.nc", 0, 1000] }), {
      "a.nc": DATA,
    });
    expect(buckets.findings).toMatchObject([{ code: "target-name-elsewhere", facts: { why: "shared" }, count: 4 }]);
    const inPlace = await check(set({ ...four("data/a.nc"), "a/3": ["old/b.nc", 3000, 1000] }), {
      "data/a.nc": DATA,
      "data/b.nc": DATA,
    });
    expect(inPlace.findings.map((one) => [one.facts["why"], explained(one).severity])).toEqual([
      ["others-in-place", "warning"],
    ]);
    const given = await check(set({ ...four("s3://x/2020/a.nc"), "a/3": ["s3://x/2020/b.nc", 0, 1000] }), {
      "a.nc": DATA,
      "b.nc": DATA,
    });
    expect(given.findings).toMatchObject([{ code: "target-matched-by-name", facts: { targets: 2 } }]);
    expect(explained(given.findings[0]!).severity).toBe("info");
  });

  it("that end too soon: one range is a wrong reference, several are a file that was cut", async () => {
    const one = await check(set({ ...four("a.nc"), "a/3": ["a.nc", 3500, 1000] }), { "a.nc": DATA });
    expect(one.findings).toMatchObject([{ code: "range-past-end", facts: { end: 4500, size: 4000 }, count: 1 }]);
    expect(one.findings[0]?.place).toMatchObject({ target: "a.nc", chunk: { array: "a", coordinates: [3] } });
    const far = await check(set({ ...four("a.nc"), "a/2": ["a.nc", 90_000, 1000] }), { "a.nc": DATA });
    expect(far.findings).toMatchObject([{ code: "offset-beyond-target", facts: { offset: 90_000, size: 4000 } }]);
    const cut = await check(set(four("a.nc")), { "a.nc": DATA.subarray(0, 1500) });
    expect(cut.findings).toMatchObject([
      { code: "target-too-short", facts: { size: 1500, past: 3, ranges: 4, end: 4000 }, count: 3 },
    ]);
  });

  it.each([
    ["<!DOCTYPE html><title>Sign in</title>", "web-page", { words: "Sign in", isFile: true }],
    ["<Error><Code>NoSuchBucket</Code></Error>", "target-error-document", { said: "NoSuchBucket" }],
    ["version https://git-lfs.github.com/spec/v1\nsize 4000\n", "target-lfs-pointer", { size: 4000 }],
    ["", "target-empty", {}],
    [new Uint8Array(gzipSync(DATA)), "target-gzipped", { end: 4000 }],
  ])("that hold something else in place of data", async (content, code, facts) => {
    const { findings } = await check(set(four("a.nc")), { "a.nc": content });
    expect(findings).toMatchObject([{ code, facts, count: 4 }]);
  });

  it("that begin with a gzip chunk are no gzip files", async () => {
    const more = { compressor: { id: "gzip", level: 1 } };
    const chunk = new Uint8Array(gzipSync(DATA.subarray(0, 1000)));
    const { findings } = await check(set({ "a/0": ["a.nc", 0, chunk.length] }, more), { "a.nc": chunk });
    expect(findings).toEqual([]);
  });

  it("that are referenced whole where a chunk is a part", async () => {
    const { findings } = await check(set({ ...four("a.nc"), "a/2": ["a.nc"] }), { "a.nc": DATA });
    expect(findings).toMatchObject([
      { code: "whole-file-for-chunk", facts: { size: 4000, chunk: 1000, parts: 3, exact: true } },
    ]);
    const file = Uint8Array.from([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, ...DATA.subarray(0, 500)]);
    const zlib = { compressor: { id: "zlib", level: 1 } };
    const hdf = await check(set({ "a/0": ["a.nc"] }, zlib), { "a.nc": file });
    expect(hdf.findings).toMatchObject([{ code: "whole-file-for-chunk", facts: { format: "HDF5", exact: false } }]);
    const right = await check(set({ "a/0": ["a.bin"] }), { "a.bin": DATA.subarray(0, 1000) });
    expect(right.findings).toEqual([]);
    // Uncompressed, but with a checksum of four bytes.
    const summed = { filters: [{ id: "fletcher32" }] };
    const whole = await check(set({ "a/0": ["a.bin"] }, summed), { "a.bin": DATA.subarray(0, 1004) });
    expect(whole.findings).toEqual([]);
    const cut = await check(set({ "a/0": ["a.bin"] }, summed), { "a.bin": DATA.subarray(0, 1000) });
    expect(cut.findings).toMatchObject([{ code: "range-past-end", facts: { end: 1004, size: 1000 } }]);
  });

  it("that are newer than the references by more than an hour", async () => {
    const newer = await check(set(four("a.nc")), { "a.nc": DATA }, Date.now() - 4_000_000);
    expect(newer.findings).toMatchObject([{ code: "target-newer", count: 4 }]);
    expect(newer.targets).toMatchObject({ answered: 1 });
  });
});

describe("targets behind a server", () => {
  let server: RangeServer;
  beforeAll(async () => {
    server = await startRangeServer({
      files: { "/a.nc": DATA, "/b.nc": DATA, "/p.html": "<!doctype html><p>Sign in" },
    });
  });
  afterAll(() => server.stop());
  afterEach(() => {
    for (const path of ["/a.nc", "/b.nc"]) server.misbehave(path, "");
    server.reset();
  });
  const check = async (refs: Refs, limit = 100) =>
    checkSources(await openBehind(refs, server.origin), { limit, origin: ORIGIN, written: LATER }, CONTEXT);
  const withFault = async (fault: string) => {
    server.misbehave("/a.nc", fault);
    return check(set(four("a.nc")));
  };

  it("cost two small requests each, and that is said first", async () => {
    const opened = await openBehind(set({ ...four("a.nc"), ...four("b.nc", "b") }), server.origin);
    const cost = await sourcesCost(opened, { limit: 100 }, CONTEXT);
    expect(cost).toMatchObject({ targets: 2, asked: 2, requests: 4, hosts: [{ host: server.origin, targets: 2 }] });
    // Of files of 4,000 bytes no more is read for their metadata than they have.
    expect(heldCost(opened, cost, 64).bytes - cost.bytes).toBe(2 * (4000 + 1024) + 100 * opened.table.rows);
    expect(server.requests).toEqual([]);
    const { findings, targets, reports } = await checkSources(opened, { limit: 100, written: LATER }, CONTEXT);
    expect(findings).toEqual([]);
    expect(targets).toEqual({ of: 2, asked: 2, answered: 2, unrecorded: 0 });
    expect(server.requests.map(({ range = "" }) => range).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "bytes=0-511",
      "bytes=0-511",
      "bytes=3984-3999",
      "bytes=3984-3999",
    ]);
    expect(reports[0]?.probe).toMatchObject({ status: 206, size: 4000, etag: '"4000"', range: { kind: "honoured" } });
  });

  it.each([
    ["404", "target-gone", { status: 404 }, "error"],
    ["403", "http-status", { status: 403 }, "error"],
    ["500", "http-status", { status: 500, attempts: 3 }, "error"],
    ["ignore-range", "range-ignored", { outcome: "seen", size: 4000 }, "warning"],
    ["wrong-range:1", "range-mismatch", { problem: "other-range", first: 1 }, "error"],
    ["short-206:9", "range-short", { received: 9, length: 512, size: 4000 }, "error"],
    ["long-206", "range-mismatch", { problem: "other-range", first: 0, last: 512 }, "error"],
    ["lying-length", "range-mismatch", { problem: "too-many-bytes", length: 512, received: 522 }, "error"],
    ["416", "http-status", { status: 416 }, "error"],
    ["gzip", "range-encoded", { outcome: "seen", encoding: "gzip" }, "warning"],
    ["cut-body", "connection-dropped", { attempts: 3 }, "error"],
    ["drop", "host-unreachable", {}, "error"],
    ["no-cors", "cors-absent", { allowed: undefined, origin: ORIGIN }, "warning"],
    ["redirect:/p.html", "web-page", { words: "<!doctype html><p>Sign in" }, "error"],
  ])("that answer with %s", async (fault, code, facts, severity) => {
    const { findings } = await withFault(fault);
    expect(findings.map(told)).toEqual([[code, "a.nc", 4]]);
    expect(findings[0]?.facts).toMatchObject(facts);
    expect(findings.map((one) => explained(one).severity)).toEqual([severity]);
  });

  it.each(["429:1", "slow-start:20", "redirect:/b.nc", "no-length", "no-head", "drop:1"])(
    "that answer with %s are fine",
    async (fault) => {
      const { findings, targets } = await withFault(fault);
      expect(findings).toEqual([]);
      expect(targets).toMatchObject({ answered: 1 });
    },
  );

  it("name the address that was asked where references name it otherwise", async () => {
    const { findings } = await withFault("404");
    expect(findings).toMatchObject([{ code: "target-gone", facts: { url: `${server.origin}/a.nc` } }]);
    const whole = await check(set(four(`${server.origin}/a.nc`)));
    expect(whole.findings[0]?.facts["url"]).toBeUndefined();
  });

  it("that are shorter, or not there, with a name like another's", async () => {
    const short = await check(set({ ...four("a.nc"), "a/3": ["a.nc", 3500, 1000] }));
    expect(short.findings).toMatchObject([{ code: "range-past-end", facts: { end: 4500, size: 4000 } }]);
    const gone = await check(set({ ...four("long-name-1.nc"), "a/3": ["b.nc", 0, 1000] }));
    expect(gone.findings.map(told)).toEqual([["target-gone", "long-name-1.nc", 3]]);
    server.put("/ocean-b.nc", DATA);
    const near = await check(set({ ...four("ocean-b.nc"), "a/3": ["oceanb.nc", 0, 1000] }));
    expect(near.findings).toMatchObject([{ code: "target-gone", facts: { near: "ocean-b.nc" } }]);
    // A store that does not list says 403 of what it does not have.
    server.misbehave("/oceanb.nc", "403");
    const denied = await check(set({ ...four("ocean-b.nc"), "a/3": ["oceanb.nc", 0, 1000] }));
    expect(denied.findings).toMatchObject([{ code: "http-status", facts: { status: 403, near: "ocean-b.nc" } }]);
    expect(explained(denied.findings[0] as Finding).message).toContain("“ocean-b.nc”, which exists");
  });

  it("of one cause are one finding, with chunks of each", async () => {
    const refs = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`a/${at}`, [`gone-${at % 8}.nc`, 0, 100]]));
    const { findings, targets } = await check(set(refs, { chunks: [1] }));
    expect(findings).toMatchObject([{ code: "target-gone", facts: { targets: 8, status: 404 }, count: 40 }]);
    expect(new Set(findings[0]?.places?.map((place) => (place.kind === "target" ? place.target : ""))).size).toBe(8);
    expect(targets).toMatchObject({ of: 8, asked: 8, answered: 0 });
  });

  it("that are small are asked at their end, too: ranges may be wrong only there", async () => {
    server.put("/small.nc", DATA.subarray(0, 300));
    const { targets } = await check(set({ "a/0": ["small.nc", 0, 100], "a/1": ["small.nc", 100, 100] }));
    expect(targets).toMatchObject({ answered: 1 });
    expect(server.requests.slice(0, 2).map(({ range }) => range)).toEqual(["bytes=0-511", "bytes=184-199"]);
  });

  it("that are many are asked by a sample of stated size, evenly", async () => {
    const refs = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`a/${at}`, [`t-${at}.nc`, 0, 100]]));
    const { rules, targets, reports } = await check(set(refs, { chunks: [1] }), 5);
    expect(rules).toMatchObject([{ rule: "sources", unit: "targets", of: 40, lookedAt: 5, sampled: 5 }]);
    expect(targets).toMatchObject({ of: 40, asked: 5 });
    expect(reports.map(({ target }) => target)).toEqual(["t-0.nc", "t-10.nc", "t-20.nc", "t-29.nc", "t-39.nc"]);
  });

  it("of a host where nobody answers are soon left alone", async () => {
    let asked = 0;
    const dead = { fetch: () => ((asked += 1), Promise.reject(new TypeError("x", { cause: refused }))) };
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const refs = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`a/${at}`, [`t-${at}.nc`, 0, 100]]));
    const opened = await openBehind(set(refs, { shape: [200], chunks: [1] }), server.origin, { ...QUICK, ...dead });
    const { findings } = await checkSources(opened, { limit: 200, written: LATER }, CONTEXT);
    expect(findings).toMatchObject([{ code: "host-unreachable", facts: { targets: 200, reason: "ECONNREFUSED" } }]);
    expect(asked).toBeLessThan(200);
  });

  it("are asked no more once the call is aborted", async () => {
    const opened = await openBehind(set(four("a.nc")), server.origin);
    const controller = new AbortController();
    server.misbehave("/a.nc", "hang");
    const checked = checkSources(opened, { limit: 1, written: LATER }, { ...CONTEXT, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(checked).rejects.toThrow(/cancelled|aborted/i);
  });
});
