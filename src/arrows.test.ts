/** The linter keeps the arrows of src/README.md: each planted violation is caught, each allowed import is not. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { circles, engineArrowsUp, enginePairs } from "../tools/import-graph.mjs";

const FORBIDDEN: readonly (readonly [file: string, source: string])[] = [
  ["core/a.ts", "../formats/x.ts"],
  ["core/a.ts", "zarrita"],
  ["formats/kerchunk-json/a.ts", "../../engine/x.ts"],
  ["formats/kerchunk-json/a.ts", "../../io/x.ts"],
  ["formats/zarr/a.ts", "../kerchunk-json/x.ts"],
  ["codecs/a.ts", "../engine/x.ts"],
  ["codecs/a.ts", "../io/x.ts"],
  ["io/a.ts", "../formats/x.ts"],
  ["engine/a.ts", "../worker/x.ts"],
  ["engine/a.ts", "react"],
  ["engine/table/a.ts", "../chunk/x.ts"],
  ["engine/engine-set.ts", "./table/x.ts"],
  ["engine/open/zarr/a.ts", "../../preflight/x.ts"],
  ["engine/repair/a.ts", "../check/x.ts"],
  ["engine/check/a.ts", "../sources/x.ts"],
  ["engine/check/a.ts", "../not-listed/x.ts"],
  ["engine/sources/a.ts", "../engine.ts"],
  ["engine/check/a.ts", "../../core/report/report.ts"],
  ["engine/open/a.ts", "../../core/check/verdict-words.ts"],
  ["codecs/a.ts", "../core/findings/catalogue/codec.ts"],
  ["formats/kerchunk-json/a.ts", "../../core/findings/explain.ts"],
  ["io/a.ts", "../core/access/access-words.ts"],
  ["worker/handlers.ts", "../store/x.ts"],
  ["worker/client.ts", "../engine/x.ts"],
  ["worker/protocol.ts", "../formats/x.ts"],
  ["store/a.ts", "../engine/x.ts"],
  ["store/a.ts", "../worker/host.ts"],
  ["store/a.ts", "numcodecs"],
  ["widgets/a.ts", "../store/x.ts"],
  ["panels/one/a.ts", "../../engine/x.ts"],
  ["panels/one/a.ts", "../two/x.ts"],
  ["panels/one/a.ts", "#panels/two/x.ts"],
  ["panels/one/a.ts", "#engine/x.ts"],
  ["formats/zarr/a.ts", "#formats/kerchunk-json/x.ts"],
  ["core/a.ts", "#formats/x.ts"],
  ["engine/check/a.ts", "#engine/sources/x.ts"],
  ["sandbox/a.ts", "#core/x.ts"],
  ["panels/one/a.ts", "../../worker/client.ts"],
  ["app/a.ts", "../engine/x.ts"],
  ["app/a.ts", "monaco-editor"],
  ["cli/a.ts", "../store/x.ts"],
  ["package/a.ts", "../io/x.ts"],
  ["engine/a.ts", "../package/x.ts"],
  ["../packages/jinja/src/a.ts", "../../../src/core/x.ts"],
  ["../packages/jinja/src/python/a.ts", "nunjucks"],
  ["core/a.ts", "@refscope/jinja"],
  ["formats/kerchunk-json/a.ts", "@refscope/jinja/python"],
  ["engine/check/a.ts", "@refscope/jinja"],
  ["engine/render/a.ts", "../../../packages/jinja/src/x.ts"],
  ["panels/one/a.ts", "@refscope/jinja"],
  ["engine/a.ts", "nunjucks"],
  ["store/a.ts", "reference-spec-reader"],
  ["store/a.ts", "../sandbox/reader.ts"],
  ["sandbox/a.ts", "../core/x.ts"],
  ["sandbox/a.ts", "react"],
  ["editor/a.ts", "monaco-editor"],
  ["editor/a.ts", "../panels/one/x.ts"],
  ["panels/one/a.ts", "../../editor/x.ts"],
];

const ALLOWED: readonly (readonly [file: string, source: string])[] = [
  ["formats/kerchunk-json/b.ts", "../../core/x.ts"],
  ["io/b.ts", "../codecs/x.ts"],
  ["engine/b.ts", "../io/x.ts"],
  ["engine/check/b.ts", "../table/x.ts"],
  ["engine/check/values/b.ts", "../sources/x.ts"],
  ["engine/check/b.test.ts", "../sources/x.ts"],
  ["engine/b.ts", "../core/words.ts"],
  ["engine/b.ts", "../formats/kerchunk-json/x.ts"],
  ["store/b.ts", "../worker/client.ts"],
  ["panels/one/b.ts", "../../store/x.ts"],
  ["panels/one/b.ts", "./x.ts"],
  ["panels/one/b.ts", "#panels/one/deep/x.ts"],
  ["core/b.ts", "#core/findings/x.ts"],
  ["engine/check/values/b.ts", "#engine/table/x.ts"],
  ["app/b.ts", "../panels/one/x.ts"],
  ["cli/b.ts", "../engine/x.ts"],
  ["package/b.ts", "../cli/x.ts"],
  ["engine/render/b.ts", "@refscope/jinja"],
  ["../packages/jinja/src/python/b.ts", "../value.ts"],
  ["store/b.ts", "../sandbox/protocol.ts"],
  ["sandbox/b.ts", "nunjucks"],
  ["editor/monaco.ts", "monaco-editor"],
  ["app/b.ts", "../editor/x.ts"],
];

const root = resolve(import.meta.dirname, "..");
let folder = "";
let report = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "arrows-"));
  const rules = readFileSync(join(root, ".oxlintrc.json"), "utf8");
  writeFileSync(join(folder, ".oxlintrc.json"), rules.replace('"./tools/', `"${root}/tools/`));
  const all = [...FORBIDDEN, ...ALLOWED];
  for (const [at, [file, source]] of all.entries()) {
    // Files that the rules name keep their name; the others are numbered, so that each violation has its own.
    const path = join(folder, "src", plantedName(file, at));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `import { x } from "${source}";\nexport const y = x;\n`, { flag: "a" });
  }
  const types =
    'import type { X } from "../core/findings/catalogue/codec.ts";\nimport type { Y } from "./sources/x.ts";\n';
  writeFileSync(join(folder, "src/engine/types-only.ts"), `${types}export type Z = X | Y;\n`);
  report = lint();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const plantedName = (file: string, at: number) => file.replace(/\b([ab])((?:\.test)?\.ts)$/, `$1${at}$2`);

function lint(): string {
  try {
    return execFileSync(join(root, "node_modules/.bin/oxlint"), ["--format", "unix", "."], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

const violations = (file: string) =>
  report
    .split("\n")
    .filter((line) => line.includes(join("src", file)) && /no-restricted-imports|house\((?:floors|apart)\)/.test(line));

it.each(FORBIDDEN.map(([file, source], at) => [plantedName(file, at), source]))("%s may not import %s", (file) => {
  expect(violations(file)).not.toEqual([]);
});

it.each(ALLOWED.map(([file, source], at) => [plantedName(file, at + FORBIDDEN.length), source]))(
  "%s may import %s",
  (file) => {
    expect(violations(file)).toEqual([]);
  },
);

it("worker/protocol.ts, which runs on both threads, imports nothing but types", () => {
  const text = readFileSync(join(root, "src/worker/protocol.ts"), "utf8");
  expect(text.match(/^(?:import|export) (?!type\b|interface\b).*$/gm)).toBeNull();
});

it("types of the catalogue may be imported where its prose may not", () => {
  expect(violations("types-only.ts")).toEqual([]);
});

it("the engine's rooms import values only from below, and no two know each other both ways", () => {
  expect(engineArrowsUp()).toEqual([]);
  expect(enginePairs()).toEqual([]);
});

it("no files import each other in a circle, imports of types included", () => {
  expect(circles()).toEqual([]);
});

const WRITES =
  /import \{[^}]*\b(?:writeFile|appendFile|createWriteStream|copyFile|rename|rm|rmdir|unlink|truncate|cp)(?:Sync)?\b[^}]*\} from "node:fs(?:\/promises)?"|import (?:\* as )?\w+ from "node:fs(?:\/promises)?"/;

it("of the terminal only two files write: whole files, never over what is read, and commits of a repository", () => {
  const files = readdirSync(join(root, "src/cli"), { recursive: true, encoding: "utf8" });
  const writing = files.filter(
    (file) =>
      /(?<!\.test)\.ts$/.test(file) &&
      !/(?:^|\/)testing\//.test(file) &&
      WRITES.test(readFileSync(join(root, "src/cli", file), "utf8")),
  );
  expect(writing.toSorted()).toEqual(["make/commit-locally.ts", "write-out.ts"]);
  for (const planted of ['import { stat, writeFile } from "node:fs/promises";', 'import * as fs from "node:fs";'])
    expect(planted).toMatch(WRITES);
});
