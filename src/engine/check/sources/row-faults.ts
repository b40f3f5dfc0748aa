/** References against what their targets turned out to be: one pass over the rows of targets that were asked. */
import type { CallContext } from "../../../core/byte-source.ts";
import type { FileFormat } from "../../../core/target-content.ts";
import type { ArrayNode } from "../../../core/hierarchy.ts";
import { LENGTH_BIG, LENGTH_WHOLE } from "../../../core/reference-table.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import { lengthOf } from "../../table/batch.ts";
import type { EngineSet } from "../../engine-set.ts";
import { commonSize, possibleLengths, type StoredSize } from "../stored-size.ts";
import { targetIdOf, type TargetRows } from "./target-rows.ts";

/** What is known of targets' bytes, by their ids. */
export interface KnownTargets {
  /** Where it ends; Infinity where that is not known. */
  readonly sizes: Float64Array;
  /** A format of files that no codec of arrays reads. */
  readonly formats: readonly (FileFormat | undefined)[];
}

export interface RowFaults {
  /** By target id: ranges that reach past its end, and the offset of the first of them. */
  readonly past: Float64Array;
  readonly offsets: ReadonlyMap<number, number>;
  /** Rows of whole files that are no chunk, or too short for one. */
  readonly whole: readonly WholeRow[];
}

export interface WholeRow {
  readonly row: number;
  readonly id: number;
  readonly stored: StoredSize;
}

const MAX_WHOLE = 1000;

export async function rowFaults(
  set: EngineSet,
  rows: TargetRows,
  known: KnownTargets,
  context: CallContext,
): Promise<RowFaults> {
  const { index, table } = set;
  const { sizes } = known;
  const past = new Float64Array(sizes.length);
  const offsets = new Map<number, number>();
  const whole: WholeRow[] = [];
  const isBadWhole = wholeJudge(set, rows, known);
  const pace = startPace(context, "Comparing references with their targets", table.rows);
  await eachBlock(table, pace, ({ target, offset, length, array }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const id = targetIdOf(index, target[i] as number, rows.nullId);
      if (id < 0) continue;
      const size = sizes[id] as number;
      if (size === Infinity) continue;
      const raw = length[i] as number;
      if (raw === LENGTH_WHOLE) {
        if (whole.length >= MAX_WHOLE) continue;
        const stored = isBadWhole(id, array[i] as number);
        if (stored !== undefined) whole.push({ row: first + i, id, stored });
        continue;
      }
      const bytes = raw < LENGTH_BIG ? raw : lengthOf(table, first + i, target[i] as number, raw);
      if (bytes === 0 || (offset[i] as number) + bytes <= size) continue;
      if (past[id] === 0) offsets.set(id, offset[i] as number);
      (past[id] as number) += 1;
    }
  });
  return { past, offsets, whole };
}

/** Whether a whole target cannot be the chunk: then what a chunk of the array has. */
function wholeJudge(
  { table, hierarchy }: EngineSet,
  { references, whole }: TargetRows,
  { sizes: ends, formats }: KnownTargets,
): (id: number, array: number) => StoredSize | undefined {
  const sizes = table.arrays.map(({ path }) => {
    const node = hierarchy.nodes.get(path);
    return node?.kind === "array" && isOfChunks(node) ? commonSize(node.metadata) : undefined;
  });
  return (id, array) => {
    const stored = sizes[array];
    const [size, format] = [ends[id] as number, formats[id]];
    if (stored === undefined) return undefined;
    const [, most] = possibleLengths(stored);
    const isExact = stored.compressor === undefined;
    if (isExact && size < most) return stored;
    const parts = (references[id] ?? 0) - (whole[id] ?? 0);
    // One other reference may be to the same chunk.
    const isOfParts = parts > 0 && (size > stored.plain + stored.checksums || (parts > 1 && !isExact));
    return size > most || isOfParts || format !== undefined ? stored : undefined;
  };
}

/** References of sharded arrays may be to shards. */
const isOfChunks = ({ metadata }: ArrayNode): boolean => metadata.sharding === undefined;
