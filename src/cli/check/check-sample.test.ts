/**
 * `check` of the broken sample without an option: six faults, each with its line, place, evidence and fix; and fixing
 * them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CheckReport } from "#core/report/report.ts";
import { runCommand } from "../testing/run-command.ts";

const SAMPLE = "public/samples/ocean-broken.json";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "refscope-fix-"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const refsOf = (text: string) => (JSON.parse(text) as { readonly refs: Record<string, unknown> }).refs;
const truth = () => refsOf(readFileSync("public/samples/ocean.v1.json", "utf8"));

describe("check of the broken sample, nothing asked for", () => {
  it("names all six faults with line, reference, dates and degrees, and the fix with what speaks for it", async () => {
    const { status, stdout } = await runCommand(["check", SAMPLE, "--json"]);
    const { findings, checked } = JSON.parse(stdout) as CheckReport;
    expect(status).toBe(1);
    const fixed = findings.filter(({ fix }) => fix?.certainty === "safe");
    expect(fixed.map(({ key, line, fix }) => [key, line, fix?.line, fix?.after])).toEqual([
      ["ice/0.0.0", 11, 11, '["ocean-a.nc", 253285, 16055]'],
      ["sst/2.0.1", 197, 197, '["ocean-a.nc", 182785, 12300]'],
      ["sst/0.0.1", 107, 107, '["ocean-a.nc", 25219, 12417]'],
      ["sst/1.0.0", 147, 147, '["ocean-a.nc", 91687, 12346]'],
      ["sst/5.2.2", 454, 454, '["ocean-b.nc", 246985, 2499]'],
      ["sst/6.0.0", 504, 504, ""],
    ]);
    expect(fixed[4]).toMatchObject({
      written: '"sst/5.2.2": [ "ocean-b.nc", 1969464, 44516 ]',
      where: ["2026-01-21 – 01-24", "71°N – 89°N", "77°E – 179°E"],
      share: { chunks: 1, of: 54 },
    });
    expect(fixed.every(({ fix }) => (fix?.evidence.length ?? 0) > 0)).toBe(true);
    // The most that may be checked unasked: 64 reads of files, and inline chunks.
    expect(checked.chunks.decoded + checked.chunks.failed).toBeLessThan(checked.chunks.of);
    expect(checked.unasked?.chunks).toBeLessThanOrEqual(80);
    expect(checked.unasked?.bytes).toBeLessThan(32 * 1024 ** 2);
  });

  it.each([60, 100])("fits %i columns, and says what was not looked at", async (width) => {
    vi.stubEnv("COLUMNS", String(width));
    const { stdout } = await runCommand(["check", SAMPLE]);
    expect(stdout.split("\n").filter((line) => Array.from(line).length > width)).toEqual([]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("of 102 chunks, doubtful first; --deep all decodes the rest.");
    expect(stdout).toContain('\n  454 │ "sst/5.2.2": [ "ocean-b.nc", 1969464, 44516 ]\n');
    expect(stdout).toContain('\n  fix │ "sst/5.2.2": ["ocean-b.nc", 246985, 2499]\n');
    expect(stdout).toMatch(/^error\[range-past-end\]: Range past the end [^(]*\(1 of\s+54\s+chunks\)$/m);
    expect(stdout).toContain("\n6 problems have safe fixes");
  });

  it("writes the document with what is safe to fix, equal to the undamaged one, and says what is left", async () => {
    const out = join(folder, "mended.json");
    const { status, stderr } = await runCommand(["check", SAMPLE, "--fix", "--out", out]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Fixed: Read 7 bytes earlier for sst\/0\.0\.1\.$/m);
    expect(stderr).toMatch(/^6 fixes, \d problems? left\. Written to .*mended\.json\.$/m);
    expect(refsOf(readFileSync(out, "utf8"))).toEqual(truth());
  });

  it("prints a diff instead, that makes the same of the document", async () => {
    const { stdout, stderr } = await runCommand(["check", SAMPLE, "--diff"]);
    expect(stdout).toMatch(/^--- public\/samples\/ocean-broken\.json\n\+\+\+ .*\n@@ -\d+,\d+ \+\d+,\d+ @@\n/);
    expect(stdout).toContain('\n+  "sst/0.0.1": ["ocean-a.nc",25219,12417],\n');
    expect(stdout.match(/^@@ /gm)).toHaveLength(6);
    expect(stderr).toMatch(/^Can be fixed: /m);
  });

  it("replaces the document itself only where that is asked for, compressed as it was", async () => {
    const path = join(folder, "own.json.gz");
    writeFileSync(path, gzipSync(readFileSync(SAMPLE)));
    const options = ["check", path, "--root", "public/samples", "--fix"];
    const before = readFileSync(path);
    expect(await runCommand(options)).toMatchObject({
      status: 2,
      stderr: /--fix needs --out FILE, or --in-place/ as never,
    });
    expect(readFileSync(path)).toEqual(before);
    await runCommand([...options, "--in-place"]);
    expect(refsOf(gunzipSync(readFileSync(path)).toString())).toEqual(truth());
  });

  it.each([
    [["--out", "x.json"], "--out and --in-place need --fix."],
    [["--fix", "--out", SAMPLE], "is read by this command: name another file"],
    [["--fix", "--out", "x.json", "--in-place"], "--out and --in-place exclude each other."],
  ])("%j is a sentence and writes nothing", async (args, said) => {
    const { status, stdout, stderr } = await runCommand(["check", SAMPLE, ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(said);
  });

  it("of another format says that it cannot be edited", async () => {
    const store = join(folder, "store.zarr");
    const { mkdirSync } = await import("node:fs");
    mkdirSync(store);
    const zarray = {
      zarr_format: 2,
      shape: [1],
      chunks: [1],
      dtype: "|u1",
      compressor: null,
      filters: null,
      order: "C",
    };
    writeFileSync(join(store, ".zgroup"), '{"zarr_format":2}');
    mkdirSync(join(store, "a"));
    writeFileSync(join(store, "a/.zarray"), JSON.stringify({ ...zarray, fill_value: 0 }));
    writeFileSync(join(store, "a/0"), "x");
    const { status, stderr } = await runCommand(["check", store, "--diff"]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/edit Kerchunk JSON documents only; this is Zarr/)]);
  });
});
