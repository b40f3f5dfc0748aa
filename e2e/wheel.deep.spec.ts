/** The wheel as who installs it has it: alone, without an index, with every command where there is a Node. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { SAMPLES } from "./support/truth.ts";

const ROOT = join(import.meta.dirname, "..");
const python = ["python3", "/usr/bin/python3"].find(
  (one) => spawnSync(one, ["-c", "import pip, lzma"], { stdio: "ignore" }).status === 0,
);
test.skip(python === undefined, "There is no python3 with pip here.");

const folder = mkdtempSync(join(tmpdir(), "refscope-wheel-"));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const built = (): string =>
  execFileSync("node", [join(ROOT, "tools/wheel.mjs"), "--built"], { cwd: ROOT, encoding: "utf8" })
    .trim()
    .split("\n")
    .at(-1) ?? "";

function refscope(args: readonly string[], path = process.env["PATH"] ?? "") {
  const env = { PATH: path, PYTHONPATH: join(folder, "site"), XDG_CACHE_HOME: join(folder, "cache") };
  const program = execFileSync(python ?? "", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
  return spawnSync(program, ["-m", "refscope", ...args], { env, encoding: "utf8" });
}

test("is the same file every time, small, alone, and has every command", () => {
  test.setTimeout(300_000);
  const wheel = built();
  const bytes = readFileSync(wheel);
  expect(bytes.length).toBeLessThanOrEqual(4_000_000);
  expect(readFileSync(built()).equals(bytes)).toBe(true);
  const site = join(folder, "site");
  execFileSync(python ?? "", ["-m", "pip", "install", "--quiet", "--no-index", "--target", site, wheel]);
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
  const info = `refscope-${version}.dist-info`;
  expect(readdirSync(site).toSorted()).toEqual(["bin", "refscope", info]);
  expect(readdirSync(join(site, info, "licenses")).toSorted()).toEqual(["LICENSE", "third-party-licences.md"]);
  const sample = join(SAMPLES, "ocean.v1.json");
  expect(refscope(["--version"]).stdout.trim()).toBe(version);
  expect(refscope(["info", sample]).stdout).toContain("120 references");
  expect(refscope(["check", join(SAMPLES, "ocean-broken.json")]).status).toBe(1);
  const without = refscope(["check", sample], folder);
  expect([without.status, without.stderr]).toEqual([2, expect.stringContaining('pip install "refscope[cli]"')]);
  expect(refscope(["--help"], folder).stdout).toContain("refscope open");
});
