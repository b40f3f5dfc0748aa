/**
 * Tests that verdicts name what stops a reader before any chunk is read, against readers' results for generated
 * siblings.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { ReaderId } from "#core/readers/ids.ts";
import type { ReaderVerdict } from "#core/readers/verdict.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openAny } from "#engine/open/open-any.ts";
import type { Fetch } from "#io/http/http.ts";
import { readerVerdicts } from "./reader-verdicts.ts";

async function judge(
  source: { readonly refs: object } | { readonly url: string; readonly fetch: Fetch },
): Promise<(id: ReaderId) => ReaderVerdict> {
  const given =
    "refs" in source
      ? ({ kind: "text", text: JSON.stringify(source.refs), name: "x.json" } as const)
      : ({ kind: "url", url: source.url } as const);
  const network = "fetch" in source ? { http: { fetch: source.fetch } } : {};
  const opened = await openAny(given, { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT });
  if (opened.kind === "choose") throw new Error(opened.title);
  const all = await readerVerdicts(opened.set, opened.set.findings, CONTEXT);
  return (id) => all.find(({ reader }) => reader.id === id) ?? expect.fail(id);
}

const refsOf = (refs: object) => judge({ refs });
const answersOf = (verdict: (id: ReaderId) => ReaderVerdict, ids: readonly ReaderId[]) =>
  Object.fromEntries(ids.map((id) => [id, verdict(id).answer]));

const ZARRAY = {
  zarr_format: 2,
  shape: [2],
  chunks: [1],
  dtype: "|u1",
  compressor: null,
  filters: null,
  order: "C",
  fill_value: 0,
};

const fixture = (name: string) =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, "fixtures", name), "utf8")) as { readonly cases: unknown };

describe("names of dimensions", () => {
  interface Recorded {
    readonly name: string;
    readonly refs: object;
    readonly error?: string;
  }
  const cases = fixture("xarray-dimensions.json").cases as readonly Recorded[];

  it.each(cases)("$name: as xarray did", async ({ refs, error }) => {
    expect((await refsOf(refs))("xarray").answer).toBe(error === undefined ? "yes" : "no");
  });

  it("are recorded of all kinds", () => {
    expect([...new Set(cases.map(({ error = "opens" }) => error))].toSorted()).toEqual([
      "KeyError",
      "TypeError",
      "ValueError",
      "opens",
    ]);
    expect(cases.length).toBeGreaterThan(70);
  });

  it("of Zarr v3 stand in the metadata: none is right for a scalar alone, and too many stop zarr-python", async () => {
    const of = async (shape: readonly number[], names: unknown) => {
      const more = names === undefined ? {} : { dimension_names: names };
      const verdict = await refsOf(version3({ shape, ...more }));
      return [verdict("zarr-python").answer, verdict("xarray").answer];
    };
    expect(await of([], undefined)).toEqual(["yes", "yes"]);
    expect(await of([2], undefined)).toEqual(["yes", "no"]);
    expect(await of([2], null)).toEqual(["yes", "no"]);
    expect(await of([2], ["x"])).toEqual(["yes", "yes"]);
    expect(await of([2], [])).toEqual(["no", "no"]);
    expect(await of([2], ["x", "y"])).toEqual(["no", "no"]);
    expect(await of([2], [5])).toEqual(["no", "no"]);
  });
});

const GROUP3 = JSON.stringify({ zarr_format: 3, node_type: "group" });
const BYTES = { name: "bytes", configuration: { endian: "little" } };

function version3({
  shape = [2],
  ...more
}: Readonly<Record<string, unknown>> & { readonly shape?: readonly number[] }) {
  const array = {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [BYTES],
    ...more,
  };
  return { "zarr.json": GROUP3, "a/zarr.json": JSON.stringify(array) };
}

const NAMED = { dimension_names: ["x"] };
const PYTHON = ["zarr-python", "xarray", "rioxarray"] as const;

describe("metadata that zarr-python 3 refuses", () => {
  const GZIP = { name: "gzip", configuration: { level: 1 } };
  const refused: readonly (readonly [string, object])[] = [
    ["no codecs", { codecs: [] }],
    ["a compressor alone", { codecs: [GZIP] }],
    ["a checksum alone", { codecs: [{ name: "crc32c" }] }],
    ["a transposition alone", { codecs: [{ name: "transpose", configuration: { order: [0] } }] }],
    ["two that make bytes", { codecs: [BYTES, BYTES] }],
    ["a compressor before bytes", { codecs: [GZIP, BYTES] }],
    ["fill null", { fill_value: null }],
    ["fill absent", { fill_value: undefined }],
    ["fill text", { fill_value: "abc" }],
    ["fill list", { fill_value: [1] }],
    ["fill beyond the type", { data_type: "uint8", fill_value: 300 }],
    ["fill below the type", { data_type: "uint8", fill_value: -1 }],
    ["fill of a fraction", { data_type: "int32", fill_value: 1.5 }],
    ["fill of a text", { data_type: "string", fill_value: null, codecs: [{ name: "vlen-utf8" }] }],
    ["chunk grid without shape", { chunk_grid: { name: "regular", configuration: {} } }],
    ["an unknown member", { surprise: { must_understand: true } }],
  ];

  it.each(refused)("%s", async (_, more) => {
    const verdict = await refsOf(version3({ ...NAMED, ...more }));
    expect(answersOf(verdict, PYTHON)).toEqual({ "zarr-python": "no", xarray: "no", rioxarray: "no" });
    expect(verdict("fsspec").answer).toBe("yes");
  });

  it("of one array stops xarray, and zarr-python for that array only", async () => {
    const [good, bad] = [version3(NAMED), version3({ ...NAMED, codecs: [] })];
    const verdict = await refsOf({ ...good, "b/zarr.json": bad["a/zarr.json"] });
    expect(answersOf(verdict, PYTHON)).toMatchObject({ "zarr-python": "partly", xarray: "no" });
  });

  it("does not stop zarrita, which wants no such codec and reads null as 0", async () => {
    const verdict = await refsOf(version3({ ...NAMED, codecs: [], fill_value: null }));
    expect(verdict("zarrita").answer).toBe("yes");
  });
});

describe("references", () => {
  interface Recorded {
    readonly name: string;
    readonly value: unknown;
    readonly error?: string;
  }
  const cases = fixture("fsspec-references.json").cases as readonly Recorded[];
  const of = (value: unknown) =>
    refsOf({
      ".zgroup": '{"zarr_format":2}',
      "a/.zarray": JSON.stringify(ZARRAY),
      "a/.zattrs": '{"_ARRAY_DIMENSIONS":["x"]}',
      "a/0": ["d.bin", 0, 1],
      "a/1": value,
    });
  /**
   * Later versions of fsspec write objects as JSON; the target of a URL that is null may be given; JavaScript does not
   * write 0.0.
   */
  const OTHERWISE = new Set(["object", "object-empty", "null-url", "whole-fraction"]);

  it.each(cases.filter(({ name, error }) => error !== undefined && !OTHERWISE.has(name)))(
    "$name: fsspec raises $error, and no reader of Python's reads all of it",
    async ({ value }) => {
      const verdict = await of(value);
      const ids = ["fsspec", "fsspec-templates", ...PYTHON] as const;
      expect(new Set(Object.values(answersOf(verdict, ids)))).toEqual(new Set(["partly"]));
    },
  );

  it.each(["ok", "whole", "empty-text", "zero-length"])("%s: fsspec reads it", async (name) => {
    const { value } = cases.find((one) => one.name === name) ?? expect.fail(name);
    expect((await of(value))("fsspec").answer).toBe("yes");
  });

  it("without a URL are read where the file is given", async () => {
    const verdict = (await of([null, 0, 1]))("fsspec");
    expect(verdict.answer).toBe("yes");
    expect(verdict.effects.map(({ rule }) => rule)).toContain("python-null-target");
  });
});

