/** Parses the part of an array that `read` selects: by index, as NumPy does, or by places. */
import { placeRange } from "#core/cf/axis.ts";
import type { CallContext } from "#core/byte-source.ts";
import { typedSpans } from "#core/cf/typed-place.ts";
import { failure, nodeAt, RefscopeError } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { isIndexing, parseSelection, type Selection, wholeDimension } from "#core/plane/selection.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import type { EngineSet } from "../engine-set.ts";
import { axisOf } from "./axis.ts";

interface TypedSelection {
  readonly selection: Selection;
  /** Values of coordinates at what was taken, by dimension; empty for indices. */
  readonly places: ReadonlyMap<string, string>;
}

/**
 * Reads the coordinates if `text` names places. Throws RefscopeError `selection-invalid` where there is no such index
 * or place, and what keeps a coordinate from being read.
 */
export async function typedSelection(
  text: string,
  { set, node, decoder }: { readonly set: EngineSet; readonly node: ArrayNode; readonly decoder: ChunkDecoder },
  context: CallContext,
): Promise<TypedSelection> {
  const { shape, dimensionNames } = node.metadata;
  if (isIndexing(text)) return { selection: parseSelection(text, shape), places: new Map() };
  const axes = await Promise.all(
    shape.map((_, dimension) => axisOf({ set, node, decoder, isPaid: true }, dimension, context)),
  );
  const known = { name: node.name, shape, ...(dimensionNames === undefined ? {} : { dimensionNames }) };
  const spans = typedSpans(text, known, axes);
  if (spans === undefined) return { selection: parseSelection(text, shape), places: new Map() };
  if (typeof spans === "string") {
    // No place can be found on a coordinate that cannot be read: its own reason says more.
    const unread = axes.find((axis) => axis?.failed !== undefined)?.failed;
    if (unread !== undefined) throw new RefscopeError(unread);
    throw failure("selection-invalid", nodeAt(node.path), { problem: "no-such-place", part: text, why: spans });
  }
  const places = new Map<string, string>();
  for (const [dimension, { start, count }] of spans) {
    const axis = axes[dimension];
    const place = axis && placeRange(axis, start, start + count - 1);
    if (place !== undefined) places.set(dimensionNames?.[dimension] ?? String(dimension), place);
  }
  const selection = shape.map((length, dimension) => spans.get(dimension) ?? wholeDimension(length));
  return { selection, places };
}
