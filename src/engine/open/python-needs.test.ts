/** Lines that open a set in Python know what its codecs need, and which Zarr it is. */
import { describe, expect, it } from "vitest";
import { arrayOf, openDocument } from "../testing/open-document.ts";
import { referenceSnippet } from "./reference-snippet.ts";

const snippet = async (refs: Readonly<Record<string, unknown>>): Promise<string> =>
  referenceSnippet(await openDocument({ ".zgroup": '{"zarr_format":2}', ...refs }));

const installed = (text: string): string => text.split("\n")[0] ?? "";

const version3 = (codec: object): string =>
  JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type: "float64",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [codec],
  });

describe("what Python needs", () => {
  it("for Zarr v2 is what has the codecs as numcodecs' own", async () => {
    const text = await snippet({
      "a/.zarray": arrayOf([4], { compressor: { id: "imagecodecs_lzw" } }),
      "b/.zarray": arrayOf([4], { filters: [{ id: "fill_hdf_strings", id_map: {} }] }),
      "c/.zarray": arrayOf([4], { compressor: { id: "grib", var: "t" } }),
      "d/.zarray": arrayOf([4], { compressor: { id: "zlib", level: 1 } }),
      "e/.zarray": arrayOf([4], { compressor: { id: "zfpy" } }),
      "f/.zarray": arrayOf([4], { compressor: { id: "gribscan.rawgrib" } }),
      "g/.zarray": arrayOf([4], { compressor: { id: "gribberish", var: "t" } }),
    });
    expect(text).toContain("import gribscan  # registers gribscan.rawgrib\n");
    expect(text).not.toContain("import gribberish");
    expect(installed(text)).toBe(
      '# pip install "zarr>=3" xarray "fsspec>=2025.2" imagecodecs imagecodecs-numcodecs kerchunk eccodes "numcodecs[zfpy]" gribscan gribberish',
    );
    expect(text).toContain("zarr_format=2");
  });

  it("for Zarr v3 is what registers them there, imported where being installed is not enough", async () => {
    const text = await snippet({
      "zarr.json": '{"zarr_format":3,"node_type":"group"}',
      "a/zarr.json": version3({ name: "gribberish", configuration: { var: "TMP" } }),
      "b/zarr.json": version3({ name: "numcodecs.pcodec", configuration: {} }),
      "c/zarr.json": version3({ name: "ChunkyCodec", configuration: {} }),
    });
    expect(installed(text)).toBe(
      '# pip install "zarr>=3" xarray "fsspec>=2025.2" gribberish "numcodecs[pcodec]" virtual-tiff',
    );
    expect(text).toContain("import gribberish.zarr  # registers gribberish\n");
    expect(text).not.toContain("zarr_format=2");
    expect(text).not.toContain("zarr 2");
    expect(text).toContain('group = zarr.open(store, mode="r", zarr_format=3)');
  });
});
