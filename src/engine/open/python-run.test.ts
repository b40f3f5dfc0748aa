/**
 * The lines for Python, by Python itself: they compile wherever there is one, and run where it has what they install.
 */
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { accessRecipe } from "#core/access/access-recipe.ts";
import { folderOf } from "#core/access/kerchunk-open.ts";
import { kerchunkSnippet, pythonSnippet, type SnippetInput } from "./reference-snippet.ts";

const SAMPLES = resolve(import.meta.dirname, "../../../public/samples");
const PYTHONS = ["python3", "/usr/bin/python3"];
const python = (command: string, code: string, cwd?: string) =>
  execFileSync(command, ["-c", code], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
const pythonWith = (modules: string) =>
  PYTHONS.find((command) => {
    try {
      python(command, `import ${modules}`);
      return true;
    } catch {
      return false;
    }
  });

const LOCAL: SnippetInput = {
  location: "ocean.v1.json",
  targetSchemes: [""],
  needsTarget: false,
  hasTemplates: false,
};
const REMOTE = {
  ...LOCAL,
  location: "https://example.org/d/ocean.v1.json",
  folder: folderOf("https://example.org/d/"),
};
const TEXTS = [
  ...[LOCAL, REMOTE, { ...REMOTE, targetSchemes: ["", "s3"] }].flatMap((input) => [
    kerchunkSnippet(input) ?? "",
    pythonSnippet(input),
  ]),
  ...["", "s3"].map((scheme) =>
    accessRecipe({ kind: "fsspec", location: REMOTE.location, places: [{ scheme, prefix: "b", need: "anonymous" }] }),
  ),
];

describe("the lines for Python", () => {
  const any = pythonWith("sys");
  it.skipIf(any === undefined)("compile (left out where there is no python3)", () => {
    python(any ?? "", `for text in ${JSON.stringify(TEXTS)}: compile(text, "snippet", "exec")`);
  });

  const whole = pythonWith("kerchunk, xarray, zarr.storage, fsspec; zarr.storage.FsspecStore");
  it.skipIf(whole === undefined)("read the sample (left out where python3 lacks kerchunk, xarray or zarr 3)", () => {
    for (const text of [kerchunkSnippet(LOCAL), pythonSnippet(LOCAL)]) {
      const code = `${text}\nprint(round(float(ds["sst"].isel(time=2, lat=29, lon=29)), 3))`;
      expect(python(whole ?? "", code, join(SAMPLES))).toBe("17.052");
    }
  });
});
