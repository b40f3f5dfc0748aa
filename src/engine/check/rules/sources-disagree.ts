/** Arrays that take a step of their dimension from different files, though they are made of the same ones. */
import { cellCount, startAlong } from "#core/metadata/chunk-grid.ts";
import { type ArrayExtent, chunkAt, finding, type Finding } from "#core/findings/finding.ts";
import { groupedBy } from "#core/basics.ts";
import type { SetRule, SetView } from "#engine/rules/rule.ts";
import { parentOf } from "#core/metadata/hierarchy-path.ts";
import { dimensionOf, fileSpans, hashOf, sourceAxis, sourceSteps } from "../steps/source-steps.ts";
import type { FileSpan, SourceSteps } from "../steps/source-steps.ts";

const MAX_PLACES = 100;
/** Arrays of one row of files that are compared. */
const MAX_ARRAYS = 200;

/** Elements of the run, up to `end`, excluded. */
interface FileRun extends FileSpan {
  readonly start: number;
  readonly end: number;
}

interface FileRow {
  readonly steps: SourceSteps;
  readonly axis: number;
  readonly length: number;
  readonly runs: readonly FileRun[];
}

export const sourcesDisagree: SetRule = {
  id: "sources-disagree",
  codes: ["sources-disagree"],
  async run(view, sink, context) {
    const all = [...(await sourceSteps(view, context)).values()];
    // One array stands for all with the same chunks in the same files.
    const alike = groupedBy(all, outlineOf);
    const rows = [...alike.values()].flatMap(([steps]) => rowOf(steps) ?? []);
    const groups = groupedBy(rows, ({ steps: { node }, axis, length, runs }) =>
      JSON.stringify([parentOf(node), dimensionOf(node, axis), length, runs.map(({ file }) => file)]),
    );
    for (const group of groups.values()) for (const found of ofGroup(view, group.slice(0, MAX_ARRAYS))) sink(found);
    return { unit: "arrays", of: view.arrays.length, lookedAt: all.length, sampled: 0 };
  },
};

function outlineOf(steps: SourceSteps): string {
  const axis = sourceAxis(steps) ?? -1;
  const { shape, chunks } = steps.node.metadata;
  const hash = hashOf(steps.targets[axis]);
  return JSON.stringify([
    parentOf(steps.node),
    axis < 0 ? "" : dimensionOf(steps.node, axis),
    shape[axis],
    chunks[axis],
    hash,
  ]);
}

/** `undefined` where no named dimension is made of files one after the other, each once. */
function rowOf(steps: SourceSteps): FileRow | undefined {
  const axis = sourceAxis(steps);
  if (axis === undefined || typeof dimensionOf(steps.node, axis) === "number") return undefined;
  const { shape, chunks } = steps.node.metadata;
  const [edges, length] = [chunks[axis] ?? 1, shape[axis] ?? 0];
  const runs = fileSpans(steps.targets[axis])?.map((span) => ({
    ...span,
    start: startAlong(edges, span.first),
    end: Math.min(length, startAlong(edges, span.last + 1)),
  }));
  return runs === undefined ? undefined : { steps, axis, length, runs };
}

/** Those that disagree with the first that is complete and gives every file as many elements. */
function ofGroup(view: SetView, group: readonly FileRow[]): readonly Finding[] {
  const right = group.find(isEven);
  if (right === undefined) return [];
  return group.flatMap((row) => {
    const clash = row === right ? undefined : clashOf(row, right);
    // With as many chunks in each file as another array has, its chunk shape is wrong: its missing chunks tell that.
    const isOfOtherLength = () =>
      group.some((one) => one !== row && one.runs.every(({ chunks }, at) => chunks === row.runs[at]?.chunks));
    return clash === undefined || isOfOtherLength() ? [] : [disagreement(view, { row, right, group, ...clash })];
  });
}

