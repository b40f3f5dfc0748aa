/** For tests: what a plan of a repository says of every chunk, and the repository written into a folder. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { referenceAt } from "#formats/icechunk/references.ts";
import { chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { indexTable } from "#engine/table/table-index.ts";
import { startPace } from "#engine/pace.ts";
import { columnsOf } from "#engine/write/icechunk/columns.ts";
import { icechunkFiles } from "#engine/write/icechunk/files.ts";
import { containersFor } from "#engine/write/icechunk/locations.ts";
import { type IcechunkPlan, planIcechunk } from "#engine/write/icechunk/plan.ts";
import { CONTEXT } from "./open-corpus.ts";
import type { OfficialChunk } from "./official-icechunk.ts";

/** Buckets become hosts, since the official library tells what it asks of hosts only. */
export const atHosts = (plan: IcechunkPlan): IcechunkPlan => {
  const asHost = (url: string) => url.replace(/^(?:s3|gs|gcs|az|abfs):\/\/([^/]*)\//, "https://$1.example/");
  const locations = plan.locations.map((one) => (one.kind === "url" ? { ...one, url: asHost(one.url) } : one));
  const urls = locations.flatMap((one) => (one.kind === "url" ? [one.url] : []));
  return { ...plan, locations, containers: containersFor(urls, undefined) };
};

export async function writeInto(dir: string, plan: IcechunkPlan): Promise<void> {
  for await (const { path, bytes } of icechunkFiles(plan, "written", CONTEXT)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), bytes);
  }
}

/** Every chunk as the official library tells it, by key. */
export async function chunkFacts(plan: IcechunkPlan): Promise<ReadonlyMap<string, OfficialChunk>> {
  const index = indexTable(plan.table);
  const facts = new Map<string, OfficialChunk>();
  for (const { path, array } of plan.nodes) {
    if (array?.id === undefined) continue;
    const copied = new Map<string, Uint8Array>();
    const making = columnsOf(
      plan,
      array,
      path,
      await index.arrayIndex(array.id, CONTEXT),
      startPace(CONTEXT, "", 0),
      CONTEXT,
    );
    let step = await making.next();
    for (; step.done !== true; step = await making.next())
      copied.set(step.value.path.slice("chunks/".length), step.value.bytes);
    const columns = { ...step.value, file: { kind: "manifest", path: "" }, strays: new Map() } as never;
    for (let row = 0; row < step.value.rows; row += 1) {
      const key = chunkKey(path, coordinatesOf(array.grid, step.value.ordinal[row] ?? 0), "c/");
      facts.set(key, factsOf(referenceAt(columns, row), copied));
    }
  }
  return facts;
}

const hashed = (bytes: Uint8Array) => ({
  sha256: createHash("sha256").update(bytes).digest("hex"),
  length: bytes.length,
});

function factsOf(reference: ReturnType<typeof referenceAt>, copied: ReadonlyMap<string, Uint8Array>): OfficialChunk {
  if (reference.kind === "inline") return hashed(reference.bytes);
  if (reference.kind === "native") return hashed(copied.get(reference.chunk) ?? new Uint8Array(0));
  if (reference.kind !== "virtual") throw new Error(reference.kind);
  const { location, offset, length, checksum } = reference;
  const sum = checksum?.kind === "etag" ? { etag: checksum.etag } : checksum && { seconds: checksum.seconds };
  return { url: location, offset: Number(offset), length: Number(length), ...sum };
}

export const planFor = (set: EngineSet, prefix?: string): Promise<IcechunkPlan> =>
  planIcechunk(set, { prefix }, CONTEXT);
