import { describe, expect, it } from "vitest";
import type { Finding, Severity } from "../../core/finding.ts";
import { allFindings, bySeverity, whereOf } from "./findings.ts";

const finding = (code: string, severity: Severity, part: Partial<Finding> = {}): Finding => ({
  code,
  severity,
  message: "",
  ...part,
});

describe("the list of findings", () => {
  it("has the worst first, and gives each reading's findings their key", () => {
    const readings = new Map([
      ["sst/0.0.0", [finding("short-read", "error")]],
      ["sst/0.0.1", [finding("range-ignored", "warning", { key: "own" })]],
    ]);
    const all = allFindings([finding("chunks-missing", "info"), finding("key-odd", "error")], readings);
    expect(all.map((one) => [one.code, one.key])).toEqual([
      ["key-odd", undefined],
      ["short-read", "sst/0.0.0"],
      ["range-ignored", "own"],
      ["chunks-missing", undefined],
    ]);
  });

  it("counts repetitions", () => {
    const counts = bySeverity([finding("a", "error", { count: 40 }), finding("b", "error"), finding("c", "info")]);
    expect([...counts]).toEqual([
      ["error", 41],
      ["info", 1],
    ]);
  });

  it("says where in the narrowest words", () => {
    expect(whereOf(finding("a", "info", { key: "sst/0", array: "sst" }))).toBe("sst/0");
    expect(whereOf(finding("a", "info", { array: "" }))).toBe("/");
    expect(whereOf(finding("a", "info", { target: "s3://x" }))).toBe("s3://x");
    expect(whereOf(finding("a", "info"))).toBe("the whole set");
  });
});
