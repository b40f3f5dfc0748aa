import { expect, it } from "vitest";
import { acceptanceFor, type Acceptance } from "./acceptance.ts";
import { isLookedAt, unusedFinding, withoutAccepted } from "./accepted.ts";
import type { Checked } from "./check.ts";
import { explained, questionOf } from "../findings/explain.ts";
import type { CheckFinding } from "../report/report.ts";

const found = (code: string, more: Partial<CheckFinding> = {}): CheckFinding => ({
  code,
  severity: "error",
  message: "",
  count: 1,
  cause: "",
  ...more,
});

const same = (one: CheckFinding): CheckFinding => one;

it("what is known is taken out; what grew, and what is gone, is said apart", () => {
  const gap = found("chunks-missing", { array: "sst", affected: 2 });
  const other = found("chunks-missing", { array: "ice", affected: 1 });
  const gone = found("target-gone", { target: "https://h.example/a.nc" });
  const known = [gap, other, gone].map((one) => acceptanceFor(one, "2026-11-23"));
  const grown = { ...other, affected: 9 };
  const { rest, accepted, outgrown, unmet } = withoutAccepted([gap, grown, found("no-arrays")], known, same);
  expect(rest).toEqual([grown, found("no-arrays")]);
  expect(accepted.map(({ one }) => one)).toEqual([gap]);
  expect(outgrown).toEqual(new Map([[grown, known[1]]]));
  // One that is found, but larger, is not gone.
  expect(unmet).toEqual([known[2]]);
  expect(explained(unusedFinding(known[2] as Acceptance)).message).toMatch(
    /^target-gone of https.*no longer occurs\.$/,
  );
});

it("what grew to chunks before the one that was accepted is the same, not gone", () => {
  const gap = found("steps-missing", { array: "sst", key: "sst/1", chunks: ["sst/1"] });
  const wider = { ...gap, key: "sst/0", chunks: ["sst/0", "sst/1"], count: 2 };
  const known = acceptanceFor(gap, "2026-11-23");
  const { accepted, outgrown, unmet } = withoutAccepted([wider], [known], same);
  expect([accepted, unmet]).toEqual([[], []]);
  expect(outgrown.get(wider)).toBe(known);
  const byHand = { code: gap.code, key: "sst/1", reason: "late", date: "2026-11-23" };
  expect(withoutAccepted([wider], [byHand], same).accepted).toEqual([]);
});

it("that the same is accepted twice makes neither of them unused", () => {
  const gap = found("chunks-missing", { array: "sst" });
  const wide = { code: "chunks-missing", reason: "late", date: "2026-11-23" };
  expect(withoutAccepted([gap], [wide, acceptanceFor(gap, "2026-11-23")], same).unmet).toEqual([]);
});

it("an acceptance is unused only where what it is about was looked at", () => {
  const nothing: Checked = {
    rules: [],
    chunks: { of: 4, decoded: 1, failed: 0 },
    targets: { of: 2, asked: 1, answered: 1 },
  };
  const all: Checked = {
    rules: [],
    chunks: { of: 4, decoded: 3, failed: 1 },
    targets: { of: 2, asked: 2, answered: 1 },
    reader: { name: "zarrita", version: "1", date: "2026-11-23", answer: "yes" },
    expectation: { name: "x.json", arrays: 1, coordinates: 0, met: true, mayLack: 0, mayLackIn: [] },
  };
  const lookedAt = (code: string, checked: Checked) => isLookedAt(code, questionOf(code), checked);
  for (const code of ["target-gone", "range-length-wrong", "reader-misreads", "expected-chunks"])
    expect([code, lookedAt(code, nothing), lookedAt(code, all)]).toEqual([code, false, true]);
  expect(lookedAt("steps-missing", nothing)).toBe(true);
  expect(lookedAt("of-another-version", nothing)).toBe(true);
});

it("what a page found gone is known where its file is looked for", () => {
  const gone = acceptanceFor(found("target-gone", { target: "ocean-z.nc", key: "sst/1.0.0" }), "2026-11-24");
  const missing = found("target-missing", { target: "ocean-z.nc", key: "sst/1.0.0" });
  expect(withoutAccepted([missing], [gone], same)).toMatchObject({ rest: [], unmet: [], accepted: [{ one: missing }] });
});
