/** Chunks that follow each other along an axis, by file: how far the last layer of one is from the first of another. */
import { type ArrayFacts, NO_FILE } from "./value-facts.ts";
import { isDecoded, isOpen, linesOf, median } from "./value-rule.ts";

export interface FileBlocks {
  readonly facts: ArrayFacts;
  /** Files in the order of the axis. */
  readonly files: readonly number[];
  /** For each line that is looked at, of each file the first slot and the last. */
  readonly lines: readonly (readonly { readonly first: number; readonly last: number }[])[];
  /** Distances between chunks of one file, and from the first layer of a chunk to its last. */
  readonly within: readonly number[];
}

/** Lines of chunks that are looked at, and chunks in all of them. */
const MAX_LINES = 24;
const MAX_CHUNKS = 100_000;

/** `undefined` where the files do not follow each other along the array's axis, or chunks of them are claimed. */
export function fileBlocks(facts: ArrayFacts): FileBlocks | undefined {
  if (facts.axis < 0 || !isOpen(facts)) return undefined;
  const all = linesOf(facts);
  const [first = []] = all;
  const most = Math.max(1, Math.min(MAX_LINES, Math.floor(MAX_CHUNKS / Math.max(1, first.length))));
  const step = Math.max(1, Math.ceil(all.length / most));
  // Chunks with a known cause say nothing about the files' order.
  const open = all.filter((line) => line.every((slot) => isOpen(facts, slot)));
  const chosen = open.filter((_, at) => at % step === 0);
  const files = runsOf(facts, first).map(({ file }) => file);
  if (files.length < 2 || new Set(files).size !== files.length || files.includes(NO_FILE)) return undefined;
  const lines: (readonly { first: number; last: number }[])[] = [];
  const within: number[] = [];
  for (const line of chosen) {
    const runs = runsOf(facts, line);
    if (runs.length !== files.length || runs.some(({ file }, at) => file !== files[at])) return undefined;
    lines.push(runs.map(({ slots }) => ({ first: slots[0] ?? -1, last: slots.at(-1) ?? -1 })));
    for (const { slots } of runs) {
      for (const [at, slot] of slots.entries()) {
        const next = slots[at + 1];
        if (next !== undefined) within.push(distance(facts, { last: slot }, { first: next }));
      }
    }
  }
  if (lines.length === 0) return undefined;
  return { facts, files, lines, within: within.filter((one) => !Number.isNaN(one)) };
}

function runsOf(
  { files }: ArrayFacts,
  line: readonly number[],
): readonly { readonly file: number; readonly slots: readonly number[] }[] {
  const runs: { file: number; slots: number[] }[] = [];
  for (const slot of line) {
    const file = files[slot] ?? NO_FILE;
    const run = runs.at(-1);
    if (run?.file === file) run.slots.push(slot);
    else runs.push({ file, slots: [slot] });
  }
  return runs;
}

export type Layer = { readonly first: number } | { readonly last: number };

/** Values at the same places of a layer; NaN where there are none. */
export function layerOf(facts: ArrayFacts, layer: Layer): Float32Array {
  const slot = "first" in layer ? layer.first : layer.last;
  return layerAt(facts, slot, "first" in layer ? 0 : (facts.probes.kept[slot] ?? 1) - 1);
}

/** `layer`: of those that are kept of the chunk. */
export function layerAt(facts: ArrayFacts, slot: number, layer: number): Float32Array {
  const { size, layers, values } = facts.probes;
  if (!isDecoded(facts, slot)) return new Float32Array(size).fill(NaN);
  const from = (slot * layers + Math.max(0, layer)) * size;
  return values.subarray(from, from + size);
}

/** The median difference between the places of two layers. */
export function distance(facts: ArrayFacts, one: Layer, other: Layer): number {
  return layerDistance(layerOf(facts, one), layerOf(facts, other));
}

export function layerDistance(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const differences: number[] = [];
  for (let at = 0; at < one.length; at += 1) differences.push(Math.abs((one[at] as number) - (other[at] as number)));
  return median(differences);
}

/**
 * Distance of two files by their places, in the median of all lines: from the end of one to the beginning of the other.
 */
export function fileDistance({ facts, lines }: FileBlocks, one: number, other: number): number {
  return median(
    lines.map((line) => distance(facts, { last: line[one]?.last ?? -1 }, { first: line[other]?.first ?? -1 })),
  );
}
