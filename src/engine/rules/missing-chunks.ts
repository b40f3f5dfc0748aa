/** Chunks without a reference: how many of each array, and where they lie. */
import { cellCount, gridOf } from "#core/metadata/chunk-grid.ts";
import { type ArrayExtent, finding, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { DimensionSpan } from "#core/findings/catalogue/set.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { writeJson } from "#core/json/parse-json.ts";
import { spokenName } from "#core/words/box-spans.ts";
import { fillKind } from "#core/values/fill.ts";
import { missingExtents } from "./missing-extents.ts";
import type { CheckView, Rule } from "./rule.ts";

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
