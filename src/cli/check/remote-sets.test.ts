/** Sets on a server: of a healthy one nothing is said, of a broken one its fault and nothing else. */
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RangeServer, startRangeServer } from "../../../e2e/support/range-server.ts";
import { smallParquet, smallStore } from "../../../e2e/support/small-sets.ts";
import { filesIn, putStore, repository, type StoreFiles } from "../../../e2e/support/stores.ts";
import type { CheckReport } from "#core/report/report.ts";
import { runCommand } from "../testing/run-command.ts";

let server: RangeServer;
beforeAll(async () => {
  server = await startRangeServer();
});
afterAll(() => server.stop());

const put = (name: string, files: StoreFiles): string => {
  putStore(server, `/${name}`, files);
  return server.url(`/${name}`);
};
const parquet = (name: string, broken: (sources: StoreFiles) => StoreFiles = (sources) => sources): string => {
  const { set, sources } = smallParquet(server.url(`/${name}-sources`));
  putStore(server, `/${name}-sources`, broken(sources));
  return put(`${name}.parq`, set);
};
const icechunk = (name: string, broken: (files: StoreFiles) => StoreFiles = (files) => files): string =>
  put(name, broken(filesIn("public/samples/ocean.icechunk")));

/** The set with only the first half of one object. */
const cut = (files: StoreFiles, key: string): StoreFiles => {
  const content = files[key] as Uint8Array;
  return { ...files, [key]: content.subarray(0, content.length >> 1) };
};
const without = (files: StoreFiles, key: string): StoreFiles =>
  Object.fromEntries(Object.entries(files).filter(([one]) => one !== key));

async function check(url: string, ...options: readonly string[]): Promise<CheckReport> {
  return JSON.parse((await runCommand(["check", url, "--json", ...options])).stdout) as CheckReport;
}
const checkAll = (url: string) => check(url, "--deep", "all", "--network");
const causes = ({ findings }: CheckReport) =>
  findings.filter(({ severity }) => severity !== "info").map(({ code }) => code);

describe("a healthy set", () => {
  it.each([
    ["a Zarr v2 store", () => put("two.zarr", smallStore(2, true))],
    ["a Zarr v3 store", () => put("three.zarr", smallStore(3, true))],
    ["Kerchunk Parquet", () => parquet("healthy")],
    ["an Icechunk repository", () => icechunk("healthy.icechunk")],
  ] as const)("%s: nothing is wrong, unasked and after all of it", async (_, open) => {
    const url = open();
    expect(causes(await check(url))).toEqual([]);
    const report = await checkAll(url);
    expect(causes(report)).toEqual([]);
    expect(report.verdict).toMatchObject({
      opens: { answer: "yes" },
      values: { answer: "yes" },
      sources: { answer: "yes" },
    });
  });

  it.each(["v1", "v2"] as const)("of Icechunk says its format, and which chunks are virtual: %s", async (name) => {
    const { stdout } = await runCommand(["info", put(`repo-${name}`, repository(name))]);
    expect(stdout).toContain(`Icechunk, format ${name.slice(1)}`);
    expect(stdout).toContain("chunks: 1 missing, 3 inline, 7 virtual, 3 native");
  });

  it("that is compressed opens", async () => {
    server.put("/a.json.gz", gzipSync(readFileSync("public/samples/ocean-a.v1.json")));
    const { status, stdout } = await runCommand(["info", server.url("/a.json.gz")]);
    expect([status, stdout]).toEqual([0, expect.stringContaining("sst")]);
  });
});

describe("a broken set", () => {
  it.each([
    ["an object that is cut", () => put("cut.zarr", cut(smallStore(2, true), "sst/2.0.0")), "decode-failed", 1],
    // Writers leave out chunks of nothing but fill values: whether it was lost, nobody can tell.
    [
      "an object that is missing",
      () => put("gone.zarr", without(smallStore(3, true), "sst/c/2/0/0")),
      "steps-missing",
      0,
    ],
    ["a source that is gone", () => parquet("gone", (sources) => without(sources, "lat.bin")), "target-gone", 1],
    ["a source that is cut", () => parquet("cut", (sources) => cut(sources, "lon.bin")), "range-past-end", 1],
    [
      "a record that is missing",
      () => {
        const { set, sources } = smallParquet(server.url("/record-sources"));
        putStore(server, "/record-sources", sources);
        return put("record.parq", without(set, "sst/refs.1.parq"));
      },
      "parquet-record-missing",
      1,
    ],
    [
      "a manifest that is missing",
      () => icechunk("manifest.icechunk", (files) => without(files, "manifests/275RH97QZSHXNYP792R0")),
      "icechunk-object-missing",
      1,
    ],
  ] as const)("%s is named, and nothing else is", async (_, open, code, count) => {
    const report = await checkAll(open());
    expect(causes(report)).toHaveLength(count);
    expect(report.findings.filter((one) => one.code === code)).toHaveLength(1);
  });

  it("with wrong types and impossible offsets names each, and reads the rest", async () => {
    const zarray = { zarr_format: 2, dtype: "|u1", compressor: null, filters: null, fill_value: 0, order: "C" };
    const refs = {
      "a/.zarray": JSON.stringify({ ...zarray, shape: [320], chunks: [64] }),
      "a/0": ["data.bin", 100, 64],
      "a/1": ["data.bin", -5, 64],
      "a/2": ["data.bin", 1.5, 64],
      "a/3": 42,
      "a/4": ["data.bin", 9_007_199_254_740_994, 64],
    };
    server.put("/types.json", JSON.stringify({ version: 1, refs }));
    server.put("/data.bin", new Uint8Array(4096));
    const report = await checkAll(server.url("/types.json"));
    expect(report.checked.chunks).toMatchObject({ decoded: 1 });
    expect(causes(report)).not.toEqual([]);
  });
});

describe("a server", () => {
  const references = (target: string): string => {
    const zarray = { zarr_format: 2, dtype: "|u1", compressor: null, filters: null, fill_value: 0, order: "C" };
    const refs = { "a/.zarray": JSON.stringify({ ...zarray, shape: [64], chunks: [64] }), "a/0": [target, 100, 64] };
    return JSON.stringify({ version: 1, refs });
  };
  it.each([
    ["403", "403", ["http-status"]],
    ["429 twice", "429:2", ["requests-repeated"]],
  ])("that answers %s is told so", async (_, fault, expected) => {
    server.put("/target.bin", new Uint8Array(4096));
    server.misbehave("/target.bin", fault);
    server.put("/set.json", references("target.bin"));
    const report = await checkAll(server.url("/set.json"));
    expect(causes(report)).toEqual(expected);
    server.misbehave("/target.bin", "");
  });
});
