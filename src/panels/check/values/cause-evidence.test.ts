import { expect, test } from "vitest";
import { chunkAt, type Finding, nodeAt } from "#core/findings/fact.ts";
import type { NodeSummary } from "#core/open-set.ts";
import type { ValueProfile } from "#core/values/value-profile.ts";
import { nodesByPath } from "#core/metadata/chunk-of-key.ts";
import { evidenceOf, markedBins } from "./CauseEvidence.tsx";

const array = (path: string, shape: readonly number[], chunks: readonly number[]) =>
  ({
    path,
    name: path,
    kind: "array",
    shape,
    chunks,
    grid: shape.map((length, at) => Math.ceil(length / (chunks[at] ?? 1))),
  }) as unknown as NodeSummary;
const nodes = nodesByPath([array("sst", [12, 4, 4], [2, 2, 4]), array("time", [12], [2])]);

const chunk = (...coordinates: readonly number[]) => chunkAt("sst", coordinates);
const column = (length: number) => new Float64Array(length);

function profile(change: Partial<ValueProfile> = {}): ValueProfile {
  const bins = change.bins ?? 6;
  const all = column(bins);
  const columns = {
    minimum: all,
    maximum: all,
    mean: all,
    spread: all,
    missing: all,
    step: all,
    rough: all,
    read: all,
    failed: all,
  };
  const own = { kind: "chunks", array: "sst", axis: 0, length: bins, first: 0, perBin: 1, bins, columns } as const;
  return { ...own, isLine: false, files: [], fileCount: 1, ...change };
}

const found = (change: Partial<Finding>): Finding => ({
  code: "chunk-constant",
  place: chunk(3, 1, 0),
  facts: {},
  count: 1,
  ...change,
});

test("a chunk among several of its place is shown with those in its line alone", () => {
  const extent = { arrays: [{ array: "sst", chunks: 1, from: [3, 1, 0], to: [3, 1, 0] }], moreArrays: 0 };
  expect(evidenceOf(found({ extent }), nodes)).toMatchObject({ array: "sst", lane: "spread", through: [3, 1, 0] });
});

test("chunks that fill a place are shown with all others", () => {
  const extent = { arrays: [{ array: "sst", chunks: 2, from: [3, 0, 0], to: [3, 1, 0] }], moreArrays: 0 };
  expect(evidenceOf(found({ extent }), nodes)).not.toHaveProperty("through");
});

test("what values do not show has no plot, nor what is of no known array", () => {
  expect(evidenceOf(found({ code: "target-gone" }), nodes)).toBeUndefined();
  expect(evidenceOf(found({ place: chunkAt("gone", [0]) }), nodes)).toBeUndefined();
});

test("marked are the chunks that are meant, not those that are named beside them", () => {
  const extent = { arrays: [{ array: "sst", chunks: 2, from: [3, 0, 0], to: [4, 0, 0] }], moreArrays: 0 };
  const places = [chunk(3, 0, 0), chunk(4, 0, 0), chunk(2, 0, 0)];
  expect([...markedBins(found({ code: "packing-changes", places, extent }), profile())]).toEqual([3, 4]);
});

test("of more chunks than are named the whole box is marked, in bins of several", () => {
  const extent = { arrays: [{ array: "sst", chunks: 500, from: [2, 0, 0], to: [7, 0, 0] }], moreArrays: 0 };
  const places = [chunk(2, 0, 0), chunk(3, 0, 0)];
  expect([...markedBins(found({ places, extent }), profile({ perBin: 2, bins: 6, length: 12 }))]).toEqual([1, 2, 3]);
});

test("of a coordinate the positions, of files that begin there all of them, of missing values where they miss", () => {
  const files = [0, 2, 4].map((bin) => ({ name: `f${bin}`, bin }));
  const elements = profile({ kind: "elements", array: "time", files });
  const at = (code: string, positions: readonly number[]) => [
    ...markedBins(found({ code, place: nodeAt("time"), facts: { positions } }), elements),
  ];
  expect(at("coordinate-unordered", [1, 3])).toEqual([1, 3]);
  expect(at("coordinate-files-unordered", [2])).toEqual([2, 3]);
  expect(at("coordinate-unit-changes", [3, 4])).toEqual([4, 5]);
  const missing = { ...elements, columns: { ...elements.columns, missing: Float64Array.from([0, 1, 0, 0, 1, 0]) } };
  expect([...markedBins(found({ code: "coordinate-missing-values", place: nodeAt("time") }), missing)]).toEqual([1, 4]);
});
