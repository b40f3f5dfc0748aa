/** Shards whose index has a checksum that the metadata do not name, and inner chunks with one entry. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import type { Finding } from "#core/findings/finding.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { droppedFiles } from "#io/local-files.ts";
import { openFiles } from "./open-any.ts";

const FOLDER = resolve(import.meta.dirname, "../testing/sharded");

/** Findings of a recorded store, with other index codecs where they are given. */
async function found(name: string, indexCodecs?: readonly unknown[], at?: string): Promise<readonly Finding[]> {
  const folder = join(FOLDER, name);
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  const blobs = files.map((path) => ({ path, blob: new Blob([content(join(folder, path), indexCodecs, at)]) }));
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(droppedFiles(blobs), opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set.findings;
}

function content(path: string, indexCodecs: readonly unknown[] | undefined, at: string | undefined): BlobPart {
  const bytes = readFileSync(path);
  if ((indexCodecs ?? at) === undefined || !path.endsWith("zarr.json")) return bytes;
  const metadata = JSON.parse(bytes.toString()) as { codecs: { configuration: Record<string, unknown> }[] };
  for (const { configuration } of metadata.codecs) {
    configuration["index_codecs"] = indexCodecs ?? configuration["index_codecs"];
    configuration["index_location"] = at ?? configuration["index_location"];
  }
  return JSON.stringify(metadata);
}

const PLAIN = [{ name: "bytes", configuration: { endian: "little" } }];

it.each([
  ["start_gzip", false],
  ["end_plain", true],
])("%s: a checksum that index_codecs does not name", async (name, isShifted) => {
  const findings = await found(name, PLAIN);
  expect(findings).toMatchObject([
    { code: "shard-index-checksum-unnamed", place: { kind: "shard" }, facts: { length: 64, isShifted }, count: 4 },
  ]);
  expect(findings[0]?.places).toHaveLength(4);
  expect(await found(name)).toEqual([]);
});

it("shards that have none are not suspected of one", async () => {
  expect((await found("gaps")).map(({ code }) => code)).toEqual(["shard-dead-bytes"]);
});

it("inner chunks with the same entry are a note", async () => {
  const codes = (await found("shared_entries")).map(({ code }) => code);
  expect(codes).toEqual(["shard-entries-identical"]);
});

it.each([
  ["start_gzip", "end", "start"],
  ["end_plain", "start", "end"],
])("%s: an index that is at the other end is told from a damaged one", async (name, said, elsewhere) => {
  const findings = await found(name, undefined, said);
  expect(findings).toMatchObject([{ code: "shard-index-checksum", facts: { elsewhere } }]);
});
