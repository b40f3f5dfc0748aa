import { describe, expect, it } from "vitest";
import { parseJson } from "../json/parse-json.ts";
import { elementSizeWords, levelWords, ratioWords } from "./level-labels.ts";
import { levelsOf } from "./read-levels.ts";

const read = (attributes: unknown, group = "g") => levelsOf(group, parseJson(JSON.stringify(attributes)).value);
const codesOf = (attributes: unknown) => read(attributes).findings.map(({ code }) => code);

describe("the convention multiscales", () => {
  it("reads levels with what they were made from; factors multiply along the way", () => {
    const { sets, findings } = read({
      multiscales: {
        layout: [
          { asset: "r10m", transform: { scale: [1, 1] }, "spatial:transform": [10, 0, 500000, 0, -10, 5000000] },
          { asset: "r20m/data", derived_from: "r10m", transform: { scale: [2, 2] } },
          { asset: "r60m", derived_from: "r20m/data", transform: { scale: [3, 3] } },
          { asset: "fine", derived_from: "r10m", transform: { scale: [0.5, 0.5] } },
        ],
        resampling_method: "average",
      },
    });
    expect(findings).toEqual([]);
    expect(sets).toEqual([
      {
        convention: "multiscales",
        axes: [],
        resampling: "average",
        levels: [
          { path: "g/r10m", factors: [1, 1], pixel: [10, -10] },
          { path: "g/r20m/data", source: "g/r10m", factors: [2, 2] },
          { path: "g/r60m", source: "g/r20m/data", factors: [6, 6] },
          { path: "g/fine", source: "g/r10m", factors: [0.5, 0.5] },
        ],
      },
    ]);
  });

  it("leaves out what is not understood, and says so", () => {
    const layout = [5, { asset: "/0" }, { asset: "../up" }, {}, { asset: "1", transform: { scale: [0, 2] } }];
    const { sets, findings } = read({ multiscales: { layout } });
    expect(sets[0]?.levels).toEqual([{ path: "g/1" }]);
    expect(findings.map(({ code, facts }) => [code, (facts as { member: string }).member])).toEqual([
      ["levels-malformed", "multiscales.layout[0]"],
      ["levels-malformed", "multiscales.layout[1].asset"],
      ["levels-malformed", "multiscales.layout[2].asset"],
      ["levels-malformed", "multiscales.layout[3].asset"],
      ["levels-malformed", "multiscales.layout[4].transform.scale"],
    ]);
  });

  it("takes no other use of the name for it", () => {
    expect(read({ multiscales: { tile_matrix_set: "WebMercatorQuad" } })).toEqual({ sets: [], findings: [] });
    expect(read({ multiscales: "yes" })).toEqual({ sets: [], findings: [] });
    expect(levelsOf("g", undefined)).toEqual({ sets: [], findings: [] });
  });
});

describe("OME-NGFF", () => {
  const axes = [
    { name: "c", type: "channel" },
    { name: "y", type: "space", unit: "micrometer" },
    { name: "x", type: "space", unit: "micrometer" },
  ];
  const dataset = (path: string, ...scale: readonly number[]) => ({
    path,
    coordinateTransformations: [
      { type: "scale", scale },
      { type: "translation", translation: [0, 0, 0] },
    ],
  });
  const image = { name: "cells", type: "gaussian", axes, datasets: [dataset("0", 1, 0.5, 0.5), dataset("1", 1, 1, 1)] };

  it.each([
    ["0.4", { multiscales: [{ ...image, version: "0.4" }] }],
    ["0.5", { ome: { version: "0.5", multiscales: [image] } }],
    ["0.6", { ome: { version: "0.6", multiscales: [{ ...image, axes: undefined, coordinateSystems: [{ axes }] }] } }],
  ])("%s: axes, scales and their ratios", (version, attributes) => {
    const { sets, findings } = read(attributes, "");
    expect(findings).toEqual([]);
    expect(sets).toEqual([
      {
        convention: "ome",
        version,
        name: "cells",
        resampling: "gaussian",
        axes,
        levels: [
          { path: "0", scale: [1, 0.5, 0.5], factors: [1, 1, 1] },
          { path: "1", scale: [1, 1, 1], factors: [1, 2, 2] },
        ],
      },
    ]);
    expect(sets[0]?.levels.map((level) => elementSizeWords(level, { axes }))).toEqual([
      "0.5 × 0.5 micrometer",
      "1 × 1 micrometer",
    ]);
  });

  it("multiplies by the scale of the whole", () => {
    const whole = { ...image, coordinateTransformations: [{ type: "scale", scale: [1, 10, 10] }] };
    expect(read({ ome: { version: "0.5", multiscales: [whole] } }).sets[0]?.levels[1]?.scale).toEqual([1, 10, 10]);
  });

  it("says what is missing; lists of other tools need no axes", () => {
    const datasets = [{ path: "0" }];
    expect(codesOf({ multiscales: [{ version: "0.1", datasets }] })).toEqual([]);
    expect(codesOf({ multiscales: [{ datasets }] })).toEqual([]);
    expect(codesOf({ ome: { multiscales: {} } })).toEqual(["levels-malformed"]);
    expect(codesOf({ multiscales: [{}] })).toEqual(["levels-malformed"]);
    expect(codesOf({ multiscales: [{ axes: 5, datasets }] })).toEqual(["levels-malformed"]);
    expect(
      codesOf({ multiscales: [{ datasets: Array.from({ length: 300 }, (_, at) => ({ path: `${at}` })) }] }),
    ).toEqual(["levels-malformed"]);
  });
});

describe("words", () => {
  it.each([
    [[1, 1], "full resolution"],
    [[1, 2, 2], "1:2"],
    [[1, 2, 4], "1:2 × 1:4"],
    [[0.5, 0.5], "2:1"],
    [[2.000001, 2.000001], "1:2"],
    [[], undefined],
  ])("%j: %s", (factors, words) => {
    expect(ratioWords(factors)).toBe(words);
  });

  it("of a level", () => {
    expect(levelWords({ index: 0, factors: [1, 1] })).toBe("level 0, full resolution");
    expect(levelWords({ index: 3 })).toBe("level 3");
    expect(elementSizeWords({ path: "0", pixel: [10, -10] }, { axes: [] })).toBe("10 × 10");
    const mixed = [
      { name: "z", type: "space", unit: "nanometer" },
      { name: "y", type: "space", unit: "micrometer" },
    ];
    expect(elementSizeWords({ path: "0", scale: [5, 1] }, { axes: mixed })).toBe("5 nanometer × 1 micrometer");
    expect(elementSizeWords({ path: "0" }, { axes: [] })).toBeUndefined();
  });
});
