import { describe, expect, it } from "vitest";
import type { Finding, Severity } from "../../core/finding.ts";
import type { Diagnostic } from "../../core/studio.ts";
import { allFindings, bySeverity, isPlaced, whereOf, withDiagnostics } from "./findings.ts";

const finding = (code: string, severity: Severity, part: Partial<Finding> = {}): Finding => ({
  code,
  severity,
  message: "",
  ...part,
});

describe("the list of findings", () => {
  it("has the worst first, and gives each reading's findings their key", () => {
    const readings = [
      ["sst/0.0.0", [finding("short-read", "error")]],
      ["sst/0.0.1", [finding("range-ignored", "warning", { key: "own" })]],
    ] as const;
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

describe("findings of the set beside what is said in the text", () => {
  const diagnostic = (code: string, part: Partial<Diagnostic> = {}): Diagnostic => ({
    code,
    severity: "warning",
    start: 0,
    end: 1,
    line: 1,
    message: "",
    ...part,
  });
  const left = (findings: readonly Finding[], diagnostics: readonly Diagnostic[]) =>
    withDiagnostics(findings, diagnostics).filter((one) => !isPlaced(one));

  it("go only where the text says the same of the same place", () => {
    const here = finding("key-outside-grid", "error", { key: "sst/9.9" });
    const there = finding("key-outside-grid", "error", { key: "ice/9.9" });
    const said = diagnostic("key-fits-no-array", { tells: { code: "key-outside-grid", key: "sst/9.9" } });
    expect(left([here, there], [said])).toEqual([there]);
    const repeated = finding("duplicate-key", "warning", { key: "sst/0.0" });
    expect(left([repeated], [diagnostic("duplicate-key", { tells: { code: "duplicate-key", key: "a" } })])).toEqual([
      repeated,
    ]);
  });

  it("stay although a diagnostic of something else contains their words", () => {
    const short = finding("no-arrays", "info", { message: "No array." });
    expect(left([short], [diagnostic("gen-fails", { message: "a/0: No array. fsspec refuses." })])).toEqual([short]);
  });

  it("of the whole set go with a diagnostic of their code that names no place", () => {
    expect(left([finding("version-missing", "error")], [diagnostic("version-missing")])).toEqual([]);
  });
});
