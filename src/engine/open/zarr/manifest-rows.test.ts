/** Arrays whose chunk manifest cannot be read: all their chunks are unknown, none counts as missing. */
import { expect, it } from "vitest";
import { keyAt, nodeAt } from "#core/findings/fact.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { droppedFiles } from "#io/local-files.ts";
import { openAny, openFiles } from "../open-any.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

const zarrJson = (manifest: unknown) =>
  JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape: [2],
    data_type: "int8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
    chunk_key_encoding: { name: "default" },
    codecs: ["bytes"],
    fill_value: 0,
    storage_transformers: [{ name: "chunk-manifest-json", configuration: { manifest } }],
  });

async function open(files: Readonly<Record<string, string>>) {
  const dropped = droppedFiles(Object.entries(files).map(([path, text]) => ({ path, blob: new Blob([text]) })));
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(dropped, opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

it.each([
  ["is not there", { "s/a/zarr.json": zarrJson("./m.json") }, "chunk-manifest-missing", keyAt("a/m.json"), "absent"],
  ["is not named", { "s/a/zarr.json": zarrJson(5) }, "chunk-manifest-missing", nodeAt("a"), "no-path"],
])("that %s", async (_what, files, code, place, problem) => {
  const group = JSON.stringify({ zarr_format: 3, node_type: "group" });
  const set = await open({ ...files, "s/zarr.json": group });
  const [pages] = [...set.index.paged.values()];
  expect(pages?.pages.unit).toBe("manifest");
  expect(pages?.failureOf(0)).toMatchObject({ code, place, facts: problem === undefined ? {} : { problem } });
  expect(pages?.failedCells).toBe(2);
  expect(set.tally.states.missing).toBe(0);
});

it("that declares more bytes than are read is refused before they come", async () => {
  const texts = new Map([
    ["/s/zarr.json", JSON.stringify({ zarr_format: 3, node_type: "group", consolidated_metadata: consolidated() })],
  ]);
  const fetch = (url: string) => {
    const { pathname } = new URL(url);
    if (pathname === "/s/a/m.json") {
      const body = new ReadableStream({ pull: () => new Promise(() => undefined) });
      return Promise.resolve(new Response(body, { headers: { "Content-Length": `${320 << 20}` } }));
    }
    const text = texts.get(pathname);
    return Promise.resolve(new Response(text ?? "", { status: text === undefined ? 404 : 200 }));
  };
  const opening = { locations: NO_LOCATIONS, network: { http: { fetch } }, options: {}, context: CONTEXT };
  const opened = await openAny({ kind: "url", url: "https://example.org/s/" }, opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  const [pages] = [...opened.set.index.paged.values()];
  const facts = { what: "bytes", limit: 256 << 20 };
  expect(pages?.failureOf(0)).toMatchObject({ code: "chunk-manifest-too-large", place: keyAt("a/m.json"), facts });
});

const consolidated = () => ({
  kind: "inline",
  must_understand: false,
  metadata: { a: JSON.parse(zarrJson("./m.json")) as unknown },
});
