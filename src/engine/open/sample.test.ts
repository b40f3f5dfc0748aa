/** The sample, read end to end, equals what fsspec, zarr-python and numcodecs read (fixtures made by make_truth.py). */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { openAsBlob } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { LocalFile } from "#core/open-set.ts";
import { createEngine, type Engine } from "../engine.ts";
import { explained } from "#core/findings/explain.ts";

interface ChunkTruth {
  readonly sha256?: string;
  readonly count?: number;
  readonly finite?: number;
  readonly min?: number;
  readonly max?: number;
  readonly mean?: number;
  readonly missing?: boolean;
}
interface ArrayTruth {
  readonly shape: number[];
  readonly chunks: number[];
  readonly chunks_read: Record<string, ChunkTruth>;
}
interface Truth {
  readonly refs: number;
  readonly arrays: Record<string, ArrayTruth>;
}

const samples = resolve(import.meta.dirname, "../../../public/samples");
const context = () => ({ signal: new AbortController().signal, report: () => undefined });

async function filesOf(...names: string[]): Promise<LocalFile[]> {
  return Promise.all(names.map(async (name) => ({ path: name, blob: await openAsBlob(join(samples, name)) })));
}

async function openSample(engine: Engine, ...names: string[]) {
  const files = await filesOf(...names);
  const answer = await engine.call(
    "set.open",
    { source: { kind: "files", files }, locations: NO_LOCATIONS },
    context(),
  );
  if (answer.kind !== "set") throw new Error("asked to choose");
  return answer.set;
}

const truthOf = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures", name), "utf8")) as Truth;

describe.each([
  ["ocean.v1.json", "ocean.v1.truth.json"],
  ["ocean-a.v1.json", "ocean-a.v1.truth.json"],
  ["ocean-a.v0.json", "ocean-a.v1.truth.json"],
])("%s", (refs, truthName) => {
  const truth = truthOf(truthName);

  it("has the references and arrays that Python sees", async () => {
    const set = await openSample(createEngine(), refs, "ocean-a.nc", "ocean-b.nc");
    expect(set.references).toBe(truth.refs);
    const arrays = set.nodes.filter((node) => node.kind === "array").map((node) => node.path);
    expect(arrays.sort()).toEqual(Object.keys(truth.arrays).sort());
    expect(set.findings.filter((finding) => explained(finding).severity === "error")).toEqual([]);
  });

  it.each(Object.keys(truth.arrays))("reads every chunk of %s as Python reads it", async (path) => {
    const engine = createEngine();
    const set = await openSample(engine, refs, "ocean-a.nc", "ocean-b.nc");
    const array = truth.arrays[path]!;
    const grid = gridOf(array.shape, array.chunks);
    for (const [ordinal, [name, expected]] of inGridOrder(array).entries()) {
      const reading = await engine.call(
        "chunk.read",
        { set: set.id, array: path, coordinates: coordinatesOf(grid, ordinal) },
        context(),
      );
      expect(reading.key).toBe(`${path}/${name}`);
      if (expected.missing === true) {
        expect(reading.outcome).toBe("missing");
        continue;
      }
      expect(reading.error).toBeUndefined();
      const { raw } = reading.values!;
      expect(raw.count).toBe(expected.count);
      if (expected.finite === undefined) continue;
      expect(raw.missing).toBe(expected.count! - expected.finite);
      if (expected.finite === 0) continue;
      expect(Number(raw.minimum)).toBe(expected.min);
      expect(Number(raw.maximum)).toBe(expected.max);
      // NumPy adds pairwise, we do not: equal to rounding, which the size of the values decides.
      const size = Math.max(Math.abs(expected.min!), Math.abs(expected.max!));
      expect(Math.abs(Number(raw.mean) - expected.mean!)).toBeLessThanOrEqual(1e-14 * size);
    }
  });
});

function inGridOrder({ chunks_read }: ArrayTruth): [string, ChunkTruth][] {
  const coordinates = (name: string) => name.split(".").map(Number);
  return Object.entries(chunks_read).sort(([a], [b]) => {
    const [one, other] = [coordinates(a), coordinates(b)];
    const at = one.findIndex((value, dimension) => value !== other[dimension]);
    return at < 0 ? 0 : one[at]! - other[at]!;
  });
}

describe("bytes of a reading", () => {
  it("are those of each stage, by window", async () => {
    const engine = createEngine();
    const set = await openSample(engine, "ocean.v1.json", "ocean-a.nc", "ocean-b.nc");
    const reading = await engine.call("chunk.read", { set: set.id, array: "sst", coordinates: [0, 0, 1] }, context());
    expect(reading.stages.map((stage) => stage.id)).toEqual(["stored", "zlib", "shuffle"]);
    const stored = await engine.call(
      "chunk.stageBytes",
      { set: set.id, reading: reading.id, stage: 0, from: 0, to: 1 << 20 },
      context(),
    );
    const file = readFileSync(join(samples, "ocean-a.nc")).subarray(25_219, 25_219 + 12_417);
    expect(createHash("sha256").update(stored.bytes).digest("hex")).toBe(
      createHash("sha256").update(file).digest("hex"),
    );
    expect(
      (
        await engine.call(
          "chunk.stageBytes",
          { set: set.id, reading: reading.id, stage: 2, from: 10, to: 20 },
          context(),
        )
      ).bytes,
    ).toHaveLength(10);
  });
});
