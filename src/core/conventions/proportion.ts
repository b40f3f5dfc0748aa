/** Size of an element against the number of elements: all levels of an image reach equally far. */

export interface SizedLevel {
  /** Size of an element, by axis. */
  readonly scale: readonly number[];
  /** Elements, by axis. */
  readonly shape: readonly number[];
}

export interface Disproportion {
  readonly level: number;
  readonly axis: number;
  /** Level that most others agree with. */
  readonly reference: number;
  /** How many times the scale of the reference it should have. */
  readonly factor: number;
}

/** Lengths are rounded up or down at each level: together less than two elements of the coarser level. */
const SLACK = 2;

/** Axes that are looked at. */
const MAX_AXES = 16;

/** The first level in each axis that disagrees. Levels of another rank, and unknown ones, are left out. */
export function disproportions(levels: readonly (SizedLevel | undefined)[]): readonly Disproportion[] {
  const rank = levels.find((one) => one !== undefined)?.scale.length ?? 0;
  return Array.from({ length: Math.min(rank, MAX_AXES) }, (_, axis) => axis).flatMap((axis) => {
    const known = levels.flatMap((one, level) => {
      if (one?.scale.length !== rank || one.shape.length !== rank) return [];
      return [{ level, size: one.scale[axis] ?? 1, length: one.shape[axis] ?? 1 }];
    });
    const most = Math.max(...known.map(({ length }) => length));
    const reach = known.map((one) => {
      const slack = one.length === most ? SLACK / 4 : SLACK;
      return { ...one, from: one.size * Math.max(0, one.length - slack), to: one.size * (one.length + slack) };
    });
    type Reach = (typeof reach)[number];
    const agree = (a: Reach, b: Reach) => a.from <= b.to && b.from <= a.to;
    const votes = reach.map((one) => reach.filter((other) => agree(one, other)).length);
    const reference = reach[votes.indexOf(Math.max(...votes))];
    const wrong = reference && reach.find((one) => !agree(one, reference));
    if (reference === undefined || wrong === undefined) return [];
    return [{ level: wrong.level, axis, reference: reference.level, factor: plain(reference.length / wrong.length) }];
  });
}

/** The integer that lengths were rounded from, or one over it. */
function plain(factor: number): number {
  const nearest = factor >= 1 ? Math.round(factor) : 1 / Math.round(1 / factor);
  return Math.abs(nearest - factor) < 0.1 * nearest ? nearest : Number(factor.toPrecision(4));
}
