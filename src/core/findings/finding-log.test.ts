import { describe, expect, it } from "vitest";
import { chunkAt, finding, keyAt, targetAt } from "./finding.ts";
import { FindingLog } from "./finding-log.ts";

const denied = (at: readonly number[], array = "sst") =>
  finding("unexpected", chunkAt(array, at), { doing: "Reading", message: `at ${at.join(".")}` });

describe("a log of findings", () => {
  it("has one finding a cause, with its first places, an exact count and the box of its chunks", () => {
    const log = new FindingLog();
    for (let i = 0; i < 1000; i += 1) log.add(denied([i, 5 - (i % 3)]));
    log.add(denied([1, 1], "ice"));
    const [sst, ice] = log.list();
    expect(sst).toMatchObject({ code: "unexpected", count: 1000, place: chunkAt("sst", [0, 5]) });
    expect(sst?.places).toHaveLength(100);
    expect(sst?.extent).toEqual({
      arrays: [{ array: "sst", chunks: 1000, from: [0, 3], to: [999, 5] }],
      moreArrays: 0,
    });
    expect(ice).toMatchObject({ place: chunkAt("ice", [1, 1]) });
    expect(ice?.count).toBe(1);
  });

  it("keeps counts and boxes exact where the lists of several logs are put together", () => {
    const [one, other, all] = [new FindingLog(), new FindingLog(), new FindingLog()];
    for (const at of [3, 4, 5]) one.add(denied([at, 0]));
    for (const at of [1, 8]) other.add(denied([at, 2]));
    for (const log of [one, other]) all.addAll(log.list());
    expect(all.list()).toMatchObject([
      { count: 5, extent: { arrays: [{ array: "sst", chunks: 5, from: [1, 0], to: [8, 2] }], moreArrays: 0 } },
    ]);
  });

  it("counts a chunk once, however often its cause was met", () => {
    const log = new FindingLog();
    log.add(denied([1, 0]));
    log.add(denied([1, 0]));
    expect(log.list()).toEqual([denied([1, 0])]);
    log.add({ ...denied([1, 0]), places: [chunkAt("sst", [1, 0]), chunkAt("sst", [2, 0])], count: 2 });
    const box = { array: "sst", chunks: 2, from: [1, 0], to: [2, 0] };
    expect(log.list()).toMatchObject([{ count: 2, places: [{}, {}], extent: { arrays: [box] } }]);
    // A comparison of two chunks has one place; the other chunk is not another.
    const pair = { ...denied([1, 0]), places: [chunkAt("sst", [1, 0]), chunkAt("sst", [5, 0])] };
    log.add(pair);
    expect(log.list()).toMatchObject([{ count: 3 }]);
  });

  it("takes URLs of one host for one cause", () => {
    const log = new FindingLog();
    for (const path of ["a", "b", "c"])
      log.add(finding("unexpected", targetAt(`https://one.example/${path}`), { doing: "", message: path }));
    log.add(finding("unexpected", targetAt("https://two.example/a"), { doing: "", message: "a" }));
    expect(log.list().map(({ count }) => count)).toEqual([3, 1]);
  });

  it("keeps a bounded number of causes, and counts the rest on the last", () => {
    const log = new FindingLog();
    for (let i = 0; i < 5000; i += 1) log.add(denied([0], `array-${i}`));
    const list = log.list();
    expect(list).toHaveLength(20);
    expect(list.reduce((sum, { count }) => sum + count, 0)).toBe(5000);
  });
});

it("tells a copy of metadata that is out of date once, whichever documents differ", () => {
  const log = new FindingLog();
  for (const key of ["a/.zarray", "a/.zattrs", "b/.zarray", "g/c/.zarray"])
    log.add(finding("consolidated-metadata-differs", keyAt(key), { consolidated: ".zmetadata" }));
  expect(log.list()).toMatchObject([{ place: keyAt("a/.zarray"), count: 4 }]);
});
