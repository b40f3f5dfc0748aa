import { expect, it } from "vitest";
import { explained } from "./explain.ts";
import type { SaidFinding } from "./explained.ts";
import { causeCount, chunkAt, finding, type Finding, likenessOf, nodeAt, together } from "./finding.ts";

const said = (found: Finding): SaidFinding => ({ found, said: explained(found) });
const named = (path: string, dimensions = 2): SaidFinding =>
  said(finding("dimension-names-rank", nodeAt(path), { member: "_ARRAY_DIMENSIONS", names: 1, dimensions }));

it("what is said of several arrays in the same words is one, in the order of the first", () => {
  const all = [named("a"), named("b", 3), named("c")];
  expect(together(all, likenessOf)).toEqual([[all[0], all[2]], [all[1]]]);
  expect(causeCount(all)).toBe(2);
});

it("what names chunks, or how far it reaches, stands alone", () => {
  const { found, said: words } = named("a");
  const chunk: SaidFinding = { found: { ...found, place: chunkAt("a", [0]) }, said: words };
  const reaching: SaidFinding = { found: { ...found, extent: { arrays: [], moreArrays: 0 } }, said: words };
  const failing: SaidFinding = { found, said: words, failing: [] };
  for (const one of [chunk, reaching, failing]) expect(causeCount([one, one, one])).toBe(3);
});

it("what one tool did to every array is told once: another change stands for itself", () => {
  const misread = (array: string, of: number, kind: "big" | "little"): SaidFinding => {
    const change = { kind: "byte-order", byteOrder: kind } as const;
    return said(
      finding("values-misread", chunkAt(array, [0]), { change, isProven: false, chunks: of, of, isSure: true }),
    );
  };
  expect(causeCount([misread("lat", 1, "big"), misread("sst", 4, "big"), misread("u", 2, "big")])).toBe(1);
  expect(causeCount([misread("lat", 1, "big"), misread("sst", 4, "little")])).toBe(2);
});
