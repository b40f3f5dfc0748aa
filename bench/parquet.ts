/**
 * One record of 100,000 references from its bytes into our columns, against DuckDB's reading of the same file on one thread
 * and against JSON.parse of the same references; and the whole set, for its memory. Subjects take turns within a round,
 * ratios are medians over the rounds. Where DuckDB is not installed it is left out.
 */
import { readFileSync, statSync } from "node:fs";
import { gridOf } from "../src/core/metadata/chunk-grid.ts";
import { tableBuilder } from "../src/core/table/table-builder.ts";
import { decodeSnappy } from "../src/codecs/blosc/snappy.ts";
import { finish, newOutput } from "../src/codecs/codec.ts";
import { readyZstd } from "../src/codecs/zstd/zstd-frames.ts";
import { readParquetMetadata, recordPages, type Decompress, type Decompressors } from "../src/formats/kerchunk-parquet/index.ts"; // prettier-ignore
import { writeParquetSet } from "./parquet-set.ts";

const DECOMPRESSORS: Decompressors = new Map<string, Decompress>([
  ["SNAPPY", unsnappy],
  ["ZSTD", unzstd],
]);

function unsnappy(input: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  decodeSnappy(input, output);
  return output;
}

async function unzstd(input: Uint8Array, size: number): Promise<Uint8Array> {
  const output = newOutput("zstd", size, size);
  (await readyZstd())(input, output);
  return finish(output);
}

type Subject = () => Promise<number>;

/** Prints milliseconds and ratios to ours. */
export async function benchParquet(
  data: string,
  references: number,
  rounds: number,
  median: (numbers: readonly number[]) => number,
): Promise<void> {
  const folder = await writeParquetSet(data, references);
  const subjects = new Map<string, Subject>([["refscope", () => ourRows(folder)]]);
  for (const [name, subject] of await duckdbSubjects(`${folder}/tas/refs.1.parq`)) subjects.set(name, subject);
  subjects.set("JSON.parse", await jsonSubject(folder));
  const results = new Map([...subjects.keys()].map((name) => [name, [] as number[]]));
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const [name, subject] of subjects) {
      const start = performance.now();
      await subject();
      if (round >= 0) results.get(name)?.push(performance.now() - start);
    }
  }
  const size = (statSync(`${folder}/tas/refs.1.parq`).size / 1e6).toFixed(2);
  console.log(`\nnode, one record of 100,000 references, ${size} MB, ${rounds} rounds`);
  const ours = results.get("refscope") ?? [];
  for (const [name, all] of results) {
    const ratio = median(ours.map((one, round) => one / (all[round] ?? NaN))).toFixed(2);
    const beside = name === "refscope" ? "" : `  refscope takes ${ratio} ×`;
    console.log(`${name.padStart(34)}  ${median(all).toFixed(1).padStart(6)} ms${beside}`);
  }
  await measureSet(folder);
}

const WARM_UP = 5;

function fromFolder(folder: string) {
  return (key: string) => Promise.resolve(new Uint8Array(readFileSync(`${folder}/${key}`)));
}

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

async function ourRows(folder: string): Promise<number> {
  const set = { recordSize: 100_000, decompressors: DECOMPRESSORS, fetch: fromFolder(folder) };
  const table = tableBuilder();
  const grid = [1_000_000];
  await recordPages(set, "tas", grid).load(1, { table, array: table.addArray("tas", grid, ".") }, CONTEXT);
  return table.live().rows;
}

/** Not among the project's packages: `npm install --no-save @duckdb/node-api@1.5.6-r.1` for this comparison. */
const DUCKDB = "@duckdb/node-api";

interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string, options: Readonly<Record<string, string>>): Promise<{ connect(): Promise<DuckConnection> }>;
  };
}

interface DuckConnection {
  run(query: string): Promise<{ readonly rowsChanged: number; fetchAllChunks(): Promise<readonly DuckChunk[]> }>;
}

interface DuckChunk {
  getColumnVector(at: number): { readonly length: number };
}

/** `create table` alone, and with the vectors of all columns fetched (their values untouched). */
async function duckdbSubjects(file: string): Promise<readonly (readonly [string, Subject])[]> {
  try {
    const name: string = DUCKDB;
    const { DuckDBInstance } = (await import(name)) as DuckDb;
    const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    const create = `create or replace table refs as select * from read_parquet('${file.replaceAll("'", "''")}')`;
    const fetchAll = async (): Promise<number> => {
      await connection.run(create);
      const result = await connection.run('select path, "offset", size, raw from refs');
      const chunks = await result.fetchAllChunks();
      return chunks.reduce((rows, chunk) => rows + [0, 1, 2, 3].map((at) => chunk.getColumnVector(at)).length, 0);
    };
    return [
      ["DuckDB, create table", async () => (await connection.run(create)).rowsChanged],
      ["DuckDB, create table, fetch vectors", fetchAll],
    ];
  } catch {
    console.log("(DuckDB is left out: @duckdb/node-api is not installed)");
    return [];
  }
}

async function jsonSubject(folder: string): Promise<Subject> {
  const table = tableBuilder();
  const set = { recordSize: 100_000, decompressors: DECOMPRESSORS, fetch: fromFolder(folder) };
  await recordPages(set, "tas", [1_000_000]).load(1, { table, array: table.addArray("tas", [1], ".") }, CONTEXT);
  const { rows, blocks, targets, inline } = table.live();
  const entries: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    const block = blocks[Math.floor(row / 65_536)];
    const at = row % 65_536;
    const [offset, length] = [block?.offset[at] ?? 0, block?.length[at] ?? 0];
    const id = block?.target[at] ?? 0;
    const value =
      id < targets.count
        ? JSON.stringify([targets.text(id), offset, length])
        : `"${new TextDecoder().decode(inline.slice(offset, length))}"`;
    entries.push(`"tas/${block?.ordinal[at] ?? 0}.0.0.0":${value}`);
  }
  const text = `{${entries.join(",")}}`;
  return () => Promise.resolve(Object.keys(JSON.parse(text) as object).length);
}

async function measureSet(folder: string): Promise<void> {
  const { documents, recordSize } = readParquetMetadata(readFileSync(`${folder}/.zmetadata`, "utf8"));
  const set = {
    recordSize: recordSize ?? 1,
    decompressors: DECOMPRESSORS,
    fetch: fromFolder(folder),
  };
  const table = tableBuilder();
  const start = performance.now();
  for (const { key, text } of documents.filter((one) => one.key.endsWith("/.zarray"))) {
    const { shape, chunks } = JSON.parse(text ?? "{}") as { shape: number[]; chunks: number[] };
    const array = key.slice(0, -"/.zarray".length);
    const grid = gridOf(shape, chunks);
    const sink = { table, array: table.addArray(array, grid, ".") };
    const pages = recordPages(set, array, grid);
    for (let page = 0; page < pages.count; page += 1) await pages.load(page, sink, CONTEXT);
  }
  const { rows, byteLength, targets } = table.live();
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  console.log(
    `whole set: ${rows.toLocaleString("en")} references, ${targets.count} URLs, ${seconds} s, ` +
      `${(byteLength / rows).toFixed(1)} bytes a reference at rest`,
  );
}
