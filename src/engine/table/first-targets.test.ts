/**
 * URLs that have several ids count once, wherever the engine counts targets: as in a table in which each has one id.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { TargetSummary } from "#core/open-set.ts";
import { tableBuilder, type TableBuilder } from "#core/table/table-builder.ts";
import { topTargets } from "./facets.ts";
import { rasterOf } from "./raster.ts";
import { rowsOf } from "./rows.ts";
import { indexTable, type TableIndex } from "./table-index.ts";
import { hostsOf, tally } from "./tally.ts";
import { openView } from "./view.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

/** An array a list of numbers of files, a chunk each. */
type Lists = readonly (readonly number[])[];

const url = (file: number): string => `s3://bucket/file_${file}`;

function tableOf(lists: Lists, asLists: boolean): TableIndex {
  const builder = tableBuilder();
  for (const [at, files] of lists.entries()) {
    const array = builder.addArray(`a${at}`, [files.length], ".");
    const idAt = asLists ? addList(builder, files) : (chunk: number) => builder.addTarget(url(files[chunk] ?? 0));
    for (const chunk of files.keys()) builder.addRange(array, chunk, idAt(chunk), chunk, 10);
  }
  return indexTable(builder.live());
}

/** Adds files as a list that takes no room. */
function addList(builder: TableBuilder, files: readonly number[]): (at: number) => number {
  const survey = builder.surveyTargets();
  for (const file of files) survey.see(url(file));
  return builder.addTargets({ count: files.length, text: (at) => url(files[at] ?? 0), byteLength: 0 }, survey);
}

const withoutId = ({ url, references, bytes }: TargetSummary) => ({ url, references, bytes });

/** All that is said of targets, by URL: ids have no meaning of their own. */
async function factsOf(index: TableIndex) {
  const text = (id: number | undefined) => (id === undefined ? undefined : index.table.targets.text(id));
  const counts = await tally(index, "", CONTEXT);
  const all = await openView(index, { scope: "", filter: {}, sort: { column: "target", descending: false } }, CONTEXT);
  const { facets } = all.info;
  const filtered = await Promise.all(
    facets.targets.slice(0, 3).map(async ({ id, url }) => {
      const view = await openView(index, { scope: "", filter: { targets: [id] } }, CONTEXT);
      return [url, rowsOf(view, 0, 1000, new Map()).map(({ key }) => key), view.info.facets.targetCount];
    }),
  );
  const window = { from: 0, to: index.table.arrays[0]?.grid?.[0] ?? 0 };
  const raster = await rasterOf(
    index,
    {
      array: "a0",
      rowDimension: undefined,
      columnDimension: 0,
      fixed: [0],
      colour: "target",
      rows: { from: 0, to: 1 },
      columns: window,
      width: 1000,
      height: 1,
    },
    new Map(),
    CONTEXT,
  );
  return {
    hosts: hostsOf(index, counts, () => "bucket"),
    top: topTargets(index.table, counts.targetReferences, counts.targetBytes, 50).map(withoutId),
    facets: { ...facets, targets: facets.targets.map(withoutId) },
    filtered,
    sorted: rowsOf(all, 0, 1000, new Map()).map(({ key, target, targetId }) => [key, target, text(targetId)]),
    distinctIds: new Set(rowsOf(all, 0, 1000, new Map()).map(({ targetId }) => targetId)).size,
    colours: Array.from(raster.values, (value) => text(value - 1)),
  };
}

it("gives the same as where each URL has one id", async () => {
  const run = fc.record({ from: fc.nat(120), count: fc.integer({ min: 1, max: 200 }), turned: fc.boolean() });
  const lists = fc
    .array(run, { minLength: 1, maxLength: 5 })
    .map((runs): Lists =>
      runs.map(({ from, count, turned }) =>
        Array.from({ length: count }, (_, at) => from + (turned ? count - 1 - at : at)),
      ),
    );
  let repeated = 0;
  await fc.assert(
    fc.asyncProperty(lists, async (all) => {
      const index = tableOf(all, true);
      if (index.table.targets.mayRepeat === true) repeated += 1;
      expect(await factsOf(index)).toEqual(await factsOf(tableOf(all, false)));
    }),
    { numRuns: 60 },
  );
  expect(repeated).toBeGreaterThan(10);
});

it("follows a table that grows", async () => {
  const builder = tableBuilder();
  const index = indexTable(builder.live());
  const array = builder.addArray("a", [10_000], ".");
  let rows = 0;
  for (let page = 0; page < 5; page += 1) {
    const files = Array.from({ length: 1500 }, (_, at) => page * 1000 + at);
    const idAt = addList(builder, files);
    for (const at of files.keys()) builder.addRange(array, rows++, idAt(at), 0, 1);
    const { targetReferences } = await tally(index, "", CONTEXT);
    const counted = targetReferences.filter((count) => count > 0);
    expect(counted.length).toBe(1500 + page * 1000);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(rows);
    expect(Math.max(...counted)).toBe(page === 0 ? 1 : 2);
  }
});
