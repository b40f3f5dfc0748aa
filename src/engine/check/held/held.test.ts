import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { chunkIn, type Finding } from "#core/findings/fact.ts";
import type { SourceFile } from "#core/source-file.ts";
import { bytesSource } from "#io/file.ts";
import { droppedFiles } from "#io/local-files.ts";
import { indexFile } from "#engine/open/data-file/open-data-file.ts";
import { openFiles } from "#engine/open/open-any.ts";
import { repairsOf } from "#engine/repair/search/find-repairs.ts";
import { checkHeld } from "./check-held.ts";
import { valuesInFile } from "./held-files.ts";
import { bytesOf, HDF5, type Refs, references } from "./testing/file-references.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const OWN = join(import.meta.dirname, "fixtures");
const TOGETHER = join(import.meta.dirname, "../../preflight/fixtures/files");

async function held(refs: object, files: readonly (readonly [folder: string, name: string])[]) {
  return heldWith(
    refs,
    files.map(([folder, name]) => ({ path: name, blob: new Blob([bytesOf(folder, name)]) })),
  );
}

async function heldWith(refs: object, given: readonly { readonly path: string; readonly blob: Blob }[]) {
  const document = { path: "refs.json", blob: new Blob([JSON.stringify({ version: 1, refs })]) };
  const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };
  const opening = { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT };
  const opened = await openFiles(droppedFiles([document, ...given]), opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return { set: opened.set, ...(await checkHeld(opened.set, { limit: 10 }, CONTEXT)) };
}

const GRID = [[HDF5, "netcdf4_grid.nc"]] as const;
const brief = (findings: readonly Finding[]) => findings.map(({ code, facts, count }) => ({ code, facts, count }));

