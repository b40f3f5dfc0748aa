import { describe, expect, it } from "vitest";
import type { RepairSearch } from "#core/repair-offer.ts";
import type { RepairSubject } from "#core/repair.ts";
import { chunkAt, finding, keyAt, nodeAt } from "#core/findings/finding.ts";
import type { NodeSummary } from "#core/open-set.ts";
import { reachOf } from "#core/check/cause-reach.ts";
import { noneWords, reachWords, sizeWords } from "./CauseItem.tsx";

const SST: NodeSummary = {
  kind: "array",
  path: "sst",
  name: "sst",
  shape: [24, 90, 180],
  chunks: [4, 40, 64],
  grid: [6, 3, 3],
  cells: 54,
  dimensionNames: ["time", "lat", "lon"],
};
const NODES = new Map([["sst", SST]]);

const overlapping = {
  ...finding("no-values", chunkAt("sst", [0, 0, 1]), {}, 2),
  places: [chunkAt("sst", [0, 0, 1]), chunkAt("sst", [1, 0, 2])],
};

describe("how far a cause reaches", () => {
  it("is the box of its chunks, of those that fail where these are known", () => {
    expect(reachOf({ found: overlapping }, NODES)).toMatchObject({ chunks: 2, from: [0, 0, 1], to: [1, 0, 2] });
    const failing = [chunkAt("sst", [0, 0, 1])];
    expect(reachOf({ found: overlapping, failing }, NODES)).toMatchObject({
      chunks: 1,
      to: [0, 0, 1],
      share: (4 * 40 * 64) / (24 * 90 * 180),
    });
  });

  it("is known by keys too, and by what the engine counted", () => {
    expect(reachOf({ found: finding("no-values", keyAt("sst/2.1.0"), {}) }, NODES)).toMatchObject({
      from: [2, 1, 0],
    });
    expect(reachOf({ found: finding("no-values", nodeAt("sst"), {}) }, NODES)).toBeUndefined();
    const extent = { arrays: [{ array: "sst", chunks: 9, from: [0, 0, 0], to: [0, 2, 2] }], moreArrays: 1 };
    expect(reachOf({ found: { ...finding("no-values", nodeAt("sst"), {}), extent } }, NODES)).toMatchObject({
      chunks: 9,
      moreArrays: 1,
    });
  });

  it("is said in positions where no coordinates are known, cut at the array's edge", () => {
    const reach = reachOf({ found: finding("no-values", chunkAt("sst", [5, 2, 2]), {}) }, NODES);
    if (reach === undefined) throw new Error("no reach");
    expect(reachWords(reach, SST, [])).toBe("sst 5.2.2 · time 20 – 23, lat 80 – 89, lon 128 – 179");
    const several = { ...reach, chunks: 2, from: [4, 0, 0], to: [5, 2, 2] };
    expect(reachWords(several, { ...SST, dimensionNames: [] }, [])).toBe("sst · 2 chunks · dimension 0: 16 – 23");
    expect(sizeWords(reach, true)).toEqual(["0.5%", "of sst lost"]);
  });
});

it("a search that found nothing says what it tried, and what it read", () => {
  const search = (subject: RepairSubject, more: Partial<RepairSearch> = {}) => ({
    subject,
    offers: [],
    spent: { bytes: 2048, requests: 2 },
    ...more,
  });
  const chunks = [0, 1].map((at) =>
    search({ kind: "chunk", array: "sst", coordinates: [at] }, { ended: "requests" as const }),
  );
  expect(noneWords(chunks)).toMatch(
    /^No fix found, until the limit of requests was reached\. Tried: other offsets, lengths and source files, and [^;]*\. The search read .* in 4 requests\.$/,
  );
  expect(noneWords([search({ kind: "metadata", array: "sst" })])).toContain("Tried: another shape and chunk shape.");
});
