/** The broken sample in the repository is what its script makes. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

it("is as tools/make-broken-sample.mjs makes it", () => {
  const root = resolve(import.meta.dirname, "../..");
  const code = 'import { brokenSample } from "./tools/make-broken-sample.mjs"; process.stdout.write(brokenSample());';
  const made = execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: root, encoding: "utf8" });
  expect(readFileSync(join(root, "public/samples/ocean-broken.json"), "utf8")).toBe(made);
});
