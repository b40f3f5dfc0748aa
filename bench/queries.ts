/**
 * How long questions about a large reference table take: `npx tsx bench/queries.ts 10000000 [rounds]`. The table is synthetic:
 * 47 variables of 3 or 4 dimensions, 359 references a target file, 2 % inline, in the order of the files.
 */
import type { CallContext } from "../src/core/byte-source.ts";
import type { RasterColour, ViewFilter, ViewSpec } from "../src/core/open-set.ts";
import type { ReferenceTable } from "../src/core/table/reference-table.ts";
import { tableBuilder } from "../src/core/table/table-builder.ts";
import { findKey } from "../src/engine/table/operations.ts";
import { rasterOf } from "../src/engine/table/raster.ts";
import { rowsOf } from "../src/engine/table/rows.ts";
import { indexTable, type TableIndex } from "../src/engine/table/table-index.ts";
import { rangeLengths, tally } from "../src/engine/table/tally.ts";
import { openView } from "../src/engine/table/view.ts";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const context: CallContext = { signal: new AbortController().signal, report: () => undefined };

function synthetic(rows: number): ReferenceTable {
  const builder = tableBuilder();
  const files = Math.ceil(rows / 359);
  const inline = new TextEncoder().encode('"base64:AAAAAAAAAAA="');
  const arrays = Array.from({ length: 47 }, (_, at) => {
    const grid = at % 2 === 0 ? [files, 2, 4] : [files, 7];
    return { id: builder.addArray(`model/var${at}`, grid, "."), chunks: at % 2 === 0 ? 8 : 7 };
  });
  let random = 1;
  let count = 0;
  for (let file = 0; count < rows; file += 1) {
    const target = builder.addTarget(
      `s3://some-long-bucket-name/model/output/run-17/1963/file_${file}_of_the_series.nc`,
    );
    let offset = 4096 + (file % 7) * 1_000_000_000;
    for (const { id, chunks } of arrays) {
      for (let chunk = 0; chunk < chunks && count < rows; chunk += 1, count += 1) {
        random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
        const ordinal = file * chunks + chunk;
        const length = random >>> 10;
        if (random % 50 === 0) builder.addInline(id, ordinal, inline);
        else builder.addRange(id, ordinal, target, offset, length);
        offset += length;
      }
    }
  }
  return builder.build();
}

/** Processor time stands beside the clock's: on a busy machine only the former means something. */
async function measure(name: string, run: () => unknown): Promise<void> {
  const times: number[] = [];
  const cpu: number[] = [];
  let result: unknown;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const used = process.cpuUsage();
    result = await run();
    const { user, system } = process.cpuUsage(used);
    times.push(performance.now() - start);
    cpu.push((user + system) / 1000);
  }
  const median = (values: readonly number[]): string =>
    (values.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0).toFixed(1).padStart(8);
  console.log(`${name.padEnd(62)} ${median(times)} ms ${median(cpu)} ms of processor time   ${String(result)}`);
}

/** What the machine gives today: a bare loop over one column. */
function longerThan(table: ReferenceTable, bytes: number): number {
  let count = 0;
  for (const { length } of table.blocks)
    for (let i = 0; i < length.length; i += 1) if ((length[i] ?? 0) > bytes) count += 1;
  return count;
}

/** A fresh question every time: the last filter's answer is kept, and is not what is measured here. */
function forget(index: TableIndex): void {
  index.kept.clear();
}

async function measureViews(index: TableIndex, scope: string): Promise<void> {
  const name = scope === "" ? "set" : scope;
  const view = (spec: Omit<ViewSpec, "scope">) => openView(index, { scope, ...spec }, context);
  const filters: readonly (readonly [string, ViewFilter])[] = [
    ["no filter (facets)", {}],
    ["states", { states: ["range"] }],
    ["length", { length: { from: 3_000_000 } }],
    ["targetText", { targetText: "_17" }],
    ["keyText path", { keyText: "var4" }],
    ["keyText digits", { keyText: "17." }],
    [
      "states, length, targetText, keyText",
      { states: ["range"], length: { to: 3e6 }, targetText: "7", keyText: "2.1" },
    ],
  ];
  for (const [what, filter] of filters) {
    await measure(`${name}: filter + facets, ${what}`, async () => {
      forget(index);
      return (await view({ filter })).info.rows;
    });
  }
  for (const column of ["key", "state", "target", "offset", "length", "end"] as const) {
    for (const descending of [false, true]) {
      const sort = { column, descending };
      await measure(`${name}: sort by ${column}${descending ? ", descending" : ""}`, async () =>
        (await view({ filter: {}, sort })).list?.at(0),
      );
    }
  }
  const sorted = await view({ filter: { states: ["range"] }, sort: { column: "length", descending: true } });
  await measure(`${name}: 100 rows of a sorted view`, async () => rowsOf(sorted, 1000, 1100, new Map()).length);
  await measure(
    `${name}: find a key in a sorted view`,
    async () => (await findKey(sorted, "model/var1/5.1", new Map(), context)).index,
  );
}

/** One array with as many cells as there are rows, its chunks in the order of time. */
function oneArray(rows: number): ReferenceTable {
  const builder = tableBuilder();
  const side = Math.ceil(Math.sqrt(rows));
  const id = builder.addArray("grid", [side, side], ".");
  const targets = Array.from({ length: 1000 }, (_, at) => builder.addTarget(`https://example.org/${at}.nc`));
  for (let row = 0; row < rows; row += 1) {
    if (row % 7 !== 0) builder.addRange(id, row, targets[row % 1000] ?? 0, row * 1000, 500 + ((row * 7919) % 5000));
  }
  return builder.build();
}

async function measureRaster(rows: number, pixels: number): Promise<void> {
  const index = indexTable(oneArray(rows));
  const side = Math.ceil(Math.sqrt(rows));
  const window = { from: 0, to: side };
  for (const colour of ["state", "target", "length"] as readonly RasterColour[]) {
    const spec = {
      array: "grid",
      rowDimension: 0,
      columnDimension: 1,
      fixed: [0, 0],
      colour,
      rows: window,
      columns: window,
    };
    await measure(`raster of ${rows} cells on ${pixels} × ${pixels} by ${colour}`, async () => {
      return (await rasterOf(index, { ...spec, width: pixels, height: pixels }, new Map(), context)).width;
    });
  }
}

const table = synthetic(ROWS);
console.log(
  `${table.rows} rows, ${table.targets.count} targets, ${(table.byteLength / table.rows).toFixed(1)} bytes a row`,
);
const index = indexTable(table);
await measure("yardstick: bare loop over the lengths", () => longerThan(table, 3_000_000));
await measure("tally of the set", async () => (await tally(index, "", context)).bytes);
await measure("range lengths of the set", async () => (await rangeLengths(index, "", context))?.median);
await measure("index of one array", async () => (await indexTable(table).arrayIndex(3, context)).rows.length);
await measureViews(index, "");
await measureRaster(1_000_000, 1000);
await measureRaster(ROWS, 1000);
const single = indexTable(oneArray(ROWS));
await measureViews(single, "grid");
