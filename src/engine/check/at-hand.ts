/**
 * Chunks that a terminal checks unasked: chunks in files at hand, within a budget. The doubtful ones first, then
 * coordinates, then an even sample of each array. Makes no request to a network.
 */
import type { CallContext, Resolution } from "#core/byte-source.ts";
import type { Finding } from "#core/findings/finding.ts";
import { type ArrayNode, chunkBytes, metadataOfLargest } from "#core/metadata/array-metadata.ts";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { FREE_READING } from "#core/plane/plane-budget.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { suspects } from "./glance.ts";
import { isNumericCoordinate, planValues } from "./values/plan.ts";
import type { PlannedArray } from "./values/value-facts.ts";

export interface ChunksAtHand {
  /** Ordinals of chunks, by array. */
  readonly only: ReadonlyMap<string, ReadonlySet<number>>;
  /** Stored, of files. */
  readonly bytes: number;
}

/** Arrays with more chunks are not listed unasked, and of larger sets no sample is drawn. */
const MAX_CHUNKS = 500_000;
/** Decoded: of a chunk, and of all together. */
const MAX_DECODED = { one: 64 * 1024 ** 2, all: 512 * 1024 ** 2 } as const;

export async function chunksAtHand(
  set: EngineSet,
  findings: readonly Finding[],
  context: CallContext,
): Promise<ChunksAtHand> {
  const only = new Map<string, Set<number>>();
  const left = { reads: FREE_READING.requests, bytes: FREE_READING.bytes, decoded: MAX_DECODED.all };
  for (const { node, ordinal } of await candidates(set, findings, context)) {
    const known = only.get(node.path);
    if (left.reads <= 0) break;
    if (known?.has(ordinal) === true) continue;
    const decoded = chunkBytes(metadataOfLargest(node.metadata));
    if (decoded > Math.min(MAX_DECODED.one, left.decoded)) continue;
    const bytes = await bytesAtHand(set, node, ordinal, context);
    if (bytes === undefined || bytes > left.bytes) continue;
    left.reads -= Number(bytes > 0);
    left.bytes -= bytes;
    left.decoded -= decoded;
    only.set(node.path, (known ?? new Set()).add(ordinal));
  }
  return { only, bytes: FREE_READING.bytes - left.bytes };
}

interface Candidate {
  readonly node: ArrayNode;
  readonly ordinal: number;
}

async function candidates(
  set: EngineSet,
  findings: readonly Finding[],
  context: CallContext,
): Promise<readonly Candidate[]> {
  const doubtful = [...(await suspects(set, findings, context))].flatMap(([array, ordinals]) => {
    const node = set.hierarchy.nodes.get(array);
    return node?.kind === "array" ? [...ordinals].map((ordinal) => ({ node, ordinal })) : [];
  });
  const planned = await sampled(set, context);
  const of = ({ node, ordinals }: PlannedArray): readonly Candidate[] =>
    [...ordinals].map((ordinal) => ({ node, ordinal }));
  const coordinates = planned.filter(({ node }) => isNumericCoordinate(node)).flatMap(of);
  return [...doubtful, ...coordinates, ...inTurn(planned.filter(({ node }) => !isNumericCoordinate(node)).map(of))];
}

/** Arrays of a sample as it is drawn of the set; of a large set only its coordinates. */
function sampled(set: EngineSet, context: CallContext): Promise<readonly PlannedArray[]> {
  const { requests } = FREE_READING;
  if (set.table.rows <= MAX_CHUNKS) return planValues(set, { chunks: requests }, context);
  const coordinates = [...set.hierarchy.nodes.values()].flatMap((node) => {
    const { references = 0 } = set.tally.arrays.get(node.path) ?? {};
    const isFew = node.kind === "array" && isNumericCoordinate(node) && references <= requests;
    return isFew ? [[node.path, new Set(Array.from({ length: references }, (_, at) => at))] as const] : [];
  });
  return planValues(set, { chunks: "all", only: new Map(coordinates) }, context);
}

/** The first of each, then the second of each, and so on. */
function* inTurn<Item>(lists: readonly (readonly Item[])[]): Generator<Item> {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at += 1) {
    for (const list of lists) {
      const item = list[at];
      if (item !== undefined) yield item;
    }
  }
}

/** Stored bytes that reading a chunk takes, 0 of what stands in the document; `undefined` where it is not at hand. */
export async function bytesAtHand(
  set: EngineSet,
  node: ArrayNode,
  ordinal: number,
  context: CallContext,
): Promise<number | undefined> {
  const { references = 0 } = set.tally.arrays.get(node.path) ?? {};
  if (references > MAX_CHUNKS) return undefined;
  const { shape, chunks } = node.metadata;
  const coordinates = coordinatesOf(gridOf(shape, chunks), ordinal);
  const { reference } = await chunkReference(set, node, coordinates, context);
  switch (reference.kind) {
    case "inline":
      return 0;
    case "range":
      return isAtHand(set.targets.resolve(reference.target)) ? reference.length : undefined;
    case "whole":
      return fileSize(set, set.targets.resolve(reference.target));
    case "native": {
      const resolution = set.resolveKey?.(reference.key);
      if (resolution === undefined) return undefined;
      return reference.range === undefined || !isAtHand(resolution)
        ? fileSize(set, resolution)
        : reference.range.length;
    }
    case "missing":
    case "bad":
      return undefined;
  }
}

const isAtHand = (resolution: Resolution): boolean =>
  resolution.kind === "file" ||
  resolution.kind === "data" ||
  (resolution.kind === "member" && resolution.archive.kind === "file");

/** Size of a file; the size of an archive's entry is unknown before it is opened. */
function fileSize({ targets }: EngineSet, resolution: Resolution): number | undefined {
  if (resolution.kind === "data") return resolution.url.length;
  return resolution.kind === "file" ? targets.files?.source(resolution.path)?.size : undefined;
}
