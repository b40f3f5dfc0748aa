/** The index of a shard (Zarr v3 `sharding_indexed`, ZEP 2): offset and length of each inner chunk, in C order. */
import type { ShardLayout } from "#core/metadata/array-metadata.ts";
import { swapBytes } from "#core/values/byte-order.ts";
import type { ByteRange } from "#core/byte-source.ts";
import { failure, findingOfError, RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import type { JsonValue } from "#core/json/json.ts";
import { classifyEntries, type IndexEntries } from "#core/table/shard-map-of.ts";
import { ENTRY_STATES, isDamaged } from "#core/table/shard-map.ts";
import type { Bytes, CodecLookup, FactsLookup } from "../codec.ts";
import { chainError, planCodecs } from "../plan.ts";

type IndexLayout = Pick<ShardLayout, "indexLocation" | "indexCodecs">;

const CHECKSUM_BYTES = 4;
export const ENTRY_BYTES = 16;
/** Half a gigabyte of index. */
const MAX_ENTRIES = 2 ** 25;

/** Bytes of the index of a shard with that many inner chunks. Throws RefscopeError `shard-index-codecs`. */
export function indexByteLength({ indexCodecs }: IndexLayout, entries: number, { find }: FactsLookup): number {
  if (entries > MAX_ENTRIES) throw failure("shard-index-too-large", WHOLE_SET, { entries, limit: MAX_ENTRIES });
  return indexCodecs.reduce((sum, { id }) => {
    const codec = find(id);
    if (codec?.checksum !== undefined) return sum + CHECKSUM_BYTES;
    if (codec?.keepsSize !== "fixed")
      throw failure("shard-index-codecs", WHOLE_SET, { problem: "size-varies", codec: id });
    return sum;
  }, ENTRY_BYTES * entries);
}

/** Range of the index in a shard of `size` bytes. Throws RefscopeError `shard-truncated`, `shard-index-codecs`. */
export function indexRange(size: number, layout: IndexLayout, entries: number, codecs: FactsLookup): ByteRange {
  const length = indexByteLength(layout, entries, codecs);
  if (size < length) throw tooShort(length, size, entries);
  return { offset: layout.indexLocation === "start" ? 0 : size - length, length };
}

/**
 * The entries of an index from its bytes alone. `size`, that of the shard, distinguishes an index with a wrong checksum from
 * bytes that are not an index, as the end of a shard that was cut short has them.
 * Throws RefscopeError `shard-index-checksum`, `shard-truncated`, `shard-index-codecs`.
 */
export function decodeShardIndex(
  bytes: Bytes,
  layout: IndexLayout,
  innerGrid: readonly number[],
  codecs: CodecLookup,
  size?: number,
): IndexEntries {
  const entries = innerGrid.reduce((product, count) => product * count, 1);
  const expected = indexByteLength(layout, entries, codecs);
  if (bytes.length !== expected) {
    throw tooShort(expected, bytes.length, entries);
  }
  const { table, wrong } = decodeTable(bytes, layout, innerGrid, codecs);
  const decoded = readEntries(table, layout);
  const isVerified = wrong === undefined && expected > ENTRY_BYTES * entries;
  const isInDoubt = size !== undefined && layout.indexLocation === "end" && !isVerified;
  if (isInDoubt && !looksRight(decoded, size, expected)) {
    const checksum = wrong === undefined ? undefined : "wrong";
    throw failure("shard-truncated", WHOLE_SET, { problem: "not-an-index", needed: expected, size, checksum });
  }
  if (wrong !== undefined) throw wrong;
  return decoded;
}

function decodeTable(bytes: Bytes, layout: IndexLayout, innerGrid: readonly number[], codecs: CodecLookup) {
  const shape = [...innerGrid, 2];
  const elements = shape.reduce((product, count) => product * count, 1);
  const dataType = { kind: "uint", itemSize: 8, byteOrder: "little", text: "uint64" } as const;
  const planned = planCodecs(layout.indexCodecs, { dataType, chunkShape: shape, elements }, codecs);
  const chain = chainError(layout.indexCodecs, codecs);
  if (chain !== undefined) {
    const cause = findingOfError(new RefscopeError(chain));
    throw failure("shard-index-codecs", WHOLE_SET, { problem: "chain", cause });
  }
  let table = bytes;
  let wrong: RefscopeError | undefined;
  for (const { codec, configuration, outline } of planned) {
    try {
      const step = codec?.prepare(configuration.configuration, outline);
      const decoded = step?.decode(table, table.length, new AbortController().signal);
      if (decoded instanceof Uint8Array) table = decoded;
    } catch (error) {
      if (!(error instanceof RefscopeError) || error.code !== "checksum-mismatch") throw error;
      wrong ??= failure("shard-index-checksum", WHOLE_SET, { cause: findingOfError(error) });
      table = withoutChecksum(table, configuration.configuration.get("location") ?? codec?.checksum?.place);
    }
  }
  return { table, wrong };
}

function withoutChecksum(table: Bytes, place: JsonValue | undefined) {
  return place === "start" ? table.subarray(CHECKSUM_BYTES) : table.subarray(0, table.length - CHECKSUM_BYTES);
}

function readEntries(table: Bytes, { indexCodecs }: IndexLayout): IndexEntries {
  const endian = indexCodecs.find(({ id }) => id === "bytes")?.configuration.get("endian");
  const little = endian === "big" ? swapBytes(table, 8) : table.byteOffset % 4 === 0 ? table : new Uint8Array(table);
  const words = new Uint32Array(little.buffer, little.byteOffset, little.length / 4);
  const entries = words.length / 4;
  const [offsets, lengths] = [new Float64Array(entries), new Float64Array(entries)];
  for (let i = 0; i < entries; i++) {
    offsets[i] = number(words[4 * i] as number, words[4 * i + 1] as number);
    lengths[i] = number(words[4 * i + 2] as number, words[4 * i + 3] as number);
  }
  return { offsets, lengths };
}

function number(low: number, high: number): number {
  return low === 0xffff_ffff && high === 0xffff_ffff ? -1 : high * 2 ** 32 + low;
}

const DAMAGED = ENTRY_STATES.map(isDamaged);

/**
 * True if at least half of the entries that are not empty lie in the data part. It is false if the first entry's
 * offset, 0, follows a few entries that lie nowhere: the index then begins later, since the shard was cut by that many
 * entries.
 */
function looksRight(entries: IndexEntries, size: number, indexLength: number): boolean {
  const { codes } = classifyEntries(entries, size, { offset: size - indexLength, length: indexLength });
  let [written, damaged] = [0, 0];
  for (const code of codes) {
    if (ENTRY_STATES[code] !== "empty") written++;
    if (DAMAGED[code] === true) damaged++;
  }
  const lead = codes.findIndex((code) => DAMAGED[code] !== true);
  const isShifted = lead > 0 && lead === damaged && entries.offsets[lead] === 0;
  return damaged * 2 <= written && !isShifted;
}

const tooShort = (needed: number, found: number, entries: number) =>
  failure("shard-truncated", WHOLE_SET, { problem: "size", needed, found, entries });