describe("a set held against its source files", () => {
  it("of an ensemble may have members in another order than some of its files have messages", async () => {
    const bytes = bytesOf(join(import.meta.dirname, "../../../formats/grib/fixtures"), "ensemble.grib2");
    const { file } = await indexFile(bytesSource(bytes, "ensemble.grib2"), false, CONTEXT);
    const { references: messages } = file.arrays.find(({ path }) => path === "t2m") as SourceFile["arrays"][number];
    const parts = Array.from(messages.offset, (from, at) => bytes.slice(from, from + (messages.length[at] ?? 0)));
    const blobs = [parts, parts.toReversed()].map((all) => new Blob(all));
    const grid = { zarr_format: 2, compressor: null, fill_value: null, filters: null, order: "C" };
    const count = parts.length;
    const size = parts[0]?.length ?? 0;
    const array = { ...grid, shape: [2, count, 9, 12], chunks: [1, 1, 9, 12], dtype: "<f8" };
    const refs: Refs = {
      ".zgroup": '{"zarr_format":2}',
      "t2m/.zarray": JSON.stringify({ ...array, filters: [{ id: "grib", var: "t2m", dtype: "float64" }] }),
      "t2m/.zattrs": '{"_ARRAY_DIMENSIONS":["time","number","latitude","longitude"]}',
      "number/.zarray": JSON.stringify({ ...grid, shape: [count], chunks: [count], dtype: "<i8" }),
      "number/.zattrs": '{"_ARRAY_DIMENSIONS":["number"]}',
      "number/0": `base64:${Buffer.from(BigInt64Array.from(parts.keys(), BigInt).buffer).toString("base64")}`,
    };
    for (const at of parts.keys()) {
      refs[`t2m/0.${at}.0.0`] = ["a.grib2", at * size, size];
      refs[`t2m/1.${at}.0.0`] = ["b.grib2", (count - 1 - at) * size, size];
    }
    const given = blobs.map((blob, at) => ({ path: at === 0 ? "a.grib2" : "b.grib2", blob }));
    const { findings, rules } = await heldWith(refs, given);
    expect(count).toBeGreaterThan(2);
    expect(rules[0]).toMatchObject({ of: 2, lookedAt: 2 });
    expect(findings).toEqual([]);
  });

  it("that says what the file says is right, and how much was looked at", async () => {
    const part = await held(await references(GRID), GRID);
    expect(part.findings).toEqual([]);
    expect(part.rules).toEqual([{ rule: "files", unit: "targets", of: 1, lookedAt: 1, sampled: 0 }]);
  });

  it("is told which references the file contradicts", async () => {
    const refs = await references(GRID);
    const at = (key: string) => refs[`tas/${key}`] as [string, number, number];
    at("0.0.0")[1] += 7;
    at("1.0.0")[2] -= 20;
    refs["tas/2.0.0"] = [...at("3.0.0")];
    delete refs["tas/4.1.1"];
    const { findings } = await held(refs, GRID);
    const codes = ["held-chunk-other", "held-chunk-unnamed", "held-chunks-moved", "held-length-differs"];
    expect(findings.map(({ code }) => code).toSorted()).toEqual(codes);
    expect(findings.find(({ code }) => code === "held-chunks-moved")?.facts).toMatchObject({ by: -7, isOther: false });
    expect(findings.find(({ code }) => code === "held-length-differs")?.facts).toMatchObject({ has: 319, length: 299 });
  });

  it("has chunks of two files in each other's place where the rest of each says so", async () => {
    const files = ["pack_0.nc", "pack_1.nc"].map((name) => [TOGETHER, name] as const);
    const refs = await references(files, "tas");
    const keys = Object.keys(refs).filter((key) => /^tas\/\d/.test(key));
    const [first = "", last = ""] = [keys[0], keys.at(-1)];
    const codes = async (own: object) => (await held(own, files)).findings.map(({ code }) => code);
    const before = await codes(refs);
    expect(keys.length).toBeGreaterThan(4);
    expect(before).not.toContain("held-chunk-other");
    expect(await codes({ ...refs, [first]: refs[last], [last]: refs[first] })).toEqual(["held-chunk-other", ...before]);
  });

  it("of another file of the same name has references of an older one", async () => {
    const refs = await references(GRID);
    for (const [key, value] of Object.entries(refs))
      if (/^tas\/\d/.test(key) && typeof value !== "string") value[1] += 64;
    const { set, findings } = await held(refs, GRID);
    const expected = [{ code: "held-chunks-moved", count: 24, facts: { by: -64, isOther: true } }];
    expect(brief(findings)).toMatchObject(expected);
    const subjects = (findings[0]?.places ?? []).flatMap((place) => chunkIn(place) ?? []);
    const [found] = await repairsOf(set, { subjects, chunks: 24, isUnasked: false }, CONTEXT);
    expect(found?.offers[0]).toMatchObject({
      change: { kind: "index" },
      certainty: "safe",
      alike: { references: 24, read: 24 },
      after: expect.stringMatching(/^\["netcdf4_grid\.nc", 8456, 317\]$/) as unknown,
    });
  });

  it("with more steps than the file has references to chunks that do not exist", async () => {
    const refs = await references(GRID);
    refs["tas/.zarray"] = String(refs["tas/.zarray"]).replace('"shape":[6,', '"shape":[8,');
    for (const key of ["6.0.0", "7.0.0"]) refs[`tas/${key}`] = ["netcdf4_grid.nc", 27_000, 300];
    const { findings } = await held(refs, GRID);
    expect(brief(findings)).toMatchObject([{ code: "held-chunk-none", count: 2, facts: { has: "6 × 18 × 36" } }]);
  });

  it("is told where a coordinate is not the file's", async () => {
    const refs = await references(GRID);
    const [, offset, length] = refs["time/0"] as [string, number, number];
    const steps = bytesOf(...GRID[0]).slice(offset, offset + length);
    new DataView(steps.buffer).setFloat64(8, 30, true);
    refs["time/0"] = `base64:${Buffer.from(steps).toString("base64")}`;
    const { findings } = await held(refs, GRID);
    expect(brief(findings)).toMatchObject([
      {
        code: "held-steps-differ",
        facts: { coordinate: "time", step: 1, set: "2001-01-02 06:00:00", has: "2001-01-01 06:00:00" },
      },
    ]);
  });

  it("is told where fill values or the order of dimensions are not the file's", async () => {
    const refs = await references(GRID);
    refs["tas/.zarray"] = String(refs["tas/.zarray"]).replace(/"fill_value":-32767/, '"fill_value":-9999');
    refs["tas/.zattrs"] = String(refs["tas/.zattrs"]).replace('["time","lat","lon"]', '["time","lon","lat"]');
    const { findings } = await held(refs, GRID);
    expect(brief(findings)).toMatchObject([
      { code: "held-metadata-differs", facts: { member: "fill", set: "-9999", has: "-32767" } },
      { code: "held-metadata-differs", facts: { member: "dimensions", set: "time, lon, lat", has: "time, lat, lon" } },
    ]);
  });

  it.each([
    ["extensible_array.h5", "holes", -5, []],
    ["extensible_array.h5", "holes", 7, ["7, not -5"]],
    ["extensible_array.h5", "holes", 0, ["0, not -5"]],
    ["shared_messages.h5", "v0", -9999, ["-9999, not -999.0"]],
    // Nothing reads as it where all is written, and writers of references put it in place of a default.
    ["shared_messages.h5", "v0", 0, []],
  ])("of %s, %s reads where nothing was written as %d: told %j", async (name, array, fill, told) => {
    const files = [[HDF5, name]] as const;
    const refs = await references(files);
    const zarray = JSON.parse(String(refs[`${array}/.zarray`])) as object;
    refs[`${array}/.zarray`] = JSON.stringify({ ...zarray, fill_value: fill });
    const { findings } = await held(refs, files);
    const fills = findings.flatMap(({ code, facts }) => (code === "held-metadata-differs" ? [facts] : []));
    expect(fills.map((facts) => `${facts["set"] as string}, not ${facts["has"] as string}`)).toEqual(told);
  });

  it("is told of bytes behind the end of the file", async () => {
    const longer = new Uint8Array([...bytesOf(...GRID[0]), 1, 2, 3]);
    const { file } = await indexFile(bytesSource(longer, "longer.nc"), false, CONTEXT);
    expect(file.findings[0]).toMatchObject({ code: "data-file-longer", facts: { says: 29_055, size: 29_058 } });
  });

  it("says which chunks the file stored without a filter", async () => {
    const files = [[HDF5, "filter_masks_latest.h5"]] as const;
    const { set, findings } = await held(await references(files), files);
    const facts = { filters: ["zlib"], mask: 1, file: "filter_masks_latest.h5" };
    expect(findings.map(({ code }) => code)).toEqual(findings.map(() => "held-filters-skipped"));
    expect(findings[0]).toMatchObject({ facts });
    expect(findings.reduce((sum, { count }) => sum + count, 0)).toBe(5);
    const subjects = (findings[0]?.places ?? []).flatMap((place) => chunkIn(place) ?? []);
    const [found] = await repairsOf(set, { subjects, chunks: findings[0]?.count ?? 0, isUnasked: false }, CONTEXT);
    expect(found?.offers[0]).toMatchObject({
      change: { kind: "inline" },
      certainty: "safe",
      alike: { references: findings[0]?.count },
      after: expect.stringMatching(/^"base64:/) as unknown,
    });
  });

  it("has one packing, of which files may say others", async () => {
    const files = [
      [TOGETHER, "pack_0.nc"],
      [TOGETHER, "pack_1.nc"],
    ] as const;
    const { findings } = await held(await references(files, "tas"), files);
    const of = { file: "pack_1.nc", files: 1, of: 2 };
    expect(brief(findings).slice(0, 2)).toMatchObject([
      { code: "held-metadata-differs", facts: { ...of, member: "scale_factor", set: "0.1", has: "0.01" } },
      { code: "held-metadata-differs", facts: { ...of, member: "add_offset", set: "0", has: "273.15" } },
    ]);
  });

  describe("whose packing stands in codecs", () => {
    const PACKED = [[TOGETHER, "pack_0.nc"]] as const;
    const fixed = (scale: number) => ({ id: "fixedscaleoffset", scale, offset: 0, dtype: "<f8", astype: "<i2" });
    const attributes = { scale_factor: 0.1, add_offset: 0 };
    const metadataOf = async (refs: object) =>
      (await held(refs, PACKED)).findings.flatMap((one) => (one.code === "held-metadata-differs" ? [one.facts] : []));

    const version2 = async (filter: object, own: object) => {
      const refs = await references(PACKED);
      const zarray = JSON.parse(String(refs["tas/.zarray"])) as { filters: object[] };
      zarray.filters.unshift(filter);
      refs["tas/.zarray"] = JSON.stringify({ ...zarray, dtype: "<f8" });
      refs["tas/.zattrs"] = JSON.stringify({ _ARRAY_DIMENSIONS: ["time", "lat", "lon"], units: "K", ...own });
      return metadataOf(refs);
    };

    const version3 = async (scale: number | undefined, own: object) => {
      const refs: Refs = { "zarr.json": JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {} }) };
      for (const [key, value] of Object.entries(await references(PACKED)))
        if (/^tas\/\d/.test(key)) refs[key.replace("/", "/c/").replaceAll(".", "/")] = value;
      const codecs = [
        ...(scale === undefined ? [] : [{ name: "scale_offset", configuration: { scale, offset: 0 } }]),
        { name: "cast_value", configuration: { data_type: "int16" } },
        { name: "bytes", configuration: { endian: "little" } },
        { name: "numcodecs.shuffle", configuration: { elementsize: 2 } },
        { name: "numcodecs.zlib", configuration: { level: 4 } },
      ];
      refs["tas/zarr.json"] = JSON.stringify({
        zarr_format: 3,
        node_type: "array",
        shape: [4, 6, 8],
        data_type: "float64",
        chunk_grid: { name: "regular", configuration: { chunk_shape: [1, 6, 8] } },
        chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
        fill_value: 0,
        dimension_names: ["time", "lat", "lon"],
        codecs,
        attributes: { units: "K", ...own },
      });
      return metadataOf(refs);
    };

    it("says what the file says where codecs and attributes come to the same", async () => {
      expect(await version2(fixed(10), {})).toEqual([]);
      expect(await version2({ id: "astype", encode_dtype: "<i2", decode_dtype: "<f8" }, attributes)).toEqual([]);
      expect(await version3(10, {})).toEqual([]);
      expect(await version3(undefined, attributes)).toEqual([]);
    });

    it("is told of where they do not", async () => {
      const differs = [{ member: "scale_factor", set: "0.01", has: "0.1" }];
      expect(await version2(fixed(100), {})).toMatchObject(differs);
      expect(await version3(100, {})).toMatchObject(differs);
      expect(await version2(fixed(10), attributes)).toMatchObject([{ member: "scale_factor", has: "0.1" }]);
      const astype = { id: "astype", encode_dtype: "<i4", decode_dtype: "<f8" };
      expect(await version2(astype, attributes)).toMatchObject([{ member: "dtype", set: "<i4", has: "<i2" }]);
    });
  });

  it("cannot hold files that end inside a chunk, but for the last", async () => {
    const files = [
      [TOGETHER, "midp_0.nc"],
      [TOGETHER, "midp_1.nc"],
      [TOGETHER, "midp_2.nc"],
    ] as const;
    const { findings } = await held(await references(files, "tas"), files);
    expect(findings[0]).toMatchObject({
      code: "held-partial-chunk",
      facts: { file: "midp_1.nc", length: 3, chunk: 2, late: 1, next: "midp_2.nc" },
    });
  });

  it("has one of each coordinate, though files cover different extents", async () => {
    const { refs } = JSON.parse(readFileSync(join(OWN, "refs.json"), "utf8")) as { refs: object };
    const files = ["020120", "020121", "020122"].map((day) => [OWN, `LC08_L1GT_${day}_v02.nc`] as const);
    const { findings } = await held(refs, files);
    expect(brief(findings)).toMatchObject([
      { code: "held-extent-differs", facts: { coordinate: "x", files: 2, shift: "shifted by 1440 m, 12 cells" } },
      { code: "held-extent-differs", facts: { coordinate: "y", shift: "shifted by -840 m, 7 cells" } },
    ]);
  });
});

it.each([
  ["height", [2]],
  ["lat", Array.from({ length: 18 }, (_, at) => 10 * at - 85)],
  ["tas", undefined],
])("values of %s in the file", async (path, expected) => {
  const source = bytesSource(bytesOf(...GRID[0]), "grid.nc");
  const { file } = await indexFile(source, false, CONTEXT);
  const array = file.arrays.find((one) => one.path === path) as SourceFile["arrays"][number];
  const values = await valuesInFile({ source, values: new Map() }, array, CONTEXT);
  expect(values && [...values]).toEqual(expected);
});
