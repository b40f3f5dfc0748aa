/**
 * Chunks that were lost are told from chunks that were never meant to be: by shards, other arrays, and what is stored.
 */
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import type { LocalFile } from "#core/open-set.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { openAny } from "#engine/open/open-any.ts";
import { context } from "#engine/repair/suggest/testing/damaged-set.ts";
import { randomOf } from "#engine/check/testing/healthy/random.ts";
import { checkValues } from "../check-values.ts";

const [CHUNKS, EDGE] = [4, 4];
const CELLS = CHUNKS ** 3;
type At = readonly [time: number, y: number, x: number];

interface Made {
  readonly fill?: number | "NaN";
  readonly isSharded?: boolean;
  readonly attributes?: object;
  /** The chunk is there. */
  readonly has: (at: At) => boolean;
  readonly value?: (at: At, element: number) => number;
}

const cells = Array.from({ length: CELLS }, (_, at): At => [Math.floor(at / 16), Math.floor(at / 4) % 4, at % 4]);

function chunkBytes(at: At, value: NonNullable<Made["value"]>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Float32Array.from({ length: EDGE ** 3 }, (_, element) => value(at, element)).buffer);
}

const kelvin = ([time, y, x]: At, element: number) => 280 + time + Math.sin(y + x) + 0.05 * (element % 37);

function arrayFiles(name: string, { fill = 0, isSharded = false, attributes = {}, has, value = kelvin }: Made) {
  const inner = [{ name: "bytes", configuration: { endian: "little" } }];
  const sharding = {
    name: "sharding_indexed",
    configuration: { chunk_shape: [EDGE, EDGE, EDGE], codecs: inner, index_codecs: inner },
  };
  const edge = isSharded ? 2 * EDGE : EDGE;
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [CHUNKS * EDGE, CHUNKS * EDGE, CHUNKS * EDGE],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [edge, edge, edge] } },
    chunk_key_encoding: { name: "default" },
    fill_value: fill,
    codecs: isSharded ? [sharding] : inner,
    dimension_names: ["time", "y", "x"],
    attributes,
  };
  const files: [string, BlobPart][] = [[`${name}/zarr.json`, JSON.stringify(metadata)]];
  const shards = new Map<string, At[]>();
  for (const at of cells) {
    if (!isSharded && has(at)) files.push([`${name}/c/${at.join("/")}`, chunkBytes(at, value)]);
    const shard = at.map((one) => one >> 1).join("/");
    shards.set(shard, [...(shards.get(shard) ?? []), at]);
  }
  for (const [shard, own] of isSharded ? shards : []) {
    const index = new BigUint64Array(16).fill(0xffff_ffff_ffff_ffffn);
    const stored = own.filter(has);
    for (const [place, at] of own.entries()) {
      const before = stored.indexOf(at);
      if (before >= 0) index.set([BigInt(before * 4 * EDGE ** 3), BigInt(4 * EDGE ** 3)], 2 * place);
    }
    files.push([`${name}/c/${shard}`, new Blob([...stored.map((at) => chunkBytes(at, value)), index])]);
  }
  return files;
}

async function found(arrays: Readonly<Record<string, Made>>) {
  const group = JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {} });
  const all: readonly [string, BlobPart][] = [
    ["zarr.json", group],
    ...Object.entries(arrays).flatMap(([name, made]) => arrayFiles(name, made)),
  ];
  const files = all.map(([path, part]): LocalFile => ({ path: `set.zarr/${path}`, blob: new Blob([part]) }));
  const opening = { locations: NO_LOCATIONS, network: {}, options: { choice: "set.zarr/" }, context: context() };
  const opened = await openAny({ kind: "files", files }, opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  for (const pages of opened.set.index.paged.values()) await pages.load(pages.rest(), context());
  await opened.set.refresh(context());
  const { findings } = await checkValues(opened.set, { chunks: "all", decoder: inThread }, context());
  return findings
    .filter(({ code }) => code === "chunks-lost")
    .map((one) => ({ ...one, ...explained(one), facts: one.facts }));
}

