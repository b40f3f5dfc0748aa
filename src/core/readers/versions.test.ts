import { expect, it } from "vitest";
import { isListed, parseAskedReader, parsePackages } from "./asked-reader.ts";
import { READER_IDS } from "./ids.ts";
import { askedWords, isBefore, isInRange } from "./versions.ts";

it.each([
  ["2024.2", "2024.6.1", true],
  ["2024.6.1", "2024.6.1", false],
  ["2024.10.0", "2024.6.1", false],
  ["3.13", "3.13.0", false],
  ["3.0.0rc1", "3.0.0", true],
  ["3.0.0", "3.0.0rc1", false],
  ["v0.4.5", "0.5", true],
])("%s is before %s: %s", (one, other, is) => expect(isBefore(one, other)).toBe(is));

it("tells by a version, else by a day, else not", () => {
  const range = { package: "fsspec", before: "2024.6.1", released: "2024-06" };
  const of = (version: string | undefined, date?: string) =>
    isInRange(range, { versions: new Map(version === undefined ? [] : [["fsspec", version]]), ...(date && { date }) });
  expect([of("2024.2"), of("2025.1"), of(undefined)]).toEqual([true, false, undefined]);
  expect([of(undefined, "2024-03"), of(undefined, "2024-06-15"), of(undefined, "2024-07-01")]).toEqual([
    true,
    undefined,
    false,
  ]);
  expect(isInRange({ package: "gdal", before: "3.13" }, { versions: new Map(), date: "2024-03" })).toBeUndefined();
});

it("reads a reader with a version or a day", () => {
  expect(parseAskedReader("fsspec@2024.2")).toEqual({ reader: "fsspec", versions: new Map([["fsspec", "2024.2"]]) });
  expect(parseAskedReader("zarr-python@2.18.3")?.versions).toEqual(new Map([["zarr", "2.18.3"]]));
  expect(parseAskedReader("xarray@2024-05")).toMatchObject({ reader: "xarray", date: "2024-05" });
  expect(parseAskedReader("all@2024-05-01")).toMatchObject({ reader: "all", date: "2024-05-01" });
  expect(["all@2.0", "nobody@1", "nobody", "fsspec@", "fsspec@new"].map(parseAskedReader)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});

it("reads what pip and conda print", () => {
  const pip =
    "Package            Version\n------------------ -------\nfsspec             2024.2.0\ntitiler.xarray 0.19.0\n";
  const list = parsePackages(`${pip}zarr==2.18.3\n# name  Version  Build\ngdal   3.11.0   py312_0  conda-forge\n`);
  expect([...list.versions]).toEqual([
    ["fsspec", "2024.2.0"],
    ["titiler-xarray", "0.19.0"],
    ["zarr", "2.18.3"],
    ["gdal", "3.11.0"],
  ]);
  expect(READER_IDS.filter((id) => isListed(id, list))).toEqual([
    "fsspec",
    "fsspec-templates",
    "zarr-python",
    "gdal-kerchunk",
    "gdal-icechunk",
    "titiler",
  ]);
  expect(askedWords(list, ["zarr", "fsspec"])).toBe("zarr 2.18.3, fsspec 2024.2.0");
});
