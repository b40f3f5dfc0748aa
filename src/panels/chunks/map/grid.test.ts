import { describe, expect, it } from "vitest";
import type { Raster } from "#core/open-set.ts";
import { STATES, STATE_CODE } from "#core/table/reference.ts";
import { CHANGES } from "#core/repository.ts";
import {
  TOKENS,
  missingColour,
  mixed,
  packed,
  parseRgb,
  stateColour,
  type Palette,
  type Rgb,
  distinctColour,
} from "#widgets/cell-map/palette.ts";
import { lengthScale, lengthShare, pixelColours } from "../cell-colours.ts";
import { cellSentence } from "./MapFoot.tsx";
import { scaleSentence, windowSentence } from "./MapPart.tsx";

describe("colours", () => {
  const distinct = (at: number): Rgb => ({ r: at * 15, g: 255 - at * 10, b: (at * 37) % 256 });
  const palette = Object.fromEntries(TOKENS.map((name, at) => [name, distinct(at)])) as unknown as Palette;
  const raster = (part: Partial<Raster>): Raster => ({
    width: 3,
    height: 1,
    cellsDown: 1,
    cellsAlong: 1,
    codes: new Uint8Array(0),
    values: new Float64Array(0),
    minimum: undefined,
    maximum: undefined,
    ...part,
  });

  it("reads what browsers write", () => {
    expect(parseRgb("rgb(11, 98, 187)")).toEqual({ r: 11, g: 98, b: 187 });
    expect(parseRgb("rgba(1, 2, 3, 0.5)")).toEqual({ r: 1, g: 2, b: 3 });
    expect(packed({ r: 1, g: 2, b: 3 })).toBe(0xff030201);
  });

  it("gives each state its colour", () => {
    const colours = pixelColours(raster({ codes: Uint8Array.of(0, 3, 5) }), "state", palette);
    expect([...colours]).toEqual([
      packed(stateColour(palette, "missing")),
      packed(palette["--range"]),
      packed(palette["--bad"]),
    ]);
  });

  it("gives every state a colour of its own", () => {
    const codes = Uint8Array.from(STATES.keys());
    const colours = pixelColours(raster({ width: STATES.length, codes }), "state", palette);
    expect(new Set(colours).size).toBe(STATES.length);
    expect(colours[STATE_CODE.virtual]).toBe(packed(palette["--virtual"]));
  });

  it("gives each kind of change its colour, and hardly any to what did not change", () => {
    const codes = Uint8Array.from({ length: CHANGES.length + 1 }, (_, code) => code);
    const [unchanged, ...kinds] = pixelColours(raster({ width: codes.length, codes }), "change", palette);
    expect(kinds).toEqual(CHANGES.map((kind) => packed(palette[`--${kind}`])));
    expect(unchanged).toBe(packed(mixed(palette["--bg"], palette["--missing"], 0.2)));
  });

  it("never draws a failed reading like a missing or an untried chunk", () => {
    const colours = pixelColours(raster({ codes: Uint8Array.of(0, 1, 2) }), "reading", palette);
    expect(new Set(colours).size).toBe(3);
    expect(colours[2]).not.toBe(packed(stateColour(palette, "missing")));
  });

  it("gives targets different colours, and none to chunks without one", () => {
    const colours = pixelColours(raster({ values: Float64Array.of(0, 1, 2) }), "target", palette);
    expect(colours[0]).toBe(packed(missingColour(palette)));
    expect(colours[1]).not.toBe(colours[2]);
    const many = new Set(Array.from({ length: 24 }, (_, id) => packed(distinctColour(palette, id))));
    expect(many.size).toBe(24);
  });

  it("draws lengths from shortest to longest", () => {
    const values = Float64Array.of(-1, 100, 900);
    const colours = pixelColours(raster({ values, minimum: 100, maximum: 900 }), "length", palette);
    expect(new Set(colours).size).toBe(3);
    expect(lengthShare(100, { minimum: 100, maximum: 900 })).toBe(0);
    expect(lengthShare(900, { minimum: 100, maximum: 900 })).toBe(1);
    expect(lengthShare(7, { minimum: 7, maximum: 7 })).toBe(1);
  });

  it("ends the scale of lengths before a few that are far longer", () => {
    const lengths = { minimum: 10, median: 40, usual: 50 };
    expect(lengthScale({ ...lengths, maximum: 60 })).toEqual({ minimum: 10, maximum: 60, longest: 60 });
    const scale = lengthScale({ ...lengths, maximum: 5000 });
    expect(scale).toEqual({ minimum: 10, maximum: 63, longest: 5000 });
    expect([lengthShare(5000, scale), lengthShare(1, scale)]).toEqual([1, 0]);
  });

  it("says when a pixel is several chunks", () => {
    expect(scaleSentence(raster({}), "state")).toBe("");
    expect(scaleSentence(raster({ cellsDown: 4, cellsAlong: 4 }), "state")).toBe(
      "1 pixel = 4 × 4 chunks, the worst is shown",
    );
    const window = { rows: { from: 0, to: 10 }, columns: { from: 5, to: 10 } };
    const extent = { rows: 10, columns: 10 };
    expect(windowSentence(window, extent, 600)).toContain("columns 5–9 of 10");
    const whole = { ...window, columns: { from: 0, to: 10 } };
    expect(windowSentence(whole, extent, 600)).toBe("100 of 600 chunks in this slice");
    expect(windowSentence(whole, extent, 100)).toBe("100 chunks, all in sight");
  });
});

describe("what is said of a cell", () => {
  it("names state, target and size, and what a missing chunk reads as", () => {
    const row = { key: "a/0", state: "range", target: "x.nc", offset: 10, length: 5000 } as never;
    expect(cellSentence({ key: "a/0", row, result: "failed" }, "0")).toBe(
      "a/0: range, x.nc, offset 10, 5,000 bytes, reading failed",
    );
    const native = { key: "a/2", state: "native", target: "chunks/ID", offset: 0, length: 7 } as never;
    expect(
      cellSentence({ key: "a/2", row: native, result: "not tried", change: "added between the snapshots" }, "0"),
    ).toBe("a/2: native, added between the snapshots, chunks/ID, offset 0, 7 bytes");
    const missing = { key: "a/1", state: "missing" } as never;
    expect(cellSentence({ key: "a/1", row: missing, result: "not tried" }, "-1")).toContain("fill value -1");
  });
});
