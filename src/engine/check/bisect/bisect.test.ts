/** The first bad commit of recorded histories, each with one planted fault. */
import { describe, expect, it } from "vitest";
import type { BisectTest } from "#core/bisect.ts";
import { parseExpectation } from "#core/check/expectation.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { recordedHistories } from "#engine/repository/blame/testing/histories.ts";
import { CONTEXT, type Files, openSet } from "#engine/repository/testing/open.ts";
import { failure, type Finding, targetAt } from "#core/findings/finding.ts";
import { bisect, type BisectAsked, halve, planBisect } from "./bisect.ts";
import { meets } from "./bisect-test.ts";

const HISTORIES = recordedHistories();
const { files: filesOf1, truth: truthOf1 } = HISTORIES["format-1"]!;
const MAIN_1 = truthOf1.ancestry["branch:main"] ?? [];

const search = async (files: Files, asked: BisectAsked) => bisect(await openSet(files), asked, inThread, CONTEXT);
const without = (files: Files, ...paths: readonly string[]): Files =>
  new Map([...files].filter(([path]) => !paths.includes(path)));
const planted = ({ code, array }: { readonly code: string; readonly array: string }): BisectTest => ({
  kind: "finding",
  code,
  array,
});

describe.each(Object.entries(HISTORIES))("the recorded history %s", (_name, { files, truth }) => {
  const { bisect: fault } = truth;

  it("has its first bad commit, within as many checks as were said before", async () => {
    const plan = await planBisect(await openSet(files), { test: planted(fault) }, inThread, CONTEXT);
    expect(plan).toMatchObject({ reads: "references", chunks: 0, commits: fault.snapshots });
    expect(plan.checks).toBe(Math.ceil(Math.log2(fault.snapshots)) + 1);
    const found = await search(files, { test: planted(fault) });
    expect(found).toMatchObject({ outcome: "found", unread: [] });
    expect(found.first).toMatchObject({ commit: { id: fault.first }, isBad: true, finding: { code: fault.code } });
    expect(found.before).toMatchObject({ commit: { id: fault.before }, isBad: false });
    expect(found.checks).toBeLessThanOrEqual(plan.checks);
  });

  it("says where the fault is at the good commit too, and where it is not at the bad one", async () => {
    const test = planted(fault);
    expect(await search(files, { test, good: fault.first })).toMatchObject({ outcome: "at-good" });
    expect(await search(files, { test, good: fault.before })).toMatchObject({ outcome: "found" });
    expect(await search(files, { test, bad: fault.before })).toMatchObject({ outcome: "not-bad", checks: 1 });
  });
});

it("refuses a good commit that is not an ancestor of the bad one", async () => {
  const { first, before } = truthOf1.bisect;
  await expect(search(filesOf1, { test: planted(truthOf1.bisect), bad: before, good: first })).rejects.toMatchObject({
    code: "icechunk-ref-missing",
    finding: { facts: { problem: "not-an-ancestor" } },
  });
});

it("says “or earlier” where the commits before have expired", async () => {
  const { first, before } = truthOf1.bisect;
  const found = await search(without(filesOf1, `snapshots/${before}`), { test: planted(truthOf1.bisect) });
  expect(found).toMatchObject({ outcome: "or-earlier", end: "missing", first: { commit: { id: first } } });
});

it("names commits that cannot be read, one of which may be the first", async () => {
  const { files, truth } = HISTORIES["format-2"]!;
  const { first, before } = truth.bisect;
  const found = await search(without(files, `snapshots/${first}`), { test: planted(truth.bisect) });
  expect(found).toMatchObject({
    outcome: "found",
    before: { commit: { id: before } },
    unread: [{ commit: { id: first } }],
  });
});

it("tests a value, as xarray decodes it: a chunk that was removed reads as its fill value", async () => {
  const { first, before } = truthOf1.bisect;
  const is = { operator: "=", value: "2000-01-01T00:00:00" } as const;
  const found = await search(filesOf1, { test: { kind: "value", array: "time", select: "5", is } });
  expect(found).toMatchObject({ outcome: "found", first: { commit: { id: first }, values: [is.value] } });
  expect(found.before?.commit.id).toBe(before);
  expect(found.before?.values).not.toEqual([is.value]);
});

it("tests expectations", async () => {
  const { first } = truthOf1.bisect;
  const text = JSON.stringify({ refscope: "expectation", arrays: { time: { complete: true } } });
  const test = { kind: "expectation", name: "expected.json", expectation: parseExpectation(text) } as const;
  // The first snapshot has no arrays: expectations are not met there either.
  const found = await search(filesOf1, { test, good: MAIN_1.at(-2) });
  expect(found).toMatchObject({ outcome: "found", first: { commit: { id: first } } });
  expect(found.first?.finding?.code).toMatch(/^expected-/);
});

it("tests a chunk alone", async () => {
  const test = planted(truthOf1.bisect) as Extract<BisectTest, { kind: "finding" }>;
  expect(await search(filesOf1, { test: { ...test, chunk: [1] } })).toMatchObject({ outcome: "found" });
  expect(await search(filesOf1, { test: { ...test, chunk: [0] } })).toMatchObject({ outcome: "not-bad" });
});

it.each([
  ["1000001", "=", 1_000_000, false],
  ["20260102", "!=", 20_260_101, true],
  ["20260101", "!=", 20_260_101, false],
  ["999999", ">=", 1_000_000, false],
  ["0.10000000149011612", "=", 0.1, true],
  ["0.1000001", "=", 0.1, false],
  ["NaN", "=", 0, false],
] as const)("compares %s %s %d: %s", (text, operator, value, expected) => {
  expect(meets(text, { operator, value })).toBe(expected);
});

it("refuses an array, and a selection, that the newest commit does not have", async () => {
  const is = { operator: ">", value: 3 } as const;
  for (const test of [
    { kind: "value", array: "tpyo", select: "", is } as const,
    planted({ code: "cf-time", array: "tpyo" }),
  ])
    await expect(search(filesOf1, { test })).rejects.toMatchObject({ code: "no-such-array" });
  const test = { kind: "value", array: "time", select: "a,b,c", is } as const;
  await expect(search(filesOf1, { test })).rejects.toMatchObject({ code: "selection-invalid" });
});

describe("among commits that cannot be read", () => {
  const lost = (from: number, to: number, first: number) => {
    const asked: number[] = [];
    const unread = new Map<number, Finding>();
    const answer = halve(20_000, unread, async (at) => {
      asked.push(at);
      if (at >= from && at < to)
        throw failure("icechunk-object-missing", targetAt("snapshots/a"), { file: "snapshot" });
      return at <= first;
    });
    return answer.then((range) => ({ range, asked: asked.length, unread: unread.size }));
  };

  it("searches on both sides of them, with few tries", async () => {
    for (const first of [50, 3_998, 13_000, 19_998]) {
      const { range, asked } = await lost(4_000, 13_000, first);
      expect(range).toEqual([first, first + 1]);
      expect(asked).toBeLessThan(60);
    }
  });

  it("says the range that is left, and tries a bounded number", async () => {
    const { range, unread } = await lost(4_000, 13_000, 9_000);
    expect(range).toEqual([3_999, 13_000]);
    expect(unread).toBeLessThanOrEqual(64);
  });
});
