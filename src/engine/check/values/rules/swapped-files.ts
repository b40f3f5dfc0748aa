/** Two files in each other's place along an axis: put back, the values go on where before they jump. */
import {
  explainSlots,
  fileAt,
  isDecoded,
  isOfFlags,
  isOpen,
  linesOf,
  median,
  mostOf,
  ofChunks,
  slotsOfFile,
  type ValueRule,
  withOthers,
} from "../value-rule.ts";
import { distance, fileBlocks, type FileBlocks, fileDistance, layerAt, layerDistance } from "../file-blocks.ts";
import { isNumericCoordinate } from "../plan.ts";
import type { ArrayFacts } from "../value-facts.ts";

/**
 * Jumps that are left, of those that there were; where nothing else says how large jumps are there must be far fewer.
 */
const MOST_LEFT = 0.55;
const MOST_LEFT_ALONE = 0.25;
/** Jumps that are left, as multiples of those elsewhere. */
const MOST_USUAL = 1.8;
/** And of the largest elsewhere: seasons are steeper at times. */
const MOST_OF_LARGEST = 1.3;

/** Least evidence: some of many pairs are nearer by chance, unless two arrays agree, or the jumps at many places. */
const [LEAST_PLACES, CLEARLY] = [9, 4];
/** Evidence for single chunks, which nothing else tells. */
const [LEAST_CHUNKS, CLEARLY_ALONE] = [6, 3];
/** Jumps elsewhere, at least, and how many times the largest of them each of the swap's is. */
const [LEAST_OTHERS, APART] = [9, 1.5];

/** Files among which all pairs are tried; of more, those at the largest jumps. */
const MAX_FILES = 24;

interface Found {
  readonly pair: readonly number[];
  readonly of: FileBlocks[];
  readonly jump: number;
  readonly left: number;
  /** The largest jump elsewhere; two files alone, without one, may be as different as they like. */
  readonly most: number;
}

export const swappedFiles: ValueRule = {
  id: "swapped-files",
  codes: ["files-swapped"],
  ofSet(view, sink) {
    const found = new Map<string, Found>();
    for (const facts of view.facts) {
      const blocks = isNumericCoordinate(facts.node) || isOfFlags(facts) ? undefined : fileBlocks(facts);
      const best = blocks === undefined ? undefined : bestSwap(blocks);
      if (blocks === undefined || best === undefined) continue;
      const pair = [blocks.files[best.one] ?? 0, blocks.files[best.other] ?? 0];
      const known = found.get(pair.join(" ")) ?? { pair, of: [], jump: best.before, left: best.after, most: -Infinity };
      found.set(pair.join(" "), { ...known, most: Math.max(known.most, best.most) });
      known.of.push(blocks);
    }
    for (const { pair, of, jump, left, most } of found.values()) {
      const slotsIn = ({ facts }: Pick<FileBlocks, "facts">) =>
        [facts, pair.flatMap((file) => slotsOfFile(facts, file))] as const;
      const [first, ...others] = of.map(slotsIn);
      if (first === undefined) continue;
      const files = pair.map((file) => view.set.table.targets.text(file));
      const isClear =
        of.length > 1 || (first[0].probes.size >= LEAST_PLACES && jump > left * CLEARLY && Number.isFinite(most));
      const isSure = isClear && most * MOST_OF_LARGEST <= jump && !of.some((blocks) => varies(blocks, pair, jump));
      const about = { files, arrays: of.map(({ facts }) => facts.node.path), jump, left, isSure };
      sink(withOthers(ofChunks("files-swapped", ...first, about, files[0]), others));
      // Other arrays of these files are out of place as well, whether their values tell it or not.
      for (const facts of view.facts) explainSlots(...slotsIn({ facts }));
    }
  },
};

/** Within one of these files values change as much as that. */
function varies({ facts, files, lines }: FileBlocks, pair: readonly number[], jump: number): boolean {
  const within = (at: number) =>
    median(lines.map((line) => distance(facts, { first: line[at]?.first ?? -1 }, { last: line[at]?.last ?? -1 })));
  return pair.some((file) => within(files.indexOf(file)) > jump * MOST_LEFT);
}

