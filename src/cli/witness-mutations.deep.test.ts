/**
 * Healthy sets with one changed statement each: `check --deep all` names the array among its first two errors or warnings,
 * says nothing of the healthy sets, and calls no fix safe that gives other values than theirs. REFSCOPE_SEED makes others;
 * REFSCOPE_UNNAMED=1 keeps the sets, and prints what was said of those that are not named.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { CheckFinding } from "../core/report/report.ts";
import type { HealthySet } from "../engine/check/testing/healthy/healthy-set.ts";
import { randomOf } from "../engine/check/testing/healthy/random.ts";
import { writeHealthy } from "../engine/check/testing/healthy/write-healthy.ts";
import { checkRefs, type Report } from "./check-command.ts";
import { nodePool } from "./decode-threads.ts";
import { openSet } from "./open-refs.ts";
import { CHANGED_STATEMENTS, type Files, type Kind } from "./testing/changed-statements.ts";
import { chunkHashes, CONTEXT } from "./testing/open-corpus.ts";
import { ROOT, runCommand } from "./testing/run-command.ts";
import { TOLD_TWICE } from "./testing/told-twice.ts";

const SEED = Number(process.env["REFSCOPE_SEED"] ?? 36);
const ROUNDS = 6;
/** Least share of changes that are named; most alarms about healthy sets. */
const FLOORS = { named: 0.93, alarms: 0 };
const isTold = process.env["REFSCOPE_UNNAMED"] !== undefined;

const folder = mkdtempSync(join(tmpdir(), "refscope-mutations-"));
const decoder = nodePool(0);
afterAll(() => {
  decoder.close();
  if (!isTold) rmSync(folder, { recursive: true });
});

interface Healthy {
  readonly set?: HealthySet;
  readonly seed: number;
  readonly files: Files;
}

async function filesOf(set: HealthySet, seed: number): Promise<Files> {
  const files = writeHealthy(set, randomOf(seed)).files.map(
    async ({ path, blob }) => [path, Buffer.from(await blob.arrayBuffer())] as const,
  );
  return new Map(await Promise.all(files));
}

/** References to classic files of netCDF's own, in which a variable is packed. */
const CLASSIC = ["s001", "s005", "s026", "s036"];
async function classicFiles(id: string): Promise<Files> {
  const path = join(ROOT, "src/engine/preflight/fixtures/concat", id);
  const names = readdirSync(path).toSorted();
  const files = new Map(names.map((name) => [name, readFileSync(join(path, name))]));
  written(id, files);
  const out = join(folder, id, "refs.json");
  await runCommand(["combine", ...names.map((name) => join(folder, id, name)), "--along", "time", "--out", out]);
  return files.set("refs.json", readFileSync(out));
}

/** Files that are committed, with references to them in which small arrays are inline. */
const COMMITTED = [
  ["engine/check/witness/fixtures", "data.grib2"],
  ["formats/hdf5/fixtures", "netcdf4_grid.nc"],
  ["engine/check/witness/fixtures", "gauges.nc"],
] as const;
async function committedFiles(under: string, name: string): Promise<Files> {
  const path = join(ROOT, "src", under);
  const files = new Map([[name, readFileSync(join(path, name))]]);
  if (name === "data.grib2") return files.set("refs.json", readFileSync(join(path, "refs.json")));
  const source = join(written(name, files), "..", name);
  const { stdout } = await runCommand(["refs", source, "--inline-below", "150"]);
  return files.set("refs.json", Buffer.from(stdout));
}

async function healthySets(): Promise<ReadonlyMap<string, Healthy>> {
  const sets = new Map<string, Healthy>();
  for (const [under, name] of COMMITTED) sets.set(name, { seed: SEED, files: await committedFiles(under, name) });
  for (const id of CLASSIC) sets.set(id, { seed: SEED, files: await classicFiles(id) });
  for (const [at, [name, kind]] of Object.entries(TOLD_TWICE).entries())
    for (let round = 0; round < ROUNDS; round += 1) {
      const seed = SEED + 1000 * at + round;
      const set = kind(randomOf(seed));
      sets.set(`${name}-${round}`, { set, seed, files: await filesOf(set, seed) });
    }
  return sets;
}

