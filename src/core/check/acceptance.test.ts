import { describeCode } from "../findings/code-list.ts";
import { describe, expect, it } from "vitest";
import { acceptanceFor, accepts, parseAcceptances, writeAcceptances } from "./acceptance.ts";
import type { CheckFinding } from "../report/report.ts";

const GAP: CheckFinding = {
  code: "chunks-missing",
  severity: "info",
  array: "sst",
  chunks: ["sst/3.0", "sst/3.1"],
  span: { from: [3, 0], to: [3, 1] },
  affected: 2,
  message: "",
  count: 1,
  cause: "",
};

describe("what is accepted", () => {
  const known = acceptanceFor(GAP, "2026-11-23");

  it("is the finding as it was written down, and what is less", () => {
    expect(accepts(known, GAP)).toBe(true);
    expect(accepts(known, { ...GAP, chunks: ["sst/3.1"], span: { from: [3, 1], to: [3, 1] }, affected: 1 })).toBe(true);
  });

  it("is no gap that is larger, lies elsewhere, or is another array's", () => {
    expect(accepts(known, { ...GAP, affected: 3 })).toBe(false);
    expect(accepts(known, { ...GAP, chunks: ["sst/4.0"] })).toBe(false);
    expect(accepts({ ...known, chunks: undefined as never }, { ...GAP, span: { from: [3, 0], to: [4, 1] } })).toBe(
      false,
    );
    expect(accepts(known, { ...GAP, array: "ice" })).toBe(false);
    expect(accepts(known, { ...GAP, code: "gap-of-a-file" })).toBe(false);
  });

  it("names a target without its query, which may be a signature", () => {
    const found = (query: string): CheckFinding => ({ ...GAP, target: `https://h.example/a.nc${query}` });
    const signed = acceptanceFor(found("?X-Amz-Signature=secret"), "2026-11-23", "moved");
    expect(JSON.stringify(signed)).not.toContain("secret");
    expect(signed.reason).toBe("moved");
    expect(accepts(signed, found("?X-Amz-Signature=another"))).toBe(true);
    expect(accepts(signed, { ...GAP, target: "https://h.example/b.nc?X-Amz-Signature=secret" })).toBe(false);
  });

  it("may stand for many by *", () => {
    const any = { code: "target-missing", target: "https://*.example/*/a*.nc", reason: "moved", date: "2026-11-23" };
    const found = (target: string): CheckFinding => ({ ...GAP, code: "target-missing", target });
    expect(accepts(any, found("https://h.example/2026/a1.nc"))).toBe(true);
    expect(accepts(any, found("https://h.example/a1.nc"))).toBe(false);
    expect(accepts({ ...any, target: "a*a" }, found("a"))).toBe(false);
    expect(accepts(any, GAP)).toBe(false);
  });
});

describe("a file of acceptances", () => {
  const read = (accepted: unknown) => parseAcceptances(JSON.stringify({ accepted }));
  const failing = (accepted: unknown) => {
    try {
      return read(accepted);
    } catch (error) {
      return error;
    }
  };

  it("needs a code, a reason and a date", () => {
    const one = { code: "chunks-missing", reason: "not delivered", date: "2026-11-23" };
    expect(read([one])).toEqual([one]);
    expect(parseAcceptances(writeAcceptances([one]))).toEqual([one]);
    for (const [wrong, where] of [
      [{ ...one, reason: " " }, "accepted[0].reason"],
      [{ ...one, date: "yesterday" }, "accepted[0].date"],
      [{ ...one, date: "2026-13-41" }, "accepted[0].date"],
      [{ ...one, code: 4 }, "accepted[0].code"],
      [{ ...one, span: { from: [1] } }, "accepted[0].span"],
      [{ ...one, affected: 1.5 }, "accepted[0].affected"],
      [{ ...one, chunks: "sst/0" }, "accepted[0].chunks"],
      [4, "accepted[0]"],
    ] as const)
      expect(failing([wrong])).toMatchObject({ finding: { code: "expectation-invalid", facts: { where } } });
    expect(failing(undefined)).toMatchObject({ finding: { facts: { where: "accepted", file: "acceptance" } } });
    expect(failing([{ ...one, arary: "sst" }])).toMatchObject({ finding: { facts: { where: "accepted[0].arary" } } });
  });
});

it("still accepts by a code of before", () => {
  const accepted = [{ code: "json-nan", reason: "known", date: "2026-11-01" }];
  expect(parseAcceptances(JSON.stringify({ accepted }))).toMatchObject([{ code: "json-not-finite" }]);
  for (const code of ["json-bom", "json-not-utf8", "duplicate-member"]) expect(describeCode(code)).toBeDefined();
});

it("of a file that is not there is honoured wherever it is looked for", () => {
  const codes = ["target-gone", "target-missing", "target-relative"];
  const found = (code: string, target: string): CheckFinding => ({ ...GAP, code, target });
  for (const accepted of codes) {
    for (const code of codes) {
      const known = acceptanceFor(found(accepted, "data/ocean-z.nc"), "2026-11-24");
      expect([accepted, code, accepts(known, found(code, "data/ocean-z.nc"))]).toEqual([accepted, code, true]);
      expect(accepts(known, found(code, "data/ocean-y.nc"))).toBe(false);
    }
  }
  const served = acceptanceFor(found("target-gone", "https://h.example/data/ocean-z.nc?sig=secret"), "2026-11-24");
  expect(accepts(served, found("target-missing", "./data/ocean-z.nc"))).toBe(true);
  expect(accepts(served, found("target-missing", "n-z.nc"))).toBe(false);
  expect(accepts(served, found("target-gone", "ocean-z.nc"))).toBe(false);
  expect(accepts(served, found("http-status", "https://h.example/data/ocean-z.nc"))).toBe(false);
});