/** Two chunks of a line along the axis in each other's place: each alone is like nothing beside it. */
export const swappedChunks: ValueRule = {
  id: "swapped-chunks",
  codes: ["chunks-swapped"],
  ofArray(facts, sink) {
    if (facts.axis < 0 || isNumericCoordinate(facts.node) || isOfFlags(facts)) return;
    for (const line of linesOf(facts)) {
      if (line.length < LEAST_CHUNKS || line.some((slot) => !isOpen(facts, slot) || !isDecoded(facts, slot))) continue;
      const blocks = {
        facts,
        files: [...line.keys()],
        lines: [line.map((slot) => ({ first: slot, last: slot }))],
        within: line.flatMap((slot) => stepsWithin(facts, slot)),
      };
      const best = facts.probes.size < LEAST_PLACES ? undefined : bestSwap(blocks);
      if (best === undefined || !best.isApart || !(best.before > best.after * CLEARLY_ALONE)) continue;
      const slots = [line[best.one] ?? 0, line[best.other] ?? 0];
      explainSlots(facts, slots);
      const about = { jump: best.before, left: best.after, files: slots.map((slot) => fileAt(facts, slot) ?? "") };
      sink(ofChunks("chunks-swapped", facts, slots, about));
    }
  },
};

/** Distances from each layer that is kept of a chunk to the next. */
function stepsWithin(facts: ArrayFacts, slot: number): readonly number[] {
  const layers = Array.from({ length: facts.probes.kept[slot] ?? 0 }, (_, at) => layerAt(facts, slot, at));
  return layers.slice(1).map((layer, at) => layerDistance(layers[at] ?? [], layer));
}

interface Swap {
  readonly one: number;
  readonly other: number;
  /** Mean of the jumps that the swap changes, before and after. */
  readonly before: number;
  readonly after: number;
  /** The largest jump elsewhere. */
  readonly most: number;
  /** Each of these jumps is larger than all others: of many pairs some fit by chance, but not so. */
  readonly isApart: boolean;
}

function bestSwap(blocks: FileBlocks): Swap | undefined {
  const { files, within } = blocks;
  const known = new Map<number, number>();
  const between = (one: number, other: number): number => {
    const key = one * files.length + other;
    const found = known.get(key) ?? fileDistance(blocks, one, other);
    known.set(key, found);
    return found;
  };
  const jumps = files.slice(1).map((_, at) => between(at, at + 1));
  if (jumps.some((jump) => Number.isNaN(jump))) return undefined;
  const candidates = candidatesOf(jumps);
  const mostWithin = mostOf(within, within.keys());
  let best: (Swap & { readonly usual: number }) | undefined;
  for (const [at, one] of candidates.entries()) {
    for (const other of candidates.slice(at + 1)) {
      const swap = swapOf(one, other, files.length, between);
      const rest = jumps.filter((_, jump) => !swap.changed.has(jump));
      const most = mostOf(rest, rest.keys());
      const usual = Math.max(median([...rest, ...within]) * MOST_USUAL, most * MOST_OF_LARGEST);
      const isApart =
        rest.length + within.length >= LEAST_OTHERS &&
        [...swap.changed].every((jump) => (jumps[jump] ?? 0) > Math.max(most, mostWithin) * APART);
      // Steps alternate where jumps elsewhere are like these.
      if (median(rest) > swap.before * MOST_LEFT) continue;
      if (best === undefined || swap.before - swap.after > best.before - best.after)
        best = { ...swap, usual, most, isApart };
    }
  }
  if (best === undefined || !(best.after < best.before)) return undefined;
  if (Number.isNaN(best.usual)) return best.after < best.before * MOST_LEFT_ALONE ? best : undefined;
  return best.after < best.before * MOST_LEFT && best.after <= best.usual ? best : undefined;
}

function candidatesOf(jumps: readonly number[]): readonly number[] {
  const all = Array.from({ length: jumps.length + 1 }, (_, at) => at);
  if (all.length <= MAX_FILES) return all;
  const size = (at: number) => Math.max(jumps[at - 1] ?? 0, jumps[at] ?? 0);
  return all
    .toSorted((a, b) => size(b) - size(a))
    .slice(0, MAX_FILES)
    .toSorted((a, b) => a - b);
}

function swapOf(one: number, other: number, files: number, between: (one: number, other: number) => number) {
  const placed = (at: number) => (at === one ? other : at === other ? one : at);
  const changed = new Set([one - 1, one, other - 1, other].filter((at) => at >= 0 && at + 1 < files));
  let [before, after] = [0, 0];
  for (const at of changed) {
    before += between(at, at + 1);
    after += between(placed(at), placed(at + 1));
  }
  return { one, other, changed, before: before / changed.size, after: after / changed.size };
}
