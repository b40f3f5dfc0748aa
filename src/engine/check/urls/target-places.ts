/** Finds the chunks that are read from targets with a common mark: one pass over the references. */
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { ArrayExtent, ChunkPlace } from "#core/findings/fact.ts";
import { ARRAY_NONE, ORDINAL_WIDE } from "#core/table/reference-table.ts";
import { startPace } from "#engine/pace.ts";
import { eachBlock } from "#engine/table/array-index.ts";
import { ordinalOfRow } from "#engine/table/batch.ts";
import { type OrdinalBox, addToBox, ordinalRun } from "#engine/table/ordinal-box.ts";
import type { SetView } from "#engine/rules/rule.ts";

/** Sets of marks that some target has; beyond it no new ones are told apart. */
const MAX_CLASSES = 0xffff;

/** Which marks a target has: two bytes each, however many marks; of any number of classes (`isExact`) four. */
export class TargetMarks {
  readonly classOf: Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;
  readonly #marks: (readonly number[])[] = [[]];
  readonly #next = new Map<number, number>();

  constructor(targets: number, isExact = false) {
    this.classOf = isExact ? new Uint32Array(targets) : new Uint16Array(targets);
  }

  mark(target: number, mark: number): void {
    const before = this.classOf[target] ?? 0;
    const marks = this.#marks[before] ?? [];
    if (marks.includes(mark)) return;
    const step = before * 2 ** 26 + mark;
    let next = this.#next.get(step);
    if (next === undefined) {
      if (this.#marks.length >= MAX_CLASSES && this.classOf instanceof Uint16Array) return;
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

/** Chunks read from the targets of one class. */
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
  /** Boxes by array id. */
  readonly boxes: Map<number, OrdinalBox>;
}

/** Marked chunks by class. */
export async function markedChunks(
  { index: { table } }: SetView,
  marks: TargetMarks,
  context: CallContext,
): Promise<readonly MarkedChunks[]> {
  const sums = Array.from({ length: marks.classes }, (): Sum => ({ references: 0, first: [], boxes: new Map() }));
  const seen = new Uint8Array(marks.classOf.length);
  const run = ordinalRun();
  const count = (ofClass: number, array: number): void => {
    const { count: references, ordinals } = run.take();
    const sum = sums[ofClass] as Sum;
    sum.references += references;
    addToBox(sum.boxes, array, table.arrays[array]?.grid, ordinals);
  };
  const pace = startPace(context, "Looking for what is read from odd targets", table.rows);
  await eachBlock(table, pace, ({ array, ordinal, target }, first, rows) => {
    let [current, own] = [0, ARRAY_NONE];
    for (let i = 0; i < rows; i += 1) {
      const id = target[i] as number;
      const ofClass = marks.classOf[id];
      if (ofClass === undefined || ofClass === 0) continue;
      if (ofClass !== current || array[i] !== own) {
        count(current, own);
        [current, own] = [ofClass, array[i] as number];
      }
      const raw = ordinal[i] as number;
      const at = raw < ORDINAL_WIDE ? raw : ordinalOfRow(table, first + i);
      run.add(at);
      const { first: listed } = sums[ofClass] as Sum;
      if (listed.length >= MAX_FIRST || seen[id] === 1 || at < 0) continue;
      const { grid, path } = table.arrays[own] ?? {};
      if (grid === undefined || path === undefined) continue;
      seen[id] = 1;
      listed.push({ target: id, chunk: { kind: "chunk", array: path, coordinates: coordinatesOf(grid, at) } });
    }
    count(current, own);
  });
  return sums.map(({ references, first, boxes }) => ({
    references,
    first,
    arrays: [...boxes].map(([id, box]) => box.extent(table.arrays[id]?.path ?? "")),
  }));
}

/** Chunks read from the targets of all classes with a mark. */
export function ofMark(marks: TargetMarks, chunks: readonly MarkedChunks[], mark: number) {
  const own = chunks.filter((_, ofClass) => marks.marksOf(ofClass).includes(mark));
  return {
    references: own.reduce((sum, one) => sum + one.references, 0),
    first: own.flatMap(({ first }) => first),
    arrays: own.flatMap(({ arrays }) => arrays),
  } satisfies MarkedChunks;
}
