import { expect, it } from "vitest";
import { acceptanceFor } from "#core/check/acceptance.ts";
import type { CheckState } from "#core/check/check.ts";
import { explained } from "#core/findings/explain.ts";
import { chunkAt, finding, nodeAt } from "#core/findings/finding.ts";
import { acceptedProblems, listedFindings } from "./findings.ts";
import { inReport, setAside } from "./set-aside.ts";
import { setReport } from "./CheckHead.tsx";

const nodes = new Map([
  ["sst", { kind: "array", path: "sst", name: "sst", cells: 4, keys: { separator: "." } } as const],
]);

const listed = (chunks: number) => {
  const places = Array.from({ length: chunks }, (_, at) => chunkAt("sst", [at]));
  const failing = {
    ...finding("short-read", chunkAt("sst", [0]), { received: 1, length: 2, end: 2, size: 1 }),
    places,
    count: chunks,
  };
  const ofSet = [failing, finding("expected-chunks", nodeAt("sst"), { missing: 1, chunks: 4, share: 1 })];
  return listedFindings({ ofSet, ofReadings: [], diagnostics: [] }, explained);
};

const state = (decoded: number): CheckState => ({
  rules: [],
  findings: [],
  isUnchecked: false,
  chunks: { of: 4, decoded, failed: 0 },
  targets: { of: 1, asked: 1, answered: 1 },
});

it("what is set aside is taken out until it reaches further, and told when it is gone", () => {
  const all = listed(2);
  const acceptances = all.map((one) => acceptanceFor(inReport(one, nodes), "2026-11-23", "known"));
  const aside = setAside(all, acceptances, { nodes, state: state(0) });
  expect(aside.findings).toEqual([]);
  expect(aside.accepted.map(({ acceptance: { reason } }) => reason)).toEqual(["known", "known"]);
  expect(
    acceptedProblems(
      aside.accepted.map(({ one }) => one),
      ["ice"],
      [],
    ),
  ).toEqual({
    count: 2,
    failing: new Map([["sst", 2]]),
    lacking: new Set(["ice", "sst"]),
  });

  const more = setAside(listed(3), acceptances, { nodes, state: state(0) });
  expect(more.findings.map(({ found: { code } }) => code)).toEqual(["short-read"]);
  expect([...more.outgrown.values()]).toEqual([acceptances.find(({ code }) => code === "short-read")]);
  expect([more.unused, more.waiting]).toEqual([[], []]);

  const mended = (decoded: number) => {
    const { findings, unused, waiting } = setAside([], acceptances, { nodes, state: state(decoded) });
    return [findings, unused, waiting].map((list) => list.length);
  };
  // Nobody looked at the chunks, nor was anything expected.
  expect(mended(1)).toEqual([0, 0, 2]);
  expect(mended(4)).toEqual([1, 1, 1]);
  expect(acceptedProblems([], [], [])).toBeUndefined();
});

const answer = { answer: "partly", why: "" } as const;
const reported = {
  verdict: { opens: answer, complete: answer, values: answer, sources: answer, readers: answer },
  checked: state(0),
  nodes,
  compared: { verdicts: [] },
};

it("a report says what reaches further than was set aside", () => {
  const acceptances = listed(2).map((one) => acceptanceFor(inReport(one, nodes), "2026-11-23", "known"));
  const aside = setAside(listed(3), acceptances, { nodes, state: state(0) });
  const report = { ...reported, findings: aside.findings };
  expect(setReport({ ...report, aside }, () => []).findings).toMatchObject([
    { code: "short-read", outgrown: { reason: "known", date: "2026-11-23", count: 2 } },
  ]);
  expect(setReport({ ...report, aside: undefined }, () => []).findings[0]).not.toHaveProperty("outgrown");
});

it("a report has what is offered beside a finding", () => {
  const { findings } = setAside(listed(3), [], { nodes, state: state(0) });
  const remedy = { id: "curl", title: "By hand", text: "curl x" } as const;
  const remediesOf = ({ code }: { readonly code: string }) => (code === "short-read" ? [remedy] : []);
  const report = setReport({ ...reported, findings, aside: undefined }, remediesOf);
  expect(report.findings.filter(({ remedies }) => remedies !== undefined)).toMatchObject([
    { code: "short-read", remedies: [remedy] },
  ]);
});

it("chunks that fail for an open cause, too, are not set aside", () => {
  const [wide, narrow] = [listed(3), listed(2)].map((all) =>
    all.filter(({ found: { code } }) => code === "short-read"),
  );
  expect(acceptedProblems(wide ?? [], [], narrow ?? [])?.failing).toEqual(new Map([["sst", 1]]));
  expect(acceptedProblems(narrow ?? [], [], wide ?? [])?.failing).toEqual(new Map());
});

it("accepted chunks out of reach are not taken from those that fail", () => {
  const place = { kind: "target", target: "z.nc", chunk: chunkAt("sst", [3]) } as const;
  const gone = finding("target-gone", place, { status: 404, near: undefined });
  const accepted = listedFindings({ ofSet: [gone], ofReadings: [], diagnostics: [] }, explained);
  expect(acceptedProblems(accepted, [], listed(2))?.failing).toEqual(new Map());
});
