import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { createEngine } from "../engine.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const zarray = {
  zarr_format: 2,
  shape: [8],
  chunks: [1],
  dtype: "|u1",
  compressor: null,
  filters: null,
  order: "C",
  fill_value: null,
};

async function preview(document: object, from: string, to: string) {
  const engine = createEngine();
  const text = JSON.stringify(document);
  const opened = await engine.call(
    "set.open",
    { source: { kind: "text", text, name: "x.json" }, locations: NO_LOCATIONS },
    CONTEXT,
  );
  if (opened.kind !== "set") throw new Error("no set");
  const set = opened.set.id;
  return engine.call("edit.previewPrefix", { set, shown: set, text, edits: [], from, to }, CONTEXT);
}

const refs = {
  "a/.zarray": zarray,
  "a/0": ["s3://old/x.nc", 0, 1],
  "a/1": ["s3://old/x.nc", 1, 1],
  "a/2": ["s3://old/y.nc"],
  "a/3": ["s3://new/y.nc", 0, 1],
  "a/4": ["https://h/x.nc", 0, 1],
  "a/5": "inline",
};

describe("what replacing a prefix would do", () => {
  it("is counted in targets and references, with the first of them", async () => {
    expect(await preview({ version: 1, refs }, "s3://old/", "s3://archive/")).toEqual({
      places: 3,
      targets: 2,
      ofTargets: 4,
      references: 3,
      examples: [
        { before: "s3://old/x.nc", after: "s3://archive/x.nc", references: 2 },
        { before: "s3://old/y.nc", after: "s3://archive/y.nc", references: 1 },
      ],
      merged: { targets: 0, examples: [] },
      respelled: { targets: 0, examples: [] },
    });
  });

  it("may make one target of two, or two spellings of one", async () => {
    const one = await preview({ version: 1, refs }, "s3://old/", "s3://new/");
    expect(one.merged).toEqual({ targets: 1, examples: [{ after: "s3://new/y.nc", there: "s3://new/y.nc" }] });
    const two = await preview({ version: 1, refs }, "s3://old/x", "HTTPS://H//x");
    expect(two.respelled).toEqual({ targets: 1, examples: [{ after: "HTTPS://H//x.nc", there: "https://h/x.nc" }] });
    expect(two.merged.targets).toBe(0);
  });

  it("goes through templates and gens, which make many references of one place", async () => {
    const document = {
      version: 1,
      templates: { u: "s3://old/data" },
      gen: [
        { key: "a/{{i}}", url: "{{u}}/{{i}}.nc", offset: "0", length: "1", dimensions: { i: { start: 0, stop: 4 } } },
      ],
      refs: { "a/.zarray": JSON.stringify(zarray), "a/7": ["{{u}}/z.nc", 0, 1] },
    };
    expect(await preview(document, "s3://old/", "gs://new/")).toMatchObject({ places: 1, targets: 5, references: 5 });
    expect(await preview(document, "{{u}}/", "{{u}}/2026/")).toMatchObject({ places: 2, targets: 5, references: 5 });
    expect(await preview(document, "s3://old/data/", "x")).toMatchObject({ places: 0, targets: 0, references: 0 });
  });
});
