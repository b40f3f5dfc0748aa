import { describe, expect, it } from "vitest";
import { spansInName } from "./file-numbers.ts";

const said = (name: string) =>
  spansInName(name).map(
    ({ from, to }) => `${new Date(from).toISOString().slice(0, 13)} ${new Date(to).toISOString().slice(0, 13)}`,
  );

describe("the date in a name", () => {
  it.each([
    ["s3://b/ciofs_2000_009.nc", "2000-01-01T00 2001-01-01T00"],
    ["BICEP_ExportProduction_199804.nc", "1998-04-01T00 1998-05-01T00"],
    ["oisst-avhrr-v02r01.19850903.nc", "1985-09-03T00 1985-09-04T00"],
    ["A2003196.L3m.nc", "2003-07-15T00 2003-07-16T00"],
    ["OR_ABI-L2-SSTF-M6_G16_s20210010000207.nc", "2021-01-01T00 2021-01-02T00"],
    ["wrf_2012-10-29_18:00:00", "2012-10-29T18 2012-10-29T19"],
    ["gfs.20200131T0600Z.grib2", "2020-01-31T06 2020-01-31T07"],
    ["/archive/2004/02/sst.nc", "2004-02-01T00 2004-03-01T00"],
  ])("%s", (name, expected) => {
    expect(said(name)[0]).toBe(expected);
  });

  it("may be two, from the first to the last", () => {
    expect(said("tas_day_19500101-19541231.nc")[0]).toBe("1950-01-01T00 1955-01-01T00");
    expect(said("tas_Amon_185001-201412.nc")[0]).toBe("1850-01-01T00 2015-01-01T00");
  });

  it.each(["grid_1440x721.nc", "tile_2160.nc", "run_20011399.nc", "x_123456789.nc", "v02r01.nc"])(
    "is none in %s",
    (name) => {
      expect(said(name)).toEqual([]);
    },
  );
});
