import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { codesOfDamaged, fileOfBytes } from "#core/testing/file-of-bytes.ts";
import type { SourceArray } from "#core/source-file.ts";
import { readHdf5 } from "../hdf5/read-hdf5.ts";
import { readDmrpp } from "./read-dmrpp.ts";

const bytesOf = (name: string, folder = "fixtures") =>
  new Uint8Array(readFileSync(join(import.meta.dirname, folder, name)));
const read = (name: string, bytes = bytesOf(name)) => readDmrpp(fileOfBytes(name, bytes));
const ofText = (text: string) => readDmrpp(fileOfBytes("x.dmrpp", new TextEncoder().encode(text)));
const inflate = async (stored: Uint8Array) => new Uint8Array(inflateSync(stored));

const rows = ({ references: { count, ordinal, offset, length, mask } }: SourceArray) =>
  Array.from({ length: count }, (_, at) => [ordinal[at], offset[at], length[at], mask?.[at] ?? 0]);

const odd = read("odd.h5.dmrpp");
const arrayAt = async (path: string) => (await odd).arrays.find((one) => one.path === path) as SourceArray;

describe("a DMR++ document", () => {
  it("says of its granule what the granule says itself", async () => {
    const said = await read("netcdf4_grid.nc.dmrpp");
    const granule = fileOfBytes("netcdf4_grid.nc", bytesOf("netcdf4_grid.nc", "../hdf5/fixtures"));
    const { arrays } = await readHdf5(granule, { inflate, decode: async (_filters, stored) => inflate(stored) });
    expect(said.target).toBe("netcdf4_grid.nc");
    expect(said.findings).toEqual([]);
    expect(said.arrays.map(({ path }) => path)).toEqual(["height", "lat", "lon", "mask", "tas", "time"]);
    for (const array of said.arrays) {
      const own = arrays.find(({ path }) => path === array.path) as SourceArray;
      const { attributes, shape, chunks, dtype, filters, dimensions } = own;
      expect(array).toMatchObject({ attributes, shape, chunks, dtype, filters, dimensions });
      expect(new Set(rows(array).map(String))).toEqual(new Set(rows(own).map(String)));
    }
  });

  it("has groups in groups, 1,500 deep, each before those in it", async () => {
    const open = Array.from({ length: 1500 }, (_, at) => `<Group name="g${at}">`).join("");
    const text = `<Dataset xmlns="http://xml.opendap.org/ns/DAP/4.0#" name="x">${open}${"</Group>".repeat(1500)}<Group name="last"/></Dataset>`;
    const paths = (await ofText(text)).groups.map(({ path }) => path);
    expect(paths.slice(0, 3)).toEqual(["", "g0", "g0/g1"]);
    expect([paths.length, paths.at(-1)]).toEqual([1502, "last"]);
  });

  it("has filters in HDF5's order, checksums cut off, masks, and the file's fill value before the attribute's, as VirtualiZarr", async () => {
    const { target } = await odd;
    expect(target).toBe("https://data.example/granules/odd.h5");
    const old = await arrayAt("old_order");
    expect(old).toMatchObject({ dtype: '">i4"', fill: "-1", chunks: [2, 2], dimensions: ["y", "phony_dim_1"] });
    expect(old.filters).toEqual(['{"elementsize":4,"id":"shuffle"}', '{"id":"zlib","level":1}']);
    expect(rows(old)).toEqual([
      [0, 4016, 22, 0],
      [3, 4061, 23, 0],
    ]);
    expect(Object.fromEntries(old.attributes)).toEqual({ valid_range: "[0,100]", scale: "2.0", _FillValue: "-9" });
    const summed = await arrayAt("summed");
    expect([summed.fill, (await arrayAt("partial")).fill]).toEqual(["null", "9.969209968386869e+36"]);
    expect(rows(summed)).toEqual([
      [0, 100, 20, 0],
      [1, 124, 8, 2],
    ]);
    expect(rows(await arrayAt("bare"))).toEqual([[0, 2216, 16, 0]]);
  });

  it("has values of its own inline", async () => {
    const [compact, missing, scalar] = await Promise.all(["compact", "missing", "missing_scalar"].map(arrayAt));
    expect([...(compact?.inline.get(0) ?? [])]).toEqual([1, 0, 2, 0, 3, 0]);
    const packed = missing?.inline.get(0) ?? new Uint8Array(0);
    expect(missing?.filters).toEqual(['{"id":"zlib","level":1}']);
    expect([...new Int32Array((await inflate(packed)).slice().buffer)]).toEqual([0, 1, 2, 3, 4, 5]);
    expect([scalar?.filters, ...(scalar?.inline.get(0) ?? [])]).toEqual([[], 0x70]);
  });

  it("has groups, enumerations, strings of fixed length, and values in a file beside", async () => {
    const { groups } = await odd;
    expect(groups.map(({ path, attributes }) => [path, Object.fromEntries(attributes)])).toEqual([
      ["", { title: '"Odd & even"' }],
      ["g", { about: '{"level":2}' }],
    ]);
    expect(await arrayAt("fixed")).toMatchObject({ dtype: '"|S8"', fill: "null" });
    expect(await arrayAt("g/flag")).toMatchObject({ dtype: '"|u1"', dimensions: ["g/x"], shape: [3] });
    expect(await arrayAt("g/beside")).toMatchObject({ target: "odd_mvs.h5" });
    const mixed = (await odd).arrays.filter(({ path }) => path === "g/mixed");
    expect(mixed.map((part) => [part.target, rows(part)])).toEqual([
      [undefined, [[0, 700, 8, 0]]],
      ["odd_mvs.h5", [[1, 0, 8, 0]]],
    ]);
  });

  it("says what no reference reaches", async () => {
    const { findings } = await odd;
    const told = findings.map(({ code, place }) => [code, (place as { path: string }).path]);
    expect(told).toEqual([
      ["hdf5-filter-mask", "summed"],
      ["hdf5-type-unread", "varying"],
      ["hdf5-type-unread", "blocks"],
      ["hdf5-filter-unknown", "squeezed"],
      ["data-file-damaged", "outside"],
      ["hdf5-type-unread", "compound"],
    ]);
  });

  it("is refused where it is no XML, and expands nothing", async () => {
    const damaged = { code: "data-file-damaged" };
    await expect(ofText("<Dataset><Int32></Dataset>")).rejects.toMatchObject(damaged);
    await expect(ofText("<html/>")).rejects.toMatchObject(damaged);
    await expect(ofText('<!DOCTYPE Dataset [<!ENTITY a "aaaa">]><Dataset name="&a;"/>')).rejects.toMatchObject(damaged);
    await expect(ofText("<Dataset>".repeat(100_000))).rejects.toMatchObject(damaged);
    const huge = fileOfBytes("x.dmrpp", new Uint8Array(8), undefined, 2 ** 32);
    await expect(readDmrpp(huge)).rejects.toMatchObject({ code: "data-file-too-large" });
  });

  it("names what is damaged, and never fails otherwise", async () => {
    const files = ["odd.h5.dmrpp", "netcdf4_grid.nc.dmrpp"].map((name) => [name, bytesOf(name)] as const);
    const { codes, longest } = await codesOfDamaged(files, 600, readDmrpp);
    expect(codes).toEqual(["data-file-damaged", "fine"].filter((code) => codes.includes(code)));
    expect(codes).toContain("data-file-damaged");
    expect(longest).toBeLessThan(1000);
  });
});
