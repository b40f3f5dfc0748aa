/** How each driver describes the sets it opens: their words, and the lines that open them in Python. */
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { OpenSource } from "#core/open-set.ts";
import { fixtureFiles } from "#formats/icechunk/testing/objects.ts";
import { createEngine } from "../engine.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { DOCUMENT_DRIVERS } from "./drivers.ts";

const ARRAY = { zarr_format: 2, shape: [2], chunks: [1], dtype: "|u1", fill_value: 0, order: "C", filters: null };
const ZARRAY = JSON.stringify({ ...ARRAY, compressor: null });
const PARQUET = JSON.stringify({ metadata: { "a/.zarray": JSON.parse(ZARRAY) as unknown }, record_size: 2 });
const REFS = JSON.stringify({ version: 1, refs: { "a/.zarray": ZARRAY, "a/0": ["https://h/x.nc", 0, 1] } });
const ALONE = JSON.stringify({
  zarr_format: 3,
  node_type: "array",
  shape: [2],
  data_type: "uint8",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
  chunk_key_encoding: { name: "default" },
  fill_value: 0,
  codecs: [{ name: "bytes" }],
});

const REPOSITORY = Object.fromEntries([...fixtureFiles("v2")].map(([path, bytes]) => [path, bytes.slice()]));

function dropped(files: Readonly<Record<string, BlobPart>>): OpenSource {
  return { kind: "files", files: Object.entries(files).map(([path, part]) => ({ path, blob: new Blob([part]) })) };
}

async function opened(source: OpenSource) {
  const engine = createEngine({});
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, CONTEXT);
  if (answer.kind !== "set") throw new Error(answer.title);
  const { pythonLong } = await engine.call("set.overview", { set: answer.set.id, path: "" }, CONTEXT);
  return { ...answer.set, python: pythonLong };
}

describe("a set", () => {
  it.each<[string, Readonly<Record<string, BlobPart>>, string, readonly string[]]>([
    ["an Icechunk repository", REPOSITORY, "chunk", ["icechunk.Repository.open(", 'readonly_session(branch="main")']],
    [
      "a Zarr store",
      { "s.zarr/.zgroup": "{}", "s.zarr/a/.zarray": ZARRAY },
      "chunk",
      ['zarr.open("s.zarr", mode="r", zarr_format=2)', "xr.open_zarr("],
    ],
    [
      "an array alone",
      { "s.zarr/zarr.json": ALONE },
      "chunk",
      ['array = zarr.open("s.zarr", mode="r", zarr_format=3)'],
    ],
    ["Kerchunk Parquet", { "s.parq/.zmetadata": PARQUET }, "chunk", ["fastparquet pandas", 'fo="s.parq"']],
    ["Kerchunk JSON", { "x.json": REFS }, "reference", ['fo="x.json"', 'remote_protocol="https"']],
  ])("of %s has the words and the Python of its format", async (_, files, unit, lines) => {
    const { words, python } = await opened(dropped(files));
    expect(words.unit).toBe(unit);
    for (const line of lines) expect(python).toContain(line);
  });

  it("that is pasted is recognised by its first bytes", async () => {
    const { format } = await opened({ kind: "text", text: REFS, name: "pasted" });
    expect(format).toBe("Kerchunk JSON, Version 1");
  });
});

it("one driver alone reads the documents that no other recognises, and is asked last", () => {
  expect(DOCUMENT_DRIVERS.map(({ readsRest }) => readsRest === true).indexOf(true)).toBe(DOCUMENT_DRIVERS.length - 1);
});
