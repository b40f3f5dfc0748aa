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
  it.each(COLORMAPS)("%s grows lighter from low to high, and by a lot", (name) => {
    const table = colormapTable(name);
    expect(table.length).toBe(768);
    const light = Array.from({ length: 256 }, (_, index) => luminance(table, index));
    for (let index = 1; index < 256; index += 1) {
      // Rounding to whole bytes may stand still or step back by less than one byte.
      expect(light[index]! - light[index - 1]!, `step ${index}`).toBeGreaterThan(-0.0012);
    }
    for (let index = 8; index < 256; index += 1) expect(light[index]!).toBeGreaterThan(light[index - 8]!);
    expect(light[255]! - light[0]!).toBeGreaterThan(0.6);
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
