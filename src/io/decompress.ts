/** Compressed reference documents, known by their first bytes and not by their name. */
import { openZstdDecoder } from "../codecs/zstd/zstd-decoder.ts";
import type { ByteStream, CallContext } from "../core/byte-source.ts";
import { RefscopeError } from "../core/errors.ts";
import { failure } from "../core/findings/failure.ts";
import type { FactsOf } from "../core/findings/finding.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import { joinBytes } from "../core/join-bytes.ts";
import { abortError } from "./abort.ts";
import { opened, type Pieces, piecesOf, prepended, relay, streamOf, takeHead } from "./byte-stream.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export type Encoding = "none" | "gzip" | "zstd";

export interface Decompressed {
  /** A byte stream; its size is known only where nothing is compressed. */
  readonly stream: ByteStream;
  readonly encoding: Encoding;
  /** Bytes taken in and given out so far: a reader bounds the second by itself. */
  readonly bytesIn: () => number;
  readonly bytesOut: () => number;
}

/** Enough to see a tar archive's mark, at byte 257. */
const HEAD = 512;

/**
 * @throws RefscopeError `container-not-supported`, `compression-not-supported`. Reading the stream may fail with
 *   `decompress-failed`, or with whatever the stream below fails with.
 */
export async function decompressed(stream: ByteStream, context: CallContext): Promise<Decompressed> {
  const source = opened(stream.body);
  const raw = piecesOf(source);
  const counts = { bytesIn: 0, bytesOut: 0 };
  const counters = { bytesIn: () => counts.bytesIn, bytesOut: () => counts.bytesOut };
  const head = await closingOnFailure(raw, async () => {
    const bytes = await takeHead(raw, HEAD);
    refuseContainers(bytes);
    return bytes;
  });
  const encoding = encodingOf(head);
  if (encoding === "none") {
    counts.bytesIn = counts.bytesOut = head.byteLength;
    const after = (count: number): void => void (counts.bytesOut = counts.bytesIn += count);
    const body = relay(source, head, { after, failure: (cause) => unreadable(cause, context) });
    return { stream: { ...stream, body }, encoding, ...counters };
  }
  const input = watched(prepended(head, raw), context, (count) => (counts.bytesIn += count));
  const plain = guarded(encoding === "gzip" ? gunzipped(input) : await unzstd(input), encoding, context);
  const start = await closingOnFailure(plain, async () => {
    const bytes = await takeHead(plain, HEAD);
    refuseContainers(bytes);
    return bytes;
  });
  const output = watched(prepended(start, plain), context, (count) => (counts.bytesOut += count));
  return { stream: { body: streamOf(output), size: undefined }, encoding, ...counters };
}

async function closingOnFailure<T>(pieces: Pieces, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    await pieces.close(cause).catch(() => undefined);
    throw cause;
  }
}

/** `28 b5 2f fd`, a skippable frame's `5x 2a 4d 18` (RFC 8878 §3.1), `1f 8b` (RFC 1952 §2.3.1). */
export function encodingOf(head: Bytes): Encoding {
  if (startsWith(head, [0x28, 0xb5, 0x2f, 0xfd])) return "zstd";
  const skippable = startsWith(head.subarray(1), [0x2a, 0x4d, 0x18]) && ((head[0] ?? 0) & 0xf0) === 0x50;
  if (skippable) return "zstd";
  return startsWith(head, [0x1f, 0x8b]) ? "gzip" : "none";
}

function startsWith(bytes: Bytes, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

function refuseContainers(head: Bytes): void {
  const container = containerOf(head);
  if (container !== undefined) throw failure("container-not-supported", WHOLE_SET, { container });
  const compression = otherCompression(head);
  if (compression === undefined) return;
  throw failure("compression-not-supported", WHOLE_SET, { compression });
}

function containerOf(head: Bytes): FactsOf<"container-not-supported">["container"] | undefined {
  const zip = [
    [0x50, 0x4b, 3, 4],
    [0x50, 0x4b, 5, 6],
    [0x50, 0x4b, 7, 8],
  ];
  if (zip.some((magic) => startsWith(head, magic))) return "zip";
  if (startsWith(head.subarray(257), [0x75, 0x73, 0x74, 0x61, 0x72])) return "tar";
  return startsWith(head, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]) ? "7z" : undefined;
}

function otherCompression(head: Bytes): FactsOf<"compression-not-supported">["compression"] | undefined {
  if (startsWith(head, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])) return "xz";
  if (startsWith(head, [0x42, 0x5a, 0x68]) && startsWith(head.subarray(4), [0x31, 0x41, 0x59])) return "bzip2";
  return startsWith(head, [0x04, 0x22, 0x4d, 0x18]) ? "lz4" : undefined;
}

