/** Reads a stream into places that the caller provides: progress, cancelling, and a watchdog. */
import type { CallContext, Progress } from "../../core/byte-source.ts";
import type { RefscopeError } from "../../core/errors.ts";
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { startPace } from "./pace.ts";

export interface BodyOptions {
  /** Bytes of the whole stream, where known; for progress only. */
  readonly sizeHint: number | undefined;
  readonly context: CallContext;
  /** Longest wait for the next bytes, milliseconds. */
  readonly stallAfter: number;
}

const READ_SIZE = 1 << 20;

/** Calls `take` with the bytes as they arrive; they are only valid during the call, while the next are read. */
export async function readBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  options: BodyOptions,
  take: (bytes: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  const source = openSource(body);
  const { context, sizeHint } = options;
  const reportAndYield = startPace(context);
  let read = 0;
  // The next read is under way while the bytes of the last are taken.
  const ahead = (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const reading = guardedRead(source, options, read);
    reading.catch(() => undefined);
    return reading;
  };
  try {
    context.signal.throwIfAborted();
    let next = ahead();
    for (;;) {
      const bytes = await next;
      context.signal.throwIfAborted();
      if (bytes === undefined) break;
      read += bytes.length;
      next = ahead();
      take(bytes);
      await reportAndYield(progressOf(read, sizeHint));
    }
    context.report(progressOf(read, sizeHint));
  } catch (error) {
    // The stream is not needed any more; whether it can be cancelled does not matter.
    source.cancel(error).catch(() => undefined);
    throw error;
  }
}

interface Source {
  /** `undefined` at the end. */
  read(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  cancel(reason: unknown): Promise<void>;
}

/**
 * Two buffers take turns where the stream can fill them (a BYOB reader); else the stream makes its own, of any size: no more
 * of one is handed on at once than a buffer would hold.
 */
function openSource(body: ReadableStream<Uint8Array<ArrayBuffer>>): Source {
  const byob = byobReader(body);
  if (byob === undefined) {
    const reader = body.getReader();
    let rest = new Uint8Array(0);
    return {
      async read() {
        while (rest.length === 0) {
          const { value, done } = await reader.read();
          if (done) return undefined;
          rest = value;
        }
        const bytes = rest.subarray(0, READ_SIZE);
        rest = rest.subarray(READ_SIZE);
        return bytes;
      },
      cancel: (reason) => reader.cancel(reason),
    };
  }
  const buffers = [new ArrayBuffer(READ_SIZE), new ArrayBuffer(READ_SIZE)];
  return {
    async read() {
      const buffer = buffers.shift() ?? new ArrayBuffer(READ_SIZE);
      const { value, done } = await byob.read(new Uint8Array(buffer, 0, READ_SIZE));
      if (value !== undefined) buffers.push(value.buffer);
      return done ? undefined : value;
    },
    cancel: (reason) => byob.cancel(reason),
  };
}

function byobReader(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

/** A read that gives up when nothing comes, or when the call is aborted while waiting. */
async function guardedRead(
  source: Source,
  { context, stallAfter }: BodyOptions,
  done: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(stalled(done, stallAfter))), stallAfter);
    const abort = (): void => finish(() => reject(context.signal.reason as Error));
    function finish(settle: () => void): void {
      clearTimeout(timer);
      context.signal.removeEventListener("abort", abort);
      settle();
    }
    context.signal.addEventListener("abort", abort, { once: true });
    source.read().then(
      (bytes) => finish(() => resolve(bytes)),
      (error: unknown) => finish(() => reject(error)),
    );
  });
}

const stalled = (byte: number, stallAfter: number): RefscopeError =>
  failure("read-stalled", WHOLE_SET, { byte, milliseconds: stallAfter });

function progressOf(done: number, sizeHint: number | undefined): Progress {
  const total = sizeHint === undefined ? {} : { total: Math.max(sizeHint, done) };
  return { label: "Reading references", done, ...total, unit: "bytes" };
}
