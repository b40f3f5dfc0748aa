/** The files that a dimension is put together from: two that changed places, one left out of a regular row. */
import { chunkAt, finding, type Finding } from "#core/findings/finding.ts";
import { groupedBy } from "#core/basics.ts";
import { isCoordinate, parentOf } from "#core/metadata/hierarchy-path.ts";
import { fileNumbers } from "../steps/file-numbers.ts";
import type { SetRule, SetView } from "#engine/rules/rule.ts";
import { dimensionOf, fileSpans, hashOf, sourceAxis, sourceSteps } from "../steps/source-steps.ts";
import type { SourceSteps, StepTargets } from "../steps/source-steps.ts";

/** With more files, their names are not compared. */
const MAX_FILES = 200_000;
const MAX_PLACES = 100;
/** Share of files up to which those out of order are an exception. */
const FEW = 0.1;
/** Below it, names in order must also be evenly numbered. */
const SHORT = 8;

interface SourceRow {
  readonly axis: number;
  /** First step of each file, and the files. */
  readonly steps: readonly number[];
  readonly files: readonly number[];
  readonly hasGaps: boolean;
  readonly arrays: readonly SourceSteps[];
}

export const sourceOrder: SetRule = {
  id: "source-order",
  codes: ["sources-out-of-order", "source-left-out"],
  async run(view, sink, context) {
    const { targetReferences } = view.counts;
    const coverage = { unit: "arrays", of: view.arrays.length, lookedAt: 0, sampled: 0 } as const;
    // A file or two have no order that names could contradict.
    if (targetReferences.filter((references) => references > 0).length < 3)
      return { ...coverage, lookedAt: coverage.of };
    const all = [...(await sourceSteps(view, context)).values()];
    for (const row of sourceRows(all)) for (const found of ofRow(view, row)) sink(found);
    return { ...coverage, lookedAt: all.length };
  },
};

/** Arrays that are put together from the same files along a dimension of one name are one row of sources. */
function sourceRows(all: readonly SourceSteps[]): readonly SourceRow[] {
  const rows = all.flatMap((steps) => {
    const axis = sourceAxis(steps);
    return axis === undefined ? [] : [{ axis, steps, targets: steps.targets[axis] as StepTargets }];
  });
  const groups = groupedBy(rows, ({ axis, steps, targets }) =>
    JSON.stringify([parentOf(steps.node), dimensionOf(steps.node, axis), targets.length, hashOf(targets)]),
  );
  return [...groups.values()].flatMap((group) => {
    const [{ axis, targets }] = group as [(typeof group)[0]];
    const spans = fileSpans(targets) ?? [];
    if (spans.length < 3 || spans.length > MAX_FILES) return [];
    const row = { steps: spans.map(({ first }) => first), files: spans.map(({ file }) => file) };
    // Steps of one file each, or of several.
    let own = 0;
    for (const [, target] of targets.entries()) if (target >= 0) own += 1;
    return [{ axis, ...row, hasGaps: own < targets.length, arrays: group.map(({ steps }) => steps) }];
  });
}

function ofRow(view: SetView, row: SourceRow): readonly Finding[] {
  const names = row.files.map((id) => view.index.table.targets.text(id));
  const numbers = fileNumbers(names);
  if (numbers === undefined) return [];
  const { counts } = numbers;
  const moved = outOfOrder(counts);
  if (moved.length > 0) return [movedFinding(row, names, moved)];
  return row.hasGaps ? [] : leftOut(row, names, counts, (count) => numbers.nameOf(count));
}

/**
 * Places at which another file is than if all were in order; none where they are, or where there is no order to speak
 * of.
 */
function outOfOrder(counts: readonly number[]): readonly number[] {
  const up = counts.toSorted((a, b) => a - b);
  const [moved = []] = [up, up.toReversed()]
    .map((sorted) => [...counts.keys()].filter((at) => counts[at] !== sorted[at]))
    .toSorted((a, b) => a.length - b.length);
  if (moved.length > Math.max(2, counts.length * FEW)) return [];
  const step = (up[1] ?? 0) - (up[0] ?? 0);
  const isEven = up.every((count, at) => count === (up[0] ?? 0) + at * step);
  return counts.length < SHORT && !isEven ? [] : moved;
}

function movedFinding({ axis, steps, arrays }: SourceRow, names: readonly string[], moved: readonly number[]): Finding {
  const [first, second] = [moved[0] as number, moved.at(-1) as number];
  const places = moved
    .flatMap((at) =>
      arrays.map(({ node, grid }) =>
        chunkAt(
          node.path,
          grid.map((_, one) => (one === axis ? (steps[at] as number) : 0)),
        ),
      ),
    )
    .slice(0, MAX_PLACES);
  const facts = {
    dimension: dimensionOf((arrays[0] as SourceSteps).node, axis),
    step: steps[first] as number,
    file: names[first] as string,
    other: steps[second] as number,
    otherFile: names[second] as string,
    moved: moved.length,
    files: names.length,
    arrays: arrays.map(({ node }) => node.path),
  };
  return { ...finding("sources-out-of-order", places[0] as (typeof places)[0], facts), places };
}

/** Files that are missing in a row that is even but for a hole or two. */
function leftOut(
  { axis, steps, arrays }: SourceRow,
  names: readonly string[],
  counts: readonly number[],
  nameOf: (count: number) => string,
): readonly Finding[] {
  const jumps = counts.slice(1).map((count, at) => count - (counts[at] as number));
  const usual = jumps.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
  const holes = jumps.flatMap((jump, at) => (jump === usual ? [] : [at]));
  if (
    usual === 0 ||
    holes.length === 0 ||
    holes.length > 2 ||
    jumps.length - holes.length < Math.max(2, holes.length * 2)
  )
    return [];
  if (holes.some((at) => (jumps[at] as number) % usual !== 0)) return [];
  const { node } = (arrays.find(({ node: one }) => isCoordinate(one)) ?? arrays[0]) as SourceSteps;
  const grid = arrays.find((one) => one.node === node)?.grid ?? [];
  // A file that is used for more steps than others stands in the hole: that is told elsewhere.
  const spans = holes.map((at) => (steps[at + 1] as number) - (steps[at] as number));
  const usualSpan = steps
    .slice(1)
    .map((step, at) => step - (steps[at] as number))
    .toSorted((a, b) => a - b)[0];
  if (spans.some((span) => span !== usualSpan)) return [];
  return holes.map((at) => {
    const [before, after] = [at, at + 1].map((one) =>
      chunkAt(
        node.path,
        grid.map((_, axisAt) => (axisAt === axis ? (steps[one] as number) : 0)),
      ),
    ) as [ReturnType<typeof chunkAt>, ReturnType<typeof chunkAt>];
    const facts = {
      dimension: dimensionOf(node, axis),
      before: names[at] as string,
      after: names[at + 1] as string,
      file: nameOf((counts[at] as number) + usual),
      files: Math.abs((jumps[at] as number) / usual) - 1,
      step: steps[at + 1] as number,
    };
    const place = { kind: "target", target: facts.after, chunk: after } as const;
    return { ...finding("source-left-out", place, facts), places: [place, before] };
  });
}