function watched(pieces: Pieces, context: CallContext, count: (bytes: number) => void): Pieces {
  return {
    async next() {
      if (context.signal.aborted) throw abortError();
      try {
        const piece = await pieces.next();
        count(piece?.byteLength ?? 0);
        return piece;
      } catch (cause) {
        throw unreadable(cause, context);
      }
    },
    close: (reason) => pieces.close(reason),
  };
}

/** A stream that breaks off below is distinguished from damaged content. */
function unreadable(cause: unknown, context: CallContext): unknown {
  if (context.signal.aborted) return abortError();
  if (cause instanceof RefscopeError) return cause;
  return failure(
    "read-failed",
    WHOLE_SET,
    { reason: cause instanceof Error ? cause.message : String(cause) },
    { cause },
  );
}

/** The decoder's complaints as ours; what comes from below (network, cancelling) stays what it is. */
function guarded(pieces: Pieces, encoding: Encoding, context: CallContext): Pieces {
  return {
    async next() {
      try {
        return await pieces.next();
      } catch (cause) {
        if (context.signal.aborted) throw abortError();
        throw cause instanceof RefscopeError ? cause : damaged(encoding, cause);
      }
    },
    close: (reason) => pieces.close(reason),
  };
}

function damaged(encoding: Encoding, cause: unknown): RefscopeError {
  const compression = encoding === "gzip" ? "gzip" : "Zstandard";
  return failure("decompress-failed", WHOLE_SET, { problem: "damaged", compression, reason: said(cause) }, { cause });
}

/** Without what browsers put before and behind the point. */
function said(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/^Failed to execute '\w+' on '\w+': /, "").replace(/\.$/, "");
}

// Zstandard (RFC 8878) as a stream. Frames may follow each other, skippable ones included.

type ZstdBytes = Uint8Array<ArrayBuffer>;

/** Each stream has a decoder of its own, so that its window is freed with it. */
export async function unzstd(compressed: Pieces): Promise<Pieces> {
  const decoder = await openZstdDecoder();
  let input: ZstdBytes = new Uint8Array(0);
  let inFrame = false;
  let outputLeft = false;
  const step = (): ZstdBytes => {
    const done = decoder.step(input);
    if (done.kind === "fault") throw new Error(done.found);
    input = input.subarray(done.consumed);
    outputLeft = done.outputLeft;
    inFrame = !done.frameEnded;
    return done.output;
  };
  const next = async (): Promise<ZstdBytes | undefined> => {
    for (;;) {
      if (input.byteLength === 0 && !outputLeft) {
        const piece = await compressed.next();
        if (piece === undefined && inFrame) throw new Error("the data ends in the middle of a frame");
        if (piece === undefined) return undefined;
        input = piece;
        // An empty piece means nothing to the decoder, which would take it for the start of a frame.
        if (piece.byteLength === 0) continue;
      }
      const output = step();
      if (output.byteLength > 0) return output;
    }
  };
  return { next, close: (reason) => compressed.close(reason) };
}

// Gzip (RFC 1952) by the platform's DecompressionStream, several members and zero padding at the end included. Browsers
// refuse whatever follows the first member ("Junk found after end of compressed data"), and do not say where that
// begins. It begins after the member's last four bytes, which are its decompressed size, so it is found by them.

type GzipBytes = Uint8Array<ArrayBuffer>;

/** Compressed bytes given at a time: few at first, since thousands of small members (BGZF) are common, then more. */
const FIRST_PIECE = 4 * 1024;
const LONGEST_PIECE = 32 * 1024;

/**
 * Deflate expands at most 1,032-fold, and browsers put out 64 kB at a time: with this many reads waiting no output is
 * ever queued inside, where rejecting what follows would drop it.
 */
function readsFor(pieceLength: number): number {
  return Math.ceil((pieceLength * 1032) / 65536) + 8;
}

/** Header and trailer of a member: none is shorter. */
const SHORTEST_MEMBER = 18;
/** Bytes kept of what was given before: a trailer may lie across two pieces. */
const TAIL = 8;

/** `next` rejects with the platform's error where the data is damaged or cut off. */
function gunzipped(compressed: Pieces): Pieces {
  const input = smallPieces(compressed);
  const output: GzipBytes[] = [];
  let member: Member | undefined;
  let ended = false;
  /** Gives the member one piece, or ends it; what follows it goes back and is read by the next. */
  const advance = async (): Promise<void> => {
    member ??= openMember(output, await givesBeforeRefusing());
    const piece = await input.next(member.appetite());
    if (piece === undefined) {
      ended = true;
      await member.finish();
      return;
    }
    const rest = await member.feed(piece);
    if (rest === undefined) return;
    input.putBack(rest);
    member = undefined;
    ended = !(await skipPadding(input));
  };
  return {
    async next() {
      for (;;) {
        const chunk = output.shift();
        if (chunk !== undefined || ended) return chunk;
        await advance();
      }
    },
    async close(reason) {
      await member?.abandon(reason);
      await compressed.close(reason);
    },
  };
}

