import { describe, expect, it } from "vitest";
import { COLORMAPS, colormapGradient, colormapTable, isColormap } from "./colormap.ts";

function luminance(table: Uint8Array, index: number): number {
  const linear = [0, 1, 2].map((channel) => {
    const value = table[index * 3 + channel]! / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
}

describe("colour maps", () => {
  it.each(COLORMAPS.filter((name) => name !== "blue–red"))(
    "%s grows lighter from low to high, and by a lot",
    (name) => {
      const table = colormapTable(name);
      expect(table.length).toBe(768);
      const light = Array.from({ length: 256 }, (_, index) => luminance(table, index));
      for (let index = 1; index < 256; index += 1) {
        // Rounding to whole bytes may stand still or step back by less than one byte.
        expect(light[index]! - light[index - 1]!, `step ${index}`).toBeGreaterThan(-0.0012);
      }
      for (let index = 8; index < 256; index += 1) expect(light[index]!).toBeGreaterThan(light[index - 8]!);
      expect(light[255]! - light[0]!).toBeGreaterThan(0.6);
    },
  );

  it("blue–red is lightest in the middle and as dark at one end as at the other; classes are told apart", () => {
    const table = colormapTable("blue–red");
    const light = Array.from({ length: 256 }, (_, index) => luminance(table, index));
    expect(light.indexOf(Math.max(...light))).toBeCloseTo(127.5, -1);
    expect(Math.abs(light[0]! - light[255]!)).toBeLessThan(0.06);
    const classes = colormapTable("classes-20");
    const colours = Array.from({ length: 21 }, (_, at) => {
      const from = Math.round((at / 20) * 255) * 3;
      return classes.slice(from, from + 3).join();
    });
    expect(new Set(colours).size).toBe(21);
  });

  it("keeps the published end colours", () => {
    expect(Array.from(colormapTable("viridis").slice(0, 3))).toEqual([0x44, 0x01, 0x54]);
    expect(Array.from(colormapTable("viridis").slice(-3))).toEqual([0xfd, 0xe7, 0x25]);
    expect(Array.from(colormapTable("magma").slice(-3))).toEqual([0xfc, 0xfd, 0xbf]);
    expect(Array.from(colormapTable("cividis").slice(0, 3))).toEqual([0x00, 0x22, 0x4e]);
  });

  it("writes a gradient with the ends of the map", () => {
    expect(colormapGradient("viridis")).toMatch(/^linear-gradient\(90deg, rgb\(68 1 84\), .*rgb\(253 231 37\)\)$/);
  });

  it("knows its names", () => {
    expect(isColormap("magma")).toBe(true);
    expect(isColormap("jet")).toBe(false);
    expect(isColormap(undefined)).toBe(false);
  });
});
