/**
 * Sources that cannot be asked, or are not there, say nothing of values: in every format, by every command that reads.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RangeServer, startRangeServer } from "../../e2e/support/range-server.ts";
import { smallParquet, smallStore } from "../../e2e/support/small-sets.ts";
import { putStore, type StoreFiles } from "../../e2e/support/stores.ts";
import { corpus } from "../core/testing/corpus.ts";
import { runCommand } from "./testing/run-command.ts";

let server: RangeServer;
let folder: string;
beforeAll(async () => {
  server = await startRangeServer();
  folder = mkdtempSync(join(tmpdir(), "refscope-reach-"));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const ZARRAY = { zarr_format: 2, compressor: null, filters: null, fill_value: 0, order: "C" };
const array = (dtype: string, shape: readonly number[], chunks: readonly number[]) =>
  JSON.stringify({ ...ZARRAY, dtype, shape, chunks });
const named = (dimensions: readonly string[]) => JSON.stringify({ _ARRAY_DIMENSIONS: dimensions });
const ofTimes = (times: readonly number[]) =>
  `base64:${Buffer.from(Float64Array.from(times).buffer).toString("base64")}`;

/** Times in the document, four chunks of a variable in two files. */
const references = (target: (file: string) => string) => ({
  ".zgroup": '{"zarr_format":2}',
  "time/.zarray": array("<f8", [4], [4]),
  "time/.zattrs": named(["time"]),
  "time/0": ofTimes([1, 2, 3, 4]),
  "sst/.zarray": array("|u1", [4, 8], [1, 8]),
  "sst/.zattrs": named(["time", "x"]),
  ...Object.fromEntries([0, 1, 2, 3].map((at) => [`sst/${at}.0`, [target(`f${at >> 1}.bin`), (at % 2) * 8, 8]])),
});

const write = (name: string, content: Uint8Array | string): string => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
};
const writeJson = (name: string, target: (file: string) => string) =>
  write(`${name}/refs.json`, JSON.stringify(references(target)));
function writeAll(name: string, files: StoreFiles): string {
  for (const [path, content] of Object.entries(files)) write(`${name}/${path}`, content);
  return join(folder, name);
}

/** Phrases that are untrue of chunks that were not read. */
const UNTRUE = /failed to decode|\blost\b|No problems found|All \d+ chunks decode|No errors/;

const LOCAL: readonly (readonly [string, (file: string) => string])[] = [
  ["beside the document", (file) => `data/${file}`],
  ["above its folder", (file) => `../nowhere/${file}`],
  ["an absolute path", (file) => `/nowhere/at/all/${file}`],
  ["a file: URL", (file) => `file:///nowhere/at/all/${file}`],
  ["a Windows path", (file) => `C:\\data\\${file}`],
  ["a share of Windows", (file) => `\\\\server\\share\\${file}`],
];

