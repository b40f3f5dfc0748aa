/** Tests of URLs compared with each other. */
import { describe, expect, it } from "vitest";
import { compareFolders } from "./compare-folders.ts";
import { folderOf } from "#core/urls/url-parts.ts";

/** Folders, each with how many targets it has. */
function compared(folders: Readonly<Record<string, number>>) {
  const list = Object.entries(folders).map(([written, targets]) => ({ written, targets, isBroken: false }));
  return [...compareFolders(list)].map(([folder, problems]) => [folder, problems.map(({ code }) => code)]);
}

describe("folders of targets", () => {
  it("that agree say nothing, nor do odd ones that all share", () => {
    expect(compared({ "s3://ocean/a/": 9, "s3://ocean/b/": 3 })).toEqual([]);
    expect(compared({ "s3://ocean//a/": 9, "s3://ocean//b/": 3 })).toEqual([]);
    expect(compared({ "": 4, "data/": 2 })).toEqual([]);
    expect(compared({ "https://a.example/": 5, "https://quite-another.example/": 5 })).toEqual([]);
  });

  it("relative ones among whole addresses, and paths of a machine", () => {
    expect(compared({ "s3://ocean/": 9, "": 1 })).toEqual([["", ["url-relative"]]]);
    expect(compared({ "s3://ocean/": 1, "": 9 })).toEqual([]);
    expect(compared({ "s3://ocean/": 9, "/home/anna/": 1, "C:\\data\\": 1 })).toEqual([
      ["/home/anna/", ["url-local-path"]],
      ["C:\\data\\", ["url-local-path"]],
    ]);
  });

  it.each([
    ["s3://ocean/a/", "s3://ocean//a/"],
    ["s3://ocean/a/", "s3://ocean/./a/"],
    ["https://data.example/a/", "https://DATA.example/a/"],
    ["https://data.example/a/", "https://data.example:443/a/"],
    ["https://data.example/a_b/", "https://data.example/a%5Fb/"],
    ["data/a/", "./data/a/"],
  ])("%s is also written %s", (usual, other) =>
    expect(compared({ [usual]: 9, [other]: 1 })).toEqual([[other, ["url-two-spellings"]]]),
  );

  it("a spelling that nobody else on the host has", () => {
    expect(compared({ "s3://ocean/1/": 2, "s3://ocean/2/": 2, "s3://ocean//3/": 1 })).toEqual([
      ["s3://ocean//3/", ["url-two-spellings"]],
    ]);
  });

  it("other schemes and hosts", () => {
    expect(compared({ "s3://ocean/": 9, "https://ocean.s3.amazonaws.com/": 1 })).toEqual([
      ["https://ocean.s3.amazonaws.com/", ["url-mixed-scheme"]],
    ]);
    expect(compared({ "https://data.example/": 9, "http://data.example/": 1 })).toEqual([
      ["http://data.example/", ["url-mixed-http"]],
    ]);
    expect(compared({ "s3://ocean-data/": 9, "s3://oceandata/": 1 })).toEqual([
      ["s3://oceandata/", ["url-host-outlier"]],
    ]);
    const bucket = (region: string) => `https://ocean.s3.${region}.amazonaws.com/`;
    expect(compared({ [bucket("us-west-2")]: 9, [bucket("eu-west-2")]: 1 })).toEqual([
      [bucket("eu-west-2"), ["url-host-outlier"]],
    ]);
    expect(compared({ [bucket("us-west-2")]: 9, "https://ocean.s3.amazonaws.com/": 1 })).toEqual([]);
    expect(compared({ "s3://ocean-data/": 40, "s3://weather/": 1 })).toEqual([["s3://weather/", ["url-host-outlier"]]]);
  });
});

it("a folder ends where the file's name begins", () => {
  expect(folderOf("s3://ocean/a/b.nc?x=/y")).toBe("s3://ocean/a/");
  expect(folderOf("C:\\data\\b.nc")).toBe("C:\\data\\");
  expect(folderOf("b.nc")).toBe("");
});
