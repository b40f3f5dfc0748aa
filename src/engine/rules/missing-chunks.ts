/** Chunks without a reference: how many of each array, and where they lie. */
import { cellCount, gridOf, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { finding, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { DimensionSpan } from "#core/findings/catalogue/set.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { writeJson } from "#core/json/parse-json.ts";
import { spokenName } from "#core/words/box-spans.ts";
import { fillKind } from "#core/values/fill.ts";
import { type CheckView, type Rule, ChunkPlaces, MAX_PLACES } from "./rule.ts";
import type { CallContext } from "#core/byte-source.ts";
import { type ArrayExtent, chunkAt, type ChunkPlace } from "#core/findings/fact.ts";
import { startPace } from "../pace.ts";
import { eachBlock, wideOrdinal } from "../table/array-index.ts";
import { Marks, roomOf } from "../table/marks.ts";
import { ORDINAL_STRAY, ORDINAL_WIDE } from "#core/table/reference-table.ts";

/**
 * Most arrays that get a finding each; if more have missing chunks, as in a tree of GRIB messages, one finding covers
 * all.
 */
const MAX_NAMED = 5;
const MAX_LISTED = 20;
const MAX_TEXT = 40;

export const missingChunks: Rule = {
  id: "missing-chunks",
  codes: ["chunks-missing"],
  async run(view, sink, context) {
    const { arrays, isFile = false } = view;
    const whose = isFile ? { isFile } : {};
    const lacking = arrays.filter((node) => missingOf(view, node) > 0);
    const extents = await missingExtents(view, lacking.slice(0, MAX_LISTED), context);
    if (lacking.length <= MAX_NAMED) {
      for (const node of lacking) {
        const own = extents.get(node.path);
        sink({
          ...finding("chunks-missing", nodeAt(node.path), { ...factsOf(view, node, own?.extent), ...whose }),
          ...(own && { places: own.places, extent: { arrays: [own.extent], moreArrays: 0 } }),
        });
      }
    } else {
      const missing = lacking.reduce((sum, node) => sum + missingOf(view, node), 0);
      const first = lacking.slice(0, MAX_NAMED).map(({ path }) => path || "/");
      const boxes = lacking.flatMap(({ path }) => extents.get(path)?.extent ?? []);
      const extent = { arrays: boxes, moreArrays: lacking.length - boxes.length };
      sink({ ...finding("chunks-missing", WHOLE_SET, { missing, arrays: lacking.length, first, ...whose }), extent });
    }
    // Cells whose page is not here are not known to be missing.
    const known = arrays.filter(({ path }) => (view.counts.arrays.get(path)?.states.unknown ?? 0) === 0);
    return { unit: "arrays", of: arrays.length, lookedAt: known.length, sampled: 0 };
  },
};

const cellsOf = ({ metadata }: ArrayNode): number => cellCount(gridOf(metadata.shape, metadata.chunks));

const missingOf = ({ counts }: CheckView, node: ArrayNode): number =>
  counts.arrays.get(node.path)?.states.missing ?? cellsOf(node);

function factsOf(view: CheckView, node: ArrayNode, extent: ArrayExtent | undefined) {
  const { fillValue, dataType } = node.metadata;
  const whole = writeJson(fillValue);
  return {
    missing: missingOf(view, node),
    chunks: cellsOf(node),
    span: extent === undefined ? [] : spanOf(node, extent),
    fill: fillKind(node.metadata),
    fillValue: whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)}…` : whole,
    dtype: dataType.text,
  } as const;
}

/** Dimensions along which they do not reach from the first chunk to the last. */
function spanOf({ metadata }: ArrayNode, { from, to }: ArrayExtent): readonly DimensionSpan[] {
  return gridOf(metadata.shape, metadata.chunks).flatMap((chunks, at) => {
    const span = { from: from[at] ?? 0, to: to[at] ?? 0, chunks };
    const dimension = spokenName(metadata.dimensionNames, at) ?? at;
    return span.from === 0 && span.to === chunks - 1 ? [] : [{ dimension, ...span }];
  });
}

// Finds where missing chunks lie: one pass over the references, and the gaps between them.

/** Bits for the marks of all arrays together: 8 MiB. */
export const MAX_BITS = 1 << 26;

export interface MissingExtent {
  readonly extent: ArrayExtent;
  /** The first, in C order. */
  readonly places: readonly ChunkPlace[];
}

/** Extents by path; arrays with unknown chunks have none, nor those past the budget. */
async function missingExtents(
  { index, counts }: CheckView,
  lacking: readonly ArrayNode[],
  context: CallContext,
): Promise<ReadonlyMap<string, MissingExtent>> {
  const extents = new Map<string, MissingExtent>();
  const present = new Map<number, Marks>();
  const searched: { readonly node: ArrayNode; readonly marks: Marks }[] = [];
  let room = MAX_BITS;
  for (const node of lacking) {
    const { path, metadata } = node;
    const grid = gridOf(metadata.shape, metadata.chunks);
    const cells = cellCount(grid);
    const { missing, unknown } = counts.arrays.get(path)?.states ?? { missing: cells, unknown: 0 };
    const id = index.arrayIds.get(path);
    if (missing === cells) {
      const named = Array.from({ length: Math.min(MAX_PLACES, missing) }, (_, at) => coordinatesOf(grid, at));
      const extent = { array: path, chunks: missing, from: grid.map(() => 0), to: grid.map((n) => n - 1) };
      extents.set(path, { extent, places: named.map((at) => chunkAt(path, at)) });
    } else if (id !== undefined && unknown === 0 && roomOf(cells, cells - missing) <= room) {
      const marks = new Marks(cells, cells - missing);
      room -= roomOf(cells, cells - missing);
      present.set(id, marks);
      searched.push({ node, marks });
    }
  }
  if (searched.length > 0) await markPresent(index.table, present, context);
  const pace = startPace(context, "Looking for missing chunks", MAX_BITS);
  for (const { node, marks } of searched) {
    const places = new ChunkPlaces(node);
    await marks.eachGap((from, to) => places.addRun(from, to), pace);
    if (places.count > 0) extents.set(node.path, { extent: places.extent(), places: places.places });
  }
  return extents;
}

export async function markPresent(
  table: CheckView["index"]["table"],
  present: ReadonlyMap<number, Marks>,
  context: CallContext,
): Promise<void> {
  const byId = Array.from({ length: table.arrays.length }, (_, id) => present.get(id));
  const pace = startPace(context, "Looking for missing chunks", table.rows);
  await eachBlock(table, pace, ({ array, ordinal }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const own = byId[array[i] as number];
      const at = ordinal[i] as number;
      if (own !== undefined && at !== ORDINAL_STRAY) own.add(at === ORDINAL_WIDE ? wideOrdinal(table, first + i) : at);
    }
  });
}
