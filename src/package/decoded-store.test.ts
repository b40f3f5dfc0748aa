/**
 * Tests of the store for zarrita: its metadata, and the arrays that it gives or leaves out. zarrita 0.7.5 misreads the
 * cases of fills, and reads them here.
 */
import { expect, it } from "vitest";
import * as zarr from "zarrita";
import { open } from "./index.ts";

const base64 = (bytes: ArrayBufferView): string =>
  `base64:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`;

const V2 = { zarr_format: 2, compressor: null, filters: null, order: "C" };
const V3 = { zarr_format: 3, node_type: "array", chunk_key_encoding: { name: "default" }, attributes: {} };
const LITTLE = [{ name: "bytes", configuration: { endian: "little" } }];

async function storeOf(arrays: Readonly<Record<string, object>>, chunks: Readonly<Record<string, string>>) {
  const documents = Object.entries(arrays).map(([path, document]): [string, string] => [
    `${path}/${"zarr_format" in document && document.zarr_format === 3 ? "zarr.json" : ".zarray"}`,
    JSON.stringify(document),
  ]);
  const refs = { ".zgroup": '{"zarr_format":2}', ...Object.fromEntries(documents), ...chunks };
  const store = (await open({ text: JSON.stringify({ version: 1, refs }) })).zarrita();
  const json = async (key: `/${string}`): Promise<unknown> => {
    const bytes = await store.get(key);
    return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as unknown);
  };
  const values = async (path: string) => {
    const array = await zarr.open.v2(zarr.root(store).resolve(path), { kind: "array" });
    return [...((await zarr.get(array, null)).data as Iterable<unknown>)];
  };
  return { store, json, values };
}

it("keeps every chunk of unequal chunks, as many as those of the served grid, where one is missing", async () => {
  const grid = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[31, 28, 31]] } };
  const array = { ...V3, shape: [90], data_type: "int32", chunk_grid: grid, codecs: LITTLE, fill_value: -1 };
  const range = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, at) => from + at);
  const { values } = await storeOf(
    { t: array, none: array },
    { "t/c/0": base64(range(0, 31)), "t/c/2": base64(range(59, 90)) },
  );
  expect(await values("/t")).toEqual([...range(0, 31), ...Array.from({ length: 28 }, () => -1), ...range(59, 90)]);
  expect(await values("/none")).toEqual(Array.from({ length: 90 }, () => -1));
});

it.each([
  ["<u8", "18446744073709551615", base64(BigUint64Array.of(1n, 2n)), [1n, 2n, 2n ** 64n - 1n, 2n ** 64n - 1n]],
  ["<i8", "9223372036854775807", base64(BigInt64Array.of(1n, 2n)), [1n, 2n, 2n ** 63n - 1n, 2n ** 63n - 1n]],
  ["<i8", "null", base64(BigInt64Array.of(1n, 2n)), [1n, 2n, 0n, 0n]],
  ["|S4", '"YWI="', "ab\0\0cd\0\0", ["ab", "cd", "ab", "ab"]],
  [">U2", '"é"', base64(Uint8Array.of(0, 0, 0, 97, 0, 0, 0, 98, 0, 0, 0, 99, 0, 0, 0, 0)), ["ab", "c", "é", "é"]],
  ["|b1", "true", base64(Uint8Array.of(1, 0)), [true, false, true, true]],
])("fills %s, %s itself where zarrita does not", async (dtype, fill, chunk, expected) => {
  const document = JSON.stringify({ ...V2, shape: [4], chunks: [2], dtype, fill_value: "FILL" });
  const refs = { ".zgroup": '{"zarr_format":2}', "t/.zarray": document.replace('"FILL"', fill), "t/0": chunk };
  const store = (await open({ text: JSON.stringify({ version: 1, refs }) })).zarrita();
  const array = await zarr.open.v2(zarr.root(store).resolve("/t"), { kind: "array" });
  expect([...((await zarr.get(array, null)).data as Iterable<unknown>)]).toEqual(expected);
});