describe("groups", () => {
  it("other than the one that is opened are left out by xarray", async () => {
    const array = version3(NAMED)["a/zarr.json"];
    const verdict = await refsOf({
      "zarr.json": GROUP3,
      "a/zarr.json": array,
      "g/zarr.json": GROUP3,
      "g/b/zarr.json": array,
    });
    expect(answersOf(verdict, PYTHON)).toEqual({ "zarr-python": "yes", xarray: "partly", rioxarray: "partly" });
    const inner = await refsOf({ "zarr.json": GROUP3, "g/zarr.json": GROUP3, "g/b/zarr.json": array });
    expect(inner("xarray").answer).toBe("no");
    expect(inner("xarray").effects[0]).toMatchObject({ rule: "xarray-groups", effect: "loss" });
  });
});

describe("stores on servers that list nothing", () => {
  const serve =
    (files: Readonly<Record<string, string>>): Fetch =>
    (url) => {
      const text = files[new URL(url).pathname.slice(1)];
      return Promise.resolve(text === undefined ? new Response("", { status: 404 }) : new Response(text));
    };

  it("show no array to anybody: xarray opens an empty dataset, of most others nothing is known", async () => {
    const verdict = await judge({ url: "https://data.example/", fetch: serve({ ".zgroup": '{"zarr_format":2}' }) });
    expect(answersOf(verdict, ["zarr-python", "xarray", "titiler", "zarrita", "vizarr", "icechunk"])).toEqual({
      "zarr-python": "unknown",
      xarray: "no",
      titiler: "no",
      zarrita: "unknown",
      vizarr: "no",
      icechunk: "no",
    });
  });
});

