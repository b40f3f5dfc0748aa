/**
 * zarrita, run for real: it reads a chunk by its own store, parser and codecs, in a thread that is ended when it takes
 * too long, and its values are compared with ours. Where targets are is ours: what it makes of their addresses is not tried.
 */
import { attempt } from "#core/basics.ts";
import { stridesC } from "#core/values/gather.ts";
import type { ByteRange, CallContext, ReadBytes, Resolution } from "#core/byte-source.ts";
import { factsOfFailure, isAbort, RefscopeError } from "#core/findings/finding.ts";
import { type ArrayNode, type ChunkMetadata, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import { cellCount, insideShape, largestShape } from "#core/metadata/chunk-grid.ts";
import type { NotRun, ReaderComparison } from "#core/readers/comparison.ts";
import { BLOCK_ROWS, TARGET_INLINE } from "#core/table/reference-table.ts";
import type { Reference } from "#core/table/reference.ts";
import { filledBytes } from "#core/values/fill.ts";
import { type ChunkValues, decodeValues, elementText, fillBytes } from "#core/values/values.ts";
import type { MetadataEntry } from "#formats/kerchunk-json/index.ts";
import type { Resolved } from "#io/sources.ts";
import { chunkReference } from "#engine/chunk/chunk-reference.ts";
import { readChunk } from "#engine/chunk/read-chunk.ts";
import { shortRead } from "#engine/chunk/read-there.ts";
import { arrayNode, type DocumentSet, type EngineSet, isDocument } from "#engine/engine-set.ts";
import { rowOf } from "#engine/table/array-index.ts";
import { blockOf } from "#engine/table/batch.ts";
import {
  type ForeignChunk,
  type FromZarrita,
  STORE_URL,
  TARGET_URL,
  type ZarritaRequest,
  type ZarritaResponse,
  type ZarritaSource,
  type ZarritaThread,
} from "./zarrita-messages.ts";

export interface RunLimits {
  /** For a chunk, what is fetched for it included. */
  readonly milliseconds: number;
  /** Bytes of a decoded chunk. */
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

/** Starts a thread for zarrita; the host decides where. */
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
  const { kind, itemSize } = node.metadata.dataType;
  // It has no other way to read them: Node.js has it from version 24 on.
  if (kind === "float" && itemSize === 2 && !("Float16Array" in globalThis)) return "runtime";
  return decodedBytes(node) > limits.chunkBytes ? "too-large" : undefined;
}

export const decodedBytes = ({ metadata: { chunks, dataType } }: ArrayNode): number =>
  cellCount(largestShape(chunks)) * ("itemSize" in dataType ? dataType.itemSize : 1);

/** Values of a chunk without a reference; `undefined` if nothing defines them. */
function fillValues(metadata: ChunkMetadata): ChunkValues | undefined {
  const element = fillBytes(metadata.fillValue, metadata.dataType);
  if (element === undefined) return undefined;
  const bytes = filledBytes(cellCount(metadata.chunks), element, element.length);
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
  const { signal } = context;
  const over = new AbortController();
  const own: CallContext = { ...context, signal: AbortSignal.any([signal, over.signal]) };
  reader.lastId += 1;
  const id = reader.lastId;
  const { path, metadata } = node;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<Answer>((resolve, reject) => {
    timer = setTimeout(() => resolve({ kind: "not-run", why: "timeout" }), limits.milliseconds);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { signal: over.signal });
    if (signal.aborted) reject(signal.reason as Error);
    reader.ended = () => resolve({ kind: "not-run", why: "ended" });
    reader.heard = (message) => {
      if (message.kind === "request") void pass(reader, set, message, budget, own);
      else if (message.id === id) resolve(message);
    };
    reader.thread.post({ kind: "read", id, array: path, zarrFormat: metadata.zarrFormat, coordinates });
  }).finally(() => {
    clearTimeout(timer);
    over.abort();
  });
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

// Values of a chunk beside those of another reader, element by element.

type Element = number | bigint | string | null;

/** @param inside how much of the chunk lies within the array: what lies beyond it nobody reads */
function compareValues(
  ours: ChunkValues,
  theirs: ForeignChunk,
  inside: readonly number[],
): Extract<ReaderComparison, { kind: "same" | "differs" }> {
  const steps = stridesC(ours.shape);
  const of = inside.reduce((product, length) => product * length, 1);
  const at = inside.map(() => 0);
  const isSame = sameness(ours);
  let [count, first] = [0, undefined as readonly number[] | undefined];
  let [mine, other] = [0, 0];
  for (let n = 0; n < of; n += 1) {
    if (!isSame(mine, theirs.data[other] ?? null)) {
      count += 1;
      first ??= [...at];
    }
    // The next element in C order.
    for (let d = inside.length - 1; d >= 0; d -= 1) {
      at[d] = (at[d] ?? 0) + 1;
      mine += steps[d] ?? 0;
      other += theirs.stride[d] ?? 0;
      if ((at[d] ?? 0) < (inside[d] ?? 0)) break;
      mine -= (at[d] ?? 0) * (steps[d] ?? 0);
      other -= (at[d] ?? 0) * (theirs.stride[d] ?? 0);
      at[d] = 0;
    }
  }
  if (first === undefined) return { kind: "same", of };
  const texts = { ours: elementText(ours, offsetOf(first, steps)), theirs: textAt(theirs, first) };
  return { kind: "differs", count, of, first, ...texts };
}

/** The reader's element as text. */
function textAt({ data, stride }: ForeignChunk, at: readonly number[]): string {
  const element: Element | undefined = data[offsetOf(at, stride)];
  return element === undefined || element === null ? "nothing" : String(element);
}

const offsetOf = (at: readonly number[], steps: readonly number[]): number =>
  at.reduce((sum, index, d) => sum + index * (steps[d] ?? 0), 0);

function sameness(ours: ChunkValues): (index: number, theirs: Element) => boolean {
  const { numbers } = ours;
  if (numbers === undefined) return (index, theirs) => theirs !== null && sameText(elementText(ours, index), theirs);
  return (index, theirs) => {
    const mine = numbers[index];
    return mine === theirs || (typeof mine === "number" && Number.isNaN(mine) && Number.isNaN(theirs));
  };
}

/** Objects are the same however their text is spaced. */
function sameText(mine: string, theirs: number | bigint | string): boolean {
  if (mine === theirs) return true;
  return attempt(() => JSON.stringify(JSON.parse(mine)) === JSON.stringify(JSON.parse(String(theirs))), false);
}

// Requests of zarrita's, answered by what `io/` reads: as a server answers them, with all that zarrita does not look
// at.

/** Bytes that may still be read for zarrita. */
interface ByteBudget {
  left: number;
  /** Sizes of targets that were learnt, by what zarrita asks for. */
  readonly sizes: Map<string, number>;
}

/** Answers a request of zarrita; failures are thrown as an error with the words that `fetch` would have. */
async function answerZarrita(
  set: EngineSet,
  place: ForeignPlace | undefined,
  { url, method, range }: ZarritaRequest,
  budget: ByteBudget,
  context: CallContext,
): Promise<ZarritaResponse> {
  const resolution = place === undefined ? undefined : resolved(set, place);
  if (resolution === undefined || resolution.kind === "unresolved") {
    // A store that has no such object says so.
    if (place?.kind === "object") return { status: 404 };
    throw new Error("Failed to fetch");
  }
  try {
    if (method === "HEAD") return await headOf(set, resolution, { url, sizes: budget.sizes }, context);
    return await bytesOf(set, resolution, parseRange(range), budget, context);
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    return withoutBytes(error);
  }
}

const resolved = (set: EngineSet, place: ForeignPlace): Resolution | undefined =>
  place.kind === "target" ? set.targets.resolve(place.target) : set.resolveKey?.(place.key);

/** Asks by HEAD if a range does not tell the size: other origins may hide Content-Range, but not Content-Length. */
async function headOf(
  { targets }: EngineSet,
  resolution: Resolved,
  { url, sizes }: { readonly url: string; readonly sizes: Map<string, number> },
  context: CallContext,
): Promise<ZarritaResponse> {
  const known = sizes.get(url);
  if (known !== undefined) return { status: 200, length: known };
  const {
    size,
    status = 0,
    failure,
  } = await targets.probe(resolution, { furthest: undefined, needsSize: true }, context);
  if (size !== undefined) {
    sizes.set(url, size);
    return { status: 200, length: size };
  }
  if (status >= 400 && status < 600) return { status };
  throw new Error(failure === undefined ? "The size of the target could not be learnt." : "Failed to fetch");
}

async function bytesOf(
  set: EngineSet,
  resolution: Resolution,
  range: ByteRange | undefined,
  budget: ByteBudget,
  context: CallContext,
): Promise<ZarritaResponse> {
  const { bytes, request } = await answerZarritaReadWithin(set, resolution, range, budget, context);
  const isWhole = range === undefined || request.rangeHonoured === false;
  if (range === undefined || !isWhole) return { status: isWhole ? 200 : 206, bytes };
  // The server sent the whole target: zarrita takes that for the range.
  const whole = await answerZarritaReadWithin(set, resolution, undefined, budget, context);
  return { status: 200, bytes: whole.bytes };
}

async function answerZarritaReadWithin(
  { targets }: EngineSet,
  resolution: Resolution,
  range: ByteRange | undefined,
  budget: ByteBudget,
  context: CallContext,
): Promise<ReadBytes> {
  if ((range?.length ?? 0) > budget.left) throw new Error(TOO_MUCH);
  const read = await inside(targets, resolution, range, context);
  budget.left -= read.bytes.length;
  if (budget.left < 0) throw new Error(TOO_MUCH);
  return read;
}

const TOO_MUCH = "More bytes were asked for than a comparison may read.";

/** Servers answer with what there is of a range. */
async function inside(
  targets: EngineSet["targets"],
  resolution: Resolution,
  range: ByteRange | undefined,
  context: CallContext,
): Promise<ReadBytes> {
  try {
    return await targets.read(resolution, range, context);
  } catch (error) {
    const length = factsOfFailure(error, "short-read")?.received ?? 0;
    if (range === undefined || length <= 0) throw error;
    return targets.read(resolution, { offset: range.offset, length }, context);
  }
}

/** The status that came instead; where none did, `fetch` throws. */
function withoutBytes(error: unknown): ZarritaResponse {
  if (!(error instanceof RefscopeError)) throw error;
  const { status } = error.finding.facts;
  if (typeof status === "number" && status >= 200 && status < 600) return { status };
  if (error.code === "range-past-end") return { status: 416 };
  if (error.code === "file-not-given") return { status: 404 };
  throw new Error("Failed to fetch");
}

/** Parses `Range: bytes=FIRST-LAST`; anything else is no range. */
function parseRange(header: string | undefined): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined) return undefined;
  return { offset: Number(first), length: Number(last) - Number(first) + 1 };
}

