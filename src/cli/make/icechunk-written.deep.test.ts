/**
 * Every set at hand, written as a repository and opened by the official library: keys, metadata and references are those of
 * the set; opened by us and written again, they are the same.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { type Random, randomFrom } from "#formats/icechunk/testing/damage.ts";
import { openDocument } from "#engine/testing/open-document.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import type { IcechunkPlan } from "#engine/write/icechunk/plan.ts";
import { builtTerminal } from "../../../tools/build-terminal.mjs";
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
const KILLS = Number(process.env["REFSCOPE_KILLS"] ?? 20);
const RANDOM = Number(process.env["REFSCOPE_RANDOM"] ?? 500);
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

  it(`reads ${RANDOM} random sets`, { timeout: 3_600_000 }, async () => {
    const official = officialLibrary();
    let [chunks, read] = [0, 0];
    for (let seed = 1; seed <= RANDOM; seed += 1) {
      const hosted = atHosts(await planFor(await openDocument(randomDocument(randomFrom(seed)))));
      const dir = join(folder, `random-${seed}`);
      const facts = await chunkFacts(hosted);
      await writeInto(dir, hosted);
      const said = await official.ask({ dir, prefixes: [...hosted.containers.keys()], commit: true });
      if (said.failed !== undefined) throw new Error(`seed ${seed}: ${said.failed}`);
      expectSame(said, hosted, facts);
      const ours = await opened(dir, folder);
      if (typeof ours === "string") throw new Error(`seed ${seed}: ${ours}`);
      expect(textOf(await chunkFacts(await planFor(ours))) === textOf(facts)).toBe(true);
      [chunks, read] = [chunks + facts.size, read + Object.keys(said.chunks).length];
      rmSync(dir, { recursive: true });
    }
    official.end();
    console.log(`${RANDOM} random sets, ${chunks} chunks, ${read} read`);
  });

  it(
    `opens what was written whole, after ${KILLS} kills, and finds nothing of the rest`,
    { timeout: 3_600_000 },
    async () => {
      const official = officialLibrary();
      const program = await builtTerminal();
      const set = join(folder, "many.json");
      const references = Array.from({ length: 20_000 }, (_, at) => [`a/${at}`, [`s3://bucket/${at}.nc`, at, 1]]);
      const metadata = { "a/.zarray": zarrayWith({ shape: [20_000], chunks: [1], dtype: "|u1" }) };
      writeFileSync(set, JSON.stringify({ ...metadata, ...Object.fromEntries(references) }));
      const write = (out: string, after?: number) =>
        new Promise<number>((done) => {
          const begin = performance.now();
          const child = spawn(process.execPath, [program, "write", set, "--as", "icechunk", "--out", out], {
            stdio: "ignore",
          });
          const timer = after === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), after);
          child.on("close", () => {
            clearTimeout(timer);
            done(performance.now() - begin);
          });
        });
      const whole = Math.max(await write(join(folder, "kill-a")), await write(join(folder, "kill-b")));
      const seen = { whole: 0, nothing: 0, unfinished: 0 };
      for (let kill = 0; kill < KILLS; kill += 1) {
        const at = join(folder, `killed-${kill}`);
        mkdirSync(at);
        await write(join(at, "out"), Math.random() * whole * 1.1);
        const left = readdirSync(at);
        if (!left.includes("out")) seen.nothing += 1;
        seen.unfinished += Number(left.some((name) => name !== "out"));
        // What a killed program leaves beside it is no repository either, unless all of it is there.
        for (const name of left) {
          if (name !== "out" && !existsSync(join(at, name, "repo"))) continue;
          const said = await official.ask({ dir: join(at, name), prefixes: ["s3://bucket/"] });
          if (name === "out" || said.failed === undefined) expect(said.keys).toHaveLength(20_002);
          seen.whole += Number(name === "out");
        }
        rmSync(at, { recursive: true });
      }
      official.end();
      console.log(`${KILLS} kills:`, seen);
    },
  );
});

/** Arrays of any rank in groups of odd names, with chunks at any places, of any lengths, sparse or not. */
function randomDocument(random: Random): Record<string, unknown> {
  const below = (most: number) => random.below(most);
  const one = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  const document: Record<string, unknown> = { ".zgroup": '{"zarr_format":2}' };
  const names = ["a", "A", "a b", "a.b", "a-b", "é", "a0", "数", "Z%20", "_x"];
  for (let array = below(6); array >= 0; array -= 1) {
    const path = Array.from({ length: 1 + below(3) }, (_, depth) => `${one(names)}${depth === 0 ? array : ""}`).join(
      "/",
    );
    const chunks = Array.from({ length: below(5) }, () => 1 + below(4));
    const grid = chunks.map(() => 1 + below(5));
    const shape = chunks.map((length, axis) => Math.max(0, length * (grid[axis] ?? 1) - below(length)));
    const separator = one<"." | "/">([".", "/"]);
    const dtype = one(["<f4", ">i2", "|u1", "<f8", "|S3", "<M8[ns]"]);
    const codecs = {
      compressor: one([null, { id: "zlib", level: 1 }]),
      filters: one([null, [{ id: "shuffle", elementsize: 4 }]]),
    };
    document[`${path}/.zarray`] = {
      ...zarrayWith({ shape, chunks, dtype }),
      ...codecs,
      dimension_separator: separator,
    };
    const dimensions = chunks.map((_, axis) => one(["x", "y", "time"]) + axis);
    document[`${path}/.zattrs`] = {
      _ARRAY_DIMENSIONS: dimensions,
      n: below(9),
      text: one(names),
      list: [1.5, null, "é"],
    };
    const density = 1 + below(10);
    for (let ordinal = grid.reduce((cells, count) => cells * count, 1) - 1; ordinal >= 0; ordinal -= 1)
      if (below(10) < density)
        document[chunkKey(path, coordinatesOf(grid, ordinal), separator)] = randomReference(below, one);
  }
  return document;
}

function randomReference(below: (most: number) => number, one: <T>(of: readonly T[]) => T): unknown {
  const length = one([1 + below(40), 1 + below(2 ** 20), 1 + below(4)]);
  if (below(4) === 0) return `base64:${Buffer.alloc(1 + below(700), below(256)).toString("base64")}`;
  const file = `${one(["run", "a b", "é%20", "x?y#z"])}/${below(40)}.nc`;
  const target = one([
    `s3://bucket${below(3)}/${file}`,
    `gs://b/${file}`,
    `https://h${below(2)}.example/d/${below(9)}.h5`,
  ]);
  return [target, one([0, below(1000), below(2 ** 31) * 2 ** 20]), length];
}
