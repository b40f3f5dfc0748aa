/** The parts: inline values, detection, the stream loop, grids that come later, and the compiled module. */
import { isDeep } from "#core/testing/runs.ts";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import type { Progress } from "#core/byte-source.ts";
import { isAbort, RefscopeError } from "#core/findings/finding.ts";
import { generate } from "../../../bench/generate.ts";
import { detectKerchunkJson, readKerchunkJson } from "./index.ts";
import { decodeInline, decodeBase64 } from "./inline.ts";
import { resolveGrids } from "./table.ts";
import { plainRows, QUIET, readSet } from "./testing.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : new TextDecoder().decode(bytes));

// Recorded from CPython 3.11: base64.b64decode(text).
test.each([
  ["", ""],
  ["aGVsbG8=", "hello"],
  ["aGVs\nbG8=", "hello"],
  ["aGVsbG8=garbage", "hello"],
  ["aGVsbG8==", "hello"],
  ["aGVs", "hel"],
  ["=", ""],
  ["a=GVs", "hel"],
  ["aGVsbG8", undefined],
  ["aGVsb", undefined],
  ["a", undefined],
  ["aG=", undefined],
])("base64 of %j as Python reads it", (written, expected) => {
  expect(text(decodeBase64(utf8(written)))).toBe(expected);
});

test("inline values as fsspec gives them", () => {
  expect(decodeInline(utf8("base64:aGVs"))).toEqual({ bytes: utf8("hel") });
  expect(decodeInline(utf8("base64:aGV\\/"))).toEqual({ bytes: Uint8Array.of(0x68, 0x65, 0x7f) });
  expect(decodeInline(utf8("a\\u0000\\n"))).toEqual({ bytes: Uint8Array.of(97, 0, 10) });
  expect(decodeInline(utf8("é"))).toEqual({ bytes: utf8("é"), oddity: "non-ascii" });
  expect(decodeInline(utf8("\\u00ff"))).toEqual({ bytes: Uint8Array.of(0xc3, 0xbf), oddity: "non-ascii" });
  expect(decodeInline(utf8("base64:A")).oddity).toBe("bad-base64");
  expect(decodeInline(utf8("\\ud800")).oddity).toBe("lone-surrogate");
});

test.each([
  ['{"version":1,"refs":{', "x.json", "yes"],
  ['\ufeff {"refs" : {', "x", "yes"],
  ['{".zgroup":"', "", "yes"],
  ['{"a\\/.zarray":"', "", "yes"],
  ['[{"version":1,"refs":{', "", "maybe"],
  ['{"hello":1}', "", "maybe"],
  ['{"zarr_format":3}', "a/zarr.json", "no"],
  ["<html>", "x.json", "no"],
  ["", "x.json", "no"],
  ["{hello", "x.json", "no"],
])("detects %j named %j: %s", (head, name, expected) => {
  expect(detectKerchunkJson(utf8(head), name)).toBe(expected);
});

describe("the stream loop", () => {
  const document = utf8([...generate(2000, "file")].join(""));

  test("reads with the reader's own buffer, and reports progress", async () => {
    const progress: Progress[] = [];
    const context = { signal: QUIET.signal, report: (one: Progress) => progress.push(one) };
    const read = await readKerchunkJson(new Blob([document]).stream(), { sizeHint: document.length, context });
    expect(read.kind).toBe("set");
    const last = progress.at(-1);
    expect(last).toEqual({ label: "Reading references", done: document.length, total: document.length, unit: "bytes" });
  });

  test("stops when it is aborted, also while nothing comes", async () => {
    for (const after of [0, 20]) {
      const abort = new AbortController();
      let cancelled = false;
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start: (controller) => controller.enqueue(document.slice(0, 1000)),
        cancel: () => void (cancelled = true),
      });
      setTimeout(() => abort.abort(), after);
      const work = readKerchunkJson(body, { sizeHint: undefined, context: { ...QUIET, signal: abort.signal } });
      expect(await work.catch(isAbort)).toBe(true);
      expect(cancelled).toBe(true);
    }
  });

  test("an endless stream can be aborted", async () => {
    const abort = new AbortController();
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(utf8('{"version":1,"refs":{"a":"b"')),
      pull: (controller) => controller.enqueue(utf8(',"a":"b"'.repeat(1000))),
    });
    setTimeout(() => abort.abort(), 100);
    const work = readKerchunkJson(body, { sizeHint: undefined, context: { ...QUIET, signal: abort.signal } });
    expect(await work.catch(isAbort)).toBe(true);
  });

  test("a stalled read is an error that says so", async () => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(document.slice(0, 1000)),
    });
    const work = readKerchunkJson(body, { sizeHint: undefined, context: QUIET, stallAfter: 50 });
    const error = await work.catch((caught: unknown) => caught);
    expect(error instanceof RefscopeError && error.code).toBe("read-stalled");
  });
});