// Prepares the source that zarrita is given of a set: the document as it stands, or the part of it that a chunk needs.

interface GivenSource {
  readonly source: ZarritaSource;
  /** Place behind a URL that zarrita requests; `undefined` if it made one up. */
  placeOf(url: string): ForeignPlace | undefined;
  /** It holds this chunk alone. */
  readonly isPart: boolean;
}

/** A target as written, or an object of the store. */
type ForeignPlace =
  | { readonly kind: "target"; readonly target: string }
  | { readonly kind: "object"; readonly key: string };

/** A chunk, by the path of its array. */
export interface Chunk {
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** `undefined` where zarrita has no store for such a set, or a shard's reference is not at hand. */
async function zarritaSource(set: EngineSet, chunk: Chunk, context: CallContext): Promise<GivenSource | undefined> {
  if (set.format.kind === "zarr") return { source: { kind: "store" }, placeOf: objectOf, isPart: false };
  if (!isDocument(set)) return undefined;
  const targets = new Map<string, number>();
  const whole = documentOf(set, targets);
  const refs = whole ?? (await partOf(set, chunk, targets, context));
  if (refs === undefined) return undefined;
  const names = [...targets.keys()];
  const placeOf = (url: string): ForeignPlace | undefined => {
    const target = url.startsWith(TARGET_URL) ? names[Number(url.slice(TARGET_URL.length))] : undefined;
    return target === undefined ? undefined : { kind: "target", target };
  };
  const text = typeof refs === "string" ? refs : JSON.stringify(inVersion(set, refs));
  return { source: { kind: "references", text }, placeOf, isPart: whole === undefined };
}

/** True if zarrita can be given the chunks of an array; of a rendered document it is given a part, without shards. */
function isGiven(set: EngineSet, { metadata }: ArrayNode): boolean {
  if (set.format.kind === "zarr") return true;
  return isDocument(set) && (metadata.sharding === undefined || documentOf(set, new Map()) !== undefined);
}

function objectOf(url: string): ForeignPlace | undefined {
  if (!url.startsWith(STORE_URL)) return undefined;
  return attempt(() => ({ kind: "object", key: decodeURIComponent(url.slice(STORE_URL.length)) }));
}

type Members = readonly (readonly [key: string, value: unknown])[];

/** Neither templates nor gen: zarrita's parser would run them as code. Version 0 has no member `refs` to it. */
const inVersion = ({ format }: DocumentSet, members: Members): object => {
  const refs = Object.fromEntries(members);
  return format.version === 0 ? refs : { version: 1, refs };
};

/** Document as it stands, if there is nothing to render. A text that is not JSON stays, for zarrita to refuse. */
function documentOf(set: DocumentSet, targets: Map<string, number>): Members | string | undefined {
  const { documentText: text, format, document } = set;
  if (text === undefined || format.hasTemplates === true || (document.gen ?? "[]") !== "[]") return undefined;
  let parsed: Readonly<Record<string, unknown>>;
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    return text;
  }
  const refs = format.version === 0 ? parsed : (parsed["refs"] ?? {});
  return Object.entries(refs).map(([key, value]) => [key, withTarget(value, targets)]);
}

