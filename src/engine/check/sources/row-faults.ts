/** References against what their targets turned out to be: one pass over the rows of targets that were asked. */
import type { CallContext } from "../../../core/byte-source.ts";
import type { ArrayNode } from "../../../core/hierarchy.ts";
import { LENGTH_BIG, LENGTH_WHOLE } from "../../../core/reference-table.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import { lengthOf } from "../../table/batch.ts";
import type { EngineSet } from "../../engine-set.ts";
import { storedSize, type StoredSize } from "./stored-size.ts";
import { targetIdOf, type TargetRows } from "./target-rows.ts";

/** What is known of a target's bytes. */
export interface KnownTarget {
  /** It ends there. */
  readonly size: number;
  /** A format of files that no codec of arrays reads. */
  readonly format: string | undefined;
}

export interface RowFaults {
  /** By target id: ranges that reach past its end, and the offset of the first of them. */
  readonly past: Float64Array;
  readonly offsets: ReadonlyMap<number, number>;
  /** Rows of whole files that are no chunk, or too short for one. */
  readonly whole: readonly WholeRow[];
  /** Some rows of each target whose checksums are to be compared. */
  readonly toCompare: ReadonlyMap<number, readonly number[]>;
}

export interface WholeRow {
  readonly row: number;
  readonly id: number;
  readonly stored: StoredSize;
}

const MAX_WHOLE = 1000;
/** Rows whose recorded checksums are compared, of all targets together. */
const MAX_COMPARED = 200_000;
const LEAST_COMPARED = 16;

export async function rowFaults(
  set: EngineSet,
  rows: TargetRows,
  known: ReadonlyMap<number, KnownTarget>,
  compared: ReadonlySet<number>,
  context: CallContext,
): Promise<RowFaults> {
  const { index, table } = set;
  const sizes = new Float64Array(rows.references.length).fill(Infinity);
  for (const [id, { size }] of known) sizes[id] = size;
  const past = new Float64Array(sizes.length);
  const offsets = new Map<number, number>();
  const whole: WholeRow[] = [];
  const toCompare = new Map([...compared].map((id): [number, number[]] => [id, []]));
  const each = Math.max(LEAST_COMPARED, Math.floor(MAX_COMPARED / Math.max(1, compared.size)));
  const isBadWhole = wholeJudge(set, rows, known);
  const pace = startPace(context, "Comparing references with their targets", table.rows);
  await eachBlock(table, pace, ({ target, offset, length, array }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const id = targetIdOf(index, target[i] as number, rows.nullId);
      if (id < 0) continue;
      const list = toCompare.size === 0 ? undefined : toCompare.get(id);
      if (list !== undefined && list.length < each) list.push(first + i);
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
  return { past, offsets, whole, toCompare };
}

/** Whether a whole target cannot be the chunk: then what a chunk of the array has. */
function wholeJudge(
  { table, hierarchy }: EngineSet,
  { references, whole }: TargetRows,
  known: ReadonlyMap<number, KnownTarget>,
): (id: number, array: number) => StoredSize | undefined {
  const sizes = table.arrays.map(({ path }) => {
    const node = hierarchy.nodes.get(path);
    return node?.kind === "array" && isOfChunks(node) ? storedSize(node.metadata) : undefined;
  });
  return (id, array) => {
    const stored = sizes[array];
    const { size, format } = known.get(id) ?? { size: 0, format: undefined };
    if (stored?.raw === undefined) return undefined;
    if (stored.isExact && size < stored.raw) return stored;
    if (stored.most === Infinity) return undefined;
    const parts = (references[id] ?? 0) - (whole[id] ?? 0);
    // One other reference may be to the same chunk.
    const isOfParts = parts > 0 && (size > stored.raw || (parts > 1 && !stored.isExact));
    return size > stored.most || isOfParts || format !== undefined ? stored : undefined;
  };
}

/** References of sharded arrays may be to shards. */
const isOfChunks = ({ metadata }: ArrayNode): boolean => metadata.sharding === undefined;
