/** Compressed reference documents, known by their first bytes and not by their name. */
import { openZstdDecoder } from "../codecs/zstd/zstd-decoder.ts";
import type { Bytes, ByteStream, CallContext } from "../core/byte-source.ts";
import { type FactsOf, failure, RefscopeError, WHOLE_SET } from "../core/findings/finding.ts";
import { abortError } from "./abort.ts";
import { opened, type Pieces, piecesOf, prepended, relay, streamOf, takeHead } from "./byte-stream.ts";

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
  const head = await checkedHead(raw);
  const encoding = encodingOf(head);
  if (encoding === "none") {
    counts.bytesIn = counts.bytesOut = head.byteLength;
    const after = (count: number): void => void (counts.bytesOut = counts.bytesIn += count);
    const body = relay(source, head, { after, failure: (cause) => unreadable(cause, context) });
    return { stream: { ...stream, body }, encoding, ...counters };
  }
  const input = watched(prepended(head, raw), context, (count) => (counts.bytesIn += count));
  const plain = guarded(encoding === "gzip" ? await gunzipped(input) : await unzstd(input), encoding, context);
  const start = await checkedHead(plain);
  const output = watched(prepended(start, plain), context, (count) => (counts.bytesOut += count));
  return { stream: { body: streamOf(output), size: undefined }, encoding, ...counters };
}

async function checkedHead(pieces: Pieces): Promise<Bytes> {
  try {
    const head = await takeHead(pieces, HEAD);
    refuseContainers(head);
    return head;
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

const startsWith = (bytes: Bytes, magic: readonly number[]): boolean => magic.every((byte, at) => bytes[at] === byte);

function refuseContainers(head: Bytes): void {
  const container = containerOf(head);
  if (container !== undefined) throw failure("container-not-supported", WHOLE_SET, { container });
  const compression = otherCompression(head);
  if (compression !== undefined) throw failure("compression-not-supported", WHOLE_SET, { compression });
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
  const reason = cause instanceof Error ? cause.message : String(cause);
  return failure("decompress-failed", WHOLE_SET, { problem: "damaged", compression, reason }, { cause });
}

// Zstandard (RFC 8878) as a stream. Frames may follow each other, skippable ones included.

/** Each stream has a decoder of its own, so that its window is freed with it. */
export async function unzstd(compressed: Pieces): Promise<Pieces> {
  const decoder = await openZstdDecoder();
  let input: Bytes = new Uint8Array(0);
  let inFrame = false;
  let outputLeft = false;
  const step = (): Bytes => {
    const done = decoder.step(input);
    if (done.kind === "fault") throw new Error(done.found);
    input = input.subarray(done.consumed);
    outputLeft = done.outputLeft;
    inFrame = !done.frameEnded;
    return done.output;
  };
  const next = async (): Promise<Bytes | undefined> => {
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

/** Its decoder is fetched with the first. */
async function gunzipped(compressed: Pieces): Promise<Pieces> {
  const { ungzipPieces } = await import("../codecs/deflate/gzip.ts");
  const given = ungzipPieces(() => compressed.next());
  return { next: async () => (await given.next()).value, close: (reason) => compressed.close(reason) };
}
