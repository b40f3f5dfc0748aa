/** Ranges that reach past the end of their target; what fsspec 2022.11 gives for them, and zarr 2.13 makes of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../../e2e/support/range-server.ts";
import { type Locations, NO_LOCATIONS } from "#core/byte-source.ts";
import { createEngine } from "../engine.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });

/** A zlib stream of the numbers 0 to 3 (int16), and two bytes more. */
const DATA = Uint8Array.from(Buffer.from("789c63606064606260660000001c00070000", "hex"));

const zarray = (compressor: unknown) =>
  JSON.stringify({
    zarr_format: 2,
    shape: [8],
    chunks: [4],
    dtype: "<i2",
    compressor,
    filters: null,
    fill_value: 0,
    order: "C",
  });

const refsTo = (url: string) => ({
  ".zgroup": '{"zarr_format":2}',
  "a/.zarray": zarray({ id: "zlib", level: 1 }),
  "a/0": [url, 0, 66],
  "a/1": [url, 4, 66],
  "b/.zarray": zarray(null),
  "b/0": [url, 12, 8],
  "b/1": [url, 18, 8],
  "c/.zarray": zarray({ id: "zlib", level: 1 }),
  "c/0": [url, 0, 16],
});

async function open(url: string, locations: Locations = NO_LOCATIONS) {
  const engine = createEngine();
  const files = [
    { path: "refs.json", blob: new Blob([JSON.stringify(refsTo(url))]) },
    { path: "d.bin", blob: new Blob([DATA]) },
  ];
  const answer = await engine.call("set.open", { source: { kind: "files", files }, locations }, context());
  if (answer.kind !== "set") throw new Error("asked to choose");
  const set = answer.set.id;
  return {
    engine,
    set,
    read: (array: string, at: number) => engine.call("chunk.read", { set, array, coordinates: [at] }, context()),
  };
}

let server: RangeServer;
beforeAll(async () => {
  server = await startRangeServer({ files: { "/d.bin": DATA } });
});
afterAll(() => server.stop());

describe.each(["a file", "a server"])("a range past the end of %s", (where) => {
  const opened = () =>
    where === "a file" ? open("d.bin") : open(server.url("/d.bin"), { ...NO_LOCATIONS, allowPrivate: true });

  it("has values where its bytes decode", async () => {
    const { read, engine, set } = await opened();
    const reading = await read("a", 0);
    expect(reading).toMatchObject({
      outcome: "ok",
      request: { range: { offset: 0, length: 66 }, bytesExpected: 66, bytesReceived: 18 },
      findings: [{ code: "short-read", facts: { received: 18, length: 66, end: 66, size: 18, handedOn: true } }],
    });
    const spec = { reading: reading.id, rowDimension: undefined, columnDimension: 0, fixed: [0], scaled: false };
    expect([...(await engine.call("chunk.slice", { set, spec }, context())).values]).toEqual([0, 1, 2, 3]);
  });

  it("shows what the codec says of the others", async () => {
    const { read } = await opened();
    const reading = await read("a", 1);
    expect(reading).toMatchObject({ outcome: "failed", error: { code: "decode-failed" } });
    expect(reading.stages[0]).toMatchObject({ bytesIn: 14 });
    expect(reading.findings.map(({ code }) => code)).toEqual(["short-read", "decode-failed"]);
    const plain = await read("b", 0);
    expect(plain.outcome).toBe("failed");
    expect(plain.findings[0]).toMatchObject({ code: "short-read", facts: { received: 6, length: 8 } });
  });

  it("is refused where nothing is there", async () => {
    const { read } = await opened();
    const reading = await read("b", 1);
    expect(reading).toMatchObject({ outcome: "failed", error: { code: "range-past-end" }, stages: [] });
  });

  it("is the cause where many are read", async () => {
    const { engine, set } = await opened();
    await engine.call("check.values", { set }, context());
    const { chunks, findings } = await engine.call("check.state", { set }, context());
    expect(chunks).toEqual({ of: 5, decoded: 2, failed: 3 });
    // If another cause of the chunk is known, the short read is evidence of it.
    const found = findings.flatMap(({ code, count, evidence }) => {
      const shown = evidence?.found.code === "short-read" ? evidence.chunks.length : 0;
      return code === "short-read" ? [count] : [shown];
    });
    expect(found.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(findings.map(({ code }) => code)).not.toContain("decode-failed");
  });
});

it("an answer that was cut stays refused", async () => {
  server.misbehave("/d.bin", "short-206:6");
  const { read } = await open(server.url("/d.bin"), { ...NO_LOCATIONS, allowPrivate: true });
  const reading = await read("c", 0);
  expect(reading).toMatchObject({
    outcome: "failed",
    error: { code: "short-read", facts: { received: 6, length: 16, size: 18 } },
    stages: [],
  });
});
