/** References of no bytes, and lengths that a chunk cannot have. */
import { type ChunkMetadata, hasRegularChunks, metadataOfChunk } from "../../../core/metadata/array-metadata.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import { coordinatesOf, gridOf } from "../../../core/metadata/chunk-grid.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import { keyReach } from "../key-reach.ts";
import { lengthStatistics, type ArrayLengths, type WrongLengths } from "../length-statistics.ts";
import { otherLayout, type SeenKeys } from "../other-layout.ts";
import type { SetRule, SetView } from "../rule.ts";

type Sink = (found: Finding) => void;

export const chunkLengths: SetRule = {
  id: "chunk-lengths",
  codes: [
    "range-empty",
    "chunk-length-wrong",
    "chunk-lengths-fit-other",
    "compressed-length-impossible",
    "inline-length-wrong",
  ],
  async run(view, sink, context) {
    const { arrays, lookedAt } = await lengthStatistics(view, context);
    const seen = await seenKeys(view, arrays, context);
    for (const one of arrays) {
      if (one.empty.count > 0)
        sink(one.empty.finding("range-empty", { others: one.known - one.empty.count, isObject: isNative(view, one) }));
      const keys = seen.get(one.node.path);
      if (keys !== undefined) toldTogether(view, one, keys, sink);
      else toldApart(one, sink);
    }
    return { unit: "references", of: view.counts.references, lookedAt, sampled: 0 };
  },
};

/** Whether no chunk has the length that it must have: then the metadata are wrong, not the references. */
function isThroughout({ size, known, empty, short, long, inline }: ArrayLengths): boolean {
  if (size === undefined || size.compressor !== undefined) return false;
  const wrong = [short, long, inline].map(({ places }) => places.count);
  const all = known - empty.count;
  // One chunk alone may as well be cut.
  return all > 0 && Math.max(...wrong) === all && inline.places.count === 0;
}

function seenKeys(view: SetView, arrays: readonly ArrayLengths[], context: CallContext) {
  const nodes = arrays.filter(isThroughout).map(({ node }) => node);
  return nodes.length === 0 ? new Map<string, SeenKeys>() : keyReach(view, nodes, context);
}

function toldTogether(view: SetView, one: ArrayLengths, seen: SeenKeys, sink: Sink): void {
  const { node, size, short, long } = one;
  if (size === undefined) return;
  const wrong = short.places.count > 0 ? short : long;
  const expected = size.plain + size.checksums;
  const length = wrong.least === wrong.most ? wrong.least : undefined;
  // Of unequal chunks there is no common size.
  if (!hasRegularChunks(node.metadata)) return toldApart(one, sink);
  const layout = otherLayout(node.metadata, expected, length, wrong === short, seen);
  const single = wrong.places.count === 1;
  if (layout.fits === "nothing" && (single || length === undefined)) return toldApart(one, sink);
  const { least, most } = wrong;
  if (layout.fits === "chunks") view.ledger.explain(node.path, "grid");
  sink(
    wrong.places.finding("chunk-lengths-fit-other", { ...elementsOf(node.metadata), expected, least, most, ...layout }),
  );
}

function toldApart(one: ArrayLengths, sink: Sink): void {
  const { metadata } = one.node;
  const grid = gridOf(metadata.shape, metadata.chunks);
  /** Of the first of them. */
  const about = ({ ordinal }: WrongLengths) => elementsOf(metadataOfChunk(metadata, coordinatesOf(grid, ordinal)));
  const { short, long, inline, known } = one;
  const told = (wrong: WrongLengths, problem: "short" | "long") => {
    const size = wrong.places.count === 0 ? undefined : one.sizeAt(wrong.ordinal);
    if (size === undefined) return;
    // Unequal chunks have no length in common.
    const right = one.size === undefined ? 0 : known - wrong.places.count;
    const facts = { ...about(wrong), problem, expected: size.plain + size.checksums, length: wrong.first, right };
    if (size.compressor === undefined) sink(wrong.places.finding("chunk-length-wrong", facts));
    // One that is too long reaches into its neighbour or past the end of the file, which says more.
    else if (problem === "short" || wrong.places.count * 2 > known)
      sink(wrong.places.finding("compressed-length-impossible", { ...facts, codec: size.compressor }));
  };
  told(short, "short");
  told(long, "long");
  const size = inline.places.count === 0 ? undefined : one.sizeAt(inline.ordinal);
  if (size === undefined) return;
  const expected = size.plain + size.checksums;
  sink(inline.places.finding("inline-length-wrong", { ...about(inline), expected, length: inline.first }));
}

/** Whether the array's chunks are objects of the store. */
const isNative = ({ counts }: SetView, { node }: ArrayLengths): boolean =>
  (counts.arrays.get(node.path)?.states.native ?? 0) > 0;

function elementsOf(metadata: ChunkMetadata) {
  return { dtype: metadata.dataType.text, itemSize: metadata.dataType.itemSize, chunkShape: metadata.chunks };
}
