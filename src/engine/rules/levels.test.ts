import { describe, expect, it } from "vitest";
import { nodeAt } from "#core/findings/fact.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { corpus } from "#core/testing/corpus.ts";
import { droppedFiles } from "#io/local-files.ts";
import { filesOfDirectory } from "#cli/directory.ts";
import { datasetCard } from "../describe/dataset-card.ts";
import { levelMarks } from "../describe/summary.ts";
import type { EngineSet } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openFiles } from "../open/open-any.ts";

const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };

const group = (attributes: object = {}) => JSON.stringify({ zarr_format: 3, node_type: "group", attributes });

const array = (shape: readonly number[], attributes: object = {}, names?: readonly string[]) =>
  JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape.map(() => 8) } },
    chunk_key_encoding: { name: "default" },
    codecs: ["bytes"],
    fill_value: 0,
    attributes,
    ...(names === undefined ? {} : { dimension_names: names }),
  });

async function open(documents: Readonly<Record<string, string>>): Promise<EngineSet> {
  const files = Object.entries(documents).map(([path, text]) => ({ path: `s/${path}`, blob: new Blob([text]) }));
  const opened = await openFiles(droppedFiles(files), opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

const CODES = new Set([
  "level-absent",
  "level-not-smaller",
  "convention-must",
  "levels-malformed",
  "spatial-dimension-absent",
]);
const faultsOf = ({ findings }: EngineSet) =>
  findings
    .filter(({ code, facts }) => CODES.has(code) && facts["rule"] !== "note")
    .map(({ code, place, facts }) => ({ code, place, facts }));

describe("levels", () => {
  it("of the convention: groups with arrays, an element's size, the CRS of the group", async () => {
    const layout = [
      { asset: "r10m", transform: { scale: [1, 1] }, "spatial:transform": [10, 0, 5, 0, -10, 9] },
      { asset: "r20m", derived_from: "r10m", transform: { scale: [2, 2] } },
    ];
    const set = await open({
      "zarr.json": group({ multiscales: { layout, resampling_method: "average" }, "proj:code": "EPSG:32633" }),
      "r10m/zarr.json": group(),
      "r10m/b02/zarr.json": array([64, 64]),
      "r10m/x/zarr.json": array([64]),
      "r20m/zarr.json": group({ "spatial:transform": [20, 0, 5, 0, -20, 9] }),
      "r20m/b02/zarr.json": array([32, 32]),
    });
    expect(faultsOf(set)).toEqual([]);
    expect(levelMarks(set.hierarchy).get("r20m")).toEqual({ group: "", index: 1, factors: [2, 2] });
    expect(set.nodes.find(({ path }) => path === "r10m")?.level).toEqual({ group: "", index: 0, factors: [1, 1] });
    const card = datasetCard(set, "");
    expect(card.georeference).toEqual({ crs: { text: "EPSG:32633", from: "proj:code" } });
    expect(card.levels).toEqual([
      {
        convention: "multiscales convention",
        resampling: "average",
        levels: [
          {
            path: "r10m",
            words: "level 0, full resolution",
            kind: "group",
            arrays: 2,
            array: "r10m/b02",
            shape: [64, 64],
            chunks: [8, 8],
            elementSize: "10 × 10",
          },
          {
            path: "r20m",
            words: "level 1, 1:2",
            kind: "group",
            arrays: 1,
            array: "r20m/b02",
            shape: [32, 32],
            chunks: [8, 8],
            elementSize: "20 × 20",
          },
        ],
      },
    ]);
  });

  it("that are not there, do not shrink, or do not fit their axes are said", async () => {
    const axes = ["c", "y", "x"].map((name) => ({ name, type: "space" }));
    const datasets = ["0", "1", "2", "3"].map((path) => ({ path }));
    const set = await open({
      "zarr.json": group({ ome: { version: "0.5", multiscales: [{ axes, datasets }] } }),
      "0/zarr.json": array([3, 64, 64]),
      "1/zarr.json": array([3, 64, 64]),
      "3/zarr.json": array([16, 16]),
    });
    expect(
      faultsOf(set).filter(({ code, facts }) => code !== "convention-must" || facts["rule"] === "axes"),
    ).toMatchObject([
      {
        code: "level-not-smaller",
        place: nodeAt(""),
        facts: { level: 1, path: "1", shape: [3, 64, 64], other: "0", otherShape: [3, 64, 64] },
      },
      { code: "level-absent", place: nodeAt(""), facts: { level: 2, path: "2" } },
      {
        code: "convention-must",
        place: nodeAt(""),
        facts: { member: "ome.multiscales[0].datasets[3]", found: "2 dimensions" },
      },
    ]);
    expect(datasetCard(set, "").levels[0]?.levels.map(({ kind }) => kind)).toEqual([
      "array",
      "array",
      "absent",
      "array",
    ]);
  });

  it("may begin with the coarsest, as pyramids of tiles do", async () => {
    const open3 = (sizes: readonly number[]) =>
      open({
        "zarr.json": group({ multiscales: [{ datasets: sizes.map((_, at) => ({ path: String(at) })) }] }),
        ...Object.fromEntries(sizes.map((size, at) => [`${at}/zarr.json`, array([size, size])])),
      });
    expect(faultsOf(await open3([32, 64, 128]))).toEqual([]);
    expect(faultsOf(await open3([32, 128, 64, 256]))).toMatchObject([
      { code: "level-not-smaller", facts: { path: "1", other: "2" } },
    ]);
  });

  it("of the convention may be as large as others, unless they are said to be coarser", async () => {
    const layout = (scale: number) => [
      { asset: "a", transform: { scale: [1, 1] } },
      { asset: "b", derived_from: "a", transform: { scale: [scale, scale] } },
    ];
    const documents = (scale: number) => ({
      "zarr.json": group({ multiscales: { layout: layout(scale) } }),
      "a/zarr.json": array([64, 64]),
      "b/zarr.json": array([64, 64]),
    });
    expect(faultsOf(await open(documents(1)))).toEqual([]);
    expect(faultsOf(await open(documents(2)))).toMatchObject([{ code: "level-not-smaller", facts: { path: "b" } }]);
  });

  it("spatial dimensions of a group are those of its arrays", async () => {
    const names = async (dimensions: readonly string[]) =>
      faultsOf(
        await open({
          "zarr.json": group({ "spatial:dimensions": dimensions }),
          "a/zarr.json": array([8, 8], {}, ["y", "x"]),
        }),
      ).map(({ facts }) => facts["name"]);
    expect(await names(["y", "x"])).toEqual([]);
    expect(await names(["lat", "x"])).toEqual(["lat"]);
  });

  it("spatial dimensions are those of the array; the CRS may be the group's", async () => {
    const set = await open({
      "zarr.json": group({ "proj:code": "EPSG:4326" }),
      "a/zarr.json": array([8, 8], { "spatial:dimensions": ["lat", "x"] }, ["y", "x"]),
    });
    expect(faultsOf(set)).toMatchObject([
      { code: "spatial-dimension-absent", place: nodeAt("a"), facts: { name: "lat" } },
    ]);
    expect(datasetCard(set, "a").georeference?.crs?.text).toBe("EPSG:4326");
  });
});

const IMAGES = ["zarr-java-v3/ome/v0.4", "zarr-java-v3/ome/v0.5", "neuroglancer-zarr-v2/ome_zarr/simple_0.4"].filter(
  (name) => corpus.entries.includes(name.split("/")[0] ?? ""),
);

describe.runIf(IMAGES.length > 0)(corpus.title, () => {
  it.each(IMAGES)("%s: levels that are there and shrink", async (name) => {
    const files = await filesOfDirectory(`${corpus.folder}/${name}`);
    if (files === undefined) throw new Error(`${name} is no folder.`);
    const opened = await openFiles(files, { ...opening, options: { choice: "" } });
    if (opened.kind !== "set") throw new Error(opened.title);
    const [levels] = datasetCard(opened.set, "").levels;
    expect(levels?.convention).toMatch(/^OME-NGFF 0\.[45], axes /);
    expect(levels?.levels.length).toBeGreaterThanOrEqual(2);
    expect(levels?.levels.every(({ kind, elementSize }) => kind === "array" && elementSize !== undefined)).toBe(true);
    expect(faultsOf(opened.set).filter(({ code }) => code !== "level-not-smaller")).toEqual([]);
  });
});
