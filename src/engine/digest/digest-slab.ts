/** The chunks of an array read and put together for its hash, one row of them along the first dimension at a time. */
import type { ArrayMetadata } from "../../core/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { longestAlong } from "../../core/chunk-edges.ts";
import { cellCount, chunkStart, coordinatesOf, gridOf, insideShape } from "../../core/chunk-grid.ts";
import { wholeDimension, type Selection } from "../../core/selection.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ChunkDecoder } from "../many/chunk-decoder.ts";
import { pythonJson } from "../many/element-json.ts";
import type { ReadOutcome } from "../many/read-chunks.ts";
import { writtenSize } from "../many/written-elements.ts";
import { MAX_BYTES, MAX_OBJECTS, readSelection, type SelectedElements } from "../many/read-selection.ts";

export interface Hash {
  update(bytes: Uint8Array): void;
  /** Hexadecimal. */
  digest(): string;
}

export interface DigestOptions {
  readonly newHash: () => Hash;
  readonly perChunk: boolean;
  /** Most bytes of a row of chunks, which is put together at once. Absent = as many as an array of bytes may have. */
  readonly mostBytes?: number;
  /** Absent = in this thread, one row of chunks after another. */
  readonly decoder?: ChunkDecoder;
}

export interface DigestWork {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly options: DigestOptions;
  /** Dimensions whose chunks are gone through one by one; a row of chunks is along the next. */
  readonly lead: number;
  /** Findings of the readings. */
  readonly noted: FindingLog;
  readonly errors: Map<string, Finding>;
  readonly hashes: Map<string, string>;
  /** Missing chunks met where fill_value is null. */
  undefinedChunks: number;
}

export function digestWork(set: EngineSet, node: ArrayNode, options: DigestOptions): DigestWork {
  const { lead } = largestSlab(node.metadata, options);
  return {
    set,
    node,
    options,
    lead,
    errors: new Map(),
    hashes: new Map(),
    noted: new FindingLog(),
    undefinedChunks: 0,
  };
}

export interface LargestSlab {
  readonly lead: number;
  readonly unit: "bytes" | "elements";
  /** How large it is, and may be. */
  readonly size: number;
  readonly limit: number;
}

/** Elements of a row of chunks along a dimension, of the longest one where they differ. */
const slabElements = ({ shape, chunks }: ArrayMetadata, lead: number): number =>
  shape
    .slice(lead)
    .reduce((size, length, at) => size * (at === 0 ? Math.min(length, longestAlong(chunks[lead] ?? 1)) : length), 1);

/** A row of chunks along the first dimension, or along the first later one for which it is small enough. */
export function largestSlab(metadata: ArrayMetadata, { mostBytes }: DigestOptions): LargestSlab {
  const { shape, chunks, dataType } = metadata;
  const isObject = dataType.kind === "object";
  const limit = isObject ? MAX_OBJECTS : (mostBytes ?? MAX_BYTES);
  const sizeFrom = (lead: number): number => slabElements(metadata, lead) * (isObject ? 1 : writtenSize(metadata));
  const isSingle = (at: number): boolean => Math.min(shape[at] ?? 1, longestAlong(chunks[at] ?? 1)) === 1;
  let lead = 0;
  while (sizeFrom(lead) > limit && lead + 1 < shape.length && isSingle(lead)) lead += 1;
  return { lead, unit: isObject ? "elements" : "bytes", size: sizeFrom(lead), limit };
}

/** How many rows of chunks the array has. */
export function slabCount({ node: { metadata }, lead }: DigestWork): number {
  return cellCount(gridOf(metadata.shape, metadata.chunks).slice(0, lead + 1));
}

/** Coordinates of the chunks of a row along the dimensions that they share. */
function sharedCoordinates({ node: { metadata }, lead }: DigestWork, slab: number): readonly number[] {
  return coordinatesOf(gridOf(metadata.shape, metadata.chunks).slice(0, lead + 1), slab);
}

/** All chunks of one row, put together. */
async function readSlab(work: DigestWork, slab: number, { signal }: CallContext): Promise<SelectedElements> {
  const { set, node, options, errors } = work;
  const note = (outcome: ReadOutcome, written: Uint8Array<ArrayBuffer> | undefined) => {
    work.noted.addAll(outcome.findings);
    if (outcome.kind === "failed") errors.set(outcome.chunk.name, outcome.error);
    if (outcome.kind === "missing" && node.metadata.fillValue === null) work.undefinedChunks += 1;
    if (outcome.kind === "decoded" && options.perChunk) noteHash(work, outcome, written);
  };
  const decoder = options.decoder === undefined ? {} : { decoder: options.decoder };
  // What is reported is the rows of chunks.
  const quiet = { signal, report: () => undefined };
  return readSelection({ set, node, selection: slabOf(work, slab), note, ...decoder }, quiet);
}

function slabOf(work: DigestWork, slab: number): Selection {
  const { lead, node } = work;
  const { shape, chunks } = node.metadata;
  const shared = sharedCoordinates(work, slab);
  const inside = insideShape(shape, chunks, shared);
  const starts = chunkStart(shared, chunks);
  return shape.map((length, dimension) => {
    if (dimension > lead) return wholeDimension(length);
    return { ...wholeDimension(inside[dimension] ?? 1), start: starts[dimension] ?? 0 };
  });
}

/** Decoded bytes that may wait for those before them. */
const MAX_AHEAD_BYTES = 2 ** 28;

/** All rows of chunks in order; where there are threads, several are read at once. */
export async function* readSlabs(
  work: DigestWork,
  slabs: number,
  context: CallContext,
): AsyncGenerator<SelectedElements> {
  const { metadata } = work.node;
  const size = slabElements(metadata, work.lead) * writtenSize(metadata);
  const atOnce = Math.min(work.options.decoder?.atOnce ?? 1, Math.floor(MAX_AHEAD_BYTES / Math.max(1, size)));
  const reading: Promise<SelectedElements>[] = [];
  for (let slab = 0; reading.length > 0 || slab < slabs;) {
    for (; slab < slabs && reading.length < Math.max(1, atOnce); slab += 1) {
      const one = readSlab(work, slab, context);
      // Callers that still wait for it get the failure.
      one.catch(() => undefined);
      reading.push(one);
    }
    const [first] = reading.splice(0, 1);
    if (first !== undefined) yield await first;
  }
}

type Decoded = Extract<ReadOutcome, { kind: "decoded" }>;

function noteHash({ options, hashes }: DigestWork, { chunk, decoded }: Decoded, written: Uint8Array | undefined): void {
  const hash = options.newHash();
  if (written !== undefined) hash.update(written);
  const texts = decoded.values?.texts;
  if (written === undefined && texts !== undefined) {
    const list = Array.from({ length: texts.length }, (_, at) => pythonJson(texts, at));
    hash.update(new TextEncoder().encode(`[${list.join(", ")}]`));
  }
  hashes.set(chunk.name, hash.digest());
}
