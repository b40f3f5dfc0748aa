/**
 * zarrita, run for real: it reads a chunk by its own store, parser and codecs, in a thread that is ended when it takes
 * too long, and its values are compared with ours. Where targets are is ours: what it makes of their addresses is not tried.
 */
import { type ChunkMetadata, metadataOfChunk } from "../../../core/array-metadata.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import { cellCount, insideShape, largestShape } from "../../../core/chunk-grid.ts";
import { isAbort } from "../../../core/errors.ts";
import type { ArrayNode } from "../../../core/hierarchy.ts";
import type { NotRun, ReaderComparison } from "../../../core/readers/comparison.ts";
import { decodeValues, fillBytes, type ChunkValues } from "../../../core/values.ts";
import { shortRead } from "../../chunk/read-there.ts";
import { readChunk } from "../../chunk/read-chunk.ts";
import { arrayNode, type EngineSet } from "../../engine-set.ts";
import { answerZarrita, type ByteBudget } from "./answer-zarrita.ts";
import { compareValues, textAt } from "./compare-values.ts";
import { isGiven, zarritaSource, type GivenSource } from "./zarrita-source.ts";
import type { ForeignChunk, FromZarrita, ZarritaThread } from "./zarrita-messages.ts";

export interface RunLimits {
  /** For a chunk, what is fetched for it included. */
  readonly milliseconds: number;
  /** Of a decoded chunk. */
  readonly chunkBytes: number;
  /** Fetched for zarrita, in all. */
  readonly bytes: number;
}

const LIMITS: RunLimits = { milliseconds: 30_000, chunkBytes: 256 << 20, bytes: 512 << 20 };

export interface ZarritaRun {
  /** Throws where there is no such chunk, and on an abort. */
  compare(array: string, coordinates: readonly number[], context: CallContext): Promise<ReaderComparison>;
  /** Ends its thread. */
  close(): void;
}

/** Where it runs is the host's business. */
export type OpenZarrita = () => ZarritaThread | Promise<ZarritaThread>;

export function zarritaRun(set: EngineSet, openThread: OpenZarrita, limits: RunLimits = LIMITS): ZarritaRun {
  const budget: ByteBudget = { left: limits.bytes, sizes: new Map() };
  let reader: Reader | undefined;

  const end = () => {
    reader?.thread.end();
    reader = undefined;
  };

  async function theirs(node: ArrayNode, coordinates: readonly number[], context: CallContext): Promise<Answer> {
    const chunk = { array: node.path, coordinates };
    const given = reader?.given.isPart === false ? reader.given : await zarritaSource(set, chunk, context);
    if (given === undefined) return { kind: "not-run", why: "shards" };
    reader ??= newReader(await openThread(), given);
    if (reader.given !== given || !reader.isOpen) reader.open(given);
    try {
      const answer = await readWithin(reader, set, { node, coordinates, budget, limits }, context);
      if (answer.kind === "not-run") end();
      return answer;
    } catch (error) {
      end();
      throw error;
    }
  }

  return {
    async compare(array, coordinates, context) {
      const node = arrayNode(set, array);
      const why = whyNot(set, node, limits);
      if (why !== undefined) return { kind: "not-run", why };
      const ours = await readChunk(set, array, coordinates, context);
      const answer = await theirs(node, coordinates, context);
      if (answer.kind === "not-run") return answer;
      const { error: said, findings } = ours.reading;
      const error = said && (shortRead(findings) ?? said);
      if (answer.kind === "error") {
        return { kind: "error", error: answer.error, ...(error === undefined ? {} : { ours: error }) };
      }
      const inside = insideShape(node.metadata.shape, node.metadata.chunks, coordinates);
      if (error !== undefined) {
        const first = textAt(
          answer.chunk,
          inside.map(() => 0),
        );
        return { kind: "made-up", first, of: cellCount(inside), ours: error };
      }
      const values = ours.values ?? fillValues(metadataOfChunk(node.metadata, coordinates));
      return values === undefined ? { kind: "not-run", why: "no-values" } : compareValues(values, answer.chunk, inside);
    },
    close: end,
  };
}

/** Kerchunk JSON by its ReferenceStore, Zarr stores by its FetchStore. */
export const canRun = ({ format }: EngineSet): boolean => format.kind === "kerchunk-json" || format.kind === "zarr";

