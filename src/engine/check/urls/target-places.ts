/** Where chunks lie that are read from targets with something in common: one pass over the references. */
import type { CallContext } from "../../../core/byte-source.ts";
import { coordinatesOf } from "../../../core/chunk-grid.ts";
import type { ArrayExtent } from "../../../core/findings/fact.ts";
import type { ChunkPlace } from "../../../core/findings/place.ts";
import { ARRAY_NONE, ORDINAL_STRAY } from "../../../core/reference-table.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import { ordinalOfRow } from "../../table/batch.ts";
import { OrdinalBox } from "../../table/ordinal-box.ts";
import type { SetView } from "../rule.ts";

/** Sets of marks that some target has; beyond it no new ones are told apart. */
const MAX_CLASSES = 0xffff;

/** Which marks a target has: two bytes each, however many marks. */
export class TargetMarks {
  readonly classOf: Uint16Array<ArrayBuffer>;
  readonly #marks: (readonly number[])[] = [[]];
  readonly #next = new Map<number, number>();

  constructor(targets: number) {
    this.classOf = new Uint16Array(targets);
  }

  mark(target: number, mark: number): void {
    const before = this.classOf[target] ?? 0;
    const marks = this.#marks[before] ?? [];
    if (marks.includes(mark)) return;
    const step = before * MAX_CLASSES + mark;
    let next = this.#next.get(step);
    if (next === undefined) {
      if (this.#marks.length >= MAX_CLASSES) return;
      next = this.#marks.push([...marks, mark]) - 1;
      this.#next.set(step, next);
    }
    this.classOf[target] = next;
  }

  marksOf(ofClass: number): readonly number[] {
    return this.#marks[ofClass] ?? [];
  }

  get classes(): number {
    return this.#marks.length;
  }
}

/** What is read from the targets of one class. */
export interface MarkedChunks {
  readonly references: number;
  /** One chunk of each target, the first of them. */
  readonly first: readonly { readonly target: number; readonly chunk: ChunkPlace }[];
  readonly arrays: readonly ArrayExtent[];
}

const MAX_FIRST = 100;

interface Sum {
  references: number;
  readonly first: { readonly target: number; readonly chunk: ChunkPlace }[];
  /** By array id. */
  readonly boxes: Map<number, OrdinalBox>;
}

/** By class. */
export async function markedChunks(
  { index: { table } }: SetView,
  marks: TargetMarks,
  context: CallContext,
): Promise<readonly MarkedChunks[]> {
  const sums = Array.from({ length: marks.classes }, (): Sum => ({ references: 0, first: [], boxes: new Map() }));
  const seen = new Uint8Array(marks.classOf.length);
  const pace = startPace(context, "Looking for what is read from odd targets", table.rows);
  await eachBlock(table, pace, ({ array, ordinal, target }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const id = target[i] as number;
      const ofClass = marks.classOf[id];
      if (ofClass === undefined || ofClass === 0) continue;
      const sum = sums[ofClass] as Sum;
      sum.references += 1;
      const own = array[i] as number;
      if (own === ARRAY_NONE || ordinal[i] === ORDINAL_STRAY) continue;
      const { grid, path } = table.arrays[own] ?? {};
      if (grid === undefined || path === undefined) continue;
      const at = ordinalOfRow(table, first + i);
      if (at < 0) continue;
      include(sum, own, grid, at);
      if (seen[id] === 1 || sum.first.length >= MAX_FIRST) continue;
      seen[id] = 1;
      sum.first.push({ target: id, chunk: { kind: "chunk", array: path, coordinates: coordinatesOf(grid, at) } });
    }
  });
  return sums.map(({ references, first, boxes }) => ({
    references,
    first,
    arrays: [...boxes].map(([id, box]) => box.extent(table.arrays[id]?.path ?? "")),
  }));
}

function include({ boxes }: Sum, array: number, grid: readonly number[], ordinal: number): void {
  const box = boxes.get(array) ?? new OrdinalBox(grid);
  if (box.chunks === 0) boxes.set(array, box);
  box.add(ordinal);
}
