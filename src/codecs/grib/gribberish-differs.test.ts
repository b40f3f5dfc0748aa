/**
 * Tests of how gribberish reads headers, also of packings that have no decoder here; published.test.ts compares the
 * rest.
 */
import { describe, expect, it } from "vitest";
import { smallCases } from "../testing/published-grib.ts";
import { gribberishDifference } from "./gribberish-differs.ts";
import { view } from "./numbers.ts";
import { walk } from "./walk.ts";

const { cases, messageOf } = smallCases();

function difference(file: string, change: (section5: DataView) => void = () => undefined) {
  const example = cases.find((one) => one.file === `grib/${file}.grib2`);
  if (example === undefined) throw new Error(`no message ${file}`);
  const message = messageOf(example);
  const section5 = walk(message).sections.find(({ number }) => number === 5);
  if (section5 === undefined) throw new Error("no section 5");
  change(view(section5.bytes));
  return gribberishDifference("gribberish", message, true);
}

describe("gribberish gives other values", () => {
  it("of constant fields, whatever their packing, unless they are 0", () => {
    const zeros = { problem: "constant", gives: "zeros", reference: 273.5 };
    expect(difference("constant-jpeg")).toMatchObject({ ...zeros, template: 40 });
    expect(difference("constant-ccsds")).toMatchObject({ ...zeros, template: 42 });
    expect(difference("constant-zero")).toBeUndefined();
    expect(difference("constant-bitmap")).toMatchObject({ problem: "constant", reference: 101.25 });
    expect(difference("constant-spatial")).toBeUndefined();
  });

  it("of CCSDS with few bits, unless its codes are restricted", () => {
    expect(difference("ccsds-4-j16-r128-f14")).toMatchObject({ problem: "few-bits", gives: "others" });
    expect(difference("ccsds-4-j16-r128-f14", (section5) => section5.setUint8(21, 14 + 16))).toBeUndefined();
    expect(difference("ccsds-4-j16-r128-f14", (section5) => section5.setUint8(19, 5))).toBeUndefined();
    expect(difference("jpeg-8")).toBeUndefined();
  });

  it("of differences whose widths or lengths have no bits", () => {
    expect(difference("spatial-1-12")).toBeUndefined();
    const widths = difference("spatial-1-12", (section5) => {
      section5.setUint8(35, 3);
      section5.setUint8(36, 0);
    });
    expect(widths).toMatchObject({ problem: "groups", gives: "others", template: 3 });
    const lengths = difference("spatial-1-12", (section5) => {
      section5.setUint32(37, 20);
      section5.setUint8(46, 0);
    });
    expect(lengths).toMatchObject({ problem: "groups" });
  });

  it("of numbers that it does not know", () => {
    const local = difference("jpeg-8", (section5) => section5.setUint16(9, 40_000));
    expect(local).toMatchObject({ problem: "template", gives: "error", template: 40_000 });
  });
});