/** Files give as many elements each, the last as many or fewer, without holes. */
function isEven({ runs, length }: FileRow): boolean {
  const [{ end, start }] = runs as [FileRun];
  const each = end - start;
  return (
    start === 0 &&
    runs.at(-1)?.end === length &&
    runs.every((run, at) => run.start === at * each && (run.end - run.start === each || at === runs.length - 1))
  );
}

/** Elements that two rows of the same files take from different ones: how many, and the first. */
function clashOf(row: FileRow, other: FileRow): { readonly element: number; readonly elements: number } | undefined {
  let [element, elements, at, place] = [-1, 0, 0, 0];
  for (;;) {
    const [one, two] = [row.runs[at], other.runs[place]];
    if (one === undefined || two === undefined) break;
    const [from, to] = [Math.max(one.start, two.start), Math.min(one.end, two.end)];
    if (at !== place && from < to) {
      elements += to - from;
      if (element < 0) element = from;
    }
    if (one.end <= two.end) at += 1;
    if (two.end <= one.end) place += 1;
  }
  return elements === 0 ? undefined : { element, elements };
}

interface Clash {
  readonly row: FileRow;
  readonly right: FileRow;
  readonly group: readonly FileRow[];
  readonly element: number;
  readonly elements: number;
}

function disagreement({ ledger, index }: SetView, { row, right, group, element, elements }: Clash): Finding {
  const { axis, runs, length } = row;
  const { node, grid } = row.steps;
  const fileAt = (of: FileRow) => of.runs.find(({ start, end }) => element >= start && element < end)?.file ?? 0;
  const wrong = runs.filter(({ start }, at) => start !== right.runs[at]?.start || at > 0);
  const places = wrong
    .flatMap(({ first, chunks }) => Array.from({ length: Math.min(chunks, MAX_PLACES) }, (_, at) => first + at))
    .slice(0, MAX_PLACES)
    .map((chunk) =>
      chunkAt(
        node.path,
        grid.map((_, at) => (at === axis ? chunk : 0)),
      ),
    );
  const reach = extentOf(row, wrong);
  // Chunks that are missing for that reason are its consequence.
  ledger.explain(node.path, "gaps");
  const facts = {
    dimension: dimensionOf(node, axis),
    array: node.path,
    other: right.steps.node.path,
    file: index.table.targets.text(fileAt(row)),
    otherFile: index.table.targets.text(fileAt(right)),
    element,
    elements,
    length,
    chunks: runs.map((run) => run.chunks).slice(0, 6),
    files: runs.length,
    ...countedIn(row, group),
  };
  return {
    ...finding(
      "sources-disagree",
      places[0] ??
        chunkAt(
          node.path,
          grid.map(() => 0),
        ),
      facts,
      reach.chunks,
    ),
    places,
    extent: { arrays: [reach], moreArrays: 0 },
  };
}

/** All chunks of these files. */
function extentOf({ axis, steps: { node, grid } }: FileRow, runs: readonly FileRun[]): ArrayExtent {
  const each = cellCount(grid.with(axis, 1));
  const steps = runs.reduce((sum, { chunks }) => sum + chunks, 0);
  const [first, last] = [runs[0], runs.at(-1)];
  const end = last === undefined ? 0 : last.first + last.chunks - 1;
  return {
    array: node.path,
    chunks: steps * each,
    from: grid.map((_, at) => (at === axis ? (first?.first ?? 0) : 0)),
    to: grid.map((cells, at) => (at === axis ? end : cells - 1)),
  };
}

/** Another array whose chunks are of another length, and whose files begin at the same numbers of chunks. */
function countedIn(row: FileRow, group: readonly FileRow[]) {
  const edgesOf = ({ steps, axis }: FileRow) => steps.node.metadata.chunks[axis];
  const other = group.find(
    (one) => edgesOf(one) !== edgesOf(row) && one.runs.every(({ first }, at) => first === row.runs[at]?.first),
  );
  const edges = other === undefined ? undefined : edgesOf(other);
  return { countedIn: other?.steps.node.path, countedChunk: typeof edges === "number" ? edges : undefined };
}
