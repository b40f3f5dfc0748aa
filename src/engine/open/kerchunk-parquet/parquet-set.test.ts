/** Findings on Kerchunk Parquet sets besides those on their records. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { keyAt, targetAt } from "#core/findings/fact.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { droppedFiles } from "#io/local-files.ts";
import { openAny, openFiles } from "../open-any.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const FIXTURES = new URL("../../../formats/kerchunk-parquet/fixtures/", import.meta.url);
const ARRAY = { zarr_format: 2, shape: [3], chunks: [1], dtype: "|u1", fill_value: 0, order: "C", filters: null };
const METADATA = JSON.stringify({
  metadata: { ".zgroup": { zarr_format: 2 }, "a/.zarray": { ...ARRAY, compressor: null } },
  record_size: 3,
});

const record = (name: string) => new Blob([readFileSync(new URL(`${name}.parq`, FIXTURES))]);

async function findingsOf(files: Readonly<Record<string, Blob>>) {
  const dropped = droppedFiles(Object.entries(files).map(([path, blob]) => ({ path, blob })));
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(dropped, opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set.findings;
}

it("a record alone says what it lacks", async () => {
  const findings = await findingsOf({ "refs.0.parq": record("duckdb-zstd") });
  const facts = { rows: 12, writer: expect.stringContaining("DuckDB") as string };
  expect(findings).toContainEqual(
    expect.objectContaining({ code: "record-alone", place: targetAt("refs.0.parq"), facts }),
  );
});

it("an answer that does not say whether a record is there is a failure", async () => {
  const fetch = (url: string) => {
    const { pathname } = new URL(url);
    if (pathname === "/set.parq/.zmetadata") return Promise.resolve(new Response(METADATA));
    return Promise.resolve(new Response(null, { status: pathname.endsWith(".parq") ? 403 : 404 }));
  };
  const source = { kind: "url", url: "https://data.example/set.parq" } as const;
  const network = { http: { fetch, attempts: 1 } };
  const opened = await openAny(source, { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT });
  if (opened.kind !== "set") throw new Error(opened.title);
  const { index } = opened.set;
  const pages = [...index.paged.values()][0];
  await pages?.load([0], CONTEXT);
  const finding = { code: "parquet-record-denied", place: keyAt("a/refs.0.parq"), facts: { status: 403 } };
  expect(pages?.failureOf(0)).toMatchObject(finding);
});
