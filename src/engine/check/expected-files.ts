/** Which file a step should be read from, by the numbers in the names of the files of the other steps. */
import { fileNumbers, type FileNumbers } from "./steps/file-numbers.ts";

export interface ExpectedFiles {
  /** Steps that have a file, and the number of it. */
  readonly steps: readonly number[];
  readonly numbers: FileNumbers;
  countAt(step: number): number;
  fileAt(step: number): string;
}

/** With more steps, names are not compared. */
const MAX_STEPS = 100_000;

/** `targets`: by step; `but`: steps that are not asked. `undefined` where the names say nothing. */
export function expectedFiles(
  targets: Int32Array,
  but: readonly number[],
  nameOf: (target: number) => string,
): ExpectedFiles | undefined {
  if (targets.length > MAX_STEPS) return undefined;
  const steps = [...targets.keys()].filter((step) => !but.includes(step) && (targets[step] as number) >= 0);
  const ids = steps.map((step) => targets[step] as number);
  if (ids.length < 2 || new Set(ids).size !== ids.length) return undefined;
  const numbers = fileNumbers(ids.map(nameOf));
  if (numbers === undefined) return undefined;
  const { counts } = numbers;
  const slope = mostFrequent(counts.slice(1).map((count, at) => slopeOf(steps, counts, at, count)));
  if (slope === undefined || slope === 0) return undefined;
  const start = mostFrequent(steps.map((step, at) => (counts[at] as number) - step * slope));
  if (start === undefined) return undefined;
  const countAt = (step: number): number => start + step * slope;
  return { steps, numbers, countAt, fileAt: (step) => numbers.nameOf(countAt(step)) };
}

function slopeOf(steps: readonly number[], counts: readonly number[], at: number, count: number): number {
  return (count - (counts[at] as number)) / ((steps[at + 1] as number) - (steps[at] as number));
}

/** What more than half of the values are. */
function mostFrequent(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one);
  return best === undefined || best[1] * 2 <= values.length || !Number.isInteger(best[0]) ? undefined : best[0];
}
