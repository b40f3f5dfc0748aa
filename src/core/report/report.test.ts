import { describe, expect, it } from "vitest";
import type { Checked, Verdict } from "../check/check.ts";
import { explained } from "../findings/explain.ts";
import { chunkAt, finding, keyAt, nodeAt, targetAt } from "../findings/finding.ts";
import { githubLines } from "./github.ts";
import { markdownReport } from "./markdown.ts";
import { type CheckFinding, reportOf } from "./report.ts";
import { sarifReport } from "./sarif.ts";

const ANSWER = { answer: "not-checked", why: "Nobody asked | yet." } as const;
const VERDICT: Verdict = { opens: ANSWER, complete: ANSWER, values: ANSWER, sources: ANSWER, readers: ANSWER };
const CHECKED: Checked = {
  rules: [],
  chunks: { of: 4, decoded: 1, failed: 1 },
  targets: { of: 2, asked: 1, answered: 0 },
};

const FOUND = [
  finding("key-outside-grid", keyAt("sst/9.9"), { grid: [2, 2] }),
  finding("chunk-denied", chunkAt("sst", [0, 1]), { status: 403 }),
  {
    ...finding("chunk-denied", chunkAt("x", [3]), { status: 403 }),
    places: [chunkAt("x", [3]), chunkAt("x", [4])],
    count: 2,
  },
  finding("chunk-denied", { kind: "shard", array: "x", shard: [1] }, { status: 403 }),
  finding("target-null", targetAt("evil`::error\n<img>@team"), { references: 1 }),
  finding("chunk-missing-as-denied", nodeAt("a b"), { status: 403 }),
];

const SAID = FOUND.map((found) => ({ found, said: explained(found) }));

const keys = (array: string) =>
  array === "x" ? ({ separator: ".", shards: "c/" } as const) : ({ separator: "/" } as const);
const REPORT = reportOf({ verdict: VERDICT, checked: CHECKED }, SAID, keys);

interface SarifResult {
  readonly partialFingerprints: object;
  readonly locations: readonly { readonly physicalLocation: { readonly region: object } }[];
}

