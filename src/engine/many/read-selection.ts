/** A part of an array read through all its chunks and put together. */
import { hasRegularChunks, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { ArrayMetadata, ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { chunkAlong, type ChunkEdges, encodedShape, isRegular, longestAlong } from "#core/metadata/chunk-grid.ts";
import type { CallContext } from "#core/byte-source.ts";
import { failure, type Finding, nodeAt } from "#core/findings/finding.ts";
import { copyBox, stridesC, type Box } from "#core/values/gather.ts";
import { type Piece, piecesOf, selectedCount, type SelectedDimension, type Selection } from "#core/plane/selection.ts";
import type { VariableElements } from "#core/values/variable-elements.ts";
import { filledBytes, missingElement } from "#core/values/fill.ts";
import { pythonJson, writtenBytes, writtenSize } from "#core/values/written-elements.ts";
import { readChunks, type ReadChunksRequest, type ReadOutcome } from "./read-chunks.ts";

export interface SelectionRequest extends Pick<ReadChunksRequest, "set" | "node" | "decoder"> {
  readonly selection: Selection;
  /** How objects become texts. Absent = as Python's `json.dumps` writes them. */
  readonly objects?: ObjectTexts;
  /** Called with what each chunk gave, and its bytes as they are written. */
  readonly note?: (outcome: ReadOutcome, written: Uint8Array<ArrayBuffer> | undefined) => void;
}

export interface ObjectTexts {
  /** Stands for an element that is missing. */
  readonly fill: string;
  readonly of: (elements: VariableElements, index: number) => string;
}

/** Elements in C order, `selectedShape` their shape. What failed, or is missing, reads as fill value: it is counted. */
export interface SelectedElements {
  /** Little-endian; empty for objects. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Objects (elements of no fixed size), as JSON texts. */
  readonly texts: readonly string[] | undefined;
  /** Why, by chunk name (the part of the key after the array's path). */
  readonly failed: ReadonlyMap<string, Finding>;
  readonly missing: number;
  readonly chunks: number;
}

/** Most chunks that are gone through, and most bytes or objects that are put together. */
export const MAX_CHUNKS = 5_000_000;
export const MAX_BYTES = 2 ** 31 - 1;
export const MAX_OBJECTS = 2 ** 24;

/** Throws RefscopeError `selection-too-large`; what chunks meet is part of the answer. */
export async function readSelection(request: SelectionRequest, context: CallContext): Promise<SelectedElements> {
  const { node, selection } = request;
  const pieces = piecesIn(node.path, node.metadata, selection);
  const counts = pieces.map((along) => along.length);
  const chunks = counts.reduce((product, count) => product * count, 1);
  const target = targetOf(node.metadata, selectedCount(selection), request.objects);
  const byChunk = pieces.map((along) => new Map(along.map((piece) => [piece.chunk, piece])));
  const stridesOf = chunkStrides(node.metadata);
  const toStrides = stridesC(selection.map(({ count }) => count));
  const found = { failed: new Map<string, Finding>(), missing: 0, done: 0 };
  const give = (outcome: ReadOutcome) => {
    context.report({ label: `Reading ${node.path}`, done: (found.done += 1), total: chunks, unit: "chunks" });
    const { chunk } = outcome;
    if (outcome.kind === "failed") found.failed.set(chunk.name, outcome.error);
    if (outcome.kind === "missing") found.missing += 1;
    const written = outcome.kind === "decoded" ? target.written(outcome) : undefined;
    request.note?.(outcome, written);
    if (outcome.kind !== "decoded") return;
    const part = chunk.coordinates.flatMap((at, dimension) => byChunk[dimension]?.get(at) ?? []);
    target.place(outcome, written, boxOf(part, stridesOf(chunk.coordinates), toStrides));
  };
  await readChunks({ ...request, chunks: coordinatesIn(pieces), give }, context);
  return { ...target.elements(), failed: found.failed, missing: found.missing, chunks };
}

/** Strides in a chunk, by its coordinates. */
function chunkStrides({ chunks }: ArrayMetadata): (coordinates: readonly number[]) => readonly number[] {
  if (!isRegular(chunks)) return (coordinates) => stridesC(encodedShape(chunks, coordinates));
  const strides = stridesC(chunks);
  return () => strides;
}

/** Pieces by dimension. */
type Pieces = readonly (readonly Piece[])[];

function piecesIn(path: string, metadata: ArrayMetadata, selection: Selection): Pieces {
  const { chunks, dataType } = metadata;
  const elements = selectedCount(selection);
  const refuse = (unit: "bytes" | "elements" | "chunks", found: number, limit: number) => {
    if (found > limit) throw failure("selection-too-large", nodeAt(path), { unit, found, limit });
  };
  if (dataType.kind === "object") refuse("elements", elements, MAX_OBJECTS);
  else refuse("bytes", elements * writtenSize(metadata), MAX_BYTES);
  if (elements === 0) return selection.map(() => []);
  const pieces: (readonly Piece[])[] = [];
  for (const [dimension, one] of selection.entries()) {
    const edges = chunks[dimension] ?? 1;
    const longest = longestAlong(edges);
    const fewest = Math.ceil((one.count * Math.min(longest, Math.abs(one.step))) / longest);
    // Unequal chunks are at least those between the first and the last element, unless steps leap over some.
    const least = typeof edges === "number" || Math.abs(one.step) > 1 ? fewest : chunksBetween(edges, one);
    refuse(
      "chunks",
      pieces.reduce((product, along) => product * along.length, least),
      MAX_CHUNKS,
    );
    pieces.push(piecesOf(one, edges));
  }
  return pieces;
}

const chunksBetween = (edges: ChunkEdges, { start, step, count }: SelectedDimension): number =>
  Math.abs(chunkAlong(edges, start + (count - 1) * step) - chunkAlong(edges, start)) + 1;

/** Every chunk once, in the order of the result: a selection meets it once along each dimension. */
function* coordinatesIn(pieces: Pieces, before: readonly number[] = []): Generator<readonly number[]> {
  const along = pieces[before.length];
  if (along === undefined) yield before;
  else for (const { chunk } of along) yield* coordinatesIn(pieces, [...before, chunk]);
}

function boxOf(part: readonly Piece[], fromStrides: readonly number[], toStrides: readonly number[]): Box {
  const at = (position: (piece: Piece) => number, strides: readonly number[]) =>
    part.reduce((sum, piece, dimension) => sum + position(piece) * (strides[dimension] ?? 0), 0);
  return {
    from: at(({ first }) => first, fromStrides),
    to: at(({ to }) => to, toStrides),
    dimensions: part.map(({ count, step }, dimension) => ({
      count,
      fromStep: step * (fromStrides[dimension] ?? 0),
      toStep: toStrides[dimension] ?? 0,
    })),
  };
}

type Decoded = Extract<ReadOutcome, { kind: "decoded" }>;

/** Destination of elements. */
interface Target {
  written(outcome: Decoded): Uint8Array<ArrayBuffer> | undefined;
  place(outcome: Decoded, written: Uint8Array<ArrayBuffer> | undefined, box: Box): void;
  elements(): Pick<SelectedElements, "bytes" | "texts">;
}

function targetOf(metadata: ArrayMetadata, elements: number, objects: ObjectTexts | undefined): Target {
  if (metadata.dataType.kind !== "object") return byteTarget(metadata, elements);
  const fill = () => new TextDecoder().decode(missingElement(metadata) ?? new Uint8Array(0));
  return objectTarget(objects ?? { fill: fill(), of: pythonJson }, elements);
}

function byteTarget(metadata: ArrayMetadata, elements: number): Target {
  const itemSize = writtenSize(metadata);
  const layoutOf = chunkMetadata(metadata);
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  const all = () => (bytes ??= filledBytes(elements, missingElement(metadata), itemSize));
  return {
    written: ({ decoded, chunk }) => writtenBytes(decoded.bytes, layoutOf(chunk.coordinates)),
    place(_, written, box) {
      if (written === undefined) return;
      // One chunk that is all of it is not copied.
      if (bytes === undefined && isAll(box, elements, written.length / itemSize)) bytes = written;
      else copyBox(written, all(), box, itemSize);
    },
    elements: () => ({ bytes: all(), texts: undefined }),
  };
}

/** Metadata by the coordinates of a chunk: for a regular grid always the array's own. */
function chunkMetadata(metadata: ArrayMetadata): (coordinates: readonly number[]) => ChunkMetadata {
  return hasRegularChunks(metadata) ? () => metadata : (coordinates) => metadataOfChunk(metadata, coordinates);
}

/** The number of elements alone does not make them the whole chunk: they may be a part of another one. */
function isAll({ from, dimensions }: Box, elements: number, chunkElements: number): boolean {
  const meant = dimensions.reduce((product, { count }) => product * count, 1);
  const isInOrder = dimensions.every(({ fromStep, toStep }) => fromStep === toStep);
  return from === 0 && isInOrder && elements === chunkElements && elements === meant;
}

function objectTarget({ fill, of: textOf }: ObjectTexts, elements: number): Target {
  const texts = Array.from({ length: elements }, () => fill);
  return {
    written: () => undefined,
    place({ decoded }, _, box) {
      const of = decoded.values?.texts;
      if (of !== undefined) placeTexts((at) => textOf(of, at), texts, box);
    },
    elements: () => ({ bytes: new Uint8Array(0), texts }),
  };
}

function placeTexts(textAt: (index: number) => string, to: string[], box: Box): void {
  const walk = (dimension: number, fromAt: number, toAt: number): void => {
    const along = box.dimensions[dimension];
    if (along === undefined) {
      to[toAt] = textAt(fromAt);
      return;
    }
    for (let at = 0; at < along.count; at += 1) {
      walk(dimension + 1, fromAt + at * along.fromStep, toAt + at * along.toStep);
    }
  };
  walk(0, box.from, box.to);
}