/** `undefined` where the change does not apply. */
async function changed({ set, seed, files }: Healthy, [, , , change]: Kind): Promise<Files | undefined> {
  if (typeof change === "function") {
    const other = set && change(set);
    return other && filesOf(other, seed);
  }
  const copy = new Map([...files].map(([name, bytes]) => [name, Buffer.from(bytes)]));
  return change.files(copy) ? copy : undefined;
}

/** What is to be opened. */
function written(name: string, files: Files): string {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), bytes);
  }
  return join(folder, name, files.has("refs.json") ? "refs.json" : "set.zarr");
}

const OPTIONS = { json: true, chunks: false, offline: false, target: undefined, choice: undefined, root: undefined };
const GIVEN = { expectation: undefined, acceptances: [], fixes: true };
const checked = (path: string): Promise<Report> =>
  checkRefs(path, { ...OPTIONS, deep: "all", fix: path.endsWith(".json") }, decoder, CONTEXT, GIVEN);

const loud = ({ findings }: Report, least?: "info"): readonly CheckFinding[] =>
  findings.filter(({ severity }) => severity !== "info" || least === "info");
const textOf = ({ array = "", code, cause, message, advice = "" }: CheckFinding): string =>
  `${code} [${array}] ${cause}: ${message} ${advice}`;

const hashesAt = async (path: string) => chunkHashes(await openSet(path, OPTIONS, CONTEXT));

/** Chunks that a fix called safe gives values which they have neither now nor in the healthy set. */
async function wronglyFixed(path: string, { fixed }: Report, healthy: string): Promise<readonly string[]> {
  if (fixed === undefined || fixed.after === fixed.before) return [];
  const [right, before] = [await hashesAt(healthy), await hashesAt(path)];
  writeFileSync(path, fixed.after);
  const after = [...(await hashesAt(path))];
  return after.flatMap(([key, hash]) =>
    hash !== before.get(key) && hash !== right.get(key) ? [`${path}: ${key}`] : [],
  );
}

it(`a changed statement is named, by the seed ${SEED}`, { timeout: 1_800_000 }, async () => {
  const kinds = CHANGED_STATEMENTS.map((kind) => ({ kind, name: kind[0], named: 0, of: 0 }));
  const [alarms, wrong, unnamed]: [string[], string[], string[]] = [[], [], []];
  for (const [id, one] of await healthySets()) {
    const path = written(id, one.files);
    const healthy = await checked(path);
    const said = new Set(healthy.findings.map(textOf));
    alarms.push(...loud(healthy).map((found) => `${id}: ${textOf(found)}`));
    for (const count of kinds) {
      const [name, arrays, says, , least] = count.kind;
      const files = await changed(one, count.kind);
      if (files === undefined) continue;
      const other = written(`${id} ${name.replaceAll(/\W/g, "-")}`, files);
      const report = await checked(other);
      const fresh = loud(report, least).flatMap((found) => (said.has(textOf(found)) ? [] : [textOf(found)]));
      const words = [`\\b(?:${arrays})(?:_bnds)?\\b`, says].map((each) => new RegExp(each, "i"));
      count.of += 1;
      if (fresh.slice(0, 2).some((text) => words.every((each) => each.test(text)))) count.named += 1;
      else unnamed.push([other, ...fresh].join("\n    "));
      wrong.push(...(await wronglyFixed(other, report, path)));
    }
  }
  const [named, of] = [kinds.reduce((sum, one) => sum + one.named, 0), kinds.reduce((sum, one) => sum + one.of, 0)];
  console.log(kinds.map((one) => `${`${one.named}/${one.of}`.padStart(7)}  ${one.name}`).join("\n"));
  console.log(`${named} of ${of} named; ${alarms.length} false alarms`);
  if (isTold) console.log([...unnamed, ...alarms].join("\n"));
  expect(kinds.filter((one) => one.of === 0).map(({ name }) => name)).toEqual([]);
  expect(wrong).toEqual([]);
  expect(alarms.slice(FLOORS.alarms)).toEqual([]);
  expect(named / of).toBeGreaterThanOrEqual(FLOORS.named);
});
