/** Readings not as declared, and what errors of stages say. */
import type { Finding } from "#core/findings/finding.ts";
import { explained } from "#core/findings/explain.ts";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Trial } from "#core/check/lab.ts";
import { createEngine, type Engine } from "../engine.ts";
import { turnedDtype } from "./trial-metadata.ts";
import { openLocal } from "../testing/open-files.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });

const values = Int16Array.from({ length: 64 }, (_, at) => 1000 + 7 * at);
const raw = new Uint8Array(values.buffer);

function shuffled(bytes: Uint8Array, size: number): Uint8Array {
  const count = bytes.length / size;
  return Uint8Array.from(bytes, (_, at) => bytes[(at % count) * size + Math.floor(at / count)] ?? 0);
}

const zarray = (more = {}) =>
  JSON.stringify({
    zarr_format: 2,
    shape: [64],
    chunks: [64],
    dtype: "<i2",
    compressor: { id: "zlib", level: 1 },
    filters: [{ id: "shuffle", elementsize: 2 }],
    fill_value: null,
    order: "C",
    ...more,
  });

const packed = deflateSync(shuffled(raw, 2));
const PAD = 10;
const file = new Uint8Array(packed.length + 2 * PAD).fill(0xaa);
file.set(packed, PAD);
const GOOD = ["data.bin", PAD, packed.length] as const;

const open = (engine: Engine, refs: Readonly<Record<string, unknown>>) =>
  openLocal(engine, { "refs.json": JSON.stringify(refs), "data.bin": file });

async function tried(refs: Readonly<Record<string, unknown>>, trial: Trial) {
  const engine = createEngine();
  const set = await open(engine, refs);
  const reading = await engine.call("repair.tryRead", { set, array: "a", coordinates: [0], trial }, context());
  return { engine, set, reading };
}

const step = (id: string, configuration = "", off = false) => ({ id, configuration, off });

