/**
 * Gzip (RFC 1952) by the platform's DecompressionStream, several members and zero padding at the end included.
 * Browsers refuse whatever follows the first member ("Junk found after end of compressed data"), and do not say where
 * that begins. It begins after the member's last four bytes, which are its decompressed size, so it is found by them.
 */
import { joinBytes } from "../core/join-bytes.ts";
import { failure } from "../core/findings/failure.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import type { Pieces } from "./byte-stream.ts";
import { givesBeforeRefusing, MAX_KEPT, replayed } from "./gzip-replay.ts";

type Bytes = Uint8Array<ArrayBuffer>;

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
export function gunzipped(compressed: Pieces): Pieces {
  const input = smallPieces(compressed);
  const output: Bytes[] = [];
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
  next(longest: number): Promise<Bytes | undefined>;
  putBack(bytes: Bytes): void;
}

/** Copies: they may still be in use when the next is asked for. */
function smallPieces(pieces: Pieces): SmallPieces {
  let rest: Bytes = new Uint8Array(0);
  let returned: Bytes = rest;
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
  feed(piece: Bytes): Promise<Bytes | undefined>;
  finish(): Promise<void>;
  abandon(reason: unknown): Promise<void>;
}

/** @param gives whether the engine gives what a piece brought before it refuses what follows the member. */
function openMember(output: Bytes[], gives: boolean): Member {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const made = drained(readable, output);
  const kept = gives ? undefined : keptPieces();
  let tail: Bytes = new Uint8Array(0);
  let given = 0;
  const feed = async (piece: Bytes): Promise<Bytes | undefined> => {
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
  const endOfMember = async (piece: Bytes): Promise<number | undefined> => {
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

function drained(readable: ReadableStream<Bytes>, output: Bytes[]): Drain {
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
  let pieces: Bytes[] = [];
  let bytes = 0;
  return {
    add(piece: Bytes): void {
      bytes += piece.byteLength;
      if (bytes <= MAX_KEPT) pieces.push(piece);
      else pieces = [];
    },
    all(): readonly Bytes[] {
      if (bytes <= MAX_KEPT) return pieces;
      throw failure("decompress-failed", WHOLE_SET, { problem: "member-too-long", bytes, limit: MAX_KEPT });
    },
  };
}

/**
 * Offsets in `piece` at which the member may have ended: zeros to the end, or another member behind zeros or none. `given`
 * bytes of the member came before the piece, the last of them in `tail`.
 */
function possibleEnds(tail: Bytes, piece: Bytes, given: number): readonly number[] {
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
function saysSize(tail: Bytes, piece: Bytes, end: number, size: number): boolean {
  const bytes = joinBytes([tail, piece]);
  return new DataView(bytes.buffer).getUint32(end + tail.byteLength - 4, true) === size % 2 ** 32;
}

/** Zeros, or the start of another member, as far as the bytes go. */
function isFollower(bytes: Bytes): boolean {
  const start = bytes.findIndex((byte) => byte !== 0);
  const magic = [0x1f, 0x8b, 0x08];
  return start < 0 || magic.every((byte, at) => start + at >= bytes.byteLength || bytes[start + at] === byte);
}