/** Known without reading. */
export function whyNot(set: EngineSet, node: ArrayNode, limits: RunLimits = LIMITS): NotRun | undefined {
  if (!canRun(set)) return "format";
  if (!isGiven(set, node)) return "shards";
  return decodedBytes(node) > limits.chunkBytes ? "too-large" : undefined;
}

export const decodedBytes = ({ metadata: { chunks, dataType } }: ArrayNode): number =>
  cellCount(largestShape(chunks)) * ("itemSize" in dataType ? dataType.itemSize : 1);

/** What a chunk without a reference holds; `undefined` where nothing says that. */
function fillValues(metadata: ChunkMetadata): ChunkValues | undefined {
  const element = fillBytes(metadata.fillValue, metadata.dataType);
  if (element === undefined) return undefined;
  const bytes = new Uint8Array(cellCount(metadata.chunks) * element.length);
  for (let at = 0; at < bytes.length; at += element.length) bytes.set(element, at);
  return decodeValues(bytes, { ...metadata, dataType: littleEndian(metadata.dataType), order: "C" });
}

/** `fillBytes` gives little-endian bytes. */
const littleEndian = <T extends ArrayNode["metadata"]["dataType"]>(type: T): T =>
  "byteOrder" in type ? { ...type, byteOrder: "little" } : type;

type Answer =
  | { readonly kind: "chunk"; readonly chunk: ForeignChunk }
  | { readonly kind: "error"; readonly error: string }
  | { readonly kind: "not-run"; readonly why: NotRun };

interface Reader {
  readonly thread: ZarritaThread;
  given: GivenSource;
  isOpen: boolean;
  lastId: number;
  heard: (message: FromZarrita) => void;
  ended: () => void;
  open(given: GivenSource): void;
}

function newReader(thread: ZarritaThread, given: GivenSource): Reader {
  const reader: Reader = {
    thread,
    given,
    isOpen: false,
    lastId: 0,
    heard: () => undefined,
    ended: () => undefined,
    open(next) {
      reader.given = next;
      reader.isOpen = true;
      thread.post({ kind: "open", source: next.source });
    },
  };
  thread.listen(
    (message) => reader.heard(message),
    () => reader.ended(),
  );
  return reader;
}

interface Asked {
  readonly node: ArrayNode;
  readonly coordinates: readonly number[];
  readonly budget: ByteBudget;
  readonly limits: RunLimits;
}

/** Until it answers, its time is over, its thread dies, or nobody waits any longer. */
function readWithin(reader: Reader, set: EngineSet, asked: Asked, context: CallContext): Promise<Answer> {
  const { node, coordinates, budget, limits } = asked;
  const over = new AbortController();
  const own: CallContext = { ...context, signal: AbortSignal.any([context.signal, over.signal]) };
  reader.lastId += 1;
  const id = reader.lastId;
  const answered = new Promise<Answer>((resolve) => {
    reader.ended = () => resolve({ kind: "not-run", why: "ended" });
    reader.heard = (message) => {
      if (message.kind === "request") void pass(reader, set, message, budget, own);
      else if (message.id === id) resolve(message);
    };
  });
  const { stopped, release } = stopping(limits.milliseconds, context.signal);
  const { path, metadata } = node;
  reader.thread.post({ kind: "read", id, array: path, zarrFormat: metadata.zarrFormat, coordinates });
  return Promise.race([answered, stopped]).finally(() => {
    release();
    over.abort();
  });
}

function stopping(milliseconds: number, signal: AbortSignal) {
  let release: () => void = () => undefined;
  const stopped = new Promise<Answer>((resolve, reject) => {
    const handle = setTimeout(() => resolve({ kind: "not-run", why: "timeout" }), milliseconds);
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    release = () => {
      clearTimeout(handle);
      signal.removeEventListener("abort", stop);
    };
  });
  return { stopped, release: () => release() };
}

type Request = Extract<FromZarrita, { kind: "request" }>;

async function pass(
  { thread, given }: Reader,
  set: EngineSet,
  { request, of }: Request,
  budget: ByteBudget,
  context: CallContext,
): Promise<void> {
  try {
    const response = await answerZarrita(set, given.placeOf(of.url), of, budget, context);
    thread.post({ kind: "answer", request, response });
  } catch (error) {
    if (isAbort(error)) return;
    thread.post({ kind: "no-answer", request, reason: error instanceof Error ? error.message : String(error) });
  }
}
