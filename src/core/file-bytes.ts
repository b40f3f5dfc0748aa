/**
 * Small reads all over a file, as few requests: bytes are kept in blocks, reads that are asked for in one turn are one
 * round of requests side by side, and neighbours among them one request.
 */
import type { ByteSource, CallContext } from "./byte-source.ts";
import { failure } from "./findings/finding.ts";
import { targetAt } from "./findings/fact.ts";

export interface FileBytes {
  readonly name: string;
  /** Bytes of the file. */
  readonly size: number;
  /** At most what is left of the file. `ahead`: more may be fetched with them, since more will be asked for there. */
  read(offset: number, length: number, ahead?: number): Promise<Uint8Array>;
  readonly traffic: Traffic;
}

export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
  /** Requests that did not wait for one another are one round. */
  readonly rounds: number;
}

export interface BlockOptions {
  /** Bytes of a block: the least that is fetched. */
  readonly block: number;
  /** Blocks between two wanted ones that are fetched too, for one request in place of two. */
  readonly gap: number;
  /** Reads of one turn wait for each other. */
  readonly gathers: boolean;
  /** Bytes that are fetched before anything is asked for. */
  readonly front: number;
}

/**
 * Requests are dear, and so are bytes. Measured on a file of 6,401 chunks: as many requests as B-tree nodes, 1.3 × the
 * metadata.
 */
export const REMOTE: BlockOptions = { block: 1024, gap: 4, gathers: true, front: 8192 };
export const LOCAL: BlockOptions = { block: 32_768, gap: 1, gathers: false, front: 0 };

/** Bytes: blocks that were read first are dropped beyond it. */
const MOST_KEPT = 32 * 1024 ** 2;
/** Bytes of metadata of one file. */
const MOST_READ = 1024 ** 3;

/** `source.size` must be known. */
export function fileBytes(source: ByteSource, context: CallContext, options: BlockOptions): FileBytes {
  const { size = 0 } = source;
  const { block } = options;
  const traffic = { requests: 0, bytes: 0, rounds: 0 };
  const fetchRange = async (offset: number, end: number): Promise<Uint8Array> => {
    const length = Math.min(end, size) - offset;
    traffic.requests += 1;
    traffic.bytes += length;
    if (traffic.bytes > MOST_READ)
      throw failure("data-file-too-large", targetAt(source.name), { limit: MOST_READ, what: "bytes of metadata" });
    context.report({ label: "Reading the file's own metadata", done: traffic.requests, unit: "requests" });
    const { bytes } = await source.read({ offset, length }, context);
    if (bytes.length >= length) return bytes;
    const facts = { received: bytes.length, length, end: offset + length, size };
    throw failure("short-read", targetAt(source.name), facts);
  };
  const blocks = blockCache(fetchRange, options, () => (traffic.rounds += 1));
  const read = async (offset: number, asked: number, ahead = 0): Promise<Uint8Array> => {
    context.signal.throwIfAborted();
    const length = Math.max(0, Math.min(asked, size - offset));
    if (length === 0 || offset < 0) return new Uint8Array(0);
    const front = traffic.requests === 0 ? options.front : 0;
    const first = Math.floor(Math.min(offset, front > 0 ? 0 : offset) / block);
    const last = Math.floor((Math.min(Math.max(offset + length + ahead, front), size) - 1) / block);
    return blocks.get(offset, length, [first, last]);
  };
  return { name: source.name, size, read, traffic };
}

type Span = readonly [first: number, last: number];

function blockCache(
  fetchRange: (offset: number, end: number) => Promise<Uint8Array>,
  { block, gap, gathers }: BlockOptions,
  begun: () => void,
) {
  const blocks = new Map<number, Uint8Array>();
  let wanted: number[] = [];
  let round: Promise<void> | undefined;
  const coming = new Map<number, Promise<void>>();

  const fetchRun = async ([first, last]: Span): Promise<void> => {
    const bytes = await fetchRange(first * block, (last + 1) * block);
    for (let at = first; at <= last; at += 1)
      blocks.set(at, bytes.subarray((at - first) * block, (at - first + 1) * block));
  };
  const flush = async (): Promise<void> => {
    await (gathers ? new Promise((resolve) => setTimeout(resolve, 2)) : undefined);
    const sorted = wanted.toSorted((one, other) => one - other);
    [wanted, round] = [[], undefined];
    begun();
    try {
      await Promise.all(runsOf(sorted, gap).map(fetchRun));
    } finally {
      for (const at of sorted) coming.delete(at);
    }
  };
  const drop = (): void => {
    for (const at of blocks.keys()) {
      if (blocks.size * block <= MOST_KEPT / 2) break;
      blocks.delete(at);
    }
  };
  const missing = ([first, last]: Span): number[] => {
    const absent: number[] = [];
    for (let at = first; at <= last; at += 1) if (!blocks.has(at)) absent.push(at);
    return absent;
  };
  return {
    /** Bytes; those of the blocks of `also` that are not here come with them. */
    async get(offset: number, length: number, also: Span): Promise<Uint8Array> {
      const needed: Span = [Math.floor(offset / block), Math.floor((offset + length - 1) / block)];
      for (let absent = missing(needed); absent.length > 0; absent = missing(needed)) {
        if (blocks.size * block > MOST_KEPT) drop();
        for (const at of missing(also)) {
          if (coming.has(at)) continue;
          wanted.push(at);
          coming.set(at, (round ??= flush()));
        }
        // Who waits for the same may drop what came: then it is fetched again.
        await Promise.all(absent.flatMap((at) => coming.get(at) ?? []));
      }
      return cutBlocks(blocks, block, offset, length);
    },
  };
}

function cutBlocks(blocks: ReadonlyMap<number, Uint8Array>, block: number, offset: number, length: number) {
  const first = Math.floor(offset / block);
  const begin = offset - first * block;
  if (begin + length <= block) return (blocks.get(first) as Uint8Array).subarray(begin, begin + length);
  const joined = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const at = offset + done;
    const of = blocks.get(Math.floor(at / block)) as Uint8Array;
    const part = of.subarray(at % block, Math.min((at % block) + length - done, of.length));
    joined.set(part, done);
    done += part.length;
  }
  return joined;
}

/** First and last of runs, where so many may be absent between two. */
function runsOf(sorted: readonly number[], gap: number): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const at of sorted) {
    const last = runs.at(-1);
    if (last !== undefined && at - last[1] <= gap + 1) last[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}
