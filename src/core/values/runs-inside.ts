/** The part of a chunk that lies inside its array, as runs of neighbouring elements in C order. */

export interface Run {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

export function* runsInside(shape: readonly number[], inside: readonly number[]): Generator<Run> {
  // Trailing dimensions that lie inside whole make one run with the dimension before them.
  let split = shape.length;
  let size = 1;
  while (split > 0 && inside[split - 1] === shape[split - 1]) size *= shape[--split] ?? 1;
  const partial = split === 0 ? 1 : (inside[split - 1] ?? 0);
  const length = partial * size;
  const step = split === 0 ? size : (shape[split - 1] ?? 1) * size;
  const outer = inside.slice(0, Math.max(0, split - 1));
  const count = outer.reduce((product, extent) => product * extent, 1);
  if (length === 0) return;
  for (let run = 0; run < count; run++) {
    let rest = run;
    let from = 0;
    let stride = step;
    for (let dimension = outer.length - 1; dimension >= 0; dimension--) {
      const extent = outer[dimension] ?? 1;
      from += (rest % extent) * stride;
      rest = Math.floor(rest / extent);
      stride *= shape[dimension] ?? 1;
    }
    yield { from, to: from + length };
  }
}
