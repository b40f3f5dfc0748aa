/**
 * Every set at hand, written as a repository and opened by the official library: keys, metadata and references are those of
 * the set; opened by us and written again, they are the same.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { RefscopeError } from "#core/findings/finding.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import type { IcechunkPlan } from "#engine/write/icechunk/plan.ts";
import { openRefs } from "../open-refs.ts";
import { atHosts, chunkFacts, planFor, writeInto } from "../testing/icechunk-written.ts";
import {
  hasOfficial,
  type Official,
  type OfficialChunk,
  officialLibrary,
  officialTitle,
} from "../testing/official-icechunk.ts";
import { CONTEXT } from "../testing/open-corpus.ts";

const SHARED = resolve(process.env["REFSCOPE_SHARED"] ?? "../shared");
const ROOTS = ["public/samples", join(SHARED, "corpus"), join(SHARED, "fixtures")].filter((root) => {
  return statSync(root, { throwIfNoEntry: false })?.isDirectory();
});
const PREFIX = "https://prefix.example/data";
const folder = mkdtempSync(join(tmpdir(), "refscope-icechunk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STORE = /^(?:\.zgroup|\.zarray|\.zmetadata|zarr\.json|repo|refs|snapshots)$/;
const SKIPPED = /\.(?:md|txt|py|mjs|js|png|html|yaml|sha256)$|node_modules|attack/;

/** Files and stores below a folder; nothing in a store is one of its own. */
function candidates(root: string): readonly string[] {
  const entries = readdirSync(root, { withFileTypes: true });
  if (entries.some(({ name }) => STORE.test(name))) return [root];
  return entries.flatMap((entry) => {
    const path = join(root, entry.name);
    if (SKIPPED.test(path)) return [];
    return entry.isDirectory() ? candidates(path) : entry.isFile() && statSync(path).size < 50e6 ? [path] : [];
  });
}

async function opened(path: string, root: string): Promise<EngineSet | string> {
  try {
    const found = await openRefs(path, { offline: true, root }, CONTEXT);
    return found.kind === "set" ? found.set : "several sets";
  } catch (error) {
    return error instanceof RefscopeError ? error.code : String(error);
  }
}

async function planned(set: EngineSet): Promise<IcechunkPlan | string> {
  try {
    return await planFor(set, PREFIX);
  } catch (error) {
    if (error instanceof RefscopeError) return `${error.code} ${JSON.stringify(error.finding.facts["why"] ?? "")}`;
    throw error;
  }
}

/** The library tells URLs as they are asked for, and ETags without their quotes. */
function told(chunk: OfficialChunk | undefined): string {
  const { url, offset, length, etag, seconds, sha256, error } = chunk ?? {};
  return JSON.stringify([url && new URL(url).href, offset, length, etag?.replaceAll('"', ""), seconds, sha256, error]);
}

const textOf = (facts: ReadonlyMap<string, OfficialChunk>) =>
  [...facts].map(([key, one]) => key + told(one)).join("\n");

function expectSame(said: Official, { nodes }: IcechunkPlan, facts: ReadonlyMap<string, OfficialChunk>): void {
  const keys = nodes.map(({ path }) => (path === "" ? "zarr.json" : `${path}/zarr.json`));
  expect(said.keys).toEqual([...keys, ...facts.keys()].toSorted());
  for (const [at, key] of keys.entries())
    expect(said.metadata[key]).toBe(new TextDecoder().decode(nodes[at]?.metadata));
  const differing = Object.entries(said.chunks).filter(([key, one]) => told(one) !== told(facts.get(key)));
  expect(differing).toEqual([]);
  expect(said.locations).toEqual([...new Set([...facts.values()].flatMap(({ url = [] }) => url))].toSorted());
  expect(said.newArrays.length + said.newGroups.length).toBe(keys.length);
  expect(Object.values(said.counts).reduce((sum, one) => sum + one, 0)).toBe(facts.size);
  expect(said.next).toMatch(/^\w{20}$/);
}

describe.skipIf(!hasOfficial)(officialTitle, () => {
  it("reads every set that can be written", { timeout: 3_600_000 }, async () => {
    const official = officialLibrary();
    const [counts, wrong, partly] = [new Map<string, number>(), new Array<string>(), new Map<string, number>()];
    const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
    let [number, chunks, read] = [0, 0, 0];
    for (const root of ROOTS)
      for (const path of candidates(root)) {
        const set = await opened(path, root.endsWith("samples") ? root : join(path, ".."));
        if (typeof set === "string") {
          count(counts, `not opened: ${set}`);
          continue;
        }
        const plan = await planned(set).catch((error: unknown) => String(error));
        if (typeof plan === "string") {
          count(counts, `not written: ${plan}`);
          if (!/export-/.test(plan)) wrong.push(`${path}: ${plan}`);
          continue;
        }
        for (const { code, facts } of plan.findings)
          if (code === "write-left-out") count(partly, JSON.stringify(facts["what"]));
        const dir = join(folder, String((number += 1)));
        const hosted = atHosts(plan);
        try {
          const facts = await chunkFacts(hosted);
          await writeInto(dir, hosted);
          const said = await official.ask({ dir, prefixes: [...hosted.containers.keys()], commit: true });
          if (said.failed !== undefined) throw new Error(said.failed);
          expectSame(said, hosted, facts);
          chunks += facts.size;
          read += Object.keys(said.chunks).length;
          // What the official library has committed since changes none of the arrays.
          const ours = await opened(dir, folder);
          if (typeof ours === "string") throw new Error(ours);
          expect(ours.findings.map(({ code }) => code)).not.toContain("icechunk-library-limit");
          const again = await planFor(ours);
          expect(textOf(await chunkFacts(again)) === textOf(facts)).toBe(true);
          count(counts, "written");
        } catch (error) {
          wrong.push(`${path}: ${String(error instanceof Error ? error.message : error).slice(0, 600)}`);
        }
        rmSync(dir, { recursive: true, force: true });
      }
    official.end();
    console.log(
      Object.fromEntries(counts),
      `${chunks} chunks, ${read} read`,
      "left out in:",
      Object.fromEntries(partly),
    );
    expect(wrong).toEqual([]);
  });
});
