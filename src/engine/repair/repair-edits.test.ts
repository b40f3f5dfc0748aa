/** Trials as edits: applied to the document they make every chunk of the array read as the trial read one. */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { Trial } from "#core/check/lab.ts";
import type { RepairScope } from "#core/repair-offer.ts";
import type { LocalFile } from "#core/open-set.ts";
import type { TableEdit } from "#core/studio.ts";
import { createEngine, type Engine } from "../engine.ts";
import { applyTextEdits } from "../edit/text-edits.ts";
import { openLocal } from "../testing/open-files.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });
const step = (id: string, configuration = "", off = false) => ({ id, configuration, off });

const raw = new Uint8Array(Int16Array.from({ length: 32 }, (_, at) => 300 + at).buffer);
const packed = deflateSync(raw);
const file = new Uint8Array(packed.length * 2 + 8);
file.set(packed, 4);
file.set(packed, packed.length + 8);

/** Document as a writer may have laid it out: an order of its own, a number beyond 2^53, numbers with `.0`. */
const ZARRAY =
  '{\n  "zarr_format": 2, "shape": [64], "chunks": [32], "dtype": "<i2", "fill_value": 0,\n' +
  '  "compressor": {"id": "zlib", "level": 1, "made": 1.0}, "filters": [{"id": "shuffle", "elementsize": 2}],\n' +
  '  "order": "C", "note": 12345678901234567890\n}';

const RANGES = { "a/0": ["data.bin", 4, packed.length], "a/1": ["data.bin", packed.length + 8, packed.length] };

const open = (engine: Engine, refs: unknown) =>
  openLocal(engine, { "refs.json": JSON.stringify(refs), "data.bin": file });

async function editsOf(refs: unknown, trial: Trial, scope: RepairScope = "array") {
  const engine = createEngine();
  const set = await open(engine, refs);
  const edits = await engine.call("repair.edits", { set, array: "a", coordinates: [0], trial, scope }, context());
  return { engine, set, edits };
}

async function editedText(engine: Engine, text: string, edits: readonly TableEdit[]): Promise<string> {
  let edited = text;
  for (const edit of edits) {
    edited = applyTextEdits(edited, await engine.call("edit.textEdits", { text: edited, edit }, context()));
  }
  return edited;
}

/** Minimum and maximum of both chunks once the edits are made in the text. */
async function applied(refs: unknown, trial: Trial) {
  const { engine, set, edits } = await editsOf(refs, trial);
  const { text } = await engine.call("edit.source", { set }, context());
  const edited = await editedText(engine, text, edits);
  const answer = await engine.call("edit.render", { set, text: edited, edits: [] }, context());
  const id = answer.set?.id ?? -1;
  const readings = await Promise.all(
    [0, 1].map((at) => engine.call("chunk.read", { set: id, array: "a", coordinates: [at] }, context())),
  );
  return readings.map(({ values, error }) =>
    values === undefined ? error?.code : `${values.raw.minimum} ${values.raw.maximum}`,
  );
}

