/** `read` as it is given; whole arrays have the hashes that Python recorded. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, runCommand } from "./testing/run-command.ts";

interface Answer {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly sha256?: string;
  readonly failed: Readonly<Record<string, string>>;
  readonly missing: number;
  readonly values?: unknown;
}

const SAMPLE = "public/samples/ocean.v1.json";

async function read(refs: string, array: string, ...more: readonly string[]) {
  const { status, stdout } = await runCommand(["read", refs, "--array", array, "--json", ...more]);
  return { status, answer: JSON.parse(stdout) as Answer };
}

interface Truth {
  readonly arrays: Record<
    string,
    { readonly sha256?: string; readonly shape: readonly number[]; readonly dtype: string }
  >;
}

describe("read", () => {
  it("hashes whole arrays as digest does, and gives the values of small ones", async () => {
    const digest = await runCommand(["digest", SAMPLE, "--json"]);
    const { arrays } = JSON.parse(digest.stdout) as Truth;
    for (const [path, { sha256, shape, dtype }] of Object.entries(arrays)) {
      const { status, answer } = await read(SAMPLE, path);
      expect(status).toBe(0);
      expect(answer).toMatchObject({ sha256, shape, dtype, failed: {} });
      expect(answer.values !== undefined).toBe(shape.reduce((product, length) => product * length, 1) <= 10_000);
    }
  });

  it("takes a part as NumPy does", async () => {
    const whole = await read(SAMPLE, "sst", "--select", "3,::45,-4:");
    const turned = await read(SAMPLE, "/sst", "--select", "3,::-45,:-5:-1");
    const rows = whole.answer.values as readonly (readonly number[])[];
    expect(whole.answer.shape).toEqual([2, 4]);
    const [first] = (await read(SAMPLE, "sst", "--select", "3,0,-4:")).answer.values as readonly number[];
    expect(rows[0]![0]).toBe(first);
    expect(turned.answer.shape).toEqual([2, 4]);
    const { answer } = await read(SAMPLE, "sst", "--select", "3,45::-45,::-1");
    expect((answer.values as unknown[][])[1]!.slice(0, 4)).toEqual(rows[0]!.toReversed());
  });

  it("takes places by name, and says what it took", async () => {
    const { answer } = await read(SAMPLE, "sst", "--cf", "--select", "time=2026-01-03, lat=45N..60N, lon=30W");
    expect(answer).toMatchObject({
      shape: [8],
      select: "2,67:75,74",
      places: { time: "2026-01-03", lat: "45°N – 59°N", lon: "31°W" },
    });
    const same = await read(SAMPLE, "sst", "--cf", "--select", "2,67:75,74");
    expect(answer.values).toEqual(same.answer.values);
    const lines = await runCommand(["read", SAMPLE, "--array", "sst", "--cf", "--select", "2026-01-03 45N 30W"]);
    expect(lines.stdout).toMatch(/^sst\[2,67,74\].*\n {2}at time 2026-01-03, lat 45°N, lon 31°W\n.*\n {2}14.12\n$/);
  });

  it.each([
    ["sst", "tme=2026-01-03", /sst has no dimension “tme”: it has time, lat and lon\. Did you mean time\?/],
    ["sst", "time=2031-01-03", /2031-01-03 is outside the data: time goes from 2026-01-01 to/],
    ["ss", "", /There is nothing at this path\. Did you mean “sst”\?/],
  ])("says why there is nothing at %s %s", async (array, select, why) => {
    const { status, stderr } = await runCommand(["read", SAMPLE, "--array", array, "--select", select]);
    expect(status).toBe(2);
    expect(stderr).toMatch(why);
  });

  it("names the file that may be meant, in the words of a terminal", async () => {
    const { status, stdout, stderr } = await runCommand(["info", "public/samples/ocean.v1.jsn"]);
    expect(status).toBe(2);
    expect(stdout + stderr).toMatch(/Did you mean “.*ocean\.v1\.json”\?/);
    expect(stdout + stderr).not.toContain("since you opened");
  });

  it("decodes as xarray does with --cf: missing values, scale, dates", async () => {
    const raw = (await read(SAMPLE, "sst", "--select", "0,:9,:9")).answer.values as readonly (readonly number[])[];
    const { answer } = await read(SAMPLE, "sst", "--select", "0,:9,:9", "--cf");
    const document = JSON.parse(readFileSync(join(ROOT, "public/samples/ocean-a.v0.json"), "utf8")) as Record<
      string,
      string
    >;
    const { scale_factor: factor, add_offset: offset } = JSON.parse(document["sst/.zattrs"]!) as Record<string, number>;
    expect(answer.dtype).toBe("<f8");
    const expected = raw.map((row) => row.map((value) => (value === -32768 ? "NaN" : value * factor! + offset!)));
    expect(answer.values).toEqual(expected);
    const time = await read(SAMPLE, "time", "--select", ":2", "--cf");
    expect(time.answer).toMatchObject({ dtype: "<M8[ns]", values: ["2026-01-01T00:00:00", "2026-01-02T00:00:00"] });
  });

  it("has no hash where chunks failed, and says why of each", async () => {
    const { status, answer } = await read("public/samples/ocean-broken.json", "sst");
    expect(status).toBe(1);
    expect(answer.sha256).toBeUndefined();
    expect(Object.keys(answer.failed).toSorted()).toEqual(["0.0.1", "1.0.0", "2.0.1", "5.2.2"]);
    expect((await read("public/samples/ocean-broken.json", "u")).status).toBe(0);
  });

  it("writes a file of NumPy's", async () => {
    const folder = mkdtempSync(join(tmpdir(), "refscope-"));
    const file = join(folder, "part.npy");
    const { answer } = await read(SAMPLE, "sst", "--select", "0,0:3,0:4", "--npy", file);
    const bytes = readFileSync(file);
    const header = bytes.readUInt16LE(8) + 10;
    expect(header % 64).toBe(0);
    expect(bytes.subarray(0, 6).toString("latin1")).toBe("\u0093NUMPY");
    expect(bytes.subarray(10, header).toString("latin1")).toMatch(
      /'descr': '<i2', 'fortran_order': False, 'shape': \(3, 4\)/,
    );
    expect(createHash("sha256").update(bytes.subarray(header)).digest("hex")).toBe(answer.sha256);
    const failing = [
      "read",
      "public/samples/ocean-broken.json",
      "--array",
      "sst",
      "--json",
      "--npy",
      join(folder, "other.npy"),
    ];
    const refused = await runCommand(failing);
    expect(refused.status).toBe(2);
    // The text of "selection-failed".
    expect(refused.stderr).toContain("4 chunks could not be read");
    rmSync(folder, { recursive: true });
  });

  it.each([
    [["read", SAMPLE], /--array/],
    [["read", SAMPLE, "--array", "nothing"], /nothing/],
    [["read", SAMPLE, "--array", "sst", "--select", "99"], /outside its length/],
    [["read", SAMPLE, SAMPLE, "--array", "sst"], /takes REFS\./],
  ])("%j cannot be done, and says why", async (args, why) => {
    const { status, stderr } = await runCommand(args);
    expect(status).toBe(2);
    expect(stderr).toMatch(why);
  });
});
