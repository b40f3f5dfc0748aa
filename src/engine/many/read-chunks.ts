/**
 * Reading many chunks of an array: references are looked up, ranges that lie near each other in a target are asked for
 * together, and chunks are decoded while others arrive. A chunk that fails stops no other. Used by whole slices, by
 * `read` and by `digest`.
 */
import { type ArrayMetadata, type ArrayNode, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import { type Finding, finding, findingOfError, isAbort, RefscopeError, silentHost } from "#core/findings/finding.ts";
import type { ChunkReference } from "../chunk/chunk-reference.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { aboutChunk, loadChunk, placeOf, type LoadedChunk, unfitFill } from "../chunk/load-chunk.ts";
import { shortRead } from "../chunk/read-there.ts";
import type { EngineSet } from "../engine-set.ts";
import { oncePer } from "../kept.ts";
import { inThread, type ChunkDecoder, type DecodedBytes } from "../chunk/chunk-decoder.ts";
import { plannedBlocks, type Block } from "./blocks.ts";
import { missingElement } from "#core/values/fill.ts";

/** Result of reading one chunk. */
export type ReadOutcome = {
  readonly chunk: ChunkReference;
  readonly findings: readonly Finding[];
  /** Bytes that came, whether or not they decode. */
  readonly stored?: number;
} & (
  | { readonly kind: "decoded"; readonly decoded: DecodedBytes & { readonly bytes: Uint8Array<ArrayBuffer> } }
  /** No reference: its values are the fill value. */
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly error: Finding }
);

/** Its host does not answer: nothing is known of the chunk. */
export const isOfSilentHost = (outcome: ReadOutcome): boolean =>
  outcome.kind === "failed" && silentHost(outcome.error) !== undefined;

export interface ReadChunksRequest {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  /**
   * Chunks in the order in which they are wanted. Taken as far as there is room: the iteration may go on while others
   * are read.
   */
  readonly chunks: Iterable<readonly number[]>;
  readonly decoder?: ChunkDecoder;
  /** Called with each, as they come; what it returns is waited for. */
  readonly give: (outcome: ReadOutcome) => void | Promise<void>;
}

/** Chunks whose references are looked up before their ranges are put together. */
const LOOK_AHEAD = 512;
/** Chunks looked ahead later: nothing waits for the first picture then. */
const LATER_LOOK_AHEAD = 8192;
/** Stored bytes that may be under way or waiting to be decoded. */
const MAX_AHEAD_BYTES = 64 * 1024 ** 2;
const MAX_BLOCKS = 12;

/** Resolves when all were given. Throws only for an abort, or what `give` throws. */
export async function readChunks(request: ReadChunksRequest, context: CallContext): Promise<void> {
  const { chunks, set, node } = request;
  const slots = newSlots();
  const rest = chunks[Symbol.iterator]();
  for (let batch = take(rest, LOOK_AHEAD); batch.length > 0; batch = take(rest, LATER_LOOK_AHEAD)) {
    const references: ChunkReference[] = [];
    for (const coordinates of batch) references.push(await chunkReference(set, node, coordinates, context));
    for (const block of plannedBlocks(references)) {
      await slots.free(block.bytes);
      context.signal.throwIfAborted();
      slots.hold(block.bytes, readBlock(request, block, context));
    }
  }
  await slots.done();
}

function take<Item>(items: Iterator<Item>, most: number): readonly Item[] {
  const taken: Item[] = [];
  while (taken.length < most) {
    const next = items.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

/** Loads are begun together, so that the source merges them into one request. */
async function readBlock(request: ReadChunksRequest, { chunks }: Block, context: CallContext): Promise<void> {
  await Promise.all(chunks.map(async (chunk) => await request.give(await readOne(request, chunk, context))));
}

/** Never throws but for an abort. */
export async function readOne(
  { set, decoder = inThread }: Pick<ReadChunksRequest, "set" | "decoder">,
  chunk: ChunkReference,
  context: CallContext,
): Promise<ReadOutcome> {
  const { node } = chunk;
  const loaded = await loadChunk(set, chunk, context);
  const { findings } = loaded;
  if (loaded.kind === "missing") {
    return hasFill(node.metadata) ? { kind: "missing", chunk, findings } : failed(chunk, unfitFill(chunk), findings);
  }
  if (loaded.kind === "failed") return failed(chunk, loaded.error, findings);
  const replaced = findings.find(({ code }) => code === "chunk-not-generated");
  if (replaced !== undefined) return failed(chunk, replaced, findings);
  const stored = loaded.bytes.length;
  try {
    const giving = isAlone(loaded) ? { again: () => loadAgain(set, chunk, context) } : undefined;
    const decoded = await decoder.decode(
      metadataOfChunk(node.metadata, chunk.coordinates),
      loaded.bytes,
      context.signal,
      giving,
    );
    const { bytes, remarks = [], error } = decoded;
    if (error !== undefined || bytes === undefined) {
      return { ...undecoded(chunk, error ?? finding("no-values", placeOf(chunk), {}), findings), stored };
    }
    const noticed = [...findings, ...remarks.map((remark) => aboutChunk(remark, chunk))];
    return { kind: "decoded", chunk, findings: noticed, stored, decoded: { ...decoded, bytes } };
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    return { ...undecoded(chunk, findingOfError(error, `Decoding ${chunk.key}`), findings), stored };
  }
}

/**
 * True unless it came with others in one request: it is then in a buffer of its own (`io/coalesce.ts`), which nobody
 * keeps.
 */
const isAlone = ({ request }: LoadedChunk): boolean => (request?.readsServed ?? 1) > 1;

async function loadAgain(
  set: EngineSet,
  chunk: ChunkReference,
  context: CallContext,
): Promise<Uint8Array<ArrayBuffer>> {
  const loaded = await loadChunk(set, chunk, context);
  if (loaded.kind === "bytes") return loaded.bytes;
  throw new RefscopeError(loaded.kind === "failed" ? loaded.error : finding("no-values", placeOf(chunk), {}));
}

/** True if missing chunks have values. */
const hasFill = oncePer((metadata: ArrayMetadata) => missingElement(metadata) !== undefined);

const failed = (chunk: ChunkReference, error: Finding, findings: readonly Finding[]): ReadOutcome => ({
  kind: "failed",
  chunk,
  error,
  findings,
});

/** Bytes that came and do not decode: the cause is known where they are too few. */
function undecoded(chunk: ChunkReference, error: Finding, findings: readonly Finding[]): ReadOutcome {
  const short = shortRead(findings);
  return short === undefined
    ? failed(chunk, error, findings)
    : failed(
        chunk,
        short,
        findings.filter((one) => one !== short),
      );
}

/** Room for blocks that are under way. A block that is larger than all the room goes alone. */
export function newSlots() {
  let [held, count] = [0, 0];
  let failure: { readonly error: unknown } | undefined;
  let wake = () => undefined as void;
  const until = async (isEnough: () => boolean) => {
    for (;;) {
      if (failure !== undefined) throw failure.error;
      if (isEnough()) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    /** Resolves when there is room for this many bytes; throws if something held failed. */
    free: (bytes: number): Promise<void> =>
      until(() => count === 0 || (held + bytes <= MAX_AHEAD_BYTES && count < MAX_BLOCKS)),
    hold(bytes: number, work: Promise<void>): void {
      held += bytes;
      count += 1;
      const end = () => {
        held -= bytes;
        count -= 1;
        wake();
      };
      work.then(end, (error: unknown) => {
        failure ??= { error };
        end();
      });
    },
    done: () => until(() => count === 0),
  };
}
