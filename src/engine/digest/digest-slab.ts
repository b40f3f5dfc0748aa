/** The chunks of an array read and put together for its hash, one row of them along the first dimension at a time. */
import type { ArrayMetadata } from "../../core/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { insideShape } from "../../core/chunk-grid.ts";
import { wholeDimension, type Selection } from "../../core/selection.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ChunkDecoder } from "../many/chunk-decoder.ts";
import { pythonJson } from "../many/element-json.ts";
import type { ReadOutcome } from "../many/read-chunks.ts";
import { readSelection, type SelectedElements } from "../many/read-selection.ts";

export interface Hash {
  update(bytes: Uint8Array): void;
  /** Hexadecimal. */
  digest(): string;
}

export interface DigestOptions {
  readonly newHash: () => Hash;
  readonly perChunk: boolean;
  /** Absent = in this thread, one row of chunks after another. */
  readonly decoder?: ChunkDecoder;
}

export interface DigestWork {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly options: DigestOptions;
  /** Findings of the readings. */
  readonly noted: FindingLog;
  readonly errors: Map<string, Finding>;
  readonly hashes: Map<string, string>;
  /** Missing chunks met where fill_value is null. */
  undefinedChunks: number;
}

export function digestWork(set: EngineSet, node: ArrayNode, options: DigestOptions): DigestWork {
  return { set, node, options, errors: new Map(), hashes: new Map(), noted: new FindingLog(), undefinedChunks: 0 };
}

/** All chunks with the first coordinate `slab`, put together. */
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
  return readSelection({ set, node, selection: slabOf(node.metadata, slab), note, ...decoder }, quiet);
}

function slabOf(metadata: ArrayMetadata, slab: number): Selection {
  const [, ...rest] = metadata.shape;
  const [length] = slabShapeOf(metadata, slab);
  if (length === undefined) return [];
  const first = { ...wholeDimension(length), start: slab * (metadata.chunks[0] ?? 1) };
  return [first, ...rest.map(wholeDimension)];
}

/** [inside the edge, …rest of the array] */
function slabShapeOf({ shape, chunks }: ArrayMetadata, slab: number): readonly number[] {
  return shape.length === 0 ? [] : [insideShape(shape, chunks, [slab])[0] ?? 1, ...shape.slice(1)];
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
  const size = slabShapeOf(metadata, 0).reduce((product, length) => product * length, metadata.dataType.itemSize);
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
