/** Tests of findings made while one chunk is read: place and facts. */
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { LocalFile } from "#core/open-set.ts";
import { createEngine } from "../engine.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });

const zarray = (more = {}) =>
  JSON.stringify({
    zarr_format: 2,
    shape: [8],
    chunks: [4],
    dtype: "<i2",
    compressor: null,
    filters: null,
    fill_value: 0,
    order: "C",
    ...more,
  });

const FIRST = { kind: "chunk", array: "a", coordinates: [0] };

async function read(refs: Readonly<Record<string, unknown>>) {
  const files: LocalFile[] = [
    { path: "refs.json", blob: new Blob([JSON.stringify(refs)]) },
    { path: "data.bin", blob: new Blob([new Uint8Array(8)]) },
  ];
  const engine = createEngine();
  const source = { kind: "files", files } as const;
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
  if (answer.kind !== "set") throw new Error("asked to choose");
  const set = answer.set.id;
  const readAt = (at: number) => engine.call("chunk.read", { set, array: "a", coordinates: [at] }, context());
  return { engine, set, readAt, reading: await readAt(0) };
}

describe("a missing chunk", () => {
  it("has no defined value where fill_value is null", async () => {
    const { reading } = await read({ "a/.zarray": zarray({ fill_value: null }) });
    expect(reading.findings).toMatchObject([{ code: "fill-value-undefined", place: FIRST, facts: { chunks: 1 } }]);
  });

  it("has none either where fill_value is of another type", async () => {
    const { reading } = await read({ "a/.zarray": zarray({ fill_value: "none" }) });
    expect(reading.findings).toMatchObject([
      { code: "fill-value-unfit", place: FIRST, facts: { filled: "chunk", fillValue: '"none"', dataType: "<i2" } },
    ]);
  });

  it("has no values to be asked for, and is forgotten after some others", async () => {
    const { engine, set, reading, readAt } = await read({ "a/.zarray": zarray() });
    const spec = { reading: reading.id, rowDimension: undefined, columnDimension: 0, fixed: [0], scaled: false };
    const slice = () => engine.call("chunk.slice", { set, spec }, context());
    await expect(slice()).rejects.toMatchObject({ finding: { code: "no-values", place: FIRST } });
    for (const at of [1, 0, 1, 0]) await readAt(at);
    await expect(slice()).rejects.toMatchObject({ finding: { code: "reading-gone" } });
  });

  it("is none where the grid has no such chunk", async () => {
    const { readAt } = await read({ "a/.zarray": zarray() });
    await expect(readAt(2)).rejects.toMatchObject({
      finding: { code: "outside-grid", place: { kind: "node", path: "a" }, facts: { coordinates: [2], grid: [2] } },
    });
  });
});

describe("a reference", () => {
  it("that cannot be read is the error", async () => {
    const { reading } = await read({ "a/.zarray": zarray(), "a/0": "base64:§§" });
    const finding = { code: "reference-bad", place: FIRST, facts: { format: "kerchunk-json" } };
    expect(reading).toMatchObject({ outcome: "failed", error: finding, findings: [finding] });
  });

  it("with inline text beyond ASCII may be meant otherwise", async () => {
    const { reading } = await read({ "a/.zarray": zarray(), "a/0": "éüöä" });
    expect(reading).toMatchObject({ outcome: "ok", findings: [{ code: "inline-non-ascii", place: FIRST }] });
  });

  it("to a file of another folder is followed by its name", async () => {
    const { reading } = await read({ "a/.zarray": zarray(), "a/0": ["/data/ocean/data.bin", 0, 8] });
    expect(reading).toMatchObject({
      outcome: "ok",
      findings: [{ code: "target-matched-by-name", place: FIRST, facts: { file: "data.bin" } }],
    });
  });
});
