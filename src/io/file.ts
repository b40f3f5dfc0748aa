/** Bytes that are already here: dropped files and pasted text. */
import type { ByteRange, ByteSource, ByteStream, CallContext, ReadBytes } from "../core/byte-source.ts";
import { RefscopeError } from "../core/errors.ts";
import { abortError } from "./abort.ts";
import { opened, relay, Stalled } from "./byte-stream.ts";
import { checkRange, rangeText } from "./range.ts";

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

async function readBlob(
  blob: Blob,
  name: string,
  range: ByteRange | undefined,
  context: CallContext,
): Promise<ReadBytes> {
  if (context.signal.aborted) throw abortError();
  const started = performance.now();
  const asked = range ?? { offset: 0, length: blob.size };
  checkRange(asked, name);
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

function unreadable(name: string, cause: unknown): RefscopeError {
  const fields = {
    code: "file-unreadable",
    doing: "Reading a local file",
    where: name,
    found: cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause),
    advice: "It may have been changed, moved or deleted since it was given: give it again.",
  };
  return new RefscopeError(fields, { cause });
}

/** `range` reaches past the end of a file of `size` bytes. */
export function pastEnd(range: ByteRange, name: string, size: number): RefscopeError {
  const outside = range.offset >= size && range.length > 0;
  return new RefscopeError({
    code: outside ? "range-past-end" : "short-read",
    doing: `Reading ${rangeText(range)}`,
    where: name,
    expected: `${range.length} bytes`,
    found: outside ? `a file of ${size} bytes` : `${size - range.offset} bytes before the end of a ${size}-byte file`,
    advice: "The reference was made for a longer file, or the file was cut short in copying.",
  });
}

function lastModified(blob: Blob): { lastModified?: string } {
  return blob instanceof File ? { lastModified: new Date(blob.lastModified).toUTCString() } : {};
}

async function streamBlob(blob: Blob, name: string, patience: number, context: CallContext): Promise<ByteStream> {
  if (context.signal.aborted) throw abortError();
  const failure = (cause: unknown): unknown => {
    if (context.signal.aborted) return abortError();
    return cause instanceof Stalled ? stalled(name, patience, cause) : unreadable(name, cause);
  };
  return { body: relay(opened(blob.stream()), new Uint8Array(0), { patience, failure }), size: blob.size };
}

function stalled(name: string, patience: number, cause: Stalled): RefscopeError {
  const fields = {
    code: "timeout",
    doing: "Reading a local file",
    where: name,
    expected: `bytes at least every ${patience / 1000} seconds`,
    found: "that the browser brings no more of the file",
    advice: "Open it again.",
  };
  return new RefscopeError(fields, { cause });
}
