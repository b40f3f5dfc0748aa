/** Which array deserves a closer look: that with most causes, of which chunks are not read yet. */
import type { ArrayTally } from "#core/values/reading-tally.ts";
import { reachOf } from "#core/check/cause-reach.ts";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import type { ListedFinding } from "./findings.ts";

/** One chunk is no more than what its cause says of it. */
const LEAST_REST = 2;

export interface DoubtfulArray {
  readonly array: string;
  /** Chunks that have a reference. */
  readonly references: number;
}

/** `chosen`: by hand. `undefined` where all of it, or of all that have causes, was read. */
export function doubtfulArray(
  findings: readonly ListedFinding[],
  nodes: NodesByPath,
  tally: readonly ArrayTally[],
  chosen?: string,
): DoubtfulArray | undefined {
  const read = new Map(tally.map(({ path, ok, failed }) => [path, ok + failed]));
  const hasRest = (path: string): boolean => (nodes.get(path)?.present ?? 0) - (read.get(path) ?? 0) >= LEAST_REST;
  const told = (array: string) => ({ array, references: nodes.get(array)?.present ?? 0 });
  if (chosen !== undefined) return hasRest(chosen) ? told(chosen) : undefined;
  const most = causesByArray(findings, (one) => reachOf(one, nodes)?.array).find(([array]) => hasRest(array));
  return most === undefined ? undefined : told(most[0]);
}

/** How many causes lie in each array, most first; notes are none. */
export function causesByArray(findings: readonly ListedFinding[], arrayOf: (one: ListedFinding) => string | undefined) {
  const counts = new Map<string, number>();
  for (const one of findings) {
    const array = one.said.severity === "info" ? undefined : arrayOf(one);
    if (array !== undefined) counts.set(array, (counts.get(array) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}
