/** Values of a chunk beside those of another reader, element by element. */
import { elementText } from "../../../core/element-text.ts";
import type { ReaderComparison } from "../../../core/readers/comparison.ts";
import type { ChunkValues } from "../../../core/values.ts";
import type { ForeignChunk } from "./zarrita-messages.ts";

type Element = number | bigint | string | null;

/** @param inside how much of the chunk lies within the array: what lies beyond it nobody reads */
export function compareValues(
  ours: ChunkValues,
  theirs: ForeignChunk,
  inside: readonly number[],
): Extract<ReaderComparison, { kind: "same" | "differs" }> {
  const steps = stridesOf(ours.shape);
  const of = inside.reduce((product, length) => product * length, 1);
  const at = inside.map(() => 0);
  const isSame = sameness(ours);
  let [count, first] = [0, undefined as readonly number[] | undefined];
  let [mine, other] = [0, 0];
  for (let n = 0; n < of; n += 1) {
    if (!isSame(mine, theirs.data[other] ?? null)) {
      count += 1;
      first ??= [...at];
    }
    // The next element in C order.
    for (let d = inside.length - 1; d >= 0; d -= 1) {
      at[d] = (at[d] ?? 0) + 1;
      mine += steps[d] ?? 0;
      other += theirs.stride[d] ?? 0;
      if ((at[d] ?? 0) < (inside[d] ?? 0)) break;
      mine -= (at[d] ?? 0) * (steps[d] ?? 0);
      other -= (at[d] ?? 0) * (theirs.stride[d] ?? 0);
      at[d] = 0;
    }
  }
  if (first === undefined) return { kind: "same", of };
  const texts = { ours: elementText(ours, offsetOf(first, steps)), theirs: textAt(theirs, first) };
  return { kind: "differs", count, of, first, ...texts };
}

/** The reader's element as text. */
export function textAt({ data, stride }: ForeignChunk, at: readonly number[]): string {
  const element: Element | undefined = data[offsetOf(at, stride)];
  return element === undefined || element === null ? "nothing" : String(element);
}

const offsetOf = (at: readonly number[], steps: readonly number[]): number =>
  at.reduce((sum, index, d) => sum + index * (steps[d] ?? 0), 0);

function stridesOf(shape: readonly number[]): number[] {
  const steps: number[] = [];
  let step = 1;
  for (const length of shape.toReversed()) {
    steps.unshift(step);
    step *= length;
  }
  return steps;
}

function sameness(ours: ChunkValues): (index: number, theirs: Element) => boolean {
  const { numbers } = ours;
  if (numbers === undefined) return (index, theirs) => theirs !== null && sameText(elementText(ours, index), theirs);
  return (index, theirs) => {
    const mine = numbers[index];
    return mine === theirs || (typeof mine === "number" && Number.isNaN(mine) && Number.isNaN(theirs));
  };
}

/** Objects are the same however their text is spaced. */
function sameText(mine: string, theirs: number | bigint | string): boolean {
  if (mine === theirs) return true;
  try {
    return JSON.stringify(JSON.parse(mine)) === JSON.stringify(JSON.parse(String(theirs)));
  } catch {
    return false;
  }
}
