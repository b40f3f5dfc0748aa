import { describe, expect, it } from "vitest";
import { chunkAt, type Finding, finding, keyAt, type Place } from "../findings/finding.ts";
import type { NodeSummary } from "../open-set.ts";
import type { RepairOffer, RepairSearch } from "../repair-offer.ts";
import { areMany, isCheap, isLastWord, joinedOffers, offerTitle, subjectsOf } from "./cause-offers.ts";
import { nodesByPath } from "../metadata/chunk-of-key.ts";

const node = { path: "a", grid: [4], shape: [4], chunks: [1] } as unknown as NodeSummary;
const large = { path: "b", grid: [4], shape: [4_000_000], chunks: [1_000_000] } as unknown as NodeSummary;
const nodes = nodesByPath([node, large]);

function found(places: readonly Place[], count = places.length): Finding {
  const [place = chunkAt("a", [0])] = places;
  return { ...finding("chunk-not-generated", place, { written: false }, count), places };
}

describe("what a repair is looked for", () => {
  it("is each chunk of the cause, by coordinates or key, and keys outside the grid", () => {
    const places = [chunkAt("a", [1]), keyAt("a/1"), keyAt("a/7"), keyAt("a/.zarray"), chunkAt("a", [9])];
    expect(subjectsOf(found(places), nodes).subjects).toEqual([
      { kind: "chunk", array: "a", coordinates: [1] },
      { kind: "key", key: "a/7" },
    ]);
  });

  it("is one for all where there are more than are told, or many", () => {
    const places = [0, 1, 2].map((at) => chunkAt("a", [at]));
    const some = subjectsOf(found(places, 5000), nodes);
    expect([some.subjects.length, some.chunks, areMany(some)]).toEqual([3, 5000, true]);
    const all = subjectsOf(found(places), nodes);
    expect([all.subjects.length, all.chunks, areMany(all)]).toEqual([3, 3, false]);
    const target = found([{ kind: "target", target: "x.nc", chunk: chunkAt("a", [0]) }]);
    const extent = { arrays: [{ array: "a", chunks: 4, from: [0], to: [3] }], moreArrays: 0 };
    const reaching = subjectsOf({ ...target, extent }, nodes);
    expect([reaching.subjects.length, reaching.chunks, areMany(reaching)]).toEqual([1, 4, true]);
  });

  const at = chunkAt("a", [0]);
  const answered = (status: number, more: { readonly near?: string } = {}) =>
    finding("http-status", at, { status, expected: [206], attempts: 1, ...more });

  it.each([
    ["CORS", finding("cors-missing", at, { withCredentials: false }), 0],
    ["a server without CORS", finding("cors-absent", at, { allowed: undefined, origin: "https://p.example" }), 0],
    ["a dead host", finding("host-unreachable", at, { reason: undefined }), 0],
    ["a web page", finding("web-page", at, { words: "Sign in", isFile: false }), 0],
    ["a chunk of a store that is refused", finding("chunk-denied", at, { status: 403 }), 0],
    ["a refusal", answered(403), 0],
    ["a server's own fault", answered(503), 0],
    ["a refusal beside a name that is there", answered(403, { near: "a.nc" }), 1],
    ["a target that is not there", answered(404), 1],
  ])("of %s", (_, one, count) => {
    const { subjects } = subjectsOf(one, nodes);
    expect(subjects).toHaveLength(count);
  });

  it("is nothing for chunks of a larger type: a part of each would decode and hide that", () => {
    const lengths = (least: number) =>
      finding("chunk-lengths-fit-other", at, {
        dtype: "<f4",
        chunkShape: [1],
        expected: 4,
        least,
        most: least,
        fits: "type",
        itemSize: least,
      });
    expect(subjectsOf(lengths(8), nodes).subjects).toEqual([]);
    expect(subjectsOf(lengths(2), nodes).subjects).toHaveLength(1);
  });

  it("is looked for unasked where chunks are small, however many are known, and keys always", () => {
    const chunk = (array: string, chunks = 1) => ({
      subjects: [{ kind: "chunk", array, coordinates: [0] }] as const,
      chunks,
    });
    expect(isCheap(chunk("a"), "error", nodes)).toBe(true);
    expect(isCheap(chunk("b"), "error", nodes)).toBe(false);
    expect(isCheap(chunk("a", 40), "error", nodes)).toBe(true);
    expect(isCheap({ subjects: [{ kind: "key", key: "b/9" }], chunks: 900 }, "warning", nodes)).toBe(true);
  });
});

describe("several places of a cause", () => {
  const offer = (key: string): RepairOffer => ({
    change: { kind: "target", target: "https://h/two.nc?x" },
    certainty: "safe",
    key,
    array: "a",
    edits: [{ kind: "set-reference", key, value: "[]" }],
    before: "",
    after: "",
    evidence: [],
    chunks: [{ coordinates: [0] }],
  });
  const search = (...offers: readonly RepairOffer[]): RepairSearch => ({
    subject: { kind: "key", key: "" },
    offers,
    spent: { bytes: 0, requests: 0 },
  });

  it("are repaired together, each once", () => {
    const joined = joinedOffers([search(offer("a/0")), search(), search(offer("a/1")), search(offer("a/1"))]);
    expect(joined?.edits.map((edit) => "key" in edit && edit.key)).toEqual(["a/0", "a/1"]);
    expect(joined && offerTitle(joined)).toBe("Point to two.nc (2)");
    expect(joinedOffers([search()])).toBeUndefined();
  });

  it("are not done with by a search that was cut", () => {
    expect(isLastWord([search()])).toBe(true);
    expect(isLastWord([search(), { ...search(), ended: "time" }])).toBe(false);
    expect(isLastWord([{ ...search(offer("a/0")), ended: "time" }])).toBe(true);
  });
});
