import { describe, expect, it } from "vitest";
import { floatText, packedDecimals, readableNumber, shortFloatText } from "./number-text.ts";

describe("floats in tables", () => {
  it.each([
    ["-4.1240000000000006", "-4.124"],
    ["271.15002", "271.15"],
    ["0.30000000000000004", "0.3"],
    ["-2.2250738585072014e-308", "-2.225074e-308"],
    ["-3.4028236e+37", "-3.402824e+37"],
    ["123456789.25", "123456789.0"],
    ["12345678901.5", "1.234568e+10"],
    ["20000000000.0", "2e+10"],
    ["2.0", "2.0"],
    ["-0.0", "-0.0"],
    ["nan", "nan"],
    ["-inf", "-inf"],
  ])("%s is %s", (exact, short) => {
    expect(shortFloatText(exact)).toBe(short);
  });

  it.each(["-9223372036854775808", "1970-01-01T00:00:00", "2020-01-01", "(1.23456789012+2j)", "True", "1.2.3", ""])(
    "%s stays, being no float",
    (text) => {
      expect(shortFloatText(text)).toBe(text);
    },
  );

  it("have room for fourteen characters, whatever the number", () => {
    for (let power = -320; power < 309; power += 1) {
      for (const digits of [1, -1.2345678901234567, 9.9999999999999]) {
        const value = digits * 10 ** power;
        if (value !== 0) expect(shortFloatText(floatText(value, 8)).length).toBeLessThanOrEqual(14);
      }
    }
  });
});

describe("numbers that people read", () => {
  it.each([
    ["-4.1240000000000006", 3, "−4.124"],
    ["26.264000000000003", 3, "26.264"],
    ["10.0", 3, "10"],
    ["-32768", undefined, "−32768"],
    ["8.090848711894694e-06", undefined, "0.000008090849"],
    ["8.090848711894694e-09", undefined, "8.090849e−9"],
    ["0.9999903709156", undefined, "0.9999904"],
    ["17.052001", undefined, "17.052001"],
    ["-0.00012345679", undefined, "−0.00012345679"],
    ["2026-01-03T00:00:00", undefined, "2026-01-03T00:00:00"],
    ["nan", undefined, "nan"],
  ])("%s with %s decimals is %s", (exact, decimals, text) => {
    expect(readableNumber(exact, decimals)).toBe(text);
  });

  it("have the decimals of what packs them", () => {
    const of = (scaleFactor: number, addOffset = 0) => packedDecimals({ scaleFactor, addOffset });
    expect([of(0.002, 10), of(0.01, 273.15), of(1, 0.5), of(1e-5), of(10)]).toEqual([3, 2, 1, 5, 0]);
    expect([of(Math.fround(0.01)), of(0.0018243021, 273.15), of(1)]).toEqual([2, 3, undefined]);
  });
});