test("an entry longer than any buffer", async () => {
  const long = "x".repeat(5_000_000);
  for (const scanner of ["js", "wasm"] as const) {
    const set = await readSet(`{"version":1,"refs":{"a":"${long}","b":"y"}}`, { scanner }, 65_536);
    expect(plainRows(set.table)).toEqual([
      ["a", long],
      ["b", "y"],
    ]);
  }
});

test.each(["js", "wasm"] as const)("grids that are fetched later settle their keys, %s", async (scanner) => {
  const refs = {
    "a/.zarray": ["file:///data/a/.zarray"],
    "a/0.0": ["u", 0, 1],
    "a/1.1": ["u", 1, 1],
    "a/5.0": ["u", 2, 1],
    "a/1.1 ": "stray",
    "b/0": ["u", 3, 1],
  };
  const set = await readSet(JSON.stringify({ version: 1, refs }), { scanner });
  expect(set.findings.map((finding) => finding.code)).toEqual(["key-not-a-chunk", "key-without-array"]);
  expect(set.table.strays).toHaveLength(5);
  expect(set.metadata).toEqual([
    { key: "a/.zarray", value: { kind: "whole", target: "file:///data/a/.zarray" }, row: 0 },
  ]);
  const { table, findings } = resolveGrids(set.table, new Map([["a", { grid: [2, 2], separator: "." as const }]]));
  expect(plainRows(table).map(([key]) => key)).toEqual(Object.keys(refs).slice(1));
  expect(table.strays.map(({ key, reason }) => [key, reason])).toEqual([
    ["a/5.0", "outside-grid"],
    ["a/1.1 ", "not-a-chunk-key"],
    ["b/0", "no-array"],
  ]);
  expect(findings.map((finding) => finding.code)).toEqual(["key-outside-grid", "key-not-a-chunk", "key-without-array"]);
});

test.runIf(isDeep)("the compiled scanner is up to date", async () => {
  const tool = new URL("../../../tools/build-wasm.mjs", import.meta.url);
  if (!existsSync(new URL("../../../node_modules/assemblyscript", import.meta.url))) {
    console.log("Skipped: assemblyscript is not installed.");
    return;
  }
  const { compileScanner } = (await import(tool.href)) as { compileScanner: () => Promise<string> };
  const committed = readFileSync(new URL("scan-wasm.generated.ts", import.meta.url), "utf8");
  expect(committed).toBe(await compileScanner());
});

test("too many arrays are an error", async () => {
  const members = Array.from({ length: 65_600 }, (_, i) => `"a${i}/0":["u",0,1]`);
  const work = readSet(`{"version":1,"refs":{${members.join()}}}`);
  const error = await work.catch((caught: unknown) => caught);
  expect(error instanceof RefscopeError && error.code).toBe("too-many-arrays");
});

test("many arrays: tables of all kinds grow", async () => {
  const zarray = JSON.stringify(JSON.stringify({ shape: [4, 4], chunks: [2, 2] }));
  const members = Array.from({ length: 3000 }, (_, i) => {
    const path = `group ${i % 7}/array ${i}`;
    return `"${path}/.zarray":${zarray},"${path}/0.1":["s3://bucket/${i}",${i},1],"${path}/1.1":["s3://bucket/${i}",${i},2]`;
  });
  const document = `{"version":1,"refs":{${members.join()}}}`;
  const js = await readSet(document, { scanner: "js" });
  const wasm = await readSet(document, { scanner: "wasm" });
  expect(js.table.rows).toBe(6000);
  expect(js.table.targets.count).toBe(3000);
  expect(plainRows(js.table)[5999]).toEqual(["group 3/array 2999/1.1", ["s3://bucket/2999", 2999, 2]]);
  expect(plainRows(wasm.table)).toEqual(plainRows(js.table));
});

test("where WebAssembly is refused, plain JavaScript reads", async () => {
  vi.resetModules();
  const compile = vi
    .spyOn(WebAssembly, "compile")
    .mockRejectedValue(new Error("refused by the content security policy"));
  const fresh = await import("./testing.ts");
  const set = await fresh.readSet('{"version":1,"refs":{"a":"b"}}');
  expect(set.keys).toBe(1);
  expect(compile).toHaveBeenCalledOnce();
  compile.mockRestore();
});
