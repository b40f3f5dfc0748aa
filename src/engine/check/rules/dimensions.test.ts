/** Lengths of dimensions within groups. */
import { describe, expect, it } from "vitest";
import { arrayOf, foundIn, named } from "#engine/testing/open-document.ts";

type Arrays = Readonly<Record<string, readonly [shape: readonly number[], names: readonly string[]]>>;

const document = (arrays: Arrays, more: Readonly<Record<string, unknown>> = {}) => ({
  version: 1,
  refs: {
    ...more,
    ...Object.fromEntries(
      Object.entries(arrays).flatMap(([path, [shape, names]]) => [
        [`${path}/.zarray`, arrayOf(shape)],
        [`${path}/.zattrs`, named(...names)],
      ]),
    ),
  },
});

const COORDINATES = { time: [[4], ["time"]], lat: [[2], ["lat"]], lon: [[3], ["lon"]] } as const;

describe("lengths of dimensions", () => {
  const sizes = (arrays: Arrays, more = {}) => foundIn(document(arrays, more), "dimension-size-disagrees");

  it("that agree, or are those of another group, say nothing", async () => {
    expect(
      await sizes({
        ...COORDINATES,
        sst: [
          [4, 2, 3],
          ["time", "lat", "lon"],
        ],
      }),
    ).toEqual([]);
    expect(await sizes({ ...COORDINATES, "g/sst": [[9], ["time"]] })).toEqual([]);
    expect(await sizes({ a: [[4], ["phony_dim_0"]], b: [[5], ["phony_dim_0"]], c: [[4], ["phony_dim_0"]] })).toEqual(
      [],
    );
  });

  it("names in the wrong order are put right", async () => {
    expect(
      await sizes({
        ...COORDINATES,
        sst: [
          [4, 2, 3],
          ["time", "lon", "lat"],
        ],
      }),
    ).toMatchObject([
      {
        place: { kind: "node", path: "sst" },
        facts: {
          dimensions: [
            { name: "lon", length: 2, expected: 3, by: "lon" },
            { name: "lat", length: 3, expected: 2, by: "lat" },
          ],
          order: ["time", "lat", "lon"],
          isCertain: true,
        },
      },
    ]);
  });

  it("the coordinate is wrong where all others agree against it", async () => {
    const found = await sizes({ time: [[5], ["time"]], a: [[4], ["time"]], b: [[4], ["time"]] });
    expect(found).toMatchObject([{ place: { path: "time" }, facts: { order: undefined } }]);
  });

  it("one against one is less certain; pyramids differ on purpose", async () => {
    expect(await sizes({ a: [[4], ["x"]], b: [[5], ["x"]] })).toMatchObject([{ facts: { isCertain: false } }]);
    const pyramid = { ".zgroup": '{"zarr_format": 2}', ".zattrs": '{"multiscales": []}' };
    expect(await sizes({ a: [[4], ["x"]], b: [[2], ["x"]], c: [[1], ["x"]] }, pyramid)).toEqual([]);
  });
});

describe("dimensions without a coordinate", () => {
  const absent = (arrays: Arrays) => foundIn(document(arrays), "coordinate-absent");

  it("are noted where others have theirs", async () => {
    const { lat, lon } = COORDINATES;
    const sst = [
      [4, 2, 3],
      ["time", "lat", "lon"],
    ] as const;
    expect(await absent({ lat, lon, sst, ice: sst })).toMatchObject([
      { facts: { name: "time", length: 4, arrays: 2 } },
    ]);
    expect(await absent({ sst })).toEqual([]);
  });

  it("are none where nobody expects one: bounds, lengths of text, made up names", async () => {
    const bounds = [
      [2, 2],
      ["lat", "bnds"],
    ] as const;
    expect(
      await absent({
        lat: COORDINATES.lat,
        bounds,
        names: [
          [2, 9],
          ["lat", "string9"],
        ],
      }),
    ).toEqual([]);
    expect(
      await absent({
        lat: COORDINATES.lat,
        x: [
          [2, 9],
          ["lat", "phony_dim_1"],
        ],
      }),
    ).toEqual([]);
  });
});
