import { expect, it } from "vitest";
import { fieldNames } from "./data-type-fields.ts";

it("names the fields of structures of Zarr v2 and v3, and of nothing else", () => {
  expect(fieldNames('[["a","<i2"],["","|u1",[2]]]')).toEqual(["a", "f1"]);
  const fields = '[{"name":"x","data_type":"int8"},["y","float64"]]';
  expect(fieldNames(`{"name":"structured","configuration":{"fields":${fields}}}`)).toEqual(["x", "y"]);
  for (const text of ["<f4", "int8", "[", '{"name":"r8"}', "[1]", ""]) expect(fieldNames(text)).toEqual([]);
});