interface SmallPieces {
  next(longest: number): Promise<GzipBytes | undefined>;
  putBack(bytes: GzipBytes): void;
}

/** Copies: they may still be in use when the next is asked for. */
function smallPieces(pieces: Pieces): SmallPieces {
  let rest: GzipBytes = new Uint8Array(0);
  let returned: GzipBytes = rest;
  return {
    async next(longest) {
      if (returned.byteLength > 0) {
        const again = returned.slice(0, longest);
        returned = returned.subarray(longest);
        return again;
      }
      while (rest.byteLength === 0) {
        const piece = await pieces.next();
        if (piece === undefined) return undefined;
        rest = piece;
      }
      const small = rest.slice(0, longest);
      rest = rest.subarray(longest);
      return small;
    },
    putBack: (bytes) => {
      returned = returned.byteLength === 0 ? bytes : joinBytes([bytes, returned]);
    },
  };
}

/** Passes over zeros (tapes and block devices pad with them); false where nothing else follows. */
async function skipPadding(input: SmallPieces): Promise<boolean> {
  for (;;) {
    const piece = await input.next(LONGEST_PIECE);
    if (piece === undefined) return false;
    const start = piece.findIndex((byte) => byte !== 0);
    if (start >= 0) {
      input.putBack(piece.subarray(start));
      return true;
    }
  }
}

interface Member {
  /** How many bytes it wants at a time. */
  appetite(): number;
  /** Undefined while the member goes on; what follows it, where this piece brought its end and more. */
  feed(piece: GzipBytes): Promise<GzipBytes | undefined>;
  finish(): Promise<void>;
  abandon(reason: unknown): Promise<void>;
}

/** @param gives whether the engine gives what a piece brought before it refuses what follows the member. */
function openMember(output: GzipBytes[], gives: boolean): Member {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const made = drained(readable, output);
  const kept = gives ? undefined : keptPieces();
  let tail: GzipBytes = new Uint8Array(0);
  let given = 0;
  const feed = async (piece: GzipBytes): Promise<GzipBytes | undefined> => {
    made.prepare(readsFor(piece.byteLength));
    try {
      await writer.write(piece);
    } catch (cause) {
      await made.settled();
      if (isDamage(cause)) throw cause;
      const end = await endOfMember(piece);
      if (end === undefined) throw cause;
      return piece.subarray(end);
    }
    kept?.add(piece);
    given += piece.byteLength;
    tail = joinBytes([tail, piece]).slice(-TAIL);
    return undefined;
  };
  const endOfMember = async (piece: GzipBytes): Promise<number | undefined> => {
    const ends = possibleEnds(tail, piece, given);
    if (kept === undefined) return ends.find((end) => saysSize(tail, piece, end, made.size()));
    const whole = await replayed(kept.all(), piece, ends, made.size());
    output.push(...(whole?.output ?? []));
    return whole?.end;
  };
  const finish = async (): Promise<void> => {
    await writer.close();
    await made.settled();
  };
  return {
    appetite: () => Math.min(LONGEST_PIECE, Math.max(FIRST_PIECE, given)),
    feed,
    finish,
    abandon: (reason) => writer.abort(reason).catch(() => undefined),
  };
}

interface Drain {
  /** Keeps at least this many reads waiting from now on. */
  prepare(reads: number): void;
  /** When all reads have ended; a failure is reported by the writer. */
  settled(): Promise<unknown>;
  size(): number;
}

function drained(readable: ReadableStream<GzipBytes>, output: GzipBytes[]): Drain {
  const reader = readable.getReader();
  let size = 0;
  const readOn = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      output.push(value);
      size += value.byteLength;
    }
  };
  const reads: Promise<void>[] = [];
  const prepare = (count: number): void => {
    while (reads.length < count) {
      const reading = readOn();
      reading.catch(() => undefined);
      reads.push(reading);
    }
  };
  prepare(1);
  return { prepare, settled: () => Promise.allSettled(reads), size: () => size };
}

/** Damage inside a member, as the engines word it: then nothing after it is to be looked for. */
function isDamage(cause: unknown): boolean {
  return cause instanceof Error && /not valid|incorrect|invalid|corrupt/i.test(cause.message);
}