describe("a trial reading", () => {
  it("reads as declared where nothing is changed", async () => {
    const { reading, engine, set } = await tried({ "a/.zarray": zarray(), "a/0": GOOD }, {});
    expect(reading).toMatchObject({ outcome: "ok", trial: {}, values: { raw: { minimum: "1000", maximum: "1441" } } });
    expect(reading.stages.map(({ look }) => look?.signature?.name)).toEqual(["zlib", undefined, undefined]);
    const spec = { reading: reading.id, rowDimension: undefined, columnDimension: 0, fixed: [0], scaled: false };
    expect((await engine.call("chunk.slice", { set, spec }, context())).values[1]).toBe(1007);
  });

  it("takes steps, without those switched off, and the byte order", async () => {
    const refs = { "a/.zarray": zarray({ filters: [{ id: "shuffle", elementsize: 4 }] }), "a/0": GOOD };
    const right = [step("zlib", '{"level": 1}'), step("shuffle", '{"elementsize": 2}'), step("delta", "{}", true)];
    const { reading } = await tried(refs, { steps: right });
    expect(reading.values?.raw).toMatchObject({ minimum: "1000", maximum: "1441" });
    const big = await tried(refs, { steps: right, byteOrder: "big" });
    expect(big.reading.values).toMatchObject({ dtype: ">i2" });
    expect(big.reading.values?.raw.minimum).not.toBe("1000");
  });

  it("moves a range, and keeps the reference as it is written", async () => {
    const refs = { "a/.zarray": zarray(), "a/0": ["data.bin", PAD + 3, packed.length] };
    const { reading, engine, set } = await tried(refs, { shift: -3 });
    expect(reading).toMatchObject({ outcome: "ok", written: `["data.bin", ${PAD + 3}, ${packed.length}]` });
    expect(reading.request?.range).toEqual({ offset: PAD, length: packed.length });
    const before = await engine.call(
      "repair.tryRead",
      { set, array: "a", coordinates: [0], trial: { shift: -PAD - 4 } },
      context(),
    );
    expect(before.error).toMatchObject({
      code: "trial-range",
      place: { kind: "chunk", array: "a", coordinates: [0] },
      facts: { problem: "before-start", offset: -1, shift: -PAD - 4 },
    });
    const none = await engine.call(
      "repair.tryRead",
      { set, array: "a", coordinates: [0], trial: { lengthen: -packed.length } },
      context(),
    );
    expect(none.error?.facts).toMatchObject({ problem: "no-bytes", length: 0 });
    const odd = await engine.call(
      "repair.tryRead",
      { set, array: "a", coordinates: [0], trial: { shift: 0.5 } },
      context(),
    );
    expect(odd.error?.facts).toMatchObject({ problem: "fraction", shift: 0.5 });
  });

  it("cuts what has no range, and says where nothing lies", async () => {
    const inline = `base64:${Buffer.from(file).toString("base64")}`;
    const refs = { "a/.zarray": zarray(), "a/0": inline };
    const { reading, engine, set } = await tried(refs, { shift: PAD, lengthen: -2 * PAD });
    expect(reading).toMatchObject({ outcome: "ok", state: "inline" });
    const longer = await engine.call(
      "repair.tryRead",
      { set, array: "a", coordinates: [0], trial: { shift: PAD } },
      context(),
    );
    expect(longer.findings.map(({ code }) => code)).toContain("trial-cut");
    expect(longer.stages[0]?.bytesOut).toBe(file.length - PAD);
    const before = await engine.call(
      "repair.tryRead",
      { set, array: "a", coordinates: [0], trial: { shift: -1 } },
      context(),
    );
    expect(before.error?.facts).toMatchObject({ problem: "before-start", offset: -1 });
    const after = await engine.call(
      "repair.tryRead",
      { set, array: "a", coordinates: [0], trial: { shift: 10_000 } },
      context(),
    );
    expect(after.error?.facts).toMatchObject({ problem: "past-end", offset: 10_000 });
  });

  it.each(['{"a"', "[1]", "7", "nul"])("refuses the configuration %s", async (configuration) => {
    const trial = { steps: [step("zlib", configuration)] };
    const refs = { "a/.zarray": zarray(), "a/0": GOOD };
    await expect(tried(refs, trial)).rejects.toMatchObject({ code: "trial-configuration" });
  });

  it("drops none of the readings it is compared with, and notes no result", async () => {
    const engine = createEngine();
    const set = await open(engine, { "a/.zarray": zarray(), "a/0": GOOD });
    const first = await engine.call("chunk.read", { set, array: "a", coordinates: [0] }, context());
    for (let lengthen = 0; lengthen < 9; lengthen += 1) {
      await engine.call(
        "repair.tryRead",
        { set, array: "a", coordinates: [0], trial: { lengthen: -lengthen } },
        context(),
      );
    }
    expect(
      (await engine.call("chunk.stageBytes", { set, reading: first.id, stage: 0, from: 0, to: 4 }, context())).bytes,
    ).toEqual(new Uint8Array(packed.subarray(0, 4)));
    const view = await engine.call("table.view", { set, spec: { scope: "a", filter: {} } }, context());
    const { rows } = await engine.call("table.rows", { set, view: view.view, from: 0, to: 1 }, context());
    expect(rows[0]?.result).toBe("ok");
  });

  it("does not ask again for bytes that an earlier reading brought", async () => {
    const engine = createEngine();
    const set = await open(engine, { "a/.zarray": zarray(), "a/0": GOOD });
    const first = await engine.call("chunk.read", { set, array: "a", coordinates: [0] }, context());
    const again = await engine.call(
      "repair.tryRead",
      { set, array: "a", coordinates: [0], trial: { byteOrder: "big" } },
      context(),
    );
    expect(again.request).toBe(first.request);
    const moved = await engine.call(
      "repair.tryRead",
      { set, array: "a", coordinates: [0], trial: { shift: 1 } },
      context(),
    );
    expect(moved.request).not.toBe(first.request);
  });
});

