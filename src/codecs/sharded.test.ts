/** Shards written after the specification, right and damaged ones, against what is in them. */
import { withEqualChunks } from "../core/testing/equal-chunks.ts";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { codecTraits } from "./find-codec.ts";
import { LOADED } from "./testing/loaded-codecs.ts";
import type { ChunkMetadata, ShardLayout } from "../core/metadata/array-metadata.ts";
import { cellCount, chunkName, coordinatesOf, gridOf, largestShape } from "../core/metadata/chunk-grid.ts";
import { RefscopeError } from "../core/findings/finding.ts";
import { parseArrayMetadataV3 } from "../core/metadata/parse-array-metadata-v3.ts";
import { shardEntryError, shardMap } from "../core/table/shard-map-of.ts";
import type { ShardMap } from "../core/table/shard-map.ts";
import { decodeValues, fillBytes } from "../core/values/values.ts";
import { codecListMember } from "./sharding/sharding.ts";
import { runPipeline } from "./pipeline.ts";
import { decodeShardIndex, indexRange } from "./sharding/shard-index.ts";

interface WrittenShard {
  readonly bytes: number;
  readonly index: { readonly at: number; readonly bytes: number };
  readonly innerGrid: readonly number[];
  readonly entries: readonly (readonly [number | string, number | string] | null)[];
  readonly gaps: readonly (readonly [number, number])[];
  readonly writeOrder: readonly number[];
  readonly storedBytes?: number;
  readonly nested?: Readonly<Record<string, WrittenShard>>;
}

interface WrittenFault {
  readonly shard: string | null;
  readonly inner: number | null;
  readonly fault: string;
  readonly with?: readonly number[];
}

interface Written {
  readonly ok: boolean;
  readonly faults: readonly WrittenFault[];
  readonly shards: Readonly<Record<string, WrittenShard>>;
  readonly values: readonly unknown[];
}

const root = resolve(import.meta.dirname, "../..");
const folder = resolve(root, process.env["REFSCOPE_SHARED"] ?? "../shared", "fixtures/sharded");
const isPresent = existsSync(resolve(folder, "expected.json"));
const cases: Readonly<Record<string, Written>> = isPresent
  ? (JSON.parse(readFileSync(resolve(folder, "expected.json"), "utf8")) as Record<string, Written>)
  : {};
const signal = new AbortController().signal;

/** Names in the fixtures for the errors of whole shards and of inner chunks. */
const FAULTS: Readonly<Record<string, string>> = {
  "shard-index-checksum": "index-crc",
  "shard-truncated": "truncated",
  "checksum-mismatch": "inner-crc",
  "decode-failed": "gzip-error",
};

function readShard(name: string, key: string): Uint8Array<ArrayBuffer> | undefined {
  const path = resolve(folder, name, key);
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined;
}

function mapOf(shard: Uint8Array<ArrayBuffer>, layout: ShardLayout, innerGrid: readonly number[]): ShardMap {
  const range = indexRange(shard.length, layout, cellCount(innerGrid), LOADED);
  const index = shard.slice(range.offset, range.offset + range.length);
  return shardMap(decodeShardIndex(index, layout, innerGrid, LOADED, shard.length), shard.length, range, innerGrid);
}

function checkMap(map: ShardMap, written: WrittenShard): void {
  const half = (value: number | string) => (value === "18446744073709551615" ? -1 : Number(value));
  const entries = written.entries.map((entry) => (entry === null ? [-1, -1] : entry.map(half)));
  expect(entries.map((_, i) => [map.offsets[i], map.lengths[i]])).toEqual(entries);
  expect(map.index).toEqual({ offset: written.index.at, length: written.index.bytes });
  expect([...map.gaps]).toEqual(written.gaps.flat());
  const lying = new Set(map.inFileOrder);
  expect([...map.inFileOrder]).toEqual(written.writeOrder.filter((inner) => lying.has(inner)));
  expect(map.bytesUsed + map.bytesDead + map.index.length).toBe(map.size);
}

type Value = number | string;

interface Found {
  readonly values: (Value | null)[];
  readonly faults: WrittenFault[];
}

/** Inner chunk by inner chunk where sharding is the only codec, else shard by shard. */
async function readAll(name: string, metadata: ChunkMetadata): Promise<Found> {
  const found: Found = {
    values: Array.from({ length: cellCount(metadata.shape) }, (): Value | null => null),
    faults: [],
  };
  const shardShape = largestShape(metadata.sharding?.shape ?? metadata.chunks);
  const grid = gridOf(metadata.shape, shardShape);
  for (let ordinal = 0; ordinal < cellCount(grid); ordinal++) {
    const at = coordinatesOf(grid, ordinal);
    const key = chunkName(at, metadata.sharding?.separator ?? metadata.separator);
    const origin = at.map((i, dimension) => i * (shardShape[dimension] ?? 1));
    await readOne({ name, key, origin }, metadata, found);
  }
  return found;
}

interface Place {
  readonly name: string;
  readonly key: string;
  readonly origin: readonly number[];
}

