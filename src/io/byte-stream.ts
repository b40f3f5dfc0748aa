/** Byte streams: handed on without a copy, looked into at their start, made of pieces. */
import { attempt } from "../core/basics.ts";
import type { Bytes } from "../core/byte-source.ts";

/** Hooks around every read of the stream below. */
export interface RelayHooks {
  before?(): void;
  after?(received: number): void;
  /** Milliseconds after which a read that brings nothing fails; absent = it may wait for ever. */
  readonly patience?: number;
  /** Converts a failure of the stream below to the error to report. */
  failure?(cause: unknown): unknown;
  end?(): void;
}

const OWN_BUFFER = 256 * 1024;

/**
 * The controller that fills a stream: lends the waiting reader's buffer if the engine has byte streams and the reader
 * brought one.
 */
type Filler = Pick<ReadableByteStreamController, "enqueue" | "close"> &
  Partial<Pick<ReadableByteStreamController, "byobRequest">>;

interface Filling {
  pull(filler: Filler): Promise<void>;
  cancel(reason: unknown): Promise<void>;
}

/**
 * A byte stream, or where the engine has none (WebKit) a plain one of the same pieces. Neither asks for a piece before
 * somebody reads.
 */
function bytesFrom(filling: Filling): ReadableStream<Bytes> {
  return hasByteStreams()
    ? new ReadableStream({ type: "bytes", ...filling })
    : new ReadableStream<Bytes>(filling, { highWaterMark: 0 });
}

/** Asked every time: making an empty stream costs nothing beside what is read through it. */
const hasByteStreams = (): boolean =>
  attempt(
    () => new ReadableStream({ type: "bytes" }).getReader({ mode: "byob" }) instanceof ReadableStreamBYOBReader,
    false,
  );

/**
 * A byte stream of `head` and then all that is left of `source`. A reader that brings its own buffer has it filled by the stream
 * below, where that can.
 */
export function relay(source: Source, head: Bytes, hooks: RelayHooks = {}): ReadableStream<Bytes> {
  let first = head;
  const pull = async (filler: Filler): Promise<void> => {
    if (first.byteLength > 0) first = serve(filler, first);
    else await forward(filler, source, hooks);
  };
  const cancel = async (reason: unknown): Promise<void> => {
    // A stream that has failed already cannot be cancelled, and need not be.
    await source.reader.cancel(reason).catch(() => undefined);
    hooks.end?.();
  };
  // A stream's pull may fail: its reader then gets that error.
  return bytesFrom({ pull, cancel });
}

/** A stream opened for reading, with the reader's own buffers where it can. */
export type Source =
  | { readonly kind: "byob"; readonly reader: ReadableStreamBYOBReader }
  | { readonly kind: "default"; readonly reader: ReadableStreamDefaultReader<Bytes> };

export const opened = (body: ReadableStream<Bytes>): Source =>
  attempt(() => ({ kind: "byob", reader: body.getReader({ mode: "byob" }) })) ?? {
    kind: "default",
    reader: body.getReader(),
  };

async function forward(filler: Filler, source: Source, hooks: RelayHooks): Promise<void> {
  const request = filler.byobRequest;
  const view = request?.view;
  const lent = source.kind === "byob" && view ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : null;
  try {
    hooks.before?.();
    const { done, value } = await readBelow(source, lent, hooks);
    hooks.after?.(value?.byteLength ?? 0);
    if (done) {
      hooks.end?.();
      filler.close();
      if (lent !== null && value !== undefined) request?.respondWithNewView(value);
      else filler.byobRequest?.respond(0);
    } else if (lent === null) filler.enqueue(value.byteLength === value.buffer.byteLength ? value : value.slice());
    else request?.respondWithNewView(value);
  } catch (error) {
    hooks.end?.();
    throw error;
  }
}

/** Only what the stream below fails with is its failure; what fails here keeps its own name. */
async function readBelow(source: Source, lent: Bytes | null, hooks: RelayHooks) {
  try {
    return await within(hooks.patience, readInto(source, lent));
  } catch (cause) {
    throw hooks.failure === undefined ? cause : hooks.failure(cause);
  }
}

/** Stands for the failure of a read that took too long. */
export class Stalled extends Error {}

function within<T>(patience: number | undefined, reading: Promise<T>): Promise<T> {
  if (patience === undefined) return reading;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Stalled("nothing came")), patience);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function readInto(source: Source, lent: Bytes | null): Promise<ReadableStreamReadResult<Bytes>> {
  if (source.kind === "default") return source.reader.read();
  return source.reader.read(lent ?? new Uint8Array(OWN_BUFFER));
}

/** Puts what fits into the waiting reader's buffer; gives back the rest. */
function serve(filler: Filler, bytes: Bytes): Bytes {
  const request = filler.byobRequest;
  const view = request?.view;
  if (!request || !view) {
    filler.enqueue(bytes.slice());
    return new Uint8Array(0);
  }
  const count = Math.min(view.byteLength, bytes.byteLength);
  new Uint8Array(view.buffer, view.byteOffset, count).set(bytes.subarray(0, count));
  request.respond(count);
  return bytes.subarray(count);
}

/** Pieces one after another. A piece stays valid until the next is asked for. */
export interface Pieces {
  next(): Promise<Bytes | undefined>;
  /** Called once, at the end or when no more is wanted. */
  close(reason: unknown): Promise<void>;
}

/** A byte stream of the pieces: nothing is requested before the first read. */
export function streamOf(pieces: Pieces): ReadableStream<Bytes> {
  let rest: Bytes | undefined = new Uint8Array(0);
  return bytesFrom({
    async pull(filler) {
      while (rest?.byteLength === 0) rest = await pieces.next();
      if (rest !== undefined) {
        rest = serve(filler, rest);
        return;
      }
      await pieces.close(undefined);
      filler.close();
      filler.byobRequest?.respond(0);
    },
    cancel: (reason) => pieces.close(reason),
  });
}

/** The chunks of a stream as pieces. */
export function piecesOf(source: Source): Pieces {
  let buffer: Bytes | null = source.kind === "byob" ? new Uint8Array(OWN_BUFFER) : null;
  let ended = false;
  return {
    async next() {
      if (ended) return undefined;
      const { done, value } = await readInto(source, buffer);
      ended = done;
      if (done) return undefined;
      // The buffer lent comes back inside the value.
      if (buffer !== null) buffer = new Uint8Array(value.buffer);
      return value;
    },
    close: (reason) => source.reader.cancel(reason),
  };
}

/** Pieces with some put back in front. */
export function prepended(head: Bytes, pieces: Pieces): Pieces {
  let first: Bytes | undefined = head.byteLength > 0 ? head : undefined;
  return {
    async next() {
      const piece = first ?? (await pieces.next());
      first = undefined;
      return piece;
    },
    close: (reason) => pieces.close(reason),
  };
}

/** At least the first `length` bytes (fewer where there are fewer): all that had to be read for them, as a copy. */
export async function takeHead(pieces: Pieces, length: number): Promise<Bytes> {
  let head: Bytes = new Uint8Array(0);
  while (head.byteLength < length) {
    const piece = await pieces.next();
    if (piece === undefined) break;
    const longer = new Uint8Array(head.byteLength + piece.byteLength);
    longer.set(head);
    longer.set(piece, head.byteLength);
    head = longer;
  }
  return head;
}