/** Compressed pieces of a member, for `replayed`; memory of them is bounded. */
function keptPieces() {
  let pieces: GzipBytes[] = [];
  let bytes = 0;
  return {
    add(piece: GzipBytes): void {
      bytes += piece.byteLength;
      if (bytes <= MAX_KEPT) pieces.push(piece);
      else pieces = [];
    },
    all(): readonly GzipBytes[] {
      if (bytes <= MAX_KEPT) return pieces;
      throw failure("decompress-failed", WHOLE_SET, { problem: "member-too-long", bytes, limit: MAX_KEPT });
    },
  };
}

/**
 * Offsets in `piece` at which the member may have ended: zeros to the end, or another member behind zeros or none. `given`
 * bytes of the member came before the piece, the last of them in `tail`.
 */
function possibleEnds(tail: GzipBytes, piece: GzipBytes, given: number): readonly number[] {
  const bytes = joinBytes([tail, piece]);
  const first = Math.max(tail.byteLength, 4, SHORTEST_MEMBER - given + tail.byteLength);
  const ends: number[] = [];
  let zeros = 0;
  for (let end = first; end < bytes.byteLength; end += 1) {
    zeros = bytes[end - 1] === 0 ? zeros + 1 : 0;
    if (zeros <= MAX_LAST_ZEROS && isFollower(bytes.subarray(end))) ends.push(end - tail.byteLength);
  }
  return ends;
}

/** Zeros at a member's end: its checksum, its size and the bits before them. More are padding. */
const MAX_LAST_ZEROS = 10;

/** Whether the four bytes before `end` are that size (mod 2^32, little-endian), as they are where a member ends. */
function saysSize(tail: GzipBytes, piece: GzipBytes, end: number, size: number): boolean {
  const bytes = joinBytes([tail, piece]);
  return new DataView(bytes.buffer).getUint32(end + tail.byteLength - 4, true) === size % 2 ** 32;
}

/** Zeros, or the start of another member, as far as the bytes go. */
function isFollower(bytes: GzipBytes): boolean {
  const start = bytes.findIndex((byte) => byte !== 0);
  const magic = [0x1f, 0x8b, 0x08];
  return start < 0 || magic.every((byte, at) => start + at >= bytes.byteLength || bytes[start + at] === byte);
}

// Where a member of gzip ends, in engines whose decoder says nothing of it. All refuse a piece that holds more than the
// member's end; most give the piece's output first, by whose length the end is found (`gzip.ts`). WebKit throws that
// output away: the member is then decoded once more, up to each place where it may end.

type GzipReplayBytes = Uint8Array<ArrayBuffer>;

/** "x", stored, as a member of its own, and the first byte of another. */
const MEMBER_AND_MORE = Uint8Array.from(
  "1f8b0800000000000003 010100feff78 8316dc8c01000000 1f".replaceAll(" ", "").match(/../g) ?? [],
  (pair) => Number.parseInt(pair, 16),
);

/** Whether the engine gives what a piece brought before it refuses what follows. Asked for every member: it costs microseconds. */
async function givesBeforeRefusing(): Promise<boolean> {
  const output: GzipReplayBytes[] = [];
  await decode([MEMBER_AND_MORE], (bytes) => output.push(bytes));
  return output.length > 0;
}

/** Compressed bytes of one member that are kept to be decoded once more. */
const MAX_KEPT = 64 * 1024 * 1024;

interface Replay {
  /** Offset in the last piece at which the member ended. */
  readonly end: number;
  /** What the member gave after the first `given` bytes. */
  readonly output: readonly GzipReplayBytes[];
}

/** Places that are tried: a start of another member is a chance of one in 16 million at any byte inside of one. */
const MAX_TRIES = 32;

/** `pieces` are the member's, the last of them with what follows it; `ends` are the offsets in that to be tried. */
async function replayed(
  pieces: readonly GzipReplayBytes[],
  last: GzipReplayBytes,
  ends: readonly number[],
  given: number,
): Promise<Replay | undefined> {
  for (const end of ends.slice(0, MAX_TRIES)) {
    const output: GzipReplayBytes[] = [];
    let passed = 0;
    const whole = await decode([...pieces, last.subarray(0, end)], (bytes) => {
      const fresh = bytes.subarray(Math.max(0, Math.min(bytes.byteLength, given - passed)));
      passed += bytes.byteLength;
      if (fresh.byteLength > 0) output.push(fresh);
    });
    if (whole) return { end, output };
  }
  return undefined;
}

/** Whether the pieces are one whole member. */
async function decode(pieces: readonly GzipReplayBytes[], take: (bytes: GzipReplayBytes) => void): Promise<boolean> {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const write = async (): Promise<void> => {
    for (const piece of pieces) if (piece.byteLength > 0) await writer.write(piece);
    await writer.close();
  };
  const read = async (): Promise<void> => {
    const reader = readable.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) take(next.value);
  };
  const ends = await Promise.allSettled([write(), read()]);
  return ends.every(({ status }) => status === "fulfilled");
}
