import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataType } from "../metadata/data-type.ts";
import { fillBytes } from "./fill-bytes.ts";
import { fromFloat16, roundToFloat16, toFloat16 } from "./float16.ts";
import { swapBytes } from "./byte-order.ts";
import type { JsonValue } from "../json/json.ts";
import { writeJson } from "../json/parse-json.ts";
import { floatText } from "./number-text.ts";
import { parseDataTypeV2 } from "../metadata/parse-data-type.ts";
import { datetimeText, timedeltaText } from "../cf/time-text.ts";
import { decodeValues, elementText, toLittleEndianC } from "./values.ts";

const type = (text: JsonValue): DataType => parseDataTypeV2(text);
const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString("hex");
const bytes = (text: string) => new Uint8Array(Buffer.from(text, "hex"));

describe("toLittleEndianC", () => {
  it("turns F order into C order, for any shape and item size", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 9 }),
        (chunks, itemSize) => {
          const count = chunks.reduce((a, b) => a * b, 1);
          const source = new Uint8Array(count * itemSize);
          const expected = new Uint8Array(count * itemSize);
          for (let c = 0; c < count; c++) {
            let [rest, f, stride] = [c, 0, count];
            for (const extent of chunks.toReversed()) {
              stride /= extent;
              f += (rest % extent) * stride;
              rest = Math.floor(rest / extent);
            }
            for (let i = 0; i < itemSize; i++) source[f * itemSize + i] = expected[c * itemSize + i] = c * 7 + i;
          }
          const little = toLittleEndianC(source, { dataType: type(`|V${itemSize}`), chunks, order: "F" });
          expect(hex(little)).toBe(hex(expected));
        },
      ),
    );
  });

  it.each([
    [">i2", "0001fffe", "0100feff"],
    [">f8", "3ff8000000000000", "000000000000f83f"],
    [">c8", "3f80000040000000", "0000803f00000040"],
    [">U2", "0000006100000062", "6100000062000000"],
    [">M8[ns]", "0000000000000001", "0100000000000000"],
    ["|S3", "616263", "616263"],
    ["<i4", "01000000", "01000000"],
  ])("%s", (text, big, little) => {
    const source = bytes(big);
    const count = source.length / type(text).itemSize;
    expect(hex(toLittleEndianC(source, { dataType: type(text), chunks: [count], order: "C" }))).toBe(little);
    expect(hex(source)).toBe(big);
  });

  it("goes into structures, nested ones and sub-arrays", () => {
    const dataType = type([
      ["a", ">i2"],
      ["b", "<i2"],
      ["c", [["d", ">u4"]]],
      ["e", ">i2", [2, 2]],
    ]);
    const one = "00010200000000030004000500060007";
    const little = "01000200030000000400050006000700";
    expect(hex(toLittleEndianC(bytes(one + one), { dataType, chunks: [2], order: "C" }))).toBe(little + little);
  });

  it("leaves what needs no change where it is", () => {
    const source = bytes("0100020003000400");
    expect(toLittleEndianC(source, { dataType: type("<i2"), chunks: [4], order: "F" })).toBe(source);
  });
});

describe("swapBytes", () => {
  it("is its own inverse and leaves the rest", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), fc.integer({ min: 1, max: 16 }), (input, size) => {
        expect(swapBytes(swapBytes(input, size), size)).toEqual(input);
        const reversed = input.slice(0, size).toReversed();
        if (input.length >= size) expect(swapBytes(input, size).slice(0, size)).toEqual(reversed);
      }),
    );
  });
});

describe("float16", () => {
  it("keeps all 65,536 bit patterns", () => {
    for (let bits = 0; bits < 65_536; bits++) {
      const value = fromFloat16(bits);
      if (Number.isNaN(value)) expect((bits & 0x7c00) === 0x7c00 && (bits & 1023) !== 0).toBe(true);
      else if (toFloat16(value) !== bits) expect(toFloat16(value)).toBe(bits);
    }
    expect([fromFloat16(0x3c00), fromFloat16(0x7bff), fromFloat16(1)]).toEqual([1, 65_504, 2 ** -24]);
  });

  it("rounds to the nearest, ties to even", () => {
    expect([2049, 2051, 65_519.9, 65_520, 2 ** -25, 1.5 * 2 ** -24, 0.1].map(roundToFloat16)).toEqual([
      2048,
      2052,
      65_504,
      Infinity,
      0,
      2 * 2 ** -24,
      0.099_975_585_937_5,
    ]);
  });
});

