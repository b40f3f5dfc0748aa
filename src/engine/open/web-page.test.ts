/** Servers that send a page with status 200 where one must sign in, or for anything they do not have. */
import { describe, expect, it } from "vitest";
import { keyAt, RefscopeError } from "#core/findings/finding.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { EngineSet } from "../engine-set.ts";
import { openAny } from "./open-any.ts";
import { readChunk } from "../chunk/read-chunk.ts";
import { explained } from "#core/findings/explain.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const PAGE = `<!DOCTYPE html>\n<html><head><meta content='${"x".repeat(4000)}'><title>\n  Sign in to\tExample &amp; Co </title></head><body></body></html>`;
const HTML = { "Content-Type": "text/html; charset=utf-8" };

/** A host that has `files`, and answers everything else with the page. */
function answering(files: Readonly<Record<string, string>> = {}) {
  return (url: string) => {
    const text = files[new URL(url).pathname];
    const answer = text === undefined ? new Response(PAGE, { headers: HTML }) : new Response(text);
    return Promise.resolve(answer);
  };
}

async function open(url: string, files?: Readonly<Record<string, string>>): Promise<EngineSet> {
  const network = { http: { fetch: answering(files), attempts: 1 } };
  const opened = await openAny(
    { kind: "url", url },
    { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT },
  );
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

async function failure(url: string): Promise<RefscopeError> {
  const error: unknown = await open(url).then(
    ({ format }) => new Error(`opened as ${format.label}`),
    (cause: unknown) => cause,
  );
  if (error instanceof RefscopeError) return error;
  throw error;
}

describe("a web page in place of what was asked for", () => {
  it.each([
    "https://example.org/data/set.json",
    "https://example.org/data/set.json.gz",
    "https://example.org/data/set.zip",
    "https://example.org/data/set.parquet",
    "https://example.org/data/store.zarr",
    "https://example.org/data/store.icechunk/",
    "https://example.org/data/folder",
    "https://example.org/data/store.zarr/.zmetadata",
    "https://example.org/data/zarr.json",
  ])("%s is not a store, and the page's title is said", async (url) => {
    const error = await failure(url);
    expect(error.code).toBe("web-page");
    expect(explained(error.finding).message).toContain("“Sign in to Example & Co”");
  });

  it("does not hide the store that is there", async () => {
    const zgroup = '{"zarr_format":2}';
    const set = await open("https://example.org/s.zarr", { "/s.zarr/.zgroup": zgroup });
    expect(set.format.label).toBe("Zarr v2");
    const pages = set.findings.filter(({ code }) => code === "web-page");
    expect(pages).toMatchObject([{ count: 4 }]);
    const places = pages[0]?.places?.map((place) => (place.kind === "target" ? place.target.split("/").at(-1) : place));
    expect(places).toEqual([".zmetadata", "zarr.json", ".zarray", ".zattrs"]);
  });

  it("does not hide the document without an ending that is there", async () => {
    const set = await open("https://example.org/api/refs", { "/api/refs": '{"version":1,"refs":{}}' });
    expect(set.format.kind).toBe("kerchunk-json");
  });

  it("is said of chunks, whole and by range, and of metadata kept outside", async () => {
    const array = { zarr_format: 2, shape: [3], chunks: [1], dtype: "|u1", fill_value: 0, order: "C" };
    const refs = {
      "a/.zarray": JSON.stringify({ ...array, compressor: null, filters: null }),
      "a/0": ["https://example.org/a.nc"],
      "a/1": ["https://example.org/a.nc", 5000, 1],
      "a/2": ["https://example.org/a.nc", 0, 1],
      "b/.zarray": ["https://example.org/b.nc"],
    };
    const set = await open("https://example.org/set.json", { "/set.json": JSON.stringify({ version: 1, refs }) });
    const outside = set.findings.find(({ code }) => code === "metadata-not-fetched");
    expect(outside).toMatchObject({ place: keyAt("b/.zarray") });
    for (const at of [0, 1, 2]) {
      const { reading } = await readChunk(set, "a", [at], CONTEXT);
      const said = reading.findings.map((one) => explained(one).message).join(" ");
      expect(said).toContain("a web page (HTML) instead of data: “Sign in to Example & Co”");
    }
  });
});
