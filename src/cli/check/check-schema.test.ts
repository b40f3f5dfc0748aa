/** `check --json` prints what docs/schema/check.schema.json says, for sound sets, broken ones, and what is no set. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";
import { faults, schemaNamed } from "../testing/schema.ts";

const ROOT = schemaNamed("check");

const SAMPLES = readdirSync("public/samples")
  .filter((name) => /\.(?:json|parquet|zarr|icechunk)$/.test(name))
  .map((name) => join("public/samples", name));

it.each([...SAMPLES, "public/samples/README.md", "no-such-file.json"])("%s", async (path) => {
  const { stdout } = await runCommand(["check", path, "--json"]);
  expect(faults(JSON.parse(stdout), ROOT)).toEqual([]);
});

it("with everything asked for, and with what is accepted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "refscope-schema-"));
  const known = join(folder, "known.json");
  const broken = ["check", "public/samples/ocean-broken.json", "--json"];
  for (const more of [
    ["--deep", "all", "--network", "--reader", "all", "--write-accept", known],
    ["--reader", "xarray", "--accept", known],
  ]) {
    const { stdout } = await runCommand([...broken, ...more]);
    expect(faults(JSON.parse(stdout), ROOT)).toEqual([]);
    expect(existsSync(known)).toBe(true);
  }
  rmSync(folder, { recursive: true });
});

it("refuses what it does not say", () => {
  expect(faults({ verdict: {}, findings: [{ code: 1 }], more: 1 }, ROOT).length).toBeGreaterThan(5);
});
