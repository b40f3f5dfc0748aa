/**
 * Every way out hands on the values that are read: datasets of every format, array by array. A way names what it leaves
 * out, with exit code 1, and leaves its metadata out too. REFSCOPE_LAW names other files and folders, separated by
 * commas, all of whose datasets are tried; REFSCOPE_LAW_OUT a file for the counts.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "./commands.ts";
import { candidatesIn, lawOf, PRINTS, WAYS } from "./testing/handed-on.ts";
import { ROOT } from "./testing/run-command.ts";

const CROSS_SECTION = [
  "public/samples/ocean-a.v1.json",
  "corpus/gdal-json-v0-min/ref.json",
  "corpus/gdal-parquet-ref-2-dim",
  "corpus/gdal-zarr-v2-all/order_f_u1_3d.zarr",
  "corpus/gdal-zarr-v2-all/compound_well_aligned.zarr",
  "corpus/zarr-java-v3/sharding_index_location/end",
  "corpus/chunk-manifest-virtualizarr-a/virtualizarr.zarr",
  "corpus/icechunk-test-repo-v2",
  "src/formats/hdf5/fixtures/odd_types.h5",
  "src/formats/hdf5/fixtures/scalar_texts.h5",
  "src/formats/hdf5/fixtures/suites/so_shuffle.h5",
  "src/formats/netcdf3/fixtures/classic.nc",
  "src/formats/grib/fixtures/surface.grib2",
];
const GIVEN = process.env["REFSCOPE_LAW"]?.split(",");

/** Commands that hand no dataset on. */
const OTHERS =
  "anatomy blame bisect check info doctor open digest history compare preflight capsule render explain completion".split(
    " ",
  );

describe("what is handed on", () => {
  it("has a way for every command that hands a dataset on", () => {
    const ways = new Set([...Object.keys(WAYS).flatMap((way) => way.split(" ")[0] ?? []), PRINTS, ...OTHERS]);
    expect(Object.keys(COMMANDS).filter((command) => !ways.has(command))).toEqual([]);
  });

  it("is what is read", { timeout: 3_600_000 }, async () => {
    const law = await lawOf((GIVEN ?? CROSS_SECTION).flatMap((folder) => candidatesIn(resolve(ROOT, folder))));
    const out = process.env["REFSCOPE_LAW_OUT"];
    if (out !== undefined) writeFileSync(out, JSON.stringify(law, null, 1));
    expect(law.different).toEqual([]);
    expect(law.fixtures).toBeGreaterThanOrEqual(GIVEN === undefined ? CROSS_SECTION.length : 1);
  });
});