/** A URL by its number: what is asked for is then answered with what the target is here. */
function withTarget(value: unknown, targets: Map<string, number>): unknown {
  if (!Array.isArray(value)) return value;
  const [url, ...rest] = value as readonly unknown[];
  return typeof url === "string" ? [numbered(url, targets), ...rest] : value;
}

function numbered(target: string, targets: Map<string, number>): string {
  const known = targets.get(target) ?? targets.size;
  targets.set(target, known);
  return `${TARGET_URL}${known}`;
}

/** Metadata of the array and the chunk's reference, as rendered. */
async function partOf(
  set: DocumentSet,
  { array, coordinates }: Chunk,
  targets: Map<string, number>,
  context: CallContext,
): Promise<Members | undefined> {
  const node = arrayNode(set, array);
  if (node.metadata.sharding !== undefined) return undefined;
  const prefix = array === "" ? "" : `${array}/`;
  const own = set.document.metadata.filter(({ key }) => isOf(prefix, key));
  const metadata = own.map((entry) => [entry.key, metadataValue(entry, targets)] as const);
  const { key, reference } = await chunkReference(set, node, coordinates, context);
  if (reference.kind === "missing") return metadata;
  const value = reference.kind === "inline" ? await inlineText(set, array, coordinates, context) : undefined;
  return [...metadata, [key, value ?? referenceValue(reference, targets)]];
}

