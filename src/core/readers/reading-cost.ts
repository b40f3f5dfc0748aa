/**
 * Counts what a read costs each reader: its requests follow from the places of the chunks' bytes, and from its rule.
 */
import { type ByteRange, type Merge, mergedRanges } from "../byte-source.ts";
import type { ChunkShape } from "../plane/other-chunks.ts";
import type { ReadingRule } from "./reading-rules.ts";

/** An object, a file or a shard, and what of it is wanted. */
export interface WantedBytes {
  readonly ranges: readonly ByteRange[];
  /** The bytes of its index, and whether all its chunks are wanted. */
  readonly shard?: { readonly index: number; readonly isComplete: boolean };
}

export interface Wanted {
  readonly targets: readonly WantedBytes[];
  /** Objects of a store that are not there: each is asked for all the same. */
  readonly absent: number;
  readonly isSharded: boolean;
  /** Share of the chunks that this covers: the others are taken to be like them. */
  readonly share: number;
}

export interface RequestCount {
  readonly requests: number;
  readonly bytes: number;
  /** Bytes read that belong neither to a wanted chunk nor to an index. */
  readonly overRead: number;
  /** Ranges that come in one request with others. */
  readonly merged: number;
}

export interface ReaderCost extends RequestCount {
  readonly rule: ReadingRule;
}

/** `undefined` where the rule does not say how such an array is read. */
export function readerCost(rule: ReadingRule, { targets, absent, isSharded, share }: Wanted): ReaderCost | undefined {
  if (isSharded ? rule.shard === undefined : rule.isOfShards === true) return undefined;
  const counts = [{ requests: absent, bytes: 0, overRead: 0, merged: 0 }, ...targets.map((of) => targetCost(rule, of))];
  const sum = (of: keyof RequestCount) => Math.round(counts.reduce((all, count) => all + count[of], 0) / (share || 1));
  return { rule, requests: sum("requests"), bytes: sum("bytes"), overRead: sum("overRead"), merged: sum("merged") };
}

function targetCost(rule: ReadingRule, { ranges, shard }: WantedBytes): RequestCount {
  if (rule.block !== undefined) return blockCost(rule.block, ranges);
  if (shard === undefined) return rangesCost(rule, rule.merge, ranges);
  const stored = lengthOf(ranges);
  if (rule.shard?.whole === true && shard.isComplete) {
    return { requests: 1, bytes: stored + shard.index, overRead: 0, merged: ranges.length };
  }
  const { index = 1, merge } = rule.shard ?? {};
  const chunks = rangesCost(rule, merge, ranges);
  return { ...chunks, requests: chunks.requests + index, bytes: chunks.bytes + shard.index };
}

/** A request a range. */
const EACH: Merge = { gap: -Infinity, most: 0 };

function rangesCost({ split }: ReadingRule, merge: Merge | undefined, ranges: readonly ByteRange[]): RequestCount {
  const groups = mergedRanges(ranges, (range) => range, merge ?? EACH);
  const bytes = groups.reduce((sum, { start, end }) => sum + end - start, 0);
  const partsOf = (length: number) =>
    split === undefined ? 1 : Math.max(1, Math.min(split.most, Math.ceil(length / split.bytes)));
  return {
    requests: groups.reduce((sum, { start, end }) => sum + partsOf(end - start), 0),
    bytes,
    overRead: Math.max(0, bytes - lengthOf(ranges)),
    merged: groups.reduce((sum, { items }) => sum + (items.length > 1 ? items.length : 0), 0),
  };
}

const lengthOf = (ranges: readonly ByteRange[]): number => ranges.reduce((sum, { length }) => sum + length, 0);

/**
 * Requests for ranges in the order of need; bytes once read are kept. A file is first asked for its length, objects are
 * read whole.
 */
function blockCost(block: number, ranges: readonly ByteRange[]): RequestCount {
  const stored = lengthOf(ranges);
  if (ranges.length === 1 && ranges[0]?.offset === 0) return { requests: 1, bytes: stored, overRead: 0, merged: 0 };
  const read = new Set<number>();
  let [requests, merged] = [ranges.length === 0 ? 0 : 1, 0];
  for (const { offset, length } of ranges) {
    const before = requests;
    let isRunning = false;
    for (let at = Math.floor(offset / block); at * block < offset + length; at += 1) {
      if (!read.has(at) && !isRunning) requests += 1;
      isRunning = !read.has(at);
      read.add(at);
    }
    if (before === requests) merged += 1;
  }
  const bytes = read.size * block;
  return { requests, bytes, overRead: Math.max(0, bytes - stored), merged };
}

/** Pace of requests to a host, measured by those that were made. */
export interface HostPace {
  readonly host: string;
  readonly requests: number;
  /** Milliseconds to the first byte: half of the requests took less. */
  readonly latency: number;
  /** While bytes came; absent where too few have come to tell. */
  readonly bytesPerSecond?: number;
}

/** Seconds of a read with as many requests at once as the reader makes; decoding not included. */
export function secondsOf({ rule, requests, bytes }: ReaderCost, { latency, bytesPerSecond }: HostPace): number {
  const waiting = (Math.ceil(requests / rule.together) * latency) / 1000;
  return waiting + (bytesPerSecond === undefined ? 0 : bytes / bytesPerSecond);
}

/** Prospect of reading a plane, to state before it is read. */
export interface ReadingProspect {
  /** Chunks of the plane. */
  readonly chunks: number;
  /** Whose references are known: what was found of them holds for the others. */
  readonly seen: number;
  /** Chunks whose length nobody says: as long as the others on average. */
  readonly ofUnknownLength: number;
  /** Stored bytes of all chunks; absent where no length is known. */
  readonly stored?: number;
  readonly elements: { readonly wanted: number; readonly read: number };
  readonly readers: readonly ReaderCost[];
  /** Absent where nothing was asked of the host yet. */
  readonly pace?: HostPace;
  readonly host: string | undefined;
  readonly shapes: readonly ChunkShape[];
}
