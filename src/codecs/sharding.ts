/**
 * `sharding_indexed` (Zarr v3, ZEP 2) as a codec like any: bytes of a whole shard become those of the whole chunk, inner
 * chunks put together in C order. (Where it is an array's only codec, inner chunks are chunks of their own, and this one
 * decodes the shards inside them, if any.)
 */
import type { CodecConfiguration } from "../core/array-metadata.ts";
import { coordinatesOf } from "../core/chunk-grid.ts";
import { RefscopeError } from "../core/errors.ts";
import { failure } from "../core/findings/failure.ts";
import { withFacts } from "../core/findings/finding.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import { fillBytes } from "../core/fill-bytes.ts";
import type { JsonObject } from "../core/json.ts";
import { toLittleEndianC } from "../core/little-endian.ts";
import { isDamaged, ENTRY_STATES, type ShardMap } from "../core/shard-map.ts";
import { classifyEntries } from "../core/shard-entries.ts";
import { shardEntryError } from "../core/shard-map-of.ts";
import { variableFill } from "../core/variable-elements.ts";
import { codecListMember, dividingShapeMember } from "./codec-list.ts";
import type { ChunkOutline, Decoder, InnerChain } from "./codec.ts";
import { brief } from "./configuration.ts";
import { badConfiguration, decodeTooLarge } from "./failure.ts";
import { bytesAssembly, variableAssembly, type Assembly } from "./shard-assembly.ts";
import { decodeShardIndex, indexRange } from "./shard-index.ts";

type Bytes = Uint8Array<ArrayBuffer>;

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
