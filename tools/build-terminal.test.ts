/** Commands that are started at once build the terminal's program at once: none breaks another's, and nothing is left over. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = dirname(import.meta.dirname);
let tree: string;

/** A tree of its own, with a program of three lines: what is built does not matter. */
beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "refscope-build-"));
  for (const folder of ["src/cli", "packages"]) mkdirSync(join(tree, folder), { recursive: true });
  cpSync(join(ROOT, "tools"), join(tree, "tools"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(ROOT, name), join(tree, name));
  for (const name of ["decode-thread", "zarrita-thread"])
    writeFileSync(join(tree, `src/cli/${name}.ts`), "export {};\n");
  program("first");
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

const program = (says: string) => {
  writeFileSync(join(tree, "src/cli/said.ts"), `export const said = "${says}";\n`);
  writeFileSync(join(tree, "src/cli/start.ts"), 'void import("./said.ts").then(({ said }) => console.log(said));\n');
};

async function fourAtOnce(): Promise<readonly string[]> {
  const run = () => promisify(execFile)(process.execPath, [join(tree, "tools/refscope.mjs")], { cwd: tree });
  const all = await Promise.all([run(), run(), run(), run()]);
  return all.map(({ stdout, stderr }) => `${stdout.trim()}${stderr}`);
}

it(
  "four at once, without a build, beside an older one, and after one that was ended",
  { timeout: 120_000 },
  async () => {
    expect(await fourAtOnce()).toEqual(Array.from({ length: 4 }, () => "first"));
    program("second");
    expect(await fourAtOnce()).toEqual(Array.from({ length: 4 }, () => "second"));
    const dist = join(tree, "dist");
    // Half built, by a process that is no more, and without its last file.
    cpSync(join(dist, "cli"), join(dist, "cli.2147483646"), { recursive: true });
    rmSync(join(dist, "cli/built-of.json"));
    rmSync(join(dist, "cli/refscope.js"));
    expect(await fourAtOnce()).toEqual(Array.from({ length: 4 }, () => "second"));
    expect(readdirSync(dist)).toEqual(["cli"]);
    expect(existsSync(join(dist, "cli/built-of.json"))).toBe(true);
  },
);
