/**
 * Neighbouring ranges of one source, asked for at nearly the same time, in one request. Each reader gets exactly its
 * bytes, in a buffer of its own, and as early as the source gives them; a reader that leaves harms no other, and the
 * request is given up when all that still wait have left.
 */
import { mergedRanges, OWN_MERGE } from "#core/byte-source.ts";
import type { ByteRange, ByteSource, CallContext, Merged, ReadBytes } from "#core/byte-source.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import { abortError, whenAborted } from "../abort.ts";
import { readAndCut } from "./range-parts.ts";

export interface CoalesceOptions {
  /** Bytes between two ranges that are read and dropped rather than requested twice. */
  readonly gap?: number;
  /** Most bytes of a merged request. */
  readonly block?: number;
  /** Calls back when the ranges gathered so far are to be asked for; the default is 2 ms later. */
  readonly schedule?: (flush: () => void) => void;
}

interface Reader {
  readonly range: ByteRange;
  readonly context: CallContext;
  settle(result: ReadBytes | Promise<ReadBytes>): void;
  fail(error: unknown): void;
}

export function coalesced(source: ByteSource, options: CoalesceOptions = {}): ByteSource {
  const { gap = OWN_MERGE.gap, block: most = OWN_MERGE.most } = options;
  const schedule = options.schedule ?? ((flush) => setTimeout(flush, 2));
  let gathered: Reader[] = [];
  const flush = (): void => {
    const readers = gathered.filter((reader) => !reader.context.signal.aborted);
    gathered = [];
    for (const group of mergedRanges(readers, ({ range }) => range, { gap, most })) serveGroup(source, group);
  };
  const gather = (range: ByteRange, context: CallContext): Promise<ReadBytes> =>
    new Promise((resolve, reject) => {
      if (gathered.length === 0) schedule(flush);
      gathered.push(readerOf(range, context, resolve, reject));
    });
  return {
    name: source.name,
    get size() {
      return source.size;
    },
    async read(range, context) {
      if (context.signal.aborted) throw abortError();
      return range !== undefined && isMergeable(range, most) ? gather(range, context) : source.read(range, context);
    },
    stream: (context) => source.stream(context),
  };
}

function isMergeable({ offset, length }: ByteRange, most: number): boolean {
  return Number.isSafeInteger(offset) && offset >= 0 && length > 0 && length <= most;
}

/** Leaves at once when its signal fires, whatever the others do. */
function readerOf(range: ByteRange, context: CallContext, resolve: Reader["settle"], reject: Reader["fail"]): Reader {
  const stay = whenAborted(context.signal, () => reject(abortError()));
  return {
    range,
    context,
    settle: (result) => {
      stay();
      resolve(result);
    },
    fail: (error) => {
      stay();
      reject(error);
    },
  };
}

function serveGroup(source: ByteSource, group: Merged<Reader>): void {
  const [only] = group.items;
  if (only !== undefined && group.items.length === 1) only.settle(source.read(only.range, only.context));
  else void serveMerged(source, group);
}

async function serveMerged(source: ByteSource, { items: readers, start, end }: Merged<Reader>): Promise<void> {
  const waiting = waitTogether(readers);
  const readParts = source.readParts ?? readAndCut((range, context) => source.read(range, context));
  const ranges = readers.map(({ range }) => range);
  try {
    await readParts({ offset: start, length: end - start }, ranges, waiting.context, (at, { request, ...read }) => {
      const reader = readers[at];
      if (reader === undefined) return;
      waiting.serve(reader);
      reader.settle({ ...read, request: { ...request, readsServed: readers.length } });
    });
  } catch (error) {
    for (const reader of waiting.readers) {
      if (isOneReadersFault(error)) reader.settle(source.read(reader.range, reader.context));
      else reader.fail(error);
    }
  } finally {
    waiting.end();
  }
}

/** Errors that a range of its own may not have: one past the end of the target must not harm its good neighbours. */
function isOneReadersFault(error: unknown): boolean {
  const place = error instanceof RefscopeError ? error.finding?.place : undefined;
  return place?.kind === "target" && place.range !== undefined;
}

interface WaitingReaders {
  /** Who has neither left nor been served. */
  readonly readers: ReadonlySet<Reader>;
  /** Its signal fires when the last of them leaves; progress goes to all of them. */
  readonly context: CallContext;
  serve(reader: Reader): void;
  end(): void;
}

function waitTogether(all: readonly Reader[]): WaitingReaders {
  const controller = new AbortController();
  const readers = new Set(all);
  const leave = (reader: Reader): void => {
    readers.delete(reader);
    if (readers.size === 0) controller.abort(abortError());
  };
  const staying = new Map(
    all.map((reader) => [reader, whenAborted(reader.context.signal, () => leave(reader))] as const),
  );
  const serve = (reader: Reader): void => {
    staying.get(reader)?.();
    readers.delete(reader);
  };
  return {
    readers,
    context: {
      signal: controller.signal,
      report: (progress) => {
        for (const { context } of readers) context.report(progress);
      },
    },
    serve,
    end: () => {
      for (const reader of all) serve(reader);
    },
  };
}
