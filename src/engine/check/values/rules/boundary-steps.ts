/** Values that change by a factor or an amount where another file begins: packed, or counted, otherwise than the attributes say. */
import { finding } from "../../../../core/findings/finding.ts";
import { scale } from "../../../../core/cf.ts";
import { fileBlocks, fileDistance, layerOf, slotsOfFile, type FileBlocks } from "../file-blocks.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { isCoordinate } from "../plan.ts";
import { isDecoded, median, targetPlace, withChunks, type ValueRule } from "../value-rule.ts";

/** A jump is this many times the usual one. */
const LEAST_JUMP = 5;
const LEAST_OF_LARGEST = 0.25;
/** Of the boundaries at most this share may be such, and two at least. */
const MOST_JUMPS = 0.34;

export const boundarySteps: ValueRule = {
  id: "boundary-steps",
  codes: ["packing-changes"],
  run(view, claims, sink) {
    for (const facts of view.facts) {
      if (isCoordinate(facts.node)) continue;
      const blocks = fileBlocks(facts, claims);
      const run = blocks === undefined ? undefined : changedRun(blocks);
      if (blocks === undefined || run === undefined) continue;
      const { from, to } = run;
      const meant = blocks.files.slice(from, to).flatMap((file) => slotsOfFile(facts, file));
      const outer = blocks.files.slice(Math.max(0, from - 1), from).flatMap((file) => slotsOfFile(facts, file));
      if (meant.every((slot) => claims.has(facts, slot)) || meant.length === 0) continue;
      claims.claim(facts, meant);
      const text = (at: number) => view.set.table.targets.text(blocks.files[at] ?? 0);
      const first = slotsOfFile(facts, blocks.files[from] ?? 0)[0] ?? 0;
      const about = {
        ...changeOf(blocks, run),
        file: text(from),
        before: text(from - 1),
        files: to - from,
        of: blocks.files.length,
        isToEnd: to === blocks.files.length,
      };
      sink(
        withChunks(finding("packing-changes", targetPlace(text(from), facts, first), about), facts, [
          ...meant.slice(0, 60),
          ...outer,
        ]),
      );
    }
  },
};

interface Run {
  /** Places of files, the last excluded. */
  readonly from: number;
  readonly to: number;
}

function changedRun(blocks: FileBlocks): Run | undefined {
  const { files, within } = blocks;
  const jumps = files.slice(1).map((_, at) => fileDistance(blocks, at, at + 1));
  // Where values are larger, so are all of their differences: only those near the largest are meant.
  const least = Math.max(...jumps.filter((jump) => !Number.isNaN(jump))) * LEAST_OF_LARGEST;
  const large = jumps.flatMap((jump, at) =>
    jump >= least && jump > LEAST_JUMP * usualBeside(jumps, within, at) ? [at + 1] : [],
  );
  const [from, to = files.length] = large;
  if (from === undefined || large.length > Math.max(2, Math.floor(jumps.length * MOST_JUMPS))) return undefined;
  const run = { from, to };
  return isLarge(blocks, run) ? run : undefined;
}

/** Of all other boundaries, and of chunks within files. */
function usualBeside(jumps: readonly number[], within: readonly number[], at: number): number {
  const others = jumps.filter((_, other) => other !== at);
  // Where one file is meant, the next boundary is as large as this one.
  const sorted = others.toSorted((a, b) => b - a).slice(Math.min(1, Math.max(0, others.length - 2)));
  return Math.max(median([...sorted, ...within]), 1e-30);
}

/** Either the factor is clear, or the values lie beyond where all others do. */
function isLarge(blocks: FileBlocks, run: Run): boolean {
  const { factor, isFit } = changeOf(blocks, run);
  if (isFit && (factor > 1.5 || factor < 0.67)) return true;
  const { facts, files } = blocks;
  const inside = new Set(files.slice(run.from, run.to));
  const range = (isIn: boolean) => {
    const slots = [...facts.ordinals.keys()].filter(
      (slot) => isDecoded(facts, slot) && inside.has(facts.files[slot] as number) === isIn,
    );
    const least = Math.min(
      ...slots.map((slot) => facts.columns.minimum[slot] as number).filter((one) => !Number.isNaN(one)),
    );
    const most = Math.max(
      ...slots.map((slot) => facts.columns.maximum[slot] as number).filter((one) => !Number.isNaN(one)),
    );
    return { least, most };
  };
  const [one, other] = [range(true), range(false)];
  const gap = Math.max(one.least - other.most, other.least - one.most);
  return gap > (other.most - other.least) / 2;
}

/** Values after the boundary as a factor and an amount of those before it, over all places; as the attributes unpack them. */
function changeOf({ facts, lines }: FileBlocks, { from }: Run) {
  const pairs: (readonly [number, number])[] = [];
  const scaling = scalingOfNode(facts.node);
  const unpacked = (value: number) => (scaling === undefined ? value : scale(value, scaling));
  for (const line of lines) {
    const before = layerOf(facts, { last: line[from - 1]?.last ?? -1 });
    const after = layerOf(facts, { first: line[from]?.first ?? -1 });
    for (const [at, value] of before.entries()) {
      const pair = [unpacked(value), unpacked(after[at] as number)] as const;
      if (Number.isFinite(pair[0]) && Number.isFinite(pair[1])) pairs.push(pair);
    }
  }
  const mean = (of: (pair: readonly [number, number]) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [x, y] = [mean(([one]) => one), mean(([, other]) => other)];
  const xx = mean(([one]) => (one - x) ** 2);
  const yy = mean(([, other]) => (other - y) ** 2);
  const xy = mean(([one, other]) => (one - x) * (other - y));
  const factor = xy / xx;
  return { factor, amount: y - factor * x, isFit: (xy * xy) / (xx * yy) > 0.5, levels: [x, y] };
}