describe("other codecs", () => {
  const refs = { "a/.zarray": ZARRAY, "a/.zattrs": "{}", ...RANGES };
  const withoutShuffle = {
    steps: [step("zlib", '{"level":1,"made":1.0}'), step("shuffle", '{"elementsize":2}', true)],
  };

  it("change their members of .zarray and nothing else", async () => {
    const { edits } = await editsOf(refs, withoutShuffle);
    const text = ZARRAY.replace('[{"id": "shuffle", "elementsize": 2}]', "[]");
    expect(edits).toEqual([{ kind: "set-reference", key: "a/.zarray", value: JSON.stringify(text) }]);
  });

  it("make the array read as the trial did", async () => {
    expect(await applied(refs, {})).not.toEqual(["300 331", "300 331"]);
    expect(await applied(refs, withoutShuffle)).toEqual(["300 331", "300 331"]);
  });

  it.each([
    [
      [step("zlib", '{"level":1,"made":1.0}'), step("shuffle", '{"elementsize":4}')],
      ', "made": 1.0}',
      '[{"id":"shuffle","elementsize":4}]',
    ],
    [
      [step("fletcher32"), step("zlib", '{"level":1,"made":1.0}')],
      "null",
      '[{"id": "zlib", "level": 1, "made": 1.0},{"id":"fletcher32"}]',
    ],
    [[step("zstd")], '{"id":"zstd"}', "[]"],
    [[], "null", "[]"],
  ])("%# are written in the order of encoding", async (steps, compressor, filters) => {
    const { edits } = await editsOf(refs, { steps });
    const [edit] = edits;
    const text = edit?.kind === "set-reference" ? (JSON.parse(edit.value) as string) : "";
    expect(text).toContain(`"filters": ${filters},`);
    expect(text).toContain(compressor);
    expect(text).toContain("12345678901234567890");
  });

  it("and the byte order go together", async () => {
    const { edits } = await editsOf(refs, { ...withoutShuffle, byteOrder: "big" });
    const text = ZARRAY.replace('[{"id": "shuffle", "elementsize": 2}]', "[]").replace("<i2", ">i2");
    expect(edits).toEqual([{ kind: "set-reference", key: "a/.zarray", value: JSON.stringify(text) }]);
  });

  it("change the copy in consolidated metadata too", async () => {
    const metadata = { ".zgroup": { zarr_format: 2 }, "a/.zarray": JSON.parse(ZARRAY) as unknown, "a/.zattrs": {} };
    const zmetadata = JSON.stringify({ zarr_consolidated_format: 1, metadata });
    const { edits } = await editsOf(
      { ".zgroup": '{"zarr_format":2}', ".zmetadata": zmetadata, ...refs },
      withoutShuffle,
    );
    const keys = edits.map((edit) => (edit.kind === "set-reference" ? edit.key : ""));
    expect(keys.sort()).toEqual([".zmetadata", "a/.zarray"]);
    const copy = edits.find((edit) => edit.kind === "set-reference" && edit.key === ".zmetadata");
    const text = copy?.kind === "set-reference" ? (JSON.parse(copy.value) as string) : "{}";
    const written = JSON.parse(text) as { metadata: Record<string, { filters: unknown }> };
    expect(written.metadata["a/.zarray"]?.filters).toEqual([]);
  });

  it("belong to the array, not to a chunk", async () => {
    await expect(editsOf(refs, withoutShuffle, "chunk")).rejects.toMatchObject({ code: "not-editable" });
  });

  const ZARR_JSON = JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape: [64],
    data_type: "int16",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [32] } },
    chunk_key_encoding: { name: "v2" },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    fill_value: 0,
  });
  const inflated = { steps: [step("zlib"), step("bytes", '{"endian":"little"}')] };

  it.each([
    ["v2", { "a/.zarray": ZARRAY }, withoutShuffle],
    ["v3", { "a/zarr.json": ZARR_JSON }, inflated],
  ])("are what is read next, also where the chunk was read before (%s)", async (_, documents, trial) => {
    const { engine, set, edits } = await editsOf({ ...documents, ...RANGES }, trial);
    const before = await engine.call("chunk.read", { set, array: "a", coordinates: [0] }, context());
    const { text } = await engine.call("edit.source", { set }, context());
    const edited = await editedText(engine, text, edits);
    const answer = await engine.call("edit.render", { set, text: edited, edits: [] }, context());
    const after = await engine.call(
      "chunk.read",
      { set: answer.set?.id ?? -1, array: "a", coordinates: [0] },
      context(),
    );
    expect([before.values?.raw.maximum === "331", after.values?.raw.maximum]).toEqual([false, "331"]);
  });

  it("of Zarr v3 are named as zarr-python names them", async () => {
    const { edits } = await editsOf({ "a/zarr.json": ZARR_JSON, ...RANGES }, inflated);
    const codecs =
      '[{"name":"bytes","configuration":{"endian":"little"}},{"name":"numcodecs.zlib","configuration":{}}]';
    const text = ZARR_JSON.replace('[{"name":"bytes","configuration":{"endian":"little"}}]', codecs);
    expect(edits).toEqual([{ kind: "set-reference", key: "a/zarr.json", value: JSON.stringify(text) }]);
    const turned = await editsOf({ "a/zarr.json": ZARR_JSON, ...RANGES }, { byteOrder: "big" });
    const big = ZARR_JSON.replace("little", "big");
    expect(turned.edits).toEqual([{ kind: "set-reference", key: "a/zarr.json", value: JSON.stringify(big) }]);
  });
});

