import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startRangeServer } from "../../../e2e/support/range-server.ts";
import { BARRIERS } from "#core/check/preflight.ts";
import { runCommand } from "../testing/run-command.ts";

const FIXTURES = "src/engine/preflight/fixtures/files";
const files = (...names: readonly string[]) => names.map((name) => `${FIXTURES}/${name}`);
const folder = mkdtempSync(join(tmpdir(), "refscope-"));

it("preflight says whether files are one dataset, along the dimension in which they differ", async () => {
  const { status, stdout } = await runCommand(["preflight", ...files("order_0.nc", "order_1.nc", "order_2.nc")]);
  expect(status).toBe(0);
  expect(stdout).toContain("3 files can be combined along time\n  order_1.nc: 2020-01-01 to 2020-01-01 03:00:00\n");
  expect(stdout).toContain("note[order-of-files]: Files out of order · time (3 times)\n");
  expect(stdout).toContain("│ The files were not given in the order of time: order_1.nc, from 2020-01-01");
});

it("preflight --json has the verdict, the barriers and what each file says", async () => {
  const { status, stdout } = await runCommand(["preflight", ...files("pack_0.nc", "pack_1.nc"), "--json"]);
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: "no",
    along: "time",
    barriers: [{ barrier: "packing-differs", severity: "error", variables: ["tas"] }],
    files: [
      {
        format: "NetCDF-4, superblock 2",
        variables: [{ path: "lat" }, { path: "lon" }, { attributes: { scale_factor: "0.1" } }, {}],
      },
      {},
    ],
  });
});

it("combine writes references to all files, by paths from the document's folder", async () => {
  mkdirSync(join(folder, "data"));
  for (const name of ["re_r01.nc", "re_r02.nc", "re_r03.nc"])
    copyFileSync(`${FIXTURES}/${name}`, join(folder, "data", name));
  const out = join(folder, "all.json");
  const { status, stdout } = await runCommand(["combine", join(folder, "data"), "--along", "run", "--out", out]);
  expect([status, stdout]).toEqual([0, expect.stringContaining("run is new: 1, 2, 3.\nWritten:")]);
  const { version, refs } = JSON.parse(readFileSync(out, "utf8")) as { version: number; refs: Record<string, unknown> };
  expect([version, refs["tas/2.0.0.0"]]).toEqual([1, ["data/re_r03.nc", expect.any(Number), expect.any(Number)]]);
  const check = await runCommand(["check", out, "--deep", "all"]);
  expect(check.status).toBe(0);
});

it("combine refuses by name what is not one dataset", async () => {
  const out = join(folder, "none.json");
  const { status, stderr } = await runCommand([
    "combine",
    ...files("midp_0.nc", "midp_1.nc", "midp_2.nc"),
    "--out",
    out,
  ]);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/error\[partial-chunk-inside\]: .* · tas\n +│ tas has 3 along time in midp_1\.nc/),
  ]);
  const { stdout } = await runCommand(["combine", ...files("over_0.nc", "over_1.nc"), "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "no", barriers: [{ barrier: "coordinate-overlap" }] });
});

it("both take an address of a folder that its server lists, or of a pattern in it", async () => {
  const names = ["lastp_0.nc", "lastp_1.nc", "lastp_2.nc"];
  const held = names.map((name): [string, Uint8Array] => [`/bucket/p/${name}`, readFileSync(`${FIXTURES}/${name}`)]);
  const server = await startRangeServer({ files: Object.fromEntries(held), lists: true });
  const preflight = await runCommand(["preflight", server.url("/bucket/p/")]);
  const pattern = await runCommand(["combine", server.url("/bucket/p/l*.nc")]);
  const none = await runCommand(["preflight", server.url("/bucket/none/")]);
  await server.stop();
  expect([preflight.status, preflight.stdout]).toEqual([
    0,
    expect.stringContaining("3 files can be combined along time"),
  ]);
  expect(pattern.stdout).toContain(`["${server.url("/bucket/p/lastp_1.nc")}",`);
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("404")]);
});

it("what no reference can stand for is named on stderr, with exit code 1, by all that write references", async () => {
  const file = "src/formats/hdf5/fixtures/external_virtual.h5";
  const out = join(folder, "left-out.json");
  const runs = [
    ["refs", file],
    ["write", file, "--as", "kerchunk-json", "--out", out],
    ["preflight", file],
    ["combine", file],
  ];
  for (const [command = "", ...rest] of runs) {
    const { status, stderr, stdout } = await runCommand([command, ...rest]);
    expect([command, status]).toEqual([command, 1]);
    expect(stderr).toMatch(/hdf5-elsewhere|left-out/);
    if (command === "combine") expect(Object.keys(JSON.parse(stdout) as object)).toContain("refs");
  }
  const { stdout } = await runCommand(["preflight", file, "--json"]);
  const { barriers } = JSON.parse(stdout) as { barriers: readonly object[] };
  expect(barriers).toContainEqual(expect.objectContaining({ barrier: "left-out", severity: "warning" }));
  const link = await runCommand(["refs", "src/formats/hdf5/fixtures/links_latest.h5"]);
  expect([link.status, link.stderr]).toEqual([1, expect.stringContaining("link to another file")]);
});

