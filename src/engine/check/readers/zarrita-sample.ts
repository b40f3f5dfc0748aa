/** A sample of a set's chunks, read by zarrita too: in a deep check, where somebody asks, and a few unasked. */
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { chunkAt, finding, type Finding } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import type { ComparisonCost, ReaderComparison } from "#core/readers/comparison.ts";
import type { ReaderSample, SampleCost } from "#core/readers/verdict.ts";
import { chunkReference } from "#engine/chunk/chunk-reference.ts";
import { arrayNode, type EngineSet } from "#engine/engine-set.ts";
import { canRun, type Chunk, decodedBytes, whyNot, zarritaRun, type OpenZarrita } from "./zarrita-run.ts";

/** Chunks: where the reader is chosen, and at most in a deep check or where somebody asks for it. */
export const [FEW_CHUNKS, MANY_CHUNKS] = [8, 100];
/** Bytes that a sample may take unasked. */
export const UNASKED_BYTES = 4 * 1024 ** 2;

export interface SampleRequest {
  /** Most chunks; spread over the arrays. */
  readonly chunks: number;
  /** Those that are larger are left out; absent = no limit but that of a run. */
  readonly mostBytes?: number;
  readonly openZarrita: OpenZarrita;
}

export interface ZarritaSample {
  readonly sample: ReaderSample;
  readonly findings: readonly Finding[];
}

/** `undefined` where zarrita has no store for such a set. */
export async function runSample(
  set: EngineSet,
  { chunks: most, mostBytes = Infinity, openZarrita }: SampleRequest,
  context: CallContext,
): Promise<ZarritaSample | undefined> {
  if (!canRun(set)) return undefined;
  const chunks = await affordable(set, sampleChunks(set, most), mostBytes, context);
  const run = zarritaRun(set, openZarrita);
  const compared: (readonly [chunk: Chunk, found: ReaderComparison])[] = [];
  try {
    for (const [done, chunk] of chunks.entries()) {
      context.report({ label: "Comparing with zarrita", done, total: chunks.length, unit: "chunks" });
      const found = await run.compare(chunk.array, chunk.coordinates, context);
      compared.push([chunk, found]);
    }
  } finally {
    run.close();
  }
  const judged = compared.filter(([, found]) => isJudged(found));
  const countOf = (kinds: readonly ReaderComparison["kind"][]) =>
    judged.filter(([, { kind }]) => kinds.includes(kind)).length;
  return {
    sample: {
      of: set.tally.cells,
      compared: judged.length,
      same: countOf(["same"]),
      different: countOf(["differs", "made-up"]),
      failed: countOf(["error"]),
      unjudged: chunks.length - judged.length,
    },
    findings: judged.flatMap(([chunk, found]) => comparisonFindings("zarrita", chunk, found)),
  };
}

/** True unless both fail, which says nothing about the reader. */
const isJudged = (found: ReaderComparison): boolean =>
  found.kind !== "not-run" && (found.kind !== "error" || found.ours === undefined);

/** Cost of a sample of so many chunks; `undefined` if zarrita has no store for such a set. */
export async function sampleCost(set: EngineSet, most: number, context: CallContext): Promise<SampleCost | undefined> {
  if (!canRun(set)) return undefined;
  const chunks = sampleChunks(set, most);
  let bytes = 0;
  for (const chunk of chunks) bytes += await bytesFor(set, chunk, context);
  return { chunks: chunks.length, of: set.tally.cells, bytes };
}

/** Cost of comparing one chunk. Throws if there is no such chunk. */
export async function comparisonCost(set: EngineSet, chunk: Chunk, context: CallContext): Promise<ComparisonCost> {
  const why = whyNot(set, arrayNode(set, chunk.array));
  if (why !== undefined) return { kind: "not-run", why };
  return { kind: "bytes", bytes: await bytesFor(set, chunk, context) };
}

async function affordable(
  set: EngineSet,
  chunks: readonly Chunk[],
  most: number,
  context: CallContext,
): Promise<readonly Chunk[]> {
  if (most === Infinity) return chunks;
  const chosen: Chunk[] = [];
  let left = most;
  for (const chunk of chunks) {
    const bytes = await bytesFor(set, chunk, context);
    if (bytes > left) continue;
    left -= bytes;
    chosen.push(chunk);
  }
  return chosen;
}

/** Each side reads for itself. */
async function bytesFor(set: EngineSet, { array, coordinates }: Chunk, context: CallContext): Promise<number> {
  const node = arrayNode(set, array);
  const { reference } = await chunkReference(set, node, coordinates, context);
  if (reference.kind === "range") return 2 * reference.length;
  return reference.kind === "whole" || reference.kind === "native" ? 2 * decodedBytes(node) : 0;
}

/**
 * Sample of chunks: of each array the first, the last and those in between; of the largest arrays only, if there are
 * more arrays than chunks.
 */
export function sampleChunks(set: EngineSet, most: number): readonly Chunk[] {
  const arrays = [...set.hierarchy.nodes.values()].filter((node): node is ArrayNode => node.kind === "array");
  const cellsOf = ({ path }: ArrayNode): number => set.tally.arrays.get(path)?.cells ?? 0;
  const sorted = arrays.toSorted((one, other) => cellsOf(other) - cellsOf(one)).slice(0, most);
  const takes = shares(sorted.map(cellsOf), most);
  return sorted.flatMap((node, at) => {
    const { path, metadata } = node;
    const grid = gridOf(metadata.shape, metadata.chunks);
    const [cells, take] = [cellsOf(node), takes[at] ?? 0];
    const ordinals = Array.from({ length: take }, (_, nth) => Math.floor((nth * (cells - 1)) / Math.max(1, take - 1)));
    return ordinals.map((ordinal) => ({ array: path, coordinates: coordinatesOf(grid, ordinal) }));
  });
}

/**
 * Shares of the sample, as even as the numbers of chunks allow: small arrays leave their rest to the larger ones. Sizes
 * come largest first.
 */
function shares(sizes: readonly number[], most: number): readonly number[] {
  let left = most;
  const taken = sizes.toReversed().map((size, at) => {
    const take = Math.min(size, Math.floor(left / (sizes.length - at)));
    left -= take;
    return take;
  });
  return taken.toReversed();
}

/** Findings of a comparison in which the reader and Python differ. */
export function comparisonFindings(
  reader: string,
  { array, coordinates }: Chunk,
  found: ReaderComparison,
): readonly Finding[] {
  const place = chunkAt(array, coordinates);
  switch (found.kind) {
    case "same":
    case "not-run":
      return [];
    case "differs": {
      const { count: differing, of, first, ours, theirs } = found;
      return [finding("reader-values-differ", place, { reader, differing, of, first, ours, theirs })];
    }
    case "error":
      if (found.ours !== undefined) return [];
      return [finding("reader-fails", place, { reader, error: found.error })];
    case "made-up":
      return [finding("reader-makes-up", place, { reader, first: found.first, of: found.of, cause: found.ours })];
  }
}
