/** Bytes that are already here: dropped files and pasted text. */
import type { ByteRange, ByteSource, ByteStream, CallContext } from "../core/byte-source.ts";
import { failure, type RefscopeError, targetAt } from "../core/findings/finding.ts";
import { abortError } from "./abort.ts";
import { opened, relay, Stalled } from "./byte-stream.ts";
import { checkRange, checkWhole } from "./range.ts";

/**
 * `stream()` gives a byte stream, so that a reader may bring its own buffer. A read of it that brings nothing for
 * `patience` milliseconds fails with `timeout`: browsers have been seen to let one hang for ever.
 */
export function blobSource(blob: Blob, name: string, patience = 30_000): ByteSource {
  return {
    name,
    size: blob.size,
    read: (range, context) => readBlob(blob, name, range, context),
    stream: (context) => streamBlob(blob, name, patience, context),
  };
}

export function bytesSource(bytes: Uint8Array<ArrayBuffer>, name: string): ByteSource {
  return blobSource(new Blob([bytes]), name);
}

async function readBlob(blob: Blob, name: string, range: ByteRange | undefined, context: CallContext) {
  if (context.signal.aborted) throw abortError();
  const started = performance.now();
  const asked = range ?? { offset: 0, length: blob.size };
  checkRange(asked, name);
  if (range === undefined) checkWhole(blob.size, name, context);
  if (asked.offset + asked.length > blob.size) throw pastEnd(asked, name, blob.size);
  const bytes = await bufferOf(blob.slice(asked.offset, asked.offset + asked.length), name);
  if (context.signal.aborted) throw abortError();
  const request = {
    url: name,
    ...(range === undefined ? {} : { range, rangeHonoured: true }),
    attempts: 1,
    bytesExpected: asked.length,
    bytesReceived: bytes.byteLength,
    targetSize: blob.size,
    ...lastModified(blob),
    milliseconds: performance.now() - started,
  };
  return { bytes, request, findings: [] };
}

async function bufferOf(blob: Blob, name: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

const unreadable = (name: string, cause: unknown): RefscopeError =>
  failure(
    "file-unreadable",
    targetAt(name),
    { reason: cause instanceof Error ? cause.message : String(cause) },
    { cause },
  );

/** `range` reaches past the end of a file of `size` bytes. */
export function pastEnd(range: ByteRange, name: string, size: number): RefscopeError {
  const { offset, length } = range;
  const end = offset + length;
  if (offset >= size && length > 0) return failure("range-past-end", targetAt(name, range), { end, size });
  return failure("short-read", targetAt(name, range), { received: size - offset, length, end, size });
}

function lastModified(blob: Blob): { lastModified?: string } {
  return blob instanceof File ? { lastModified: new Date(blob.lastModified).toUTCString() } : {};
}

async function streamBlob(blob: Blob, name: string, patience: number, context: CallContext): Promise<ByteStream> {
  if (context.signal.aborted) throw abortError();
  const broken = (cause: unknown): unknown => {
    if (context.signal.aborted) return abortError();
    return cause instanceof Stalled
      ? failure("timeout", targetAt(name), { idle: patience, received: 0 }, { cause })
      : unreadable(name, cause);
  };
  return { body: relay(opened(blob.stream()), new Uint8Array(0), { patience, failure: broken }), size: blob.size };
}