describe("a source that is local by its path and not there", () => {
  it.each(LOCAL)("is an error without being asked for: %s", async (name, target) => {
    const refs = writeJson(name.replaceAll(/\W/g, ""), target);
    for (const more of [[], ["--network"], ["--deep", "all"], ["--offline"], ["--root", folder]]) {
      const { status, stdout } = await runCommand(["check", refs, ...more]);
      expect({ status, more }).toEqual({ status: 1, more });
      expect(stdout).not.toMatch(UNTRUE);
      expect(stdout).toContain("error[target-missing]: Source file not found");
      expect(stdout.match(/error\[/g)).toHaveLength(1);
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(
        "4 chunks could not be checked: their sources are out of reach.",
      );
      expect(stdout).toMatch(/✕ Sources {3}No\. 0 of 2 sources found; 2 are missing/);
    }
  });

  it("says so of the half that is missing, and keeps what was read", async () => {
    const refs = writeJson("half", (file) => file);
    write(
      "half/f1.bin",
      Uint8Array.from({ length: 16 }, (_, at) => at + 1),
    );
    const { status, stdout } = await runCommand(["check", refs, "--deep", "all", "--json"]);
    const { checked, verdict } = JSON.parse(stdout) as {
      checked: { chunks: object; targets: object };
      verdict: Record<string, object>;
    };
    expect(status).toBe(1);
    expect(checked.chunks).toEqual({ of: 5, decoded: 3, failed: 0, unreached: 2 });
    expect(checked.targets).toMatchObject({ of: 2, asked: 2, answered: 1 });
    expect(verdict["values"]).toEqual({
      answer: "partly",
      why: "No problems in 3 of 5 chunks. 2 chunks could not be checked: their sources are out of reach.",
    });
  });

  it("is read by its absolute path within the document's folder", async () => {
    const refs = writeJson("inside", (file) => `file://${folder}/inside/data/${file}`);
    for (const file of ["f0.bin", "f1.bin"]) write(`inside/data/${file}`, new Uint8Array(16).fill(7));
    const { status, stdout } = await runCommand(["check", refs, "--deep", "all"]);
    expect(stdout).toContain("All 5 chunks decode.");
    expect(status).toBe(0);
  });

  it("is not checked where it lies outside of what may be read", async () => {
    const refs = writeJson("outside/deeper", (file) => `${folder}/outside/${file}`);
    for (const file of ["f0.bin", "f1.bin"]) write(`outside/${file}`, new Uint8Array(16).fill(7));
    const { status, stdout } = await runCommand(["check", refs]);
    expect(stdout.split("\n")[0]).not.toMatch(/found$/);
    expect(stdout).toContain("Not checked. No source has been checked.");
    expect(status).toBe(0);
    const below = await runCommand(["check", refs, "--root", join(folder, "outside"), "--deep", "all"]);
    expect(below.stdout).toContain("All 5 chunks decode.");
  });
});

/** Sets with chunks whose requests misbehave: by a fault of the server, or an address where nobody is. */
const REMOTE = ["401", "403", "404", "410", "429", "500", "drop", "refused", "unknown-host", "offline"] as const;

type Remote = (typeof REMOTE)[number];

function addressFor(how: Remote): string {
  if (how === "refused") return "http://127.0.0.1:1023/data";
  if (how === "unknown-host") return "http://nobody.invalid/data";
  return server.url(`/${how}`);
}

const FILES = ["f0.bin", "f1.bin", "sst.bin", "lat.bin", "lon.bin", "time.bin"];

const FORMATS: Readonly<Record<string, (how: Remote) => string>> = {
  "Kerchunk JSON": (how) => writeJson(`json-${how}`, (file) => `${addressFor(how)}/${file}`),
  "Kerchunk Parquet": (how) => writeAll(`${how}.parq`, smallParquet(addressFor(how)).set),
};

/** Those that are tried again, with pauses, are tried in one format. */
const AGAIN: readonly Remote[] = ["429", "500", "drop", "refused", "unknown-host"];

describe.each(REMOTE)("a source that cannot be had: %s", (how) => {
  it.each(Object.keys(FORMATS).slice(0, AGAIN.includes(how) ? 1 : 2))("is no fault of values in %s", async (format) => {
    for (const file of FILES) server.misbehave(`/${how}/${file}`, how);
    const refs = (FORMATS[format] as (how: Remote) => string)(how);
    const options = ["--allow-private", ...(how === "offline" ? ["--offline"] : [])];
    const plain = await runCommand(["check", refs, ...options]);
    expect(plain.status).toBe(0);
    expect(plain.stdout).toContain("Not checked. No source has been checked.");
    expect(plain.stdout.replaceAll(/\s+/g, " ")).toMatch(/sources not checked|with \d warning/);
    for (const more of [["--deep", "all"], ["--network"], ["--network", "--deep", "all", "--reader", "zarr-python"]]) {
      server.requests.length = 0;
      const { status, stdout } = await runCommand(["check", refs, ...options, ...more]);
      expect({ status, more }).toEqual({ status: 1, more });
      expect(stdout).not.toMatch(UNTRUE);
      expect(stdout.replaceAll(/\s+/g, " ")).toMatch(/chunks could not be checked: their sources are out of reach/);
      if (how !== "404" && how !== "410") expect(stdout).not.toContain("cannot be read");
      if (how === "404" || how === "410")
        for (const file of FILES) expect(timesAsked(`/${how}/${file}`), file).toBeLessThanOrEqual(1);
    }
    const digest = await runCommand(["digest", refs, ...options]);
    expect(digest.status).toBe(1);
    expect(digest.stdout).not.toMatch(UNTRUE);
    expect((await runCommand(["info", refs, ...options])).status).toBe(0);
  });
});

const timesAsked = (path: string): number => server.requests.filter((one) => one.path === path).length;

it("a store whose objects are refused is not found faultless, nor failing", async () => {
  for (const version of [2, 3] as const) {
    const files = smallStore(version, true);
    for (const how of ["403", "500", "drop"]) {
      const path = `/store-${version}-${how}`;
      putStore(server, path, files);
      const objects = Object.keys(files).filter((key) => /^sst\/(c\/)?\d/.test(key));
      for (const key of objects) server.misbehave(`${path}/${key}`, how);
      expect(objects.length).toBeGreaterThan(1);
      const { status, stdout } = await runCommand(["check", server.url(path), "--deep", "all"]);
      expect({ status, how }).toEqual({ status: 1, how });
      expect(stdout).not.toMatch(UNTRUE);
    }
  }
});

it("a dataset without any data is an error, a store that lacks some chunks is none", async () => {
  const { "sst/.zarray": zarray, ...others } = references((file) => file);
  const chunkless = Object.fromEntries(
    Object.entries({ ...others, "sst/.zarray": zarray }).filter(([key]) => !/\d$/.test(key)),
  );
  const sparse = { ...chunkless, "sst/1.0": "abcdefgh", "time/0": ofTimes([1, 2, 3, 4]) };
  const cases = [
    ["nothing", { ".zgroup": '{"zarr_format":2}' }, 1],
    ["chunkless", chunkless, 1],
    ["sparse", sparse, 0],
  ] as const;
  for (const [name, refs, status] of cases) {
    const ran = await runCommand(["check", write(`${name}.json`, JSON.stringify(refs))]);
    expect({ name, status: ran.status }).toEqual({ name, status });
  }
});

describe("an object that a repository's snapshot names and that is gone", () => {
  const NAME = "icechunk-test-repo-v2/test-repo-v2";

  it("is missing, on disk and from a server, whatever is asked for", async () => {
    const files: Record<string, Buffer> = {};
    for (const path of readdirSync(join(corpus.folder, NAME), { recursive: true, encoding: "utf8" })) {
      const isFile = /^(?:repo$|(?:refs|chunks|manifests|snapshots|transactions)\/)/.test(path);
      const from = join(corpus.folder, NAME, path);
      if (isFile && statSync(from).isFile()) files[path] = readFileSync(from);
    }
    const whole = writeAll("whole", files);
    expect((await runCommand(["check", whole, "--deep", "all"])).stdout).not.toContain("native-object-missing");
    const kept = Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith("chunks/")));
    const gone = Object.keys(files).length - Object.keys(kept).length;
    expect(gone).toBeGreaterThan(1);
    const disk = writeAll("gone", kept);
    putStore(server, "/gone", kept);
    const url = `${server.origin}/gone/`;
    for (const [place, ...more] of [[disk], [disk, "--deep", "all"], [url, "--network"], [url, "--deep", "all"]]) {
      const { status, stdout } = await runCommand(["check", place ?? "", ...more, "--allow-private"]);
      expect({ more, status }).toEqual({ more, status: 1 });
      expect(stdout).not.toMatch(UNTRUE);
      expect(stdout).not.toMatch(/relative path|http-status|invalid/i);
      // However many are gone, it is one problem.
      expect(stdout.match(/error\[native-object-missing\]: Chunk object not found/g)).toHaveLength(1);
    }
  });
});

describe("a source that gives nothing", () => {
  const far = (at: number) => [server.url(`/none/f${at % 2}.bin`), at * 10_000_000, 8];
  const scattered = () => ({
    ...references(() => ""),
    ...Object.fromEntries([0, 1, 2, 3].map((at) => [`sst/${at}.0`, far(at)])),
  });

  it.each(["404", "410", "403", "401"])(
    "with %s is asked for once, however many references lead to it",
    async (fault) => {
      const paths = ["/none/f0.bin", "/none/f1.bin"];
      for (const path of paths) server.misbehave(path, fault);
      const refs = write(`once-${fault}/refs.json`, JSON.stringify(scattered()));
      const runs = [
        ["check", refs, "--network"],
        ["check", refs, "--network", "--deep", "all", "--reader", "zarrita"],
        ["check", refs, "--deep", "all"],
        ["read", refs, "--array", "sst"],
      ];
      for (const args of runs) {
        server.reset();
        expect((await runCommand([...args, "--allow-private"])).status).toBe(1);
        const asked = server.requests.map(({ path }) => path).filter((path) => paths.includes(path));
        expect(asked.toSorted(), args.join(" ")).toEqual(paths);
      }
    },
  );
});