it("explain knows every code of both, and the documentation lists them together", async () => {
  const { status, stdout } = await runCommand(["explain", ...Object.keys(BARRIERS)]);
  expect(status).toBe(0);
  for (const [code, severity] of Object.entries(BARRIERS))
    expect(stdout).toContain(`${code}  ${severity === "info" ? "note" : severity}\n`);
  const listed = (await runCommand(["explain"])).stdout.split("Files to be combined")[1] ?? "";
  expect(listed).toContain("order-of-files");
});

const PACKED = files("pack_0.nc", "pack_1.nc");

it.each([
  ["sarif", /"ruleId": "packing-differs"[^]*"uri": "src\/engine\/preflight\/fixtures\/files\/pack_1\.nc"/],
  ["github", /^::error file=src\/engine\/preflight\/fixtures\/files\/pack_1\.nc,title=Packing differs \(tas\)::tas is/],
  ["markdown", /^## Cannot be combined along time\n\n- \*\*error\*\* `packing-differs`: Packing differs, `tas`\n/],
  ["json", /"barriers": \[\n +\{\n +"barrier": "packing-differs"/],
])("both print %s", async (format, expected) => {
  for (const command of ["preflight", "combine"]) {
    const { status, stdout } = await runCommand([command, ...PACKED, "--format", format]);
    expect([status, stdout]).toEqual([1, expect.stringMatching(expected)]);
  }
});

/** Two files of which a variable says that its bytes are other texts. */
function twoEncodings(): readonly string[] {
  return ["abc", "abd"].map((encoding, at) => {
    const path = join(folder, `${encoding}.nc`);
    const text = readFileSync(`src/engine/preflight/fixtures/concat/s011/f${at}.nc`, "latin1");
    writeFileSync(path, text.replace("long_name", "_Encoding").replace("\u00c2\u00b0C", encoding), "latin1");
    return path;
  });
}

describe("--accept", () => {
  const accept = (...codes: readonly string[]) => {
    const path = join(folder, `${codes.join("+")}.json`);
    const accepted = codes.map((code) => ({ code, reason: "The texts mean the same.", date: "2026-11-29" }));
    writeFileSync(path, JSON.stringify({ accepted }));
    return path;
  };

  it("lists a warning as accepted, and combines", async () => {
    const given = twoEncodings();
    expect((await runCommand(["preflight", ...given])).status).toBe(1);
    const out = join(folder, "accepted.json");
    const args = [...given, "--accept", accept("attributes-differ", "empty-file")];
    const { status, stdout } = await runCommand(["combine", ...args, "--out", out]);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining("Accepted on 2026-11-29: attributes-differ crs: The"),
    ]);
    expect(stdout).toContain("note[acceptance-unused]");
    const json = JSON.parse((await runCommand(["preflight", ...args, "--json"])).stdout) as object;
    expect(json).toMatchObject({
      verdict: "if",
      barriers: [{ barrier: "time-units-differ" }],
      accepted: [{ code: "attributes-differ" }],
    });
  });

  it("refuses what would be wrong all the same", async () => {
    const { status, stderr } = await runCommand(["combine", ...PACKED, "--accept", accept("packing-differs")]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("Accepting packing-differs does not make")]);
  });
});

describe("--drop and --only", () => {
  const OCEAN = ["public/samples/ocean-a.nc", "public/samples/ocean-b.nc"];
  const arraysOf = (text: string) =>
    Object.keys((JSON.parse(text) as { refs: object }).refs).flatMap((key) => key.match(/^(.*)\/\.zarray$/)?.[1] ?? []);

  it("the samples are one dataset without the variable that the advice names", async () => {
    const { status, stdout } = await runCommand(["preflight", ...OCEAN]);
    expect([status, stdout]).toEqual([1, expect.stringContaining("error[identical-variable-differs]")]);
    expect(stdout).toContain("Leave it out (combine --drop diagnostics/mean_sst)");
    const combined = await runCommand(["combine", ...OCEAN, "--drop", "diagnostics/mean_sst"]);
    expect(combined.status).toBe(0);
    expect(arraysOf(combined.stdout)).toContain("diagnostics/station");
    expect(arraysOf(combined.stdout)).not.toContain("diagnostics/mean_sst");
    expect((await runCommand(["preflight", ...OCEAN, "--drop", "diagnostics"])).status).toBe(0);
  });

  it("only what is named is combined, with its coordinates", async () => {
    const { status, stdout } = await runCommand(["combine", ...OCEAN, "--only", "sst", "--drop", "lon"]);
    expect([status, arraysOf(stdout)]).toEqual([0, ["lat", "sst", "time"]]);
  });

  it("a name that no file has is an error, with the one that may be meant", async () => {
    const { status, stderr } = await runCommand(["combine", ...OCEAN, "--drop", "diagnostics/mean_ssd"]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("Did you mean diagnostics/mean_sst?")]);
  });
});
