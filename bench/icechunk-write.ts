/**
 * A million virtual references as an Icechunk repository: ours, from an open set, against setVirtualRefs and commit of the
 * official library, which REFSCOPE_ICECHUNK names a folder of. Each in a program of its own, side by side; what is written
 * before the clock starts (the set, the library's list of references) does not count, memory does from there on.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const REFERENCES = 1_000_000;
const PREFIX = "s3://some-bucket/path/";

/** Ten files share a chunk's place in turn; lengths differ, as compressed chunks do. */
const reference = (at: number) => ({
  location: `${PREFIX}run/file_${String(Math.floor(at / 50)).padStart(7, "0")}.nc`,
  offset: 30_000 + (at % 50) * 150_000 + ((at * 7919) % 4096),
  length: 100_000 + ((at * 104_729) % 50_000),
});
const SHAPE = [REFERENCES / 2500, 50, 50] as const;
const coordinatesOf = (at: number) => [Math.floor(at / 2500), Math.floor(at / 50) % 50, at % 50];

interface Measured {
  readonly milliseconds: number;
  /** Bytes of memory at most, above what the program held when the clock started, and in all. */
  readonly grown: number;
  readonly peak: number;
  readonly bytes: number;
}

export function benchIcechunkWrite(rounds: number, median: (numbers: readonly number[]) => number): void {
  const folder = process.env["REFSCOPE_ICECHUNK"];
  const hasOfficial = folder !== undefined && existsSync(join(folder, "node_modules/@earthmover/icechunk"));
  if (!hasOfficial)
    console.log("\n(the official writer of Icechunk is left out: REFSCOPE_ICECHUNK names no folder that has it)");
  const [ours, official]: [Measured[], Measured[]] = [[], []];
  const folderOfSet = mkdtempSync(join(tmpdir(), "refscope-bench-"));
  const document = join(folderOfSet, "set.json");
  writeDocument(document);
  for (let round = 0; round < Math.max(3, rounds); round += 1) {
    ours.push(measured(["ours", document], {}));
    if (hasOfficial) official.push(measured(["official"], { LD_PRELOAD: join(folder, "libisoc23.so") }));
  }
  rmSync(folderOfSet, { recursive: true });
  print("ours", ours, median);
  if (!hasOfficial) return;
  print("official", official, median);
  const ratio = (of: (one: Measured) => number) =>
    median(ours.map((one, at) => of(one) / of(official[at] ?? one))).toFixed(2);
  console.log(`ours/official: ${ratio((one) => one.milliseconds)} of the time, ${ratio((one) => one.grown)} of the memory added, ${ratio((one) => one.peak)} of all memory, ${ratio((one) => one.bytes)} of the bytes written`); // prettier-ignore
}

function measured(subject: readonly string[], env: Readonly<Record<string, string>>): Measured {
  const args = ["--import", "tsx", fileURLToPath(import.meta.url), ...subject];
  const { stdout, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: "utf8" });
  const last = stdout.trim().split("\n").at(-1) ?? "";
  if (!last.startsWith("{")) throw new Error(stderr);
  return JSON.parse(last) as Measured;
}

function print(name: string, all: readonly Measured[], median: (numbers: readonly number[]) => number): void {
  const of = (pick: (one: Measured) => number) => median(all.map(pick));
  console.log(
    `${name.padStart(10)}: ${of(({ milliseconds }) => milliseconds).toFixed(0)} ms, ${(of(({ grown }) => grown) / 1e6).toFixed(0)} MB more than before ` +
      `(${(of(({ peak }) => peak) / 1e6).toFixed(0)} MB in all), ${(of(({ bytes }) => bytes) / 1e6).toFixed(1)} MB written`,
  );
}

const METADATA = {
  zarr_format: 3, node_type: "array", shape: SHAPE, data_type: "int32", fill_value: 0, attributes: {},
  chunk_grid: { name: "regular", configuration: { chunk_shape: [1, 1, 1] } },
  chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  codecs: [{ name: "bytes", configuration: { endian: "little" } }],
}; // prettier-ignore
const GROUP = { zarr_format: 3, node_type: "group", attributes: {} };

/** Kerchunk JSON of the references, made before any program starts. */
function writeDocument(path: string): void {
  const inline = (value: object) => JSON.stringify(JSON.stringify(value));
  const pieces = [`{"zarr.json":${inline(GROUP)},"a/zarr.json":${inline(METADATA)}`];
  for (let at = 0; at < REFERENCES; at += 1) {
    const { location, offset, length } = reference(at);
    pieces.push(`,"a/c/${coordinatesOf(at).join("/")}":["${location}",${offset},${length}]`);
  }
  writeFileSync(path, `${pieces.join("")}}`);
}

async function ours(dir: string) {
  const { openSet } = await import("../src/cli/open-refs.ts");
  const { planForm } = await import("../src/engine/write/forms.ts");
  const context = { signal: new AbortController().signal, report: () => undefined };
  const set = await openSet(process.argv[3] ?? "", { offline: true }, context);
  return async () => {
    const { files } = await planForm(set, { form: "icechunk" }, context);
    for await (const { path, bytes } of files()) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), bytes);
    }
  };
}

async function official(dir: string) {
  const { Repository, Storage } = createRequire(`${process.env["REFSCOPE_ICECHUNK"]}/x.js`)("@earthmover/icechunk");
  const repo = await Repository.create(await Storage.newLocalFilesystem(dir), {}, 2);
  const session = await repo.writableSession("main");
  await session.store.set("zarr.json", Buffer.from(JSON.stringify(GROUP)));
  await session.store.set("a/zarr.json", Buffer.from(JSON.stringify(METADATA)));
  const all = Array.from({ length: REFERENCES }, (_, at) => ({ index: coordinatesOf(at), ...reference(at) }));
  return async () => {
    await session.store.setVirtualRefs("/a", all, false);
    await session.commit("written");
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dir = mkdtempSync(join(tmpdir(), "refscope-bench-"));
  const write = await (process.argv[2] === "official" ? official : ours)(dir);
  (globalThis as { gc?: () => void }).gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10);
  const start = performance.now();
  await write();
  const milliseconds = performance.now() - start;
  clearInterval(watch);
  const sizes = readdirSync(dir, { recursive: true, encoding: "utf8" }).map((path) => statSync(join(dir, path)));
  const bytes = sizes.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
  rmSync(dir, { recursive: true });
  const grown = Math.max(most - before, 1);
  console.log(
    JSON.stringify({ milliseconds, grown, peak: process.resourceUsage().maxRSS * 1024, bytes } satisfies Measured),
  );
  process.exit(0);
}
