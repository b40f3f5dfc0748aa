/** `refs`, `write` and `compare` of two sets, as they are given. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "refscope-write-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HDF5 = "src/formats/hdf5/fixtures";
const OCEAN = "public/samples/ocean.v1.json";

interface Recorded {
  readonly inline_threshold_0: { readonly refs: unknown };
  readonly default: { readonly refs: unknown };
}

describe("refs", () => {
  it.each(["btree1_istore_k", "implicit", "shared_messages"])("of %s are those that Kerchunk wrote", async (name) => {
    const recorded = JSON.parse(readFileSync(join(HDF5, "kerchunk", `${name}.json`), "utf8")) as Recorded;
    const plain = await runCommand(["refs", join(HDF5, `${name}.h5`)]);
    expect(plain.status).toBe(0);
    expect(JSON.parse(plain.stdout)).toEqual({ version: 1, refs: recorded.inline_threshold_0.refs });
    const inlined = await runCommand(["refs", join(HDF5, `${name}.h5`), "--inline-below", "500"]);
    expect(JSON.parse(inlined.stdout)).toEqual({ version: 1, refs: recorded.default.refs });
  });

  it("of several files are keyed by name, and of one that does not open it is said why", async () => {
    const [one, other, none] = [join(HDF5, "implicit.h5"), join(HDF5, "spaces.h5"), "package.json"];
    const { status, stdout, stderr } = await runCommand(["refs", one, none, other]);
    expect(status).toBe(2);
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual([one, other]);
    expect(stderr).toContain("package.json");
  });

  it.each(["a#1.h5", "a?v=1.h5"])("of %s name the whole file", async (name) => {
    const path = join(folder, name);
    copyFileSync(join(HDF5, "implicit.h5"), path);
    const { stdout } = await runCommand(["refs", path]);
    const { refs } = JSON.parse(stdout) as { refs: Record<string, unknown> };
    const targets = Object.values(refs).flatMap((one) => (Array.isArray(one) ? [one[0] as unknown] : []));
    expect([...new Set(targets)]).toEqual([name]);
  });

  it("of Zarr v3 open again with the same values", async () => {
    const path = join(folder, "grid3.json");
    const { stdout, stderr, status } = await runCommand(["refs", join(HDF5, "netcdf4_grid.nc"), "--zarr", "3"]);
    expect([status, stderr]).toEqual([0, ""]);
    const refs = (JSON.parse(stdout) as { refs: Record<string, unknown> }).refs;
    expect(Object.keys(refs)).toContain("tas/c/0/0/0");
    writeFileSync(path, stdout);
    const compared = await runCommand([
      "compare",
      join(HDF5, "netcdf4_grid.nc"),
      path,
      "--root",
      HDF5,
      "--values",
      "all",
      "--json",
    ]);
    const { values } = JSON.parse(compared.stdout) as { values: readonly { different: number; failed: number }[] };
    expect(values.length).toBeGreaterThan(3);
    for (const one of values) expect(one).toMatchObject({ different: 0, failed: 0 });
  });
});

/** Arrays of a file, by what of them Python does not read; truth by numcodecs 0.11. */
const UNREAD = [
  ["suites/so_shuffle.h5", { a: "hdf5_shuffle" }],
  ["odd_types.h5", { compound_vlen: "json2", vlen_int: "json2" }],
  ["scalar_texts.h5", { link: "json2" }],
] as const;