describe("the byte order of a trial", () => {
  it.each([
    ["<i2", ">i2"],
    ["int16", ">i2"],
    ["|u1", "|u1"],
    ["<M8[ns]", ">M8[ns]"],
    [">f8", ">f8"],
    ["|O", "|O"],
    [
      [
        ["x", "<i2"],
        ["<f4", "|u1"],
        ["s", [["t", "<f4"]], [2]],
      ],
      [
        ["x", ">i2"],
        ["<f4", "|u1"],
        ["s", [["t", ">f4"]], [2]],
      ],
    ],
  ])("makes of the dtype %j %j", (dtype, turned) => {
    expect(turnedDtype(dtype, "big")).toEqual(turned);
  });

  it("of Zarr v3 is that of its codec", async () => {
    const json = JSON.stringify({
      zarr_format: 3,
      node_type: "array",
      shape: [64],
      data_type: "int16",
      chunk_grid: { name: "regular", configuration: { chunk_shape: [64] } },
      chunk_key_encoding: { name: "default" },
      codecs: [
        { name: "bytes", configuration: { endian: "big" } },
        { name: "numcodecs.zlib", configuration: {} },
      ],
      fill_value: 0,
    });
    const plain = deflateSync(raw);
    const refs = { "a/zarr.json": json, "a/c/0": `base64:${plain.toString("base64")}` };
    const minimum = async (trial: Trial) => (await tried(refs, trial)).reading.values?.raw.minimum;
    expect(await minimum({})).not.toBe("1000");
    expect(await minimum({ byteOrder: "little" })).toBe("1000");
    expect(await minimum({ steps: [step("numcodecs.zlib"), step("bytes", '{"endian":"little"}')] })).toBe("1000");
    expect(await minimum({ steps: [step("numcodecs.zlib"), step("bytes", '{"endian":"big"}')] })).not.toBe("1000");
  });
});

describe("the error of a stage", () => {
  it("names the step, its configuration and the first bytes it met", async () => {
    const { reading } = await tried({ "a/.zarray": zarray(), "a/0": ["data.bin", PAD + 4, packed.length] }, {});
    const { error, findings, stages } = reading;
    expect(error).toMatchObject({
      code: "decode-failed",
      place: { kind: "chunk", array: "a", coordinates: [0] },
      facts: {
        codec: "zlib",
        step: 1,
        configuration: '{"level":1}',
        given: { size: packed.length, start: expect.stringMatching(/^([0-9a-f]{2} ){16}… “.{16}”$/) as string },
      },
    });
    expect(stages.at(-1)?.error).toEqual(error);
    expect(findings[0]).toMatchObject({ code: "decode-failed", place: error?.place });
    const { message } = explained(findings[0] as Finding);
    expect(message).toContain(`This was decoding step 1, with {"level":1}. Its input was ${packed.length} bytes`);
  });

  it("says what other format the bytes look like", async () => {
    const refs = { "a/.zarray": zarray({ compressor: { id: "zstd" } }), "a/0": GOOD };
    const { reading } = await tried(refs, {});
    expect(reading.error?.facts).toMatchObject({ given: { like: expect.stringContaining("zlib") as string } });
  });

  it("about metadata leaves the bytes out", async () => {
    const refs = { "a/.zarray": zarray({ filters: [{ id: "shuffle", elementsize: "x" }] }), "a/0": GOOD };
    const { reading } = await tried(refs, {});
    const { error: finding } = reading;
    expect(finding).toMatchObject({
      code: "codec-configuration",
      facts: { codec: "shuffle", member: "elementsize", found: '"x"', step: 2, configuration: '{"elementsize":"x"}' },
    });
    expect(explained(finding as Finding).message).not.toContain("which begin");
  });

  it("shows the bytes that came out where they are too few or too many", async () => {
    const refs = { "a/.zarray": zarray({ compressor: null, filters: null }), "a/0": GOOD };
    const { reading } = await tried(refs, {});
    expect(reading.error).toMatchObject({
      code: "chunk-size-mismatch",
      facts: {
        found: packed.length,
        gave: { start: expect.stringMatching(/^78 9c /) as string, like: expect.stringContaining("zlib") as string },
      },
    });
  });
});