const isOf = (prefix: string, key: string): boolean =>
  [".zarray", ".zattrs", "zarr.json"].some((name) => key === prefix + name);

function metadataValue({ value, isObject }: MetadataEntry, targets: Map<string, number>): unknown {
  if (value.kind !== "inline") return referenceValue(value, targets);
  const text = new TextDecoder().decode(value.bytes);
  return isObject === true ? (JSON.parse(text) as unknown) : text;
}

function referenceValue(reference: Reference, targets: Map<string, number>): unknown {
  if (reference.kind === "bad") return badValue(reference.written, targets);
  if (reference.kind !== "whole" && reference.kind !== "range") return undefined;
  const { target } = reference;
  return withTarget(reference.kind === "whole" ? [target] : [target, reference.offset, reference.length], targets);
}

const badValue = (written: string, targets: Map<string, number>): unknown =>
  attempt(() => withTarget(JSON.parse(written), targets));

/** The text as the document has it, base64 and all. */
async function inlineText(
  { table, index }: DocumentSet,
  array: string,
  coordinates: readonly number[],
  context: CallContext,
): Promise<unknown> {
  const id = index.arrayIds.get(array) ?? -1;
  const grid = table.arrays[id]?.grid ?? [];
  const ordinal = coordinates.reduce((at, coordinate, d) => at * (grid[d] ?? 1) + coordinate, 0);
  const row = rowOf(await index.arrayIndex(id, context), ordinal);
  const block = blockOf(table, row);
  const at = row % BLOCK_ROWS;
  if (row < 0 || block.target[at] !== TARGET_INLINE) return undefined;
  const raw = table.inline.slice(block.offset[at] ?? 0, block.length[at] ?? 0);
  return JSON.parse(`"${new TextDecoder().decode(raw)}"`) as unknown;
}
