/**
 * `sharding_indexed` (Zarr v3, ZEP 2) as a codec like any: bytes of a whole shard become those of the whole chunk, inner
 * chunks put together in C order. (Where it is an array's only codec, inner chunks are chunks of their own, and this one
 * decodes the shards inside them, if any.)
 */
import type { CodecConfiguration } from "#core/metadata/array-metadata.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { fillBytes } from "#core/values/fill-bytes.ts";
import { failure, RefscopeError, WHOLE_SET, withFacts } from "#core/findings/finding.ts";
import { advance, stridesC } from "#core/values/gather.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { toLittleEndianC } from "#core/values/little-endian.ts";
import { classifyEntries, shardEntryError } from "#core/table/shard-map-of.ts";
import { ENTRY_STATES, isDamaged, type ShardMap } from "#core/table/shard-map.ts";
import { variableFill, variablePlaces, writeVariable } from "#core/values/variable-elements.ts";
import { badConfiguration, brief, decodeFailed, decodeTooLarge } from "../codec.ts";
import type { Bytes, ChunkOutline, Decoder, InnerChain } from "../codec.ts";
import { decodeShardIndex, indexRange } from "./shard-index.ts";

// Inner chunks put together to the chunk that their shard is.

type ShardAssemblyBytes = Bytes;

interface Assembly {
  /** `at`: ordinal in the inner grid. */
  put(at: number, bytes: ShardAssemblyBytes): void;
  /** For an inner chunk that is empty. Throws RefscopeError where there is no fill value. */
  putFill(at: number): void;
  finish(): ShardAssemblyBytes;
}

/** `fill`: bytes of one element. */
function bytesAssembly(array: ChunkOutline, inner: ChunkOutline, fill: () => ShardAssemblyBytes): Assembly {
  const size = array.dataType.itemSize;
  const target = new Uint8Array(array.elements * size);
  const runs = runsOf(array.chunkShape, inner.chunkShape);
  let filled: ShardAssemblyBytes | undefined;
  const put = (at: number, bytes: ShardAssemblyBytes) => {
    const length = runs.length * size;
    let source = 0;
    for (const start of runs.starts(at)) {
      const to = start * size;
      if (length > 32) target.set(bytes.subarray(source, source + length), to);
      else for (let i = 0; i < length; i++) target[to + i] = bytes[source + i] as number;
      source += length;
    }
  };
  return {
    put,
    putFill: (at) => {
      filled ??= repeated(fill(), inner.elements);
      put(at, filled);
    },
    finish: () => target,
  };
}

/** For elements of variable size; `limit`: maximum bytes of all of them. */
function variableAssembly(
  array: ChunkOutline,
  inner: ChunkOutline,
  limit: number,
  fill: () => ShardAssemblyBytes,
): Assembly {
  const elements: Uint8Array[] = Array.from({ length: array.elements }, () => NO_BYTES);
  const runs = runsOf(array.chunkShape, inner.chunkShape);
  let [filled, size]: [ShardAssemblyBytes | undefined, number] = [undefined, 4];
  const put = (at: number, next: (element: number) => Uint8Array) => {
    let source = 0;
    for (const start of runs.starts(at)) {
      for (let i = 0; i < runs.length; i++) {
        const element = next(source++);
        elements[start + i] = element;
        size += 4 + element.length;
      }
      if (size > limit) throw decodeTooLarge("sharding_indexed", limit, `more than ${limit} bytes`);
    }
  };
  return {
    put: (at, bytes) => {
      const places = variablePlaces(bytes);
      if (typeof places === "string") throw decodeFailed("sharding_indexed", "text or byte strings", places);
      put(at, (element) => bytes.subarray(places[2 * element], places[2 * element + 1]));
    },
    putFill: (at) => {
      const element = (filled ??= fill());
      put(at, () => element);
    },
    finish: () => writeVariable(elements),
  };
}

const NO_BYTES = new Uint8Array(0);

