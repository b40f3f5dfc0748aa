/** Compressed reference documents, known by their first bytes and not by their name. */
import type { ByteStream, CallContext } from "../core/byte-source.ts";
import { RefscopeError } from "../core/errors.ts";
import { failure } from "../core/findings/failure.ts";
import type { FactsOf } from "../core/findings/finding.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import { abortError } from "./abort.ts";
import { opened, piecesOf, prepended, relay, streamOf, takeHead, type Pieces } from "./byte-stream.ts";
import { gunzipped } from "./gzip.ts";
import { unzstd } from "./zstd.ts";

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
