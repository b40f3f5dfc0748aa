import { expect, it } from "vitest";
import { typeName, typeWords } from "../metadata/data-type.ts";

it("names data types as readers do", () => {
  expect(["<i2", "|u1", ">f8", "<c16", "|b1", "<M8[ns]", "int16", "<U8", "|O"].map(typeName)).toEqual([
    "int16",
    "uint8",
    "float64",
    "complex128",
    "bool",
    "datetime64[ns]",
    "int16",
    "<U8",
    "|O",
  ]);
  expect([">f4", "<f4", "|u1", ">i1"].map(typeWords)).toEqual(["float32, big-endian", "float32", "uint8", "int8"]);
});