function runsOf(outer: readonly number[], inner: readonly number[]) {
  const grid = outer.map((length, at) => length / (inner[at] ?? 1));
  const strides = stridesC(outer);
  // Dimensions at the end that an inner chunk fills are one run with the one before.
  let first = outer.length - 1;
  while (first > 0 && inner[first] === outer[first]) first--;
  const length = inner.slice(Math.max(0, first)).reduce((product, extent) => product * extent, 1);
  const lead = inner.slice(0, Math.max(0, first));
  const starts = function* (at: number) {
    const origin = coordinatesOf(grid, at).reduce((sum, i, d) => sum + i * (inner[d] ?? 1) * (strides[d] ?? 1), 0);
    const index = lead.map(() => 0);
    const count = lead.reduce((product, extent) => product * extent, 1);
    let start = origin;
    for (let run = 0; run < count; run++) {
      yield start;
      start = advance(index, lead, strides, start);
    }
  };
  return { length, starts };
}

function repeated(element: Uint8Array, count: number): ShardAssemblyBytes {
  const bytes = new Uint8Array(element.length * count);
  if (element.some((byte) => byte !== 0)) {
    for (let at = 0; at < bytes.length; at += element.length) bytes.set(element, at);
  }
  return bytes;
}

// Lists in the configuration of `sharding_indexed`: codecs and a shape. All throw RefscopeError `codec-configuration`.

const MAX_CODECS = 64;
const NONE: JsonObject = new Map();

/** A list of codecs as Zarr v3 writes it (§"Codecs"), in the order of decoding. */
export function codecListMember(codec: string, configuration: JsonObject, member: string) {
  const value = configuration.get(member);
  if (!Array.isArray(value)) throw badConfiguration(codec, member, "a list of codecs", brief(value));
  const list = value as readonly JsonValue[];
  if (list.length === 0 || list.length > MAX_CODECS) {
    throw badConfiguration(codec, member, `1 to ${MAX_CODECS} codecs`, String(list.length));
  }
  return list.map((item, at) => readCodec(codec, item, `${member}/${at}`)).toReversed();
}

function readCodec(codec: string, value: JsonValue, pointer: string): CodecConfiguration {
  if (typeof value === "string") return { id: value, configuration: NONE };
  if (!isJsonObject(value))
    throw badConfiguration(codec, pointer, "a codec: a name, or an object with a name", brief(value));
  const [id, inner] = [value.get("name"), value.get("configuration") ?? NONE];
  if (typeof id !== "string" || id === "") throw badConfiguration(codec, `${pointer}/name`, "a name", brief(id));
  if (!isJsonObject(inner)) throw badConfiguration(codec, `${pointer}/configuration`, "an object", brief(inner));
  return { id, configuration: inner };
}

/** A shape with lengths of at least 1, each of which divides that of `outer`. */
function dividingShapeMember(codec: string, configuration: JsonObject, member: string, outer: readonly number[]) {
  const value = configuration.get(member);
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [];
  const isShape = Array.isArray(value) && list.every((item) => Number.isSafeInteger(item) && (item as number) > 0);
  const shape = list as readonly number[];
  const divides = shape.length === outer.length && shape.every((length, at) => (outer[at] ?? 0) % length === 0);
  if (isShape && divides) return shape;
  const found = Array.isArray(value) ? `[${list.slice(0, 40).map(brief).join(", ")}]` : brief(value);
  throw badConfiguration(codec, member, `lengths of at least 1 that divide the shard's [${outer.join(", ")}]`, found);
}

const ID = "sharding_indexed";
/** Most bytes of a shard whose inner chunks are put together. */
const MAX_SHARD_BYTES = 2 ** 30;
const MAX_VARIABLE = 2 ** 24;
/** Most shards inside each other. */
const MAX_DEPTH = 8;
/** Between these the page's questions, such as to stop, are heard. */
const MAX_MILLISECONDS = 100;

interface Shard {
  readonly array: ChunkOutline;
  readonly inner: ChunkOutline;
  readonly innerGrid: readonly number[];
  readonly indexLocation: "start" | "end";
  readonly indexCodecs: readonly CodecConfiguration[];
  readonly chain: InnerChain | undefined;
}

export const sharding: Decoder = {
  prepare: (configuration, array) => {
    const shard = readShard(configuration, array);
    const label = `shard of ${shard.innerGrid.join(" × ") || "1"} inner chunks, index at its ${shard.indexLocation}`;
    return {
      label,
      makes: shard.chain?.makes,
      decode: async (input, limit, signal) => unshard(input, shard, limit, signal),
    };
  },
};

