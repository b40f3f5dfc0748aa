/**
 * Numbers narrower than NumPy's: chosen bit patterns of each type, and back. Every pattern is compared in
 * engine/many/extension-stores.test.ts.
 */
import { describe, expect, it } from "vitest";
import { narrowElement, narrowNumbers } from "./narrow-number.ts";
import type { ScalarType } from "../metadata/data-type.ts";
import { decodeValues, elementText } from "./values.ts";

const NAMES =
  "float8_e3m4 float8_e4m3 float8_e4m3fn float8_e4m3b11fnuz float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu float6_e2m3fn float6_e3m2fn float4_e2m1fn int2 int4 uint2 uint4".split(
    " ",
  );
const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);

describe("narrow numbers", () => {
  it.each([
    ["float8_e3m4", 0x6f, 15.5, 0x70, Infinity],
    ["float8_e4m3", 0x77, 240, 0xf8, -Infinity],
    ["float8_e4m3fn", 0x7e, 448, 0xff, NaN],
    ["float8_e4m3b11fnuz", 0x7f, 30, 0x80, NaN],
    ["float8_e4m3fnuz", 0xff, -240, 0x80, NaN],
    ["float8_e5m2", 0x7b, 57_344, 0x7d, NaN],
    ["float8_e5m2fnuz", 0x7f, 57_344, 0x80, NaN],
    ["float8_e8m0fnu", 0x00, 2 ** -127, 0xff, NaN],
    ["float6_e2m3fn", 0x1f, 7.5, 0xe0, -0],
    ["float6_e3m2fn", 0x1f, 28, 0xff, -28],
    ["float4_e2m1fn", 0x07, 6, 0xf1, 0.5],
    ["int2", 0x01, 1, 0xfe, -2],
    ["int4", 0xf7, 7, 0x0f, -1],
    ["uint2", 0xff, 3, 0x04, 0],
    ["uint4", 0xff, 15, 0x10, 0],
  ])("%s", (name, one, value, other, otherValue) => {
    expect([...narrowNumbers(Uint8Array.of(one, other), name)]).toEqual([value, otherValue]);
  });

  it("bfloat16 is the upper half of a float32, and any count of bytes is read", () => {
    const bytes = new Uint8Array(Uint16Array.of(0x3f80, 0xc049, 0x7f80, 0x7fc0, 0x0001).buffer);
    expect([...narrowNumbers(bytes, "bfloat16")]).toEqual([1, -3.140625, Infinity, NaN, 2 ** -133]);
    expect([...narrowNumbers(bytes.subarray(0, 5), "bfloat16")]).toEqual([1, -3.140625]);
  });

  it.each(NAMES)("every number of %s is written as it was read", (name) => {
    const numbers = narrowNumbers(every, name);
    for (const value of new Set(numbers)) {
      const bytes = narrowElement(value, name);
      expect(bytes && narrowNumbers(bytes, name)[0], `${name} ${value}`).toBe(value);
    }
  });

  it("others are rounded, ties to even, where the type has a number near enough", () => {
    const rounded = (value: number, name: string) => {
      const bytes = narrowElement(value, name);
      return bytes && narrowNumbers(bytes, name)[0];
    };
    expect(rounded(2.5, "float4_e2m1fn")).toBe(2);
    expect(rounded(3.5, "float4_e2m1fn")).toBe(4);
    expect(rounded(-0.1, "float4_e2m1fn")).toBe(-0);
    expect(rounded(6.9, "float4_e2m1fn")).toBe(6);
    expect(rounded(7, "float4_e2m1fn")).toBeUndefined();
    expect(rounded(NaN, "float6_e2m3fn")).toBeUndefined();
    expect(rounded(1e9, "float8_e5m2")).toBe(Infinity);
    expect(rounded(-1e9, "float8_e4m3")).toBe(-Infinity);
    expect(rounded(Infinity, "float8_e4m3fn")).toBeUndefined();
    expect(rounded(-1, "float8_e8m0fnu")).toBeUndefined();
    expect(rounded(1.5, "int4")).toBeUndefined();
    expect(rounded(8, "int4")).toBeUndefined();
    expect(rounded(-0, "uint2")).toBe(0);
    expect(rounded(1.003, "bfloat16")).toBe(1);
  });

  it("are told as exact text", () => {
    const texts = (text: string, itemSize: number, ...bytes: readonly number[]) => {
      const type: ScalarType = { kind: "narrow", itemSize, byteOrder: itemSize === 1 ? "none" : "little", text };
      const chunks = [bytes.length / itemSize];
      const values = decodeValues(Uint8Array.from(bytes), { dataType: type, chunks, order: "C" });
      expect(values.numeric).toBe(true);
      return Array.from({ length: values.length }, (_, at) => elementText(values, at));
    };
    expect(texts("int4", 1, 0xf8, 0x07)).toEqual(["-8", "7"]);
    expect(texts("float8_e5m2", 1, 0x7c, 0xfe, 0x80, 0x3d)).toEqual(["inf", "nan", "-0.0", "1.25"]);
    expect(texts("bfloat16", 2, 0xcd, 0x3d)).toEqual(["0.100097656"]);
  });
});
