import { expect, test } from "vitest";
import { chunkAt } from "#core/findings/fact.ts";
import type { NodeSummary } from "#core/open-set.ts";
import { nodesByPath } from "#core/metadata/chunk-of-key.ts";
import { doubtfulArray } from "./Causes.tsx";
import type { ListedFinding } from "./findings.ts";

const nodes = nodesByPath(
  ["sst", "ice", "u"].map((path) => ({ path, present: 20, cells: 20, grid: [20] }) as unknown as NodeSummary),
);

const cause = (array: string, severity = "error") =>
  ({
    found: { code: "chunk-zeroed", place: chunkAt(array, [0]), facts: {}, count: 1 },
    place: chunkAt(array, [0]),
    said: { severity },
  }) as unknown as ListedFinding;

const found = [cause("ice"), cause("sst"), cause("sst"), cause("u", "info"), cause("u", "info"), cause("u", "info")];

test("it is the array with most causes; notes are none", () => {
  expect(doubtfulArray(found, nodes, [])).toEqual({ array: "sst", references: 20 });
});

test("what was read needs no further look, nor does what has no cause", () => {
  expect(doubtfulArray(found, nodes, [{ path: "sst", ok: 15, failed: 5 }])).toMatchObject({ array: "ice" });
  const both = ["sst", "ice"].map((path) => ({ path, ok: 20, failed: 0 }));
  expect(doubtfulArray(found, nodes, both)).toBeUndefined();
});

test("what is chosen by hand comes first", () => {
  expect(doubtfulArray(found, nodes, [], "u")).toMatchObject({ array: "u" });
  expect(doubtfulArray(found, nodes, [{ path: "u", ok: 20, failed: 0 }], "u")).toBeUndefined();
});