function readShard(configuration: JsonObject, array: ChunkOutline): Shard {
  const depth = (array.depth ?? 0) + 1;
  if (depth > MAX_DEPTH) {
    throw badConfiguration(ID, "codecs", `at most ${MAX_DEPTH} shards inside each other`, "more of them");
  }
  const chunkShape = dividingShapeMember(ID, configuration, "chunk_shape", array.chunkShape);
  const elements = chunkShape.reduce((product, length) => product * length, 1);
  const decoding = codecListMember(ID, configuration, "codecs");
  const inner = { ...array, chunkShape, elements, depth };
  return {
    array,
    inner,
    innerGrid: array.chunkShape.map((length, at) => length / (chunkShape[at] ?? 1)),
    indexLocation: locationMember(configuration),
    indexCodecs: codecListMember(ID, configuration, "index_codecs"),
    chain: array.prepareChain?.(decoding, inner),
  };
}

function locationMember(configuration: JsonObject): "start" | "end" {
  const location = configuration.get("index_location") ?? "end";
  if (location === "start" || location === "end") return location;
  throw badConfiguration(ID, "index_location", '"start" or "end"', brief(location));
}

async function unshard(input: Bytes, shard: Shard, limit: number, signal: AbortSignal): Promise<Bytes> {
  const { chain, innerGrid } = shard;
  const { codecs } = shard.array;
  if (chain === undefined || codecs === undefined)
    throw badConfiguration(ID, "codecs", "inner codecs made ready", "none");
  const assembly = assemblyFor(shard, chain, limit);
  const entries = innerGrid.reduce((product, count) => product * count, 1);
  const range = indexRange(input.length, shard, entries, codecs);
  const index = input.subarray(range.offset, range.offset + range.length);
  const { offsets, lengths } = decodeShardIndex(index, shard, innerGrid, codecs, input.length);
  const { codes } = classifyEntries({ offsets, lengths }, input.length, range);
  const map = { offsets, lengths, codes, innerGrid, size: input.length };
  refuseDamage(map);
  let rested = performance.now();
  for (let at = 0; at < entries; at++) {
    const offset = offsets[at] as number;
    if (offset < 0) assembly.putFill(at);
    else
      assembly.put(
        at,
        await decodeInner(input.subarray(offset, offset + (lengths[at] as number)), chain, at, shard, signal),
      );
    if (performance.now() - rested < MAX_MILLISECONDS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    rested = performance.now();
  }
  return assembly.finish();
}

const DAMAGED = ENTRY_STATES.map(isDamaged);

/** Before any work: one entry that cannot be read leaves the whole chunk unknown. */
function refuseDamage(map: Pick<ShardMap, "offsets" | "lengths" | "codes" | "innerGrid" | "size">): void {
  const inner = map.codes.findIndex((code) => DAMAGED[code] === true);
  const error = inner === -1 ? undefined : shardEntryError(map, inner);
  if (error !== undefined) throw error;
}

async function decodeInner(stored: Bytes, chain: InnerChain, at: number, shard: Shard, signal: AbortSignal) {
  try {
    return await chain.decode(stored, signal);
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    const inner = coordinatesOf(shard.innerGrid, at);
    throw new RefscopeError(withFacts(error.finding, { inner }), { cause: error });
  }
}

function assemblyFor(shard: Shard, chain: InnerChain, limit: number): Assembly {
  const { array, inner } = shard;
  if (chain.makes !== undefined) {
    if (array.elements > MAX_VARIABLE) throw decodeTooLarge(ID, MAX_VARIABLE, `${array.elements} elements`);
    return variableAssembly(
      array,
      inner,
      limit,
      () => variableFill(array.fillValue ?? null, chain.makes ?? "text") ?? noFill(array),
    );
  }
  const size = array.elements * array.dataType.itemSize;
  const maximum = Math.min(limit, MAX_SHARD_BYTES);
  if (size > maximum) throw decodeTooLarge(ID, maximum, `${size} bytes, as the chunk's shape says`);
  return bytesAssembly(array, inner, () => fillInOrder(array) ?? noFill(array));
}

/** One element in the byte order of the array. */
function fillInOrder({ fillValue, dataType }: ChunkOutline): Bytes | undefined {
  const little = fillBytes(fillValue ?? null, dataType);
  // Turning little-endian bytes round is what turning them to little-endian is.
  return little === undefined ? undefined : toLittleEndianC(little, { dataType, chunks: [], order: "C" });
}

function noFill({ fillValue, dataType }: ChunkOutline): never {
  throw failure("fill-value-unfit", WHOLE_SET, {
    filled: "inner chunk",
    fillValue: brief(fillValue),
    dataType: dataType.text,
  });
}