describe("other ranges", () => {
  const zarray = ZARRAY.replace('[{"id": "shuffle", "elementsize": 2}]', "null");
  const late = { "a/0": ["data.bin", 7, packed.length], "a/1": ["data.bin", packed.length + 11, packed.length] };

  it("of the array move together", async () => {
    const refs = {
      version: 1,
      templates: { d: "data" },
      refs: { "a/.zarray": zarray, "a/0": ["{{d}}.bin", 7, packed.length], "a/1": late["a/1"] },
    };
    const { edits } = await editsOf(refs, { shift: -3 });
    expect(edits).toEqual([{ kind: "shift-ranges", path: "a", shift: -3, lengthen: 0 }]);
    expect(await applied(refs, { shift: -3 })).toEqual(["300 331", "300 331"]);
  });

  it("of one chunk are a reference, its URL as written", async () => {
    const refs = { version: 1, templates: { d: "data" }, refs: { "a/.zarray": zarray, "a/0": ["{{d}}.bin", 7, 90] } };
    const { edits } = await editsOf(refs, { shift: -3, lengthen: 2 }, "chunk");
    expect(edits).toEqual([{ kind: "set-reference", key: "a/0", value: '["{{d}}.bin",4,92]' }]);
    const plain = await editsOf({ "a/.zarray": zarray, "a/0": [null, 7, 90] }, { shift: 1 }, "chunk");
    expect(plain.edits).toEqual([{ kind: "set-reference", key: "a/0", value: "[null,8,90]" }]);
  });

  it.each([
    ["before byte 0", { "a/.zarray": zarray, ...late }, { shift: -8 }],
    ["of nothing", { "a/.zarray": zarray, "a/0": ["data.bin"] }, { shift: 1 }],
    [
      "that gen makes",
      {
        version: 1,
        gen: [{ key: "a/{{i}}", url: "data.bin", offset: "{{i}}", length: "9", dimensions: { i: [0, 1] } }],
        refs: { "a/.zarray": zarray },
      },
      { shift: 1 },
    ],
  ])("%s are refused", async (_, refs, trial) => {
    await expect(editsOf(refs, trial)).rejects.toMatchObject({ code: "not-editable" });
  });

  it("of one chunk are refused where it has none", async () => {
    const refs = { "a/.zarray": zarray, "a/0": "base64:AAAA" };
    await expect(editsOf(refs, { shift: 1 }, "chunk")).rejects.toMatchObject({
      finding: { code: "not-editable", facts: { problem: "no-range", reference: "inline" } },
    });
    await expect(editsOf({ "a/.zarray": zarray, ...late }, { shift: -9 }, "chunk")).rejects.toMatchObject({
      code: "trial-range",
    });
  });
});

it("nothing is edited where nothing is changed", async () => {
  const { edits } = await editsOf({ "a/.zarray": ZARRAY, ...RANGES }, {});
  expect(edits).toEqual([]);
  const same = {
    steps: [step("zlib", '{"level":1,"made":1.0}'), step("shuffle", '{"elementsize":2}')],
    byteOrder: "little",
  };
  expect((await editsOf({ "a/.zarray": ZARRAY, ...RANGES }, same as Trial)).edits).toEqual([]);
});

it("a store cannot be edited, and says what can", async () => {
  const engine = createEngine();
  const files: LocalFile[] = [
    { path: "s.zarr/.zgroup", blob: new Blob(['{"zarr_format":2}']) },
    { path: "s.zarr/a/.zarray", blob: new Blob([ZARRAY]) },
    { path: "s.zarr/a/0", blob: new Blob([packed]) },
  ];
  const answer = await engine.call(
    "set.open",
    { source: { kind: "files", files }, locations: NO_LOCATIONS },
    context(),
  );
  if (answer.kind !== "set") throw new Error("asked to choose");
  const call = engine.call(
    "repair.edits",
    { set: answer.set.id, array: "a", coordinates: [0], trial: { shift: 1 }, scope: "array" },
    context(),
  );
  await expect(call).rejects.toMatchObject({
    finding: { code: "not-editable", facts: { problem: "not-a-document" } },
  });
  const names = await engine.call("repair.codecs", {}, context());
  expect(names.map(({ id }) => id)).toContain("shuffle");
});