it("fills a NaN by its bits, and says nothing of it that masks values", async () => {
  const grid = { name: "regular", configuration: { chunk_shape: [1] } };
  const array = { ...V3, shape: [2], data_type: "float32", chunk_grid: grid, codecs: LITTLE };
  const nan = { ...array, fill_value: "0x7fc00001" };
  const marked = { ...array, fill_value: 0, attributes: { _FillValue: "AAAAAADwjsA=", scale_factor: 10 } };
  const { store, json } = await storeOf({ nan, marked }, { "nan/c/0": base64(Float32Array.of(1)) });
  expect(Buffer.from((await store.get("/nan/1")) ?? []).toString("hex")).toBe("0100c07f");
  // xarray masks the fill value of Zarr v2, and in v3 the attribute.
  expect(await json("/nan/.zarray")).toMatchObject({ fill_value: null });
  expect(await json("/marked/.zarray")).toMatchObject({ fill_value: -990 });
  expect(await json("/marked/.zattrs")).toEqual({ scale_factor: 10 });
  expect(await store.get("/marked/0")).toEqual(new Uint8Array(4));
});

it("says structured types as a list, with the fill value in base64", async () => {
  const dtype = [
    ["a", ">i4"],
    ["n", "<f4", [2]],
    ["s", [["x", "|S3"]]],
  ];
  const zarray = { ...V2, shape: [1], chunks: [1], dtype, fill_value: Buffer.alloc(15, 65).toString("base64") };
  const { store, json } = await storeOf({ t: zarray }, {});
  expect(await json("/t/.zarray")).toMatchObject({ dtype, fill_value: zarray.fill_value, filters: null });
  expect(await store.get("/t/0")).toEqual(new Uint8Array(15).fill(65));
});

it("keeps bytes and JSON values what they are, and leaves out by name what no codec holds", async () => {
  const objects = (id: string, shape: readonly number[] = [2]) =>
    ({ ...V2, shape, chunks: shape, dtype: "|O", fill_value: null, filters: [{ id }] }) as const;
  const { store, json, values } = await storeOf(
    {
      bytes: objects("vlen-bytes"),
      mixed: objects("json2"),
      lists: objects("json2"),
      flat: objects("json2", [1, 2]),
      texts: objects("json2", [1, 2]),
      unknown: { ...V2, shape: [1], chunks: [1], dtype: "<i4", fill_value: 0, filters: [{ id: "no-such-codec" }] },
    },
    {
      "bytes/0": base64(Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 255, 2, 0, 0, 0, 97, 98)),
      "mixed/0": '["a",null,"|O",[2]]',
      "lists/0": '[[1,2],[3],"|O",[2]]',
      "flat/0.0": '[[1,"a"],"|O",[1,2]]',
      "texts/0.0": '[["a","b"],"|O",[1,2]]',
    },
  );
  expect(await json("/bytes/.zarray")).toMatchObject({ filters: [{ id: "vlen-bytes" }] });
  expect(Buffer.from((await store.get("/bytes/0")) ?? []).toString("hex")).toBe("0200000001000000ff020000006162");
  expect(await values("/mixed")).toEqual(["a", null]);
  expect(await values("/texts")).toEqual(["a", "b"]);
  const leftOut = await store.leftOut();
  expect(leftOut.map(({ code, path }) => [code, path])).toEqual([
    ["array-not-served", "flat"],
    ["array-not-served", "lists"],
    ["array-not-served", "unknown"],
  ]);
  expect(leftOut.at(-1)?.message).toContain("no-such-codec");
  for (const path of ["flat", "lists", "unknown"]) expect(await json(`/${path}/.zarray`)).toBeUndefined();
  expect(Object.keys(((await json("/.zmetadata")) as { metadata: object }).metadata)).not.toContain("lists/.zattrs");
});

it("writes attributes in ASCII, floats as floats and no bare NaN", async () => {
  const zattrs = '{"units": "°C", "scale_factor": 10.0, "valid": [NaN, 1e3], "big": 9007199254740993}';
  const zarray = JSON.stringify({ ...V2, shape: [1], chunks: [1], dtype: "<i2", fill_value: 0 });
  const refs = { ".zgroup": '{"zarr_format":2}', "t/.zarray": zarray, "t/.zattrs": zattrs };
  const store = (await open({ text: JSON.stringify({ version: 1, refs }) })).zarrita();
  const text = Buffer.from((await store.get("/t/.zattrs")) ?? []).toString("latin1");
  expect(text).toBe('{"units":"\\u00b0C","scale_factor":10.0,"valid":["NaN",1e3],"big":9007199254740993}');
});
