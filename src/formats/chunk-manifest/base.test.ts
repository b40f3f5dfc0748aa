import { describe, expect, test } from "vitest";
import { nodeAt } from "#core/findings/fact.ts";
import { candidatePaths, chooseBase, isRelativePath, targetOf } from "./index.ts";
import { read, rowsOf, tableOf } from "./testing.ts";

describe("candidates", () => {
  test.each([
    ["group/data", "x.nc", ["group/data/x.nc", "group/x.nc", "x.nc", "../x.nc"]],
    [
      "group/data",
      "./manifest.json",
      ["group/data/manifest.json", "group/manifest.json", "manifest.json", "../manifest.json"],
    ],
    ["data", "../x.nc", ["x.nc", "../x.nc", "../../x.nc"]],
    ["", "sub//x.nc", ["sub/x.nc", "../sub/x.nc"]],
    ["data", "file:///data/x.nc", ["file:///data/x.nc"]],
    ["data", "/data/x.nc", ["/data/x.nc"]],
  ])("of %j: %s", (array, path, expected) => {
    expect(candidatePaths(array, path)).toEqual(expected);
  });

  test.each([
    "s3://b/x",
    "https://h/x",
    "file:/x",
    "/x",
    "C:\\x",
    "d:/x",
    "\\\\host\\x",
    "zip://a::s3://b",
    "",
    "data:,x",
  ])("%j is not relative", (path) => {
    expect(isRelativePath(path)).toBe(false);
  });

  test.each(["x.nc", "./x", "../x", "a b/é.nc", "2020-01-01T00:00.nc", "wrf-out_00:00"])("%j is relative", (path) => {
    expect(isRelativePath(path)).toBe(true);
  });
});

describe("the base", () => {
  const store = (...present: readonly string[]) => {
    const asked: string[] = [];
    const exists = (path: string) => {
      asked.push(path);
      return Promise.resolve(present.includes(path));
    };
    return { asked, exists };
  };

  test("the first directory from which a path leads somewhere", async () => {
    const { asked, exists } = store("../x.nc");
    const base = await chooseBase(exists, { arrayPath: "g/a", paths: ["s3://b/y.nc", "x.nc"] });
    expect(base.directory).toBe("..");
    expect(asked).toEqual(["g/a/x.nc", "g/x.nc", "x.nc", "../x.nc"]);
    const facts = { path: "x.nc", directory: ".." };
    expect(base.findings).toMatchObject([{ code: "manifest-path-base", place: nodeAt("g/a"), facts }]);
    expect(targetOf("x.nc", base)).toBe("../x.nc");
    expect(targetOf("s3://b/y.nc", base)).toBe("s3://b/y.nc");
  });

  test("the array's own directory comes before any other", async () => {
    const { exists } = store("a/x.nc", "x.nc", "../x.nc");
    const base = await chooseBase(exists, { arrayPath: "a", paths: ["x.nc"] });
    expect(base.directory).toBe("a");
    expect(base.findings).toMatchObject([{ place: nodeAt("a"), facts: { path: "x.nc", directory: "a" } }]);
  });

  test("a first path that is nowhere does not settle it", async () => {
    const { exists } = store("y.nc");
    expect((await chooseBase(exists, { arrayPath: "a", paths: ["x.nc", "y.nc"] })).directory).toBe("");
    const none = await chooseBase(exists, { arrayPath: "a", paths: ["x.nc", "y.nc"], limit: 1 });
    expect(none.directory).toBeUndefined();
    expect(none.findings).toMatchObject([
      {
        code: "manifest-path-not-found",
        place: nodeAt("a"),
        facts: { path: "x.nc", asked: ["a/x.nc", "x.nc", "../x.nc"], count: 3 },
      },
    ]);
    expect(targetOf("x.nc", none)).toBe("x.nc");
  });

  test("nothing is asked where no path is relative", async () => {
    const { asked, exists } = store();
    expect(await chooseBase(exists, { arrayPath: "a", paths: ["s3://b/x", "/y"] })).toEqual({
      directory: undefined,
      findings: [],
    });
    expect(asked).toEqual([]);
  });

  test("a question that fails counts as absent, but cancellation ends it", async () => {
    const fails = (path: string) => (path === "x.nc" ? Promise.resolve(true) : Promise.reject(new Error("403")));
    expect((await chooseBase(fails, { arrayPath: "a", paths: ["x.nc"] })).directory).toBe("");
    const aborts = () => Promise.reject(new DOMException("stop", "AbortError"));
    await expect(chooseBase(aborts, { arrayPath: "a", paths: ["x.nc"] })).rejects.toThrow("stop");
  });

  test("rows get the path from the store's root", () => {
    const manifest = read('{"0.0": {"path": "x.nc"}, "0.1": {"path": "s3://b/y.nc"}}');
    expect(rowsOf(tableOf(manifest, [2, 3], { directory: "..", findings: [] }))).toEqual([
      ["a/0.0", "whole", "../x.nc"],
      ["a/0.1", "whole", "s3://b/y.nc"],
    ]);
  });
});
