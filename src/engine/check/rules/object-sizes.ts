/** Chunks that are objects of a store: empty ones, and sizes that uncompressed chunks cannot have. */
import { finding, type Finding } from "../../../core/findings/finding.ts";
import { LENGTH_BIG, TARGET_NATIVE } from "../../../core/reference-table.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import type { SetRule } from "../rule.ts";
import { chunkOfRow } from "../sources/cause.ts";
import { storedSize, type StoredSize } from "../sources/stored-size.ts";

/** Chunks that findings are made of; more are one cause all the same. */
const MAX_FOUND = 10_000;

export const objectSizes: SetRule = {
  id: "object-sizes",
  codes: ["chunk-object-empty", "chunk-object-size"],
  needs: "references",
  cost: "rows",
  async run({ set, index, counts }, sink, context) {
    const { table } = index;
    const coverage = { unit: "chunks", of: counts.states.native, sampled: 0 } as const;
    // Elsewhere an object may hold many chunks.
    if (set.nativePlace !== undefined || counts.states.native === 0) return { ...coverage, lookedAt: 0 };
    const sizes = table.arrays.map(({ path }) => {
      const node = set.hierarchy.nodes.get(path);
      return node?.kind === "array"
        ? { ...storedSize(node.metadata), itemSize: node.metadata.dataType.itemSize }
        : undefined;
    });
    const pace = startPace(context, "Looking at sizes of objects", table.rows);
    let [lookedAt, found] = [0, 0];
    await eachBlock(table, pace, ({ target, array, length }, first, count) => {
      for (let i = 0; i < count; i += 1) {
        const size = length[i] as number;
        if (target[i] !== TARGET_NATIVE || size >= LENGTH_BIG) continue;
        lookedAt += 1;
        const stored = sizes[array[i] as number];
        if (stored === undefined || !isWrong(stored, size) || found >= MAX_FOUND) continue;
        const chunk = chunkOfRow(table, first + i);
        if (chunk === undefined) continue;
        found += 1;
        sink(findingOf(stored, size, chunk));
      }
    });
    return { ...coverage, lookedAt };
  },
};

type Sized = StoredSize & { readonly itemSize: number };

const isWrong = ({ raw, isExact }: StoredSize, size: number): boolean => size === 0 || (isExact && size !== raw);

function findingOf({ raw = 0, itemSize }: Sized, size: number, chunk: Finding["place"]): Finding {
  if (size === 0) return finding("chunk-object-empty", chunk, { chunk: raw });
  return finding("chunk-object-size", chunk, { size, chunk: raw, itemSize });
}
