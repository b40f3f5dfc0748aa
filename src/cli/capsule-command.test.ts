/** A chunk taken out of its set: the set that comes of it opens, and shows the same. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT, runCommand } from "./testing/run-command.ts";

const BROKEN = join(ROOT, "public/samples/ocean-broken.json");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "refscope-capsule-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function capsule(args: readonly string[]) {
  const out = join(folder, "capsule.zip");
  const ran = await runCommand(["capsule", BROKEN, "--out", out, "--force", ...args]);
  const files = Object.entries(unzipSync(readFileSync(out))).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
  return { ...ran, files: new Map(files) };
}

describe("a capsule", () => {
  it("has a set of one chunk, a script, what was asked, and an issue", async () => {
    const { files, status, stdout } = await capsule(["--array", "sst", "--chunk", "0.0.1"]);
    expect(status).toBe(1);
    expect([...files.keys()]).toEqual(["README.md", "references.json", "read_chunk.py", "request.json"]);
    expect(stdout).toContain(files.get("README.md"));
    expect(stdout).toMatch(/^# `sst\/0\.0\.1`: /);
    expect(stdout).toContain("| `zlib` |");
    const { refs } = JSON.parse(files.get("references.json") ?? "") as { refs: Record<string, unknown> };
    expect(Object.keys(refs)).toEqual([".zgroup", ".zattrs", "sst/.zarray", "sst/.zattrs", "sst/0.0.1"]);
    expect(refs["sst/0.0.1"]).toEqual(["ocean-a.nc", 25226, 12417]);
    expect(files.get("read_chunk.py")).toContain(
      'array = group["sst"]\nprint(array.info)\nvalues = array[0:4, 0:40, 64:128]',
    );
    expect(JSON.parse(files.get("request.json") ?? "")).toMatchObject({
      chunk: { array: "sst", coordinates: [0, 0, 1], outcome: "failed", stages: [{ id: "stored" }, { id: "zlib" }] },
    });
  });

  it("with its bytes needs nothing else, and fails in the same way", async () => {
    const { files } = await capsule(["--array", "sst", "--chunk", "0.0.1", "--inline"]);
    const path = join(folder, "alone.json");
    writeFileSync(path, files.get("references.json") ?? "");
    const again = await runCommand(["digest", path, "--json", "--offline"]);
    const first = await runCommand(["digest", BROKEN, "--json", "--offline"]);
    const errorIn = ({ stdout }: { readonly stdout: string }) =>
      (JSON.parse(stdout) as { arrays: Record<string, { errors?: Record<string, string> }> }).arrays["sst"]?.errors?.[
        "0.0.1"
      ];
    expect(errorIn(again)).toBeDefined();
    expect(errorIn(again)).toBe(errorIn(first));
  });

  it("of a chunk without a reference, and of one that does not exist", async () => {
    const { files, status } = await capsule(["--array", "sparse", "--chunk", "0.1"]);
    expect(status).toBe(0);
    expect(files.get("README.md")).toContain("- Reference: none");
    expect((await runCommand(["capsule", BROKEN, "--array", "sst", "--chunk", "9.9.9"])).status).toBe(2);
    expect((await runCommand(["capsule", BROKEN, "--array", "sst", "--chunk", "x"])).stderr).toContain(
      "--chunk expects",
    );
  });
});