describe("fillBytes", () => {
  const cases: readonly [JsonValue, JsonValue, string | undefined][] = [
    [null, "<i4", undefined],
    [-1, "<i2", "ffff"],
    [-9999.5, "<i2", undefined],
    [70_000, "<i2", undefined],
    [2n ** 60n + 1n, "<i8", "0100000000000010"],
    [2n ** 64n - 1n, "<u8", "ffffffffffffffff"],
    [2n ** 64n - 1n, "<i8", undefined],
    ["NaN", "<f4", "0000c07f"],
    ["-Infinity", ">f8", "000000000000f0ff"],
    [1.5, "<f2", "003e"],
    [true, "|b1", "01"],
    ["NaT", "<M8[ns]", "0000000000000080"],
    [[1, "NaN"], "<c8", "0000803f0000c07f"],
    // One number, or three, are not a complex value to zarr-python; 0 is zeros of any type.
    [1, "<c8", undefined],
    ["NaN", "<c16", undefined],
    [[1, 2, 3], "<c8", undefined],
    [0, "<c8", "0000000000000000"],
    // Python's true is the number 1.
    [true, "<f4", "0000803f"],
    [false, "<i2", "0000"],
    [true, ">u4", "01000000"],
    ["IA==", "|S3", "200000"],
    ["", "|S3", "000000"],
    ["YWJjZGU=", "|S3", "616263"],
    ["not base64!", "|S3", undefined],
    ["AAECAw==", "|V4", "00010203"],
    ["AAEC", "|V4", undefined],
    ["żó", "<U3", "7c010000f300000000000000"],
    ["AQAAAA==", [["a", "<i4"]], "01000000"],
    [0, [["a", "<i4"]], "00000000"],
    [0, "|S2", "0000"],
    [0, "|O", undefined],
  ];
  const titled = cases.map(([value, dtype, expected]) => ({
    title: `${writeJson(value)} as ${writeJson(dtype)}`,
    value,
    dtype,
    expected,
  }));
  it.each(titled)("$title", ({ value, dtype, expected }) => {
    expect(hex(fillBytes(value, type(dtype)))).toBe(expected);
  });
});

describe("text of elements", () => {
  it.each<[JsonValue, string, string]>([
    ["<i8", "ffffffffffffff7f", "9223372036854775807"],
    ["<u8", "ffffffffffffffff", "18446744073709551615"],
    ["|b1", "02", "True"],
    ["<f4", "cdcccc3d", "0.1"],
    ["<f2", "662e", "0.1"],
    [">f8", "3ff8000000000000", "1.5"],
    ["<c8", "0000803f00000040", "(1+2j)"],
    ["<c8", "000000000000c0bf", "-1.5j"],
    ["|S5", "6100620000", "a\\x00b"],
    ["|S2", "5cff", "\\\\\\xff"],
    ["<U3", "610000000000000062000000", "a\0b"],
    ["<U1", "00d80000", "\ufffd"],
    ["|V3", "610001", "\\x61\\x00\\x01"],
    ["<M8[D]", "0000000000000000", "1970-01-01"],
    ["<m8[h]", "fbffffffffffffff", "-5 hours"],
    [
      [
        ["a", "<i4"],
        ["b", ">f4"],
        ["s", "|S2"],
        ["v", "<i2", [2]],
      ],
      "010000004020000061620100ffff",
      "(1, 2.5, b'ab', [1, -1])",
    ],
  ])("%j %s", (dtype, source, expected) => {
    const values = decodeValues(bytes(source), { dataType: type(dtype), chunks: [], order: "C" });
    expect(elementText(values, 0)).toBe(expected);
  });

  // NumPy 2.4: str() of the scalars.
  it("writes floats as NumPy's float64 does", () => {
    const written: [number, string][] = [
      [0.1, "0.1"],
      [1e16, "1e+16"],
      [1e15, "1000000000000000.0"],
      [9_999_999_999_999_998, "9999999999999998.0"],
      [1e-5, "1e-05"],
      [1e-4, "0.0001"],
      [123_456_789, "123456789.0"],
      [1e22, "1e+22"],
      [5e-324, "5e-324"],
      [-0, "-0.0"],
      [-Infinity, "-inf"],
      [NaN, "nan"],
    ];
    for (const [value, text] of written) expect(floatText(value, 8)).toBe(text);
    expect(floatText(Math.fround(9.969_21e36), 4)).toBe("9.96921e+36");
    expect(floatText(Math.fround(1.5e-45), 4)).toBe("1e-45");
  });

  it("writes float32 so that it reads back", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.fround(Number(floatText(value, 4)))).toBe(value);
      }),
    );
  });

  // NumPy 2.4: str() of counts viewed as datetime64 and timedelta64.
  it.each([
    ["Y", "1971", "1969", "1236537"],
    ["M", "1970-02", "1969-12", "104850-08"],
    ["W", "1970-01-08", "1969-12-25", "25630-11-28"],
    ["D", "1970-01-02", "1969-12-31", "5350-02-17"],
    ["h", "1970-01-01T01", "1969-12-31T23", "2110-11-03T07"],
    ["m", "1970-01-01T00:01", "1969-12-31T23:59", "1972-05-07T08:07"],
    ["s", "1970-01-01T00:00:01", "1969-12-31T23:59:59", "1970-01-15T06:56:07"],
    ["ms", "1970-01-01T00:00:00.001", "1969-12-31T23:59:59.999", "1970-01-01T00:20:34.567"],
    ["ns", "1970-01-01T00:00:00.000000001", "1969-12-31T23:59:59.999999999", "1970-01-01T00:00:00.001234567"],
    ["25s", "1970-01-01T00:00:25", "1969-12-31T23:59:35", "1970-12-24T05:22:55"],
    ["3D", "1970-01-04", "1969-12-29", "12110-05-23"],
  ])("dates by %s", (unit, one, minusOne, many) => {
    expect([1n, -1n, 1_234_567n, -(2n ** 63n)].map((count) => datetimeText(count, unit))).toEqual([
      one,
      minusOne,
      many,
      "NaT",
    ]);
  });

  it("dates far away and without a unit", () => {
    expect(datetimeText(2n ** 62n, "D")).toBe("12626367463885247-04-15");
    expect(datetimeText(2n ** 62n, "us")).toBe("148108-07-06T14:00:27.387904");
    expect(datetimeText(5n, undefined)).toBe("5");
    expect(timedeltaText(-5n, "25s")).toBe("-125 seconds");
  });
});