/** Random, as what a race leaves is. */
function without(share: number, seed: number): Made["has"] {
  const random = randomOf(seed);
  const kept = new Set(cells.filter(() => random.next() >= share).map(String));
  return (at) => kept.has(String(at));
}
const all = () => true;
const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

describe("chunks are lost", () => {
  it.each(seeds)("where several wrote the same shards (%i)", async (seed) => {
    const has = without(0.35 + 0.05 * seed, seed);
    const lost = await found({ t: { isSharded: true, has } });
    const missing = cells.filter((at) => !has(at)).length;
    expect(lost).toMatchObject([{ severity: "error", count: missing, facts: { missing, chunks: CELLS, fill: 0 } }]);
    expect(lost[0]?.message).toMatch(/lacks? some of its chunks, each shard others/);
    // It may be meant so where missing values read as such.
    expect(await found({ t: { isSharded: true, has, fill: "NaN" } })).toMatchObject([{ severity: "warning" }]);
  });

  it.each(seeds)("where other arrays of the grid have them (%i)", async (seed) => {
    const has = without(0.08 * seed, seed);
    const one = { has, fill: "NaN" } as const;
    expect(await found({ u: one, v: { has: all }, w: { has: all } })).toMatchObject([
      { severity: "warning", place: { array: "u" }, facts: { complete: ["v", "w"], isMasked: true } },
    ]);
    expect(await found({ u: one, v: one })).toEqual([]);
  });

  it("one alone, where another array of the grid has it", async () => {
    const one = { has: (at: At) => String(at) !== "1,2,3", fill: "NaN" } as const;
    expect(await found({ u: one, v: { has: all } })).toMatchObject([{ place: { coordinates: [1, 2, 3] }, count: 1 }]);
  });

  it("where they read as what is none of the array's values", async () => {
    const has = without(0.3, 9);
    expect(await found({ t: { has } })).toMatchObject([{ severity: "warning", facts: { fill: 0, isMasked: false } }]);
    const packed = { scale_factor: 0.5, add_offset: 10 };
    const [unpacked] = await found({ t: { has, attributes: packed } });
    expect(unpacked?.facts).toMatchObject({ fill: 10 });
    // Celsius: 0 is a value like others.
    expect(await found({ t: { has, value: (at, element) => kelvin(at, element) - 282.01 } })).toEqual([]);
  });

  it("or are zeros that were not written while that was the fill value", async () => {
    const isZero = ([time, y]: At) => time > 0 && y > 1;
    const value = (_: At, element: number) => (element % 4 === 0 ? 1 : 0);
    const lost = await found({ snow: { has: (at) => !isZero(at), fill: "NaN", value } });
    expect(lost).toMatchObject([{ severity: "info", facts: { zeros: 0.75 } }]);
    expect(lost[0]?.message).toContain("75% of them are 0");
    expect(await found({ snow: { has: (at) => !isZero(at), value } })).toEqual([]);
  });
});

describe("nothing is lost", () => {
  const has = without(0.5, 5);
  const healthy: readonly (readonly [string, Made])[] = [
    ["in a complete array", { has: all }],
    ["of steps that are not there yet", { has: ([time]) => time < 2 }],
    ["of land", { has: ([, y, x]) => (y + 2 * x) % 3 > 0, fill: "NaN" }],
    ["where the sea ends inside of chunks", { has, fill: "NaN", value: (at, i) => (i < 3 ? NaN : kelvin(at, i)) }],
    ["where it rains now and then", { has, value: (_, i) => Math.max(0, Math.sin(i)) }],
    ["of marks that are all one", { has, value: () => 1 }],
  ];
  it.each(healthy)("%s", async (_, made) => {
    expect(await found({ v: made, other: { has: all } })).toEqual([]);
    expect(await found({ v: { ...made, isSharded: true } })).toEqual([]);
  });
});