describe("a report", () => {
  it("names places by keys, inner chunks by coordinates, and is in a stable order, the worst first", () => {
    expect(REPORT.findings.map(({ severity, array, key, chunks }) => [severity, array, key, chunks])).toEqual([
      ["error", "sst", "sst/0/1", ["sst/0/1"]],
      ["error", "x", undefined, [[3], [4]]],
      ["error", "x", "x/c/1", ["x/c/1"]],
      ["warning", "a b", undefined, undefined],
      ["warning", "sst", "sst/9.9", ["sst/9.9"]],
      ["info", undefined, undefined, undefined],
    ]);
    expect(reportOf(REPORT, SAID.toReversed(), keys).findings).toEqual(REPORT.findings);
  });

  it("tells what costs most of an array first, of one severity", () => {
    const one = finding("chunk-denied", chunkAt("a", [0]), { status: 403 });
    const three = { ...one, place: chunkAt("b", [0]), places: [0, 1, 2].map((at) => chunkAt("b", [at])), count: 3 };
    const stray = finding("key-outside-grid", keyAt("c/9"), { grid: [2] });
    const said = [one, three, stray].map((found) => ({ found, said: explained(found) }));
    const sizesOf = (array: string) => ({ a: { cells: 9 }, b: { cells: 9 } })[array];
    const report = reportOf({ verdict: VERDICT, checked: CHECKED }, said, keys, { sizesOf });
    expect(report.findings.map(({ array }) => array)).toEqual(["b", "a", "c"]);
    // A fault that no reader opens costs the whole set.
    const broken = finding("dtype-invalid", nodeAt("z"), { expected: "a type", found: "1" });
    const all = [...said, { found: broken, said: explained(broken) }];
    expect(reportOf(REPORT, all, keys, { sizesOf }).findings.map(({ array }) => array)).toEqual(["z", "b", "a", "c"]);
    // If only one of the named chunks is known to fail, that one counts.
    const failing = said.map((each) => ({ ...each, ...(each.found === three && { failing: [chunkAt("b", [1])] }) }));
    expect(reportOf(REPORT, failing, keys, { sizesOf }).findings.map(({ array }) => array)).toEqual(["a", "b", "c"]);
  });

  it("weighs by elements what is not of all of its chunks, and all that is not opened", () => {
    const box = { array: "a", chunks: 4, from: [0], to: [3] };
    const extent = { arrays: [box], moreArrays: 0 };
    const zeros = { array: "a", elements: 400, position: undefined, isTime: false, isWhole: true, zeros: 25 };
    const outlier = { value: 1e20, range: [0, 1], isBit: true, isSure: true };
    const sizes = { dimensions: [], order: undefined, isCertain: true };
    const found = [
      finding("value-wild", chunkAt("a", [0]), outlier),
      { ...finding("fill-masks-values", nodeAt("a"), zeros), extent },
      finding("chunk-all-missing", chunkAt("a", [1]), {
        elements: 100,
        chunks: 1,
        beside: [0],
        besideRange: [0, 1],
        isSure: true,
      }),
      finding("dimension-size-disagrees", nodeAt(""), sizes),
    ];
    const sizesOf = (array: string) => (array === "a" ? { cells: 4, shape: [400], chunks: [100] } : undefined);
    const said = found.map((one) => ({ found: one, said: explained(one) }));
    const report = reportOf({ verdict: VERDICT, checked: CHECKED }, said, keys, { sizesOf });
    expect(report.findings.map(({ code }) => code)).toEqual([
      "dimension-size-disagrees",
      "chunk-all-missing",
      "fill-masks-values",
      "value-wild",
    ]);
  });

  it("as Markdown lets nothing of a set be markup", () => {
    const text = markdownReport("a`b.json", "It <b> opens", REPORT);
    expect(text).toContain("## It \\<b\\> opens");
    expect(text).toContain("`` a`b.json ``");
    expect(text).toContain("decoded 1 of 4 chunks, checked 1 of 2 sources");
    expect(text).toContain("Nobody asked \\| yet.");
    expect(text).toContain("`` evil`::error <img>@team ``");
    expect(text.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(FOUND.length);
  });

  it("as Markdown tells what is said of several arrays in the same words once; for programs each stands alone", () => {
    const facts = { member: "_ARRAY_DIMENSIONS", names: 1, dimensions: 2 } as const;
    const found = ["a", "b"].map((path) => finding("dimension-names-rank", nodeAt(path), facts));
    const said = found.map((one) => ({ found: one, said: explained(one) }));
    const report = reportOf({ verdict: VERDICT, checked: CHECKED }, said, keys);
    expect(report.findings.map(({ array }) => array)).toEqual(["a", "b"]);
    const items = markdownReport("a.json", "It opens", report)
      .split("\n")
      .filter((line) => line.startsWith("- "));
    expect(items).toEqual([expect.stringMatching(/`a`, `b`$/)]);
  });

  it("as annotations cannot be escaped from", () => {
    const lines = githubLines("a,b:c\n.json", REPORT);
    expect(lines).toHaveLength(FOUND.length);
    expect(lines[0]).toMatch(/^::error file=a%2Cb%3Ac%0A\.json,title=[^:\n]*::[^\n]+\[chunk-denied\]$/);
    expect(lines.every((line) => !line.includes("\n"))).toBe(true);
  });

  it("as SARIF has a rule a code, and a result a finding", () => {
    expect(sarifReport([{ name: "dir/a b.json", report: REPORT }], "1.2.3")).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { version: "1.2.3", rules: [{ id: "chunk-denied" }, {}, {}, {}] } },
          results: [
            {
              ruleId: "chunk-denied",
              level: "error",
              locations: [
                {
                  physicalLocation: { artifactLocation: { uri: "dir/a%20b.json" } },
                  logicalLocations: [{ fullyQualifiedName: "sst/0/1" }],
                },
              ],
            },
            {},
            {},
            {},
            {},
            { level: "note" },
          ],
        },
      ],
    });
  });

  it("as SARIF has a line, and a fingerprint that neither the line nor the first chunk changes", () => {
    const results = (findings: readonly CheckFinding[]) => {
      const log = sarifReport([{ name: "a.json", report: { ...REPORT, findings } }], "1");
      return (log as { readonly runs: readonly { readonly results: readonly SarifResult[] }[] }).runs[0]?.results ?? [];
    };
    const printsOf = (findings: readonly CheckFinding[]) => results(findings).map((one) => one.partialFingerprints);
    const { findings } = REPORT;
    const before = printsOf(findings);
    expect(new Set(before.map((print) => JSON.stringify(print))).size).toBe(findings.length);
    expect(printsOf(findings.map((one) => ({ ...one, line: 7, message: "other" })))).toEqual(before);
    expect(results(findings)[0]?.locations[0]?.physicalLocation.region).toEqual({ startLine: 1 });
  });

  it("as SARIF says what reaches further than was accepted", () => {
    const outgrown = { reason: "known", date: "2026-11-23", count: 2 };
    const [first, ...others] = REPORT.findings.map((found, at) => (at === 0 ? { ...found, outgrown } : found));
    const report = { ...REPORT, findings: first === undefined ? others : [first, ...others] };
    const [run] = (sarifReport([{ name: "a.json", report }], "1") as { readonly runs: readonly object[] }).runs;
    expect(run).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ properties: expect.objectContaining({ outgrown }) as unknown }),
      ]) as unknown,
    });
  });
});
