import { describe, expect, it } from "vitest";
import { CHANGES } from "#core/repository.ts";
import {
  CHANGE_MEANING,
  CHANGE_NAMES,
  CHANGE_SIGNS,
  changeOfCode,
  changeWords,
  shortSnapshot,
} from "./change-words.ts";
import { changeAt } from "./MapPart.tsx";
import type { Layer } from "./grid-picture.ts";

const raster = { cellsDown: 1, cellsAlong: 1, values: new Float64Array(0), minimum: undefined, maximum: undefined };

describe("what is said of a change", () => {
  it("has a sign, a name and a meaning of its own for each kind", () => {
    for (const words of [CHANGE_SIGNS, CHANGE_NAMES, CHANGE_MEANING]) {
      expect(new Set(CHANGES.map((kind) => words[kind])).size).toBe(CHANGES.length);
    }
  });

  it("follows the codes of a raster", () => {
    expect([0, 1, 2, 3, 4, 5].map(changeOfCode)).toEqual([
      "unchanged",
      "set",
      "added",
      "removed",
      "changed",
      "unchanged",
    ]);
  });

  it("speaks of the shard where references are of shards", () => {
    expect(changeWords("set", false)).toBe("written or deleted between the snapshots");
    expect(changeWords("unchanged", false)).toBe("unchanged between the snapshots");
    expect(changeWords("removed", true)).toBe("its shard was removed between the snapshots");
  });

  it("shortens ids of snapshots", () => {
    expect(shortSnapshot("1CECHNKREP0F1RSTCMT0")).toBe("1CECHNKR…");
    expect(shortSnapshot("ABC")).toBe("ABC");
  });
});

describe("the change of a cell", () => {
  const window = { rows: { from: 10, to: 12 }, columns: { from: 5, to: 8 } };
  const layer: Layer = { ...raster, window, width: 3, height: 2, codes: Uint8Array.of(0, 1, 2, 3, 4, 0) };

  it("is that of its pixel", () => {
    expect(changeAt(layer, { row: 10, column: 5 })).toBe("unchanged");
    expect(changeAt(layer, { row: 10, column: 7 })).toBe("added");
    expect(changeAt(layer, { row: 11, column: 6 })).toBe("changed");
  });

  it("is not known outside the picture, nor where a pixel is several cells", () => {
    for (const place of [
      { row: 9, column: 5 },
      { row: 12, column: 5 },
      { row: 10, column: 4 },
      { row: 10, column: 8 },
    ]) {
      expect(changeAt(layer, place)).toBeUndefined();
    }
    expect(changeAt(undefined, { row: 10, column: 5 })).toBeUndefined();
    const coarse = { ...layer, cellsDown: 2 };
    expect(changeAt(coarse, { row: 10, column: 5 })).toBeUndefined();
  });
});