describe("what Python does not read", () => {
  it.each(UNREAD)("of %s is named", async (file, expected) => {
    const path = join(HDF5, file);
    const namedOnce = (stderr: string) =>
      Object.fromEntries(
        [...stderr.matchAll(/unread-in-python:? (\w+).*?(hdf5_\w+|json2)/g)].map((one) => one.slice(1)),
      );
    const refs = await runCommand(["refs", path]);
    expect([refs.status, namedOnce(refs.stderr)]).toEqual([1, expected]);
    const kept = join(folder, "unread.json");
    writeFileSync(kept, refs.stdout);
    const combined = await runCommand(["combine", path, "--out", join(folder, "alone.json"), "--force"]);
    expect([combined.status, namedOnce(combined.stderr)]).toEqual([1, expected]);
    for (const form of ["kerchunk-json", "kerchunk-json-v0", "kerchunk-parquet"])
      for (const set of [path, kept]) {
        const out = join(mkdtempSync(join(folder, "out-")), "set");
        const written = await runCommand(["write", set, "--as", form, "--out", out, "--root", HDF5, "--json"]);
        expect([written.status, namedOnce(written.stderr)]).toEqual([1, expected]);
        const { findings } = JSON.parse(written.stdout) as {
          findings: readonly { code: string; place: { path: string }; facts: { codec: string } }[];
        };
        const named = findings.filter(({ code }) => code === "unread-in-python");
        expect(Object.fromEntries(named.map(({ place, facts }) => [place.path, facts.codec]))).toEqual(expected);
      }
  });

  it("is no text without dimensions: it lies there as vlen-utf8", async () => {
    const { stdout } = await runCommand(["refs", join(HDF5, "scalar_texts.h5")]);
    const { refs } = JSON.parse(stdout) as { refs: Record<string, string> };
    expect(JSON.parse(refs["word/.zarray"] ?? "")).toMatchObject({ shape: [], filters: [{ id: "vlen-utf8" }] });
    const [, base64 = ""] = /^base64:(.*)$/.exec(refs["word/0"] ?? "") ?? [];
    expect(Buffer.from(base64, "base64").subarray(8).toString()).toBe('Föhn "{{a}}" \\');
    expect(refs).not.toHaveProperty(["unwritten/0"]);
  });
});

