import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coordinatesOf, type KeySeparator } from "#core/metadata/chunk-grid.ts";
import { pathBelow, prefixCover } from "./prefixes.ts";
import { readManifest } from "./read.ts";

const GRID = [3, 2, 4] as const;

function coverOf(
  manifest: Readonly<Record<string, unknown>>,
  grid: readonly number[] = GRID,
  separator: KeySeparator = "c/",
) {
  const text = JSON.stringify(manifest);
  const { prefixes, entries } = readManifest({ kind: "text", text }, { array: "a", grid, separator });
  const exact = entries.ordinal.filter((ordinal, entry) => ordinal >= 0 && !entries.replaced.has(entry));
  return prefixCover(prefixes, exact, grid);
}

/** Path of each chunk that is asked for, by its coordinates. */
function pathsOf(
  manifest: Readonly<Record<string, unknown>>,
  grid: readonly number[] = GRID,
  separator: KeySeparator = "c/",
) {
  const cover = coverOf(manifest, grid, separator);
  return Object.fromEntries(
    Array.from({ length: cover.count }, (_, index) => {
      const coordinates = coordinatesOf(grid, cover.ordinalAt(index));
      return [coordinates.join(), pathBelow(cover.prefixAt(index), coordinates, separator)];
    }),
  );
}

describe("where a chunk below a prefix is", () => {
  it.each([
    ["c/", "c/", "1,1,3", "old/1/1/3"],
    ["", "c/", "1,1,3", "old/c/1/1/3"],
    ["", ".", "1,1,3", "old/1.1.3"],
    ["c/1/", "c/", "1,1,3", "old/1/3"],
    ["c/1", "c/", "1,1,3", "old//1/3"],
    ["1/1/", "c/", "1,1,3", "old/3"],
    ["c.1.", "c/", "1,1,3", "old/1.3"],
    ["c", "c.", "1,1,3", "old/.1.1.3"],
    ["1", ".", "1,1,3", "old/.1.3"],
  ] as const)("%j of keys written with %j: chunk %s at %s", (key, separator, chunk, path) => {
    expect(pathsOf({ [key]: { path: "old/" } }, GRID, separator)[chunk]).toBe(path);
  });

  it("is the whole key of a scalar", () => {
    expect(pathsOf({ "": { path: "old/" } }, [], "c/")).toEqual({ "": "old/c" });
  });
});

describe("which prefix counts", () => {
  const grid = [2, 2];

  it("an entry of the chunk's own, then the longest; the later of two that are the same", () => {
    const manifest = {
      "c/0/": { path: "inner/" },
      "c/": { path: "outer/" },
      "c/1/1": { path: "own.bin" },
      "0.": { path: "late/" },
    };
    expect(pathsOf(manifest, grid)).toEqual({ "0,0": "inner/0", "0,1": "inner/1", "1,0": "outer/1/0" });
    expect(pathsOf({ "0/": { path: "a/" }, "0.": { path: "b/" } }, grid)).toEqual({ "0,0": "b/0", "0,1": "b/1" });
  });

  it("an empty one says that its chunks are missing, an empty entry that its chunk is", () => {
    expect(pathsOf({ "c/": { path: "old/" }, "c/0/": {}, "c/1/0": {} }, grid)).toEqual({ "1,1": "old/1/1" });
  });

  it("without chunks there is nothing to ask for", () => {
    expect(coverOf({ "c/": { path: "old/" } }, [0, 4]).count).toBe(0);
    expect(coverOf({}, grid).count).toBe(0);
    expect(() => coverOf({}, grid).ordinalAt(0)).toThrow(RangeError);
  });
});

it("agrees with looking at every prefix for every chunk", () => {
  const [rows, columns, depth] = GRID;
  const cells = rows * columns * depth;
  const part = (count: number) => fc.integer({ min: 0, max: count - 1 });
  const fixed = fc.oneof(fc.constant([]), fc.tuple(part(rows)), fc.tuple(part(rows), part(columns)));
  fc.assert(
    fc.property(fc.array(fixed), fc.uniqueArray(fc.integer({ min: 0, max: cells - 1 })), (prefixes, exact) => {
      const manifest: Record<string, unknown> = {};
      for (const [at, one] of prefixes.entries()) manifest[["c", ...one, ""].join("/")] = { path: `${at}:` };
      for (const ordinal of exact) manifest[["c", ...coordinatesOf(GRID, ordinal)].join("/")] = { path: "own" };
      const expected: Record<string, string> = {};
      for (let ordinal = 0; ordinal < cells; ordinal += 1) {
        const coordinates = coordinatesOf(GRID, ordinal);
        const key = ["c", ...coordinates].join("/");
        if (key in manifest) continue;
        const above = Object.keys(manifest).filter((one) => one.endsWith("/") && key.startsWith(one));
        const longest = above.toSorted((a, b) => b.length - a.length)[0];
        if (longest === undefined) continue;
        const { path } = manifest[longest] as { readonly path: string };
        expected[coordinates.join()] = path + key.slice(longest.length);
      }
      expect(pathsOf(manifest)).toEqual(expected);
      const cover = coverOf(manifest);
      const asked = Array.from({ length: cells }, (_, ordinal) => cover.indexOf(ordinal));
      expect(asked.filter((index) => index !== undefined)).toEqual(Array.from({ length: cover.count }, (_, at) => at));
    }),
  );
});

it("is quick to say where one of 10^12 chunks is", () => {
  const cover = coverOf({ "c/": { path: "old/" }, "c/5/7": { path: "own" } }, [1_000_000, 1_000_000]);
  expect(cover.count).toBe(10 ** 12 - 1);
  expect(cover.ordinalAt(cover.count - 1)).toBe(10 ** 12 - 1);
  expect(cover.indexOf(5_000_008)).toBe(5_000_007);
  expect(cover.indexOf(5_000_007)).toBeUndefined();
});