describe("fill values that zarrita misreads", () => {
  const of = (data_type: string, fill_value: unknown) =>
    refsOf(version3({ ...NAMED, shape: [2], data_type, fill_value })).then((verdict) => [
      verdict("zarrita").answer,
      verdict("zarrita")
        .effects.map(({ rule }) => rule)
        .filter((rule) => rule.startsWith("zarrita-fill")),
    ]);

  it("are hexadecimal bits and integers beyond 2^53, not what doubles hold", async () => {
    const wrong = ["no", ["zarrita-fill"]];
    expect(await of("float32", "0x7fc00000")).toEqual(wrong);
    expect(await of("float64", "0x7ff8000000000000")).toEqual(wrong);
    expect(await of("float32", "NaN")).toEqual(["yes", []]);
    expect(await of("int64", 5)).toEqual(["yes", []]);
  });
});

it("neuroglancer reads OME-Zarr of the versions that it knows", async () => {
  const of = async (attributes: object) => {
    const files: Readonly<Record<string, string>> = {
      ".zmetadata": JSON.stringify({
        zarr_consolidated_format: 1,
        metadata: {
          ".zgroup": { zarr_format: 2 },
          ".zattrs": attributes,
          "0/.zarray": { ...ZARRAY, dtype: "|u1" },
        },
      }),
    };
    const fetch: Fetch = (url) => {
      const text = files[new URL(url).pathname.slice(1)];
      return Promise.resolve(text === undefined ? new Response("", { status: 404 }) : new Response(text));
    };
    return (await judge({ url: "https://data.example/", fetch }))("neuroglancer").answer;
  };
  const datasets = { datasets: [{ path: "0" }] };
  expect(await of({ multiscales: [{ ...datasets, version: "0.4" }] })).toBe("yes");
  // Of 0.5 it demands Zarr v3.
  expect(await of({ ome: { version: "0.5", multiscales: [datasets] } })).toBe("no");
  expect(await of({ multiscales: [{ ...datasets, version: "0.3" }] })).toBe("no");
  expect(await of({ multiscales: [datasets] })).toBe("no");
  expect(await of({})).toBe("yes");
});
