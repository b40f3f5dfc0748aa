import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { OpenSource } from "#core/open-set.ts";
import { openMade } from "../repair/suggest/testing/damaged-set.ts";
import { createEngine } from "../engine.ts";
import { type ChunkDecoder, inThread } from "./chunk-decoder.ts";
import { decodeAndReport } from "./decode-chunk.ts";
import { readChunk, type ReadChunk } from "./read-chunk.ts";
import { keepStages } from "./stage-bytes.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });

const LIMIT = 2 ** 16;
const SIZE = 3600;
const FILTERS = 20;

/** Decodes as the engine does, with a limit that small chunks exceed. */
const decoder: ChunkDecoder = {
  ...inThread,
  decodeAndReport: (...given) => decodeAndReport(...given, LIMIT),
};

/** A chunk behind a compressor and twenty filters: 75 kB of stages. */
function references() {
  const bytes = new Uint8Array(SIZE).fill(7, SIZE / 2);
  const zarray = {
    zarr_format: 2,
    shape: [SIZE],
    chunks: [SIZE],
    dtype: "|u1",
    compressor: { id: "zlib", level: 1 },
    filters: Array.from({ length: FILTERS }, () => ({ id: "shuffle", elementsize: 4 })),
    fill_value: 0,
    order: "C",
  };
  return { "a/.zarray": JSON.stringify(zarray), "a/0": `base64:${deflateSync(bytes).toString("base64")}` };
}

const heldBy = ({ stageBytes }: ReadChunk): number =>
  [...new Set(stageBytes.slice(1, -1).map((bytes) => bytes?.buffer))].reduce(
    (sum, buffer) => sum + (buffer?.byteLength ?? 0),
    0,
  );

describe("stages of a reading", () => {
  it("are kept up to a limit while decoding, and each still says what it looks like", async () => {
    const set = await openMade({ references: references(), files: new Map() });
    const chunk = await readChunk(set, "a", [0], context(), decoder);
    expect(chunk.reading.outcome).toBe("ok");
    expect(heldBy(chunk)).toBeLessThanOrEqual(LIMIT);
    expect(heldBy(chunk)).toBeGreaterThan(LIMIT / 2);
    const { stages } = chunk.reading;
    expect(stages).toHaveLength(FILTERS + 2);
    expect(stages.every(({ bytesOut, look, head }, at) => at === 0 || (bytesOut === SIZE && look && head))).toBe(true);
  });

  it("that were not kept are made again when they are looked at", async () => {
    const engine = createEngine(undefined, decoder);
    const source: OpenSource = { kind: "text", text: JSON.stringify(references()), name: "set.json" };
    const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
    if (answer.kind !== "set") throw new Error("asked to choose");
    const { id } = answer.set;
    const reading = await engine.call("chunk.read", { set: id, array: "a", coordinates: [0] }, context());
    const at = (stage: number) =>
      engine.call("chunk.stageBytes", { set: id, reading: reading.id, stage, from: 0, to: 64 }, context());
    for (const stage of [FILTERS, FILTERS - 1]) {
      const { bytes, total } = await at(stage);
      expect([total, bytes]).toEqual([SIZE, reading.stages[stage]!.head]);
    }
    expect((await at(FILTERS + 9)).total).toBe(0);
  });
});

describe("stages of several readings", () => {
  const metadata = { decoding: [] } as unknown as ReadChunk["metadata"];

  /** Stored bytes, `between` stages of ten bytes, and the chunk's. */
  function reading(between: number) {
    const stageBytes = Array.from({ length: between + 2 }, () => new Uint8Array(10));
    return { stageBytes: stageBytes as (Uint8Array<ArrayBuffer> | undefined)[], metadata, reading: { stages: [] } };
  }
  const kept = ({ stageBytes }: ReturnType<typeof reading>) => stageBytes.map((bytes) => bytes !== undefined);

  it("give way to those of the newest", () => {
    const keeper = keepStages(30);
    const [first, second] = [reading(3), reading(2)];
    keeper.hold(first);
    expect(kept(first)).toEqual([true, true, true, true, true]);
    keeper.hold(second);
    expect(kept(second)).toEqual([true, true, true, true]);
    expect(kept(first)).toEqual([true, true, false, false, true]);
    keeper.hold(first);
    expect(kept(second)).toEqual([true, true, true, true]);
  });

  it("keep the one that is looked at", () => {
    const keeper = keepStages(20);
    const one = reading(4);
    keeper.hold(one, 4);
    expect(kept(one)).toEqual([true, true, false, false, true, true]);
  });

  it("cost nothing where they share their bytes with the chunk", () => {
    const keeper = keepStages(5);
    const one = reading(1);
    one.stageBytes[1] = one.stageBytes[2];
    keeper.hold(one);
    expect(kept(one)).toEqual([true, true, true]);
  });
});
