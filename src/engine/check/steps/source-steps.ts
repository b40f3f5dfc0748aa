/** Which target each step of each dimension of an array is read from: one pass over the references. */
import type { CallContext } from "#core/byte-source.ts";
import { gridOf } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { FIRST_SPECIAL_TARGET, ORDINAL_STRAY, ORDINAL_WIDE } from "#core/table/reference-table.ts";
import { startPace } from "#engine/pace.ts";
import { eachBlock, wideOrdinal } from "#engine/table/array-index.ts";
import type { SetView } from "#engine/rules/rule.ts";

/** Steps of all dimensions of all arrays together: 200 MB. */
const MAX_STEPS = 50_000_000;
/** Steps for each reference up to which there is a cell each; else only those with references are listed. */
const STEPS_A_REFERENCE = 16;

export const NO_TARGET = -1;
/** Several targets. */
export const MIXED = -2;

export interface SourceSteps {
  readonly id: number;
  readonly node: ArrayNode;
  readonly grid: readonly number[];
  /** One for each dimension. */
  readonly targets: readonly StepTargets[];
}

/** The target of all chunks of each step, or one of the above. Its memory grows with references, not with `length`. */
export class StepTargets {
  readonly length: number;
  readonly #all: Int32Array | undefined;
  readonly #some = new Map<number, number>();

  constructor(length: number, references: number) {
    this.length = length;
    if (length <= references * STEPS_A_REFERENCE) this.#all = new Int32Array(length).fill(NO_TARGET);
  }

  at(step: number): number {
    return (this.#all === undefined ? this.#some.get(step) : this.#all[step]) ?? NO_TARGET;
  }

  note(step: number, target: number): void {
    const known = this.at(step);
    if (known === target || known === MIXED) return;
    const now = known === NO_TARGET ? target : MIXED;
    if (this.#all === undefined) this.#some.set(step, now);
    else this.#all[step] = now;
  }

  /** Steps that have references, in order, each with its target. */
  *entries(): Generator<readonly [step: number, target: number]> {
    const entries = this.#all?.entries() ?? [...this.#some].toSorted(([one], [other]) => one - other);
    for (const entry of entries) if (entry[1] !== NO_TARGET) yield entry;
  }
}

const KEPT = new WeakMap<SetView, Promise<ReadonlyMap<number, SourceSteps>>>();

/** Steps by array id; arrays past the budget are left out. Kept for the rules of one check. */
export function sourceSteps(view: SetView, context: CallContext): Promise<ReadonlyMap<number, SourceSteps>> {
  const known = KEPT.get(view) ?? countSteps(view, context);
  KEPT.set(view, known);
  return known;
}

async function countSteps(view: SetView, context: CallContext): Promise<ReadonlyMap<number, SourceSteps>> {
  const { index } = view;
  const { table } = index;
  const all = new Map<number, SourceSteps>();
  let room = MAX_STEPS;
  for (const node of view.arrays) {
    const id = index.arrayIds.get(node.path);
    const grid = gridOf(node.metadata.shape, node.metadata.chunks);
    const { references = 0 } = view.counts.arrays.get(node.path) ?? {};
    const steps = grid.reduce((sum, length) => sum + Math.min(length, references * STEPS_A_REFERENCE), 0);
    if (id === undefined || steps > room || node.metadata.sharding !== undefined) continue;
    room -= steps;
    all.set(id, { id, node, grid, targets: grid.map((length) => new StepTargets(length, references)) });
  }
  const byId = Array.from({ length: table.arrays.length }, (_, id) => all.get(id));
  const pace = startPace(context, "Following sources", table.rows);
  await index.firstTargets.update(pace);
  const repeats = table.targets.mayRepeat === true;
  await eachBlock(table, pace, ({ array, ordinal, target }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const own = byId[array[i] as number];
      const raw = ordinal[i] as number;
      const to = target[i] as number;
      if (own === undefined || raw === ORDINAL_STRAY || to >= FIRST_SPECIAL_TARGET) continue;
      const cell = raw === ORDINAL_WIDE ? wideOrdinal(table, first + i) : raw;
      note(own, cell, repeats ? index.firstTargets.of(to) : to);
    }
  });
  return all;
}

function note({ grid, targets }: SourceSteps, ordinal: number, target: number): void {
  let rest = ordinal;
  for (let axis = grid.length - 1; axis >= 0; axis -= 1) {
    const length = grid[axis] as number;
    const at = rest % length;
    rest = Math.floor(rest / length);
    targets[axis]?.note(at, target);
  }
}

/** The dimension along which files follow each other: nearly each step is of one file, and there are several. */
export function sourceAxis({ grid, targets }: SourceSteps): number | undefined {
  for (const [axis, length] of grid.entries()) {
    if (length < 2) continue;
    let [first, isSeveral, mixed] = [NO_TARGET, false, 0];
    for (const [, target] of targets[axis]?.entries() ?? []) {
      if (target === MIXED) mixed += 1;
      else if (first === NO_TARGET) first = target;
      else if (target !== first) isSeveral = true;
    }
    if (mixed * 3 <= length && isSeveral) return axis;
  }
  return undefined;
}

export const dimensionOf = ({ metadata }: ArrayNode, axis: number): string | number =>
  metadata.dimensionNames?.[axis] ?? axis;

/** The same targets at the same steps have one hash. */
export function hashOf(targets: StepTargets | undefined): number {
  let hash = 0;
  for (const [step, target] of targets?.entries() ?? [])
    hash = (Math.imul((Math.imul(hash, 31) + step) | 0, 31) + target) | 0;
  return hash;
}

/** A file's part of a dimension, in chunks of it. */
export interface FileSpan {
  readonly file: number;
  readonly first: number;
  readonly last: number;
  /** Those between the first and the last that have references. */
  readonly chunks: number;
}

/** Files one after the other; `undefined` where one comes more than once, or there is but one. */
export function fileSpans(targets: StepTargets | undefined): readonly FileSpan[] | undefined {
  const spans: { file: number; first: number; last: number; chunks: number }[] = [];
  for (const [at, file] of targets?.entries() ?? []) {
    if (file === MIXED) continue;
    const last = spans.at(-1);
    if (last?.file !== file) spans.push({ file, first: at, last: at, chunks: 1 });
    else Object.assign(last, { last: at, chunks: last.chunks + 1 });
  }
  return spans.length > 1 && new Set(spans.map(({ file }) => file)).size === spans.length ? spans : undefined;
}