async function readOne({ name, key, origin }: Place, metadata: ChunkMetadata, found: Found): Promise<void> {
  const shard = readShard(name, key);
  if (shard === undefined) {
    const shape = largestShape(metadata.sharding?.shape ?? metadata.chunks);
    place(fillOf(metadata, shape), shape, origin, metadata, found);
    return;
  }
  if (metadata.sharding === undefined) {
    const { values, error } = await decode(metadata, shard);
    if (error !== undefined) found.faults.push({ shard: key, inner: null, fault: FAULTS[error] ?? error });
    else place(values, metadata.chunks, origin, metadata, found);
    return;
  }
  const innerGrid = gridOf(largestShape(metadata.sharding.shape), metadata.chunks);
  let map;
  try {
    map = mapOf(shard, metadata.sharding, innerGrid);
    checkMap(map, cases[name]!.shards[key]!);
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    found.faults.push({ shard: key, inner: null, fault: FAULTS[error.code] ?? error.code });
    return;
  }
  // The recorded cases name only the entry that is refused; we also list the one beside it, which is read.
  for (const { inner, fault, with: others } of map.faults.filter((one) => one.isRead !== true)) {
    found.faults.push({ shard: key, inner, fault, ...(others === undefined ? {} : { with: others }) });
  }
  await readInner({ map, shard, key, origin }, metadata, found);
}

interface MappedShard {
  readonly map: ShardMap;
  readonly shard: Uint8Array<ArrayBuffer>;
  readonly key: string;
  readonly origin: readonly number[];
}

async function readInner({ map, shard, key, origin }: MappedShard, metadata: ChunkMetadata, found: Found) {
  for (let inner = 0; inner < map.codes.length; inner++) {
    const start = coordinatesOf(map.innerGrid, inner).map((i, d) => origin[d]! + i * metadata.chunks[d]!);
    const offset = map.offsets[inner]!;
    if (shardEntryError(map, inner) !== undefined) continue;
    if (offset < 0) {
      place(fillOf(metadata), metadata.chunks, start, metadata, found);
      continue;
    }
    const { values, error } = await decode(metadata, shard.slice(offset, offset + map.lengths[inner]!));
    if (error === undefined) place(values, metadata.chunks, start, metadata, found);
    else found.faults.push({ shard: key, inner, fault: FAULTS[error] ?? error });
  }
}

async function decode(metadata: ChunkMetadata, stored: Uint8Array<ArrayBuffer>) {
  const { bytes, error } = await runPipeline(metadata, stored, signal);
  if (bytes === undefined) return { values: [], error: error!.code };
  const { numbers } = decodeValues(bytes, metadata);
  return { values: Array.from(numbers!, plain), error: undefined };
}

function plain(value: number | bigint): Value {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return value > 2n ** 53n || value < -(2n ** 53n) ? String(value) : Number(value);
}

function fillOf(metadata: ChunkMetadata, shape = metadata.chunks): Value[] {
  const little = { ...metadata.dataType, byteOrder: "little" } as ChunkMetadata["dataType"];
  const fill = fillBytes(metadata.fillValue, little)!;
  const { numbers } = decodeValues(fill, { dataType: little, chunks: [], order: "C" });
  return Array.from({ length: cellCount(shape) }, () => plain(numbers![0]!));
}

function place(
  values: readonly Value[],
  extent: readonly number[],
  origin: readonly number[],
  { shape }: ChunkMetadata,
  found: Found,
): void {
  values.forEach((value, index) => {
    const at = coordinatesOf(extent, index).map((i, dimension) => i + origin[dimension]!);
    if (at.some((i, dimension) => i >= shape[dimension]!)) return;
    found.values[at.reduce((sum, i, dimension) => sum * shape[dimension]! + i, 0)] = value;
  });
}

describe.skipIf(!isPresent)(`sharded arrays (${isPresent ? "" : "skipped: no folder "}${folder})`, () => {
  it.each(Object.keys(cases))("%s", async (name) => {
    const { faults, values, shards } = cases[name]!;
    const text = readFileSync(resolve(folder, name, "zarr.json"), "utf8");
    if (faults.some(({ fault }) => fault === "uneven-config")) {
      expect(() => parseArrayMetadataV3(text, codecTraits)).toThrow(
        expect.objectContaining({ code: "shard-chunks-uneven" }),
      );
      return;
    }
    const metadata = withEqualChunks(parseArrayMetadataV3(text, codecTraits).metadata);
    const found = await readAll(name, metadata);
    expect(found.faults).toEqual(faults);
    expect(found.values).toEqual(values);
    checkNested(name, metadata, shards);
  });
});

/** Shards inside shards are mapped alike. */
function checkNested(name: string, { sharding, decoding, chunks }: ChunkMetadata, shards: Written["shards"]): void {
  for (const [key, { nested, entries }] of Object.entries(shards)) {
    for (const [ordinal, written] of Object.entries(nested ?? {})) {
      const codec = decoding.find(({ id }) => id === "sharding_indexed")!;
      const inner = {
        ...sharding!,
        indexLocation: codec.configuration.get("index_location") as "start" | "end",
        indexCodecs: codecListMember("sharding_indexed", codec.configuration, "index_codecs"),
      };
      const innerGrid = gridOf(chunks, codec.configuration.get("chunk_shape") as readonly number[]);
      const [offset, length] = entries[Number(ordinal)]!;
      const bytes = readShard(name, key)!.slice(Number(offset), Number(offset) + Number(length));
      checkMap(mapOf(bytes, inner, innerGrid), written);
    }
  }
}
