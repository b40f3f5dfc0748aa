import { describe, expect, it } from "vitest";
import { arrayText3, groupText3 } from "./v3-from-v2.ts";

const ARRAY = {
  zarr_format: 2,
  shape: [4, 6],
  chunks: [2, 3],
  order: "C",
  fill_value: null,
  filters: null,
  compressor: null,
};

const converted = (more: object, attributes?: string): unknown => {
  const text = arrayText3(JSON.stringify({ ...ARRAY, ...more }), attributes);
  return text === undefined ? undefined : JSON.parse(text);
};

it("has the codecs of numcodecs after bytes, those of arrays before", () => {
  const filters = [
    { id: "delta", dtype: "<i4" },
    { id: "shuffle", elementsize: 4 },
  ];
  const compressor = { id: "zlib", level: 4 };
  expect(converted({ dtype: ">i4", filters, compressor, order: "F" })).toMatchObject({
    data_type: "int32",
    fill_value: 0,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 3] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    codecs: [
      { name: "transpose", configuration: { order: [1, 0] } },
      { name: "numcodecs.delta", configuration: { dtype: "<i4" } },
      { name: "bytes", configuration: { endian: "big" } },
      { name: "numcodecs.shuffle", configuration: { elementsize: 4 } },
      { name: "numcodecs.zlib", configuration: { level: 4 } },
    ],
  });
});

it("names dimensions, keeps numbers as they are written, and says by an attribute what is masked", () => {
  const attributes = '{"_ARRAY_DIMENSIONS":["y","x"],"scale_factor":10.0}';
  const text = arrayText3(JSON.stringify({ ...ARRAY, dtype: "<f4", fill_value: "NaN" }), attributes) ?? "";
  expect(text).toContain('"scale_factor":10.0');
  expect(JSON.parse(text)).toMatchObject({
    dimension_names: ["y", "x"],
    fill_value: "NaN",
    attributes: { _FillValue: "AAAAAAAA+H8=" },
  });
  expect(converted({ dtype: "<i2", fill_value: -1 })).toMatchObject({ attributes: { _FillValue: -1 } });
  expect(arrayText3(JSON.stringify({ ...ARRAY, dtype: "<i2", fill_value: -1 }), "{}", false)).not.toContain(
    "_FillValue",
  );
  expect(groupText3('{"title":"x"}')).toBe('{"attributes":{"title":"x"},"node_type":"group","zarr_format":3}');
});

it("knows the types that v3 has", () => {
  const types = ["|b1", "<c8", "|S5", "<U2", "|V3", "<M8[25s]", "|O", "x"].map((dtype) => {
    const array = converted({ dtype }) as { data_type: unknown; fill_value: unknown } | undefined;
    return array && [array.data_type, array.fill_value];
  });
  expect(types).toEqual([
    ["bool", false],
    ["complex64", [0, 0]],
    [{ name: "null_terminated_bytes", configuration: { length_bytes: 5 } }, ""],
    [{ name: "fixed_length_utf32", configuration: { length_bytes: 8 } }, ""],
    [{ name: "raw_bytes", configuration: { length_bytes: 3 } }, "AAAA"],
    [{ name: "numpy.datetime64", configuration: { scale_factor: 25, unit: "s" } }, "NaT"],
    undefined,
    undefined,
  ]);
});

describe("codecs in an order that Zarr v3 has", () => {
  const chainOf = (filters: readonly object[], compressor: object | null = null, dtype = ">f8") => {
    const text = arrayText3(JSON.stringify({ ...ARRAY, dtype, filters, compressor }));
    const { codecs } = JSON.parse(text ?? '{"codecs":[]}') as {
      codecs: readonly { name: string; configuration?: object }[];
    };
    return codecs.map(({ name, configuration = {} }) =>
      "endian" in configuration ? `${name} ${configuration.endian as string}` : name,
    );
  };
  const DELTA = { id: "delta", dtype: ">f8" };

  it.each([
    [[], { id: "pcodec" }, ["numcodecs.pcodec"]],
    [[DELTA], { id: "zfpy" }, ["numcodecs.delta", "numcodecs.zfpy"]],
    [[DELTA], { id: "zlib" }, ["numcodecs.delta", "bytes big", "numcodecs.zlib"]],
    [[{ ...DELTA, astype: "<f4" }], null, ["numcodecs.delta", "bytes little"]],
    [[{ id: "astype", encode_dtype: "|i1", decode_dtype: ">f8" }], null, ["numcodecs.astype", "bytes"]],
    [[{ id: "packbits" }], null, ["numcodecs.packbits", "bytes"]],
    [[{ id: "log_bins", low: 1, high: 1000 }], { id: "zlib" }, ["numcodecs.log_bins", "bytes", "numcodecs.zlib"]],
    [[{ id: "quantize", digits: 1, dtype: ">f8" }], null, ["numcodecs.quantize", "bytes big"]],
    // Nothing of v3 is the same.
    [[{ id: "quantize", digits: 1, dtype: ">f8", astype: ">f4" }], null, []],
    [[{ id: "shuffle", elementsize: 8 }, DELTA], null, []],
    [[{ id: "zlib" }], { id: "pcodec" }, []],
    [[{ id: "base64" }], null, []],
  ])("%j, %j", (filters, compressor, codecs) => {
    expect(chainOf(filters, compressor)).toEqual(codecs);
  });
});