describe("write", () => {
  it("writes Parquet that is the same set, once", async () => {
    const out = join(folder, "ocean.parq");
    const given = ["write", OCEAN, "--as", "kerchunk-parquet", "--out", out, "--record-size", "10", "--json"];
    const { status, stdout } = await runCommand(given);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ as: "kerchunk-parquet", references: 102 });
    const compared = await runCommand(["compare", OCEAN, out, "--root", "public/samples", "--values", "cf"]);
    expect(compared.status).toBe(0);
    expect(compared.stdout).toContain("nodes, metadata and references are the same");
    expect(compared.stdout).toMatch(/values +sst: no difference/);
    expect((await runCommand(given)).stderr).toContain("is not empty");
  });

  it("writes references to where the sources will lie", async () => {
    const out = join(folder, "published.json");
    const given = ["write", OCEAN, "--as", "kerchunk-json-v0", "--out", out, "--prefix", "https://data.example/ocean"];
    const { status, stderr } = await runCommand(given);
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining("2 source paths rewritten to where the sources will"),
    ]);
    expect(readFileSync(out, "utf8")).toContain('["https://data.example/ocean/ocean-b.nc"');
  });

  it("writes a repository, once, and asks where the sources are", async () => {
    const out = join(folder, "ocean.icechunk");
    const given = ["write", OCEAN, "--as", "icechunk", "--out", out, "--message", "First steps"];
    expect(await runCommand(given)).toMatchObject({ status: 2, stderr: expect.stringContaining("--prefix") as string });
    const placed = [...given, "--prefix", `file://${resolve("public/samples")}`, "--json"];
    const { status, stdout } = await runCommand(placed);
    expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ as: "icechunk", references: 102 })]);
    const compared = await runCommand(["compare", OCEAN, out, "--root", "public/samples", "--values", "cf", "--json"]);
    const { values } = JSON.parse(compared.stdout) as { values: readonly { different: number; failed: number }[] };
    expect(values.length).toBeGreaterThan(3);
    for (const one of values) expect(one).toMatchObject({ different: 0, failed: 0 });
    expect((await runCommand(["history", out])).stdout).toContain("First steps");
    expect((await runCommand(placed)).stderr).toContain("is not empty");
  });

  it.each([OCEAN, "public/samples/ocean.icechunk"])("copies %s into a Zarr store, once", async (refs) => {
    const out = join(folder, `${refs.split(".").at(-1)}.zarr`);
    const given = ["write", refs, "--as", "zarr", "--out", out, "--json"];
    const { status, stdout, stderr } = await runCommand(given);
    expect(stderr).toMatch(/^To copy: \d+ chunks\. To read: [\d,]+ bytes\.\n$/);
    const { references, files } = JSON.parse(stdout) as { references: number; files: number };
    expect([status, existsSync(join(out, "zarr.json")), files > references]).toEqual([0, true, true]);
    const compared = await runCommand(["compare", refs, out, "--root", "public/samples", "--values", "all", "--json"]);
    const { values } = JSON.parse(compared.stdout) as { values: readonly { different: number; failed: number }[] };
    expect(values.length).toBeGreaterThan(3);
    for (const one of values) expect(one).toMatchObject({ different: 0, failed: 0 });
    expect((await runCommand(given)).stderr).toContain("is not empty");
  });

  it("copies into a Zarr store what can be read, and names the rest", async () => {
    const [refs, out] = [join(folder, "lost.json"), join(folder, "lost.zarr")];
    const zarray = { zarr_format: 2, shape: [2], chunks: [1], dtype: "|u1", compressor: null, filters: null, fill_value: 0, order: "C" }; // prettier-ignore
    const document = { ".zgroup": '{"zarr_format":2}', "a/.zarray": zarray, "a/0": "A", "a/1": ["none.bin", 0, 1] };
    writeFileSync(refs, JSON.stringify(document));
    const { status, stdout, stderr } = await runCommand(["write", refs, "--as", "zarr", "--out", out]);
    expect([status, stdout]).toEqual([1, `${out}: 1 chunk, 3 files, 364 bytes\n`]);
    expect(stderr).toMatch(/error \S+ a 1: .*none\.bin/);
    expect(stderr).toContain("1 chunk that could not be read: there is no file, and readers give the fill value.");
    expect([existsSync(join(out, "a/c/0")), existsSync(join(out, "a/c/1"))]).toEqual([true, false]);
  });

  it("writes JSON, and names what is left out before", async () => {
    const out = join(folder, "specification.json");
    const { status, stderr } = await runCommand(["write", OCEAN, "--as", "kerchunk-json-v0", "--out", out]);
    expect([status, stderr]).toEqual([
      0,
      "note write-changed: 2 relative source paths rewritten for the new folder.\n",
    ]);
    const document = JSON.parse(readFileSync(out, "utf8")) as Record<string, readonly string[]>;
    expect(Object.keys(document)[0]).toMatch(/^\./);
    // From where it lies.
    expect(resolve(folder, document["sst/0.0.0"]?.[0] ?? "")).toBe(resolve("public/samples/ocean-a.nc"));
    const odd = ["write", "public/samples/ocean-broken.json", "--as", "kerchunk-parquet", "--out", join(folder, "odd")];
    const left = await runCommand(odd);
    expect(left.status).toBe(1);
    expect(left.stderr).toMatch(/write-left-out.*Parquet has rows for chunks alone/);
    const nothing = [
      "write",
      "public/samples/ocean.icechunk",
      "--as",
      "kerchunk-parquet",
      "--out",
      join(folder, "none"),
    ];
    expect(await runCommand(nothing)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("holds arrays of Zarr v2; this dataset has none") as string,
    });
    expect((await runCommand(["write", OCEAN, "--out", join(folder, "new.json")])).stderr).toContain("--as FORM");
  });
});

it("compare names what differs", async () => {
  const { status, stdout } = await runCommand([
    "compare",
    "public/samples/ocean-a.nc",
    "public/samples/ocean-a.v0.json",
  ]);
  expect(status).toBe(0);
  expect(stdout).toContain('metadata checked [".zarray"].filters: null → [{"id":"fletcher32"}]');
  expect(stdout).toMatch(/chunks {3}checked: 6 moved; the first, \[0, 0\]/);
  const broken = await runCommand(["compare", OCEAN, "public/samples/ocean-broken.json", "--values", "all"]);
  expect(broken.status).toBe(1);
  expect(broken.stdout).toMatch(/values +sst: .* unreadable/);
});
