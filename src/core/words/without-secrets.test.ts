/** Secrets of every kind, through every way by which something leaves. */
import { describe, expect, it } from "vitest";
import { capsuleFiles, type CapsuleParts } from "../check/capsule.ts";
import { acceptanceFor } from "../check/acceptance.ts";
import { explained } from "../findings/explain.ts";
import { githubLines } from "../report/github.ts";
import { markdownReport } from "../report/markdown.ts";
import { sarifReport } from "../report/sarif.ts";
import type { CheckFinding, CheckReport } from "../report/report.ts";
import { hasSecrets, withoutSecrets } from "./without-secrets.ts";

/** URL, and what of it nobody may see. */
const SECRETS: readonly (readonly [url: string, secrets: readonly string[]])[] = [
  ["https://user:pa55word@data.example/a.nc", ["pa55word"]],
  ["https://ghp_t0kent0ken@data.example/a.nc", ["ghp_t0kent0ken"]],
  ["ftp://user:pa55word@data.example/a.nc", ["pa55word"]],
  [
    "https://b.s3.amazonaws.com/a.nc?X-Amz-Credential=AKIA12%2F2026&X-Amz-Signature=5ec7e7a1&X-Amz-Security-Token=FwoGZX",
    ["AKIA12", "5ec7e7a1", "FwoGZX"],
  ],
  ["https://storage.googleapis.com/b/a.nc?X-Goog-Signature=5ec7e7a2&X-Goog-Credential=me%40p", ["5ec7e7a2", "me%40p"]],
  ["https://acc.blob.core.windows.net/c/a.nc?sv=2024-01-01&se=2026-12-01&sig=5ec7e7a3%3D", ["5ec7e7a3"]],
  [
    "https://d1.cloudfront.net/a.nc?Policy=eyJTdGF0&Signature=5ec7e7a4&Key-Pair-Id=K2JC",
    ["eyJTdGF0", "5ec7e7a4", "K2JC"],
  ],
  ["https://data.example/a.nc?access_token=5ec7e7a5", ["5ec7e7a5"]],
  ["https://data.example/a.nc?api_key=5ec7e7a6", ["5ec7e7a6"]],
  ["https://data.example/a.nc?x=1&password=5ec7e7a7#part", ["5ec7e7a7"]],
  ["zip://a.nc::https://data.example/z.zip?token=5ec7e7a8", ["5ec7e7a8"]],
  ["https://page.example/#url=https%3A%2F%2Fdata.example%2Fa.nc%3Fsig%3D5ec7e7a9%26view%3Ddata", ["5ec7e7a9"]],
];

const finding = (target: string): CheckFinding =>
  ({
    code: "target-missing",
    severity: "error",
    cause: "The file is not there",
    message: `${target} answers 404.`,
    advice: `Look at ${target}`,
    target,
    array: "sst",
    key: "sst/0.0",
    chunks: ["sst/0.0"],
    count: 1,
    question: "sources",
  }) as unknown as CheckFinding;

const report = (target: string): CheckReport =>
  ({
    verdict: Object.fromEntries(
      ["opens", "complete", "values", "sources", "readers"].map((one) => [
        one,
        { answer: "no", why: `${target} is gone.` },
      ]),
    ),
    findings: [finding(target)],
    checked: { chunks: { of: 1, decoded: 0, failed: 1 }, targets: { of: 1, asked: 1 } },
  }) as unknown as CheckReport;

const parts = (target: string): CapsuleParts =>
  ({
    reading: {
      array: "sst",
      coordinates: [0, 0],
      key: "sst/0.0",
      written: JSON.stringify([target, 0, 10]),
      resolution: { kind: "url", url: target, steps: [`rewritten to ${target}`] },
      request: { url: target, bytesReceived: 0, attempts: 1, status: 404 },
      stages: [],
      outcome: "failed",
      error: { code: "target-missing", place: { kind: "target", target }, facts: { url: target }, count: 1 },
      findings: [],
    },
    references: JSON.stringify({ version: 1, refs: { "sst/0.0": [target, 0, 10] } }),
    script: `fs = open(${JSON.stringify(target)})`,
    format: "Kerchunk JSON",
    inlined: false,
    keys: { separator: "." },
  }) as unknown as CapsuleParts;

const AROUND = (target: string) => ({ set: target, version: "1", platform: "Node", date: "2026-11-24" });

/** Texts that leave, by what they are. */
const WAYS: Readonly<Record<string, (target: string) => string>> = {
  "a URL": (target) => withoutSecrets(target),
  "a sentence with two": (target) => withoutSecrets(`Moved from ${target} to <${target}>, as "${target}".`),
  Markdown: (target) => markdownReport(target, `${target} is broken`, report(target)),
  SARIF: (target) => JSON.stringify(sarifReport([{ name: target, report: report(target) }], "1")),
  "GitHub's annotations": (target) => githubLines(target, report(target)).join("\n"),
  "an acceptance": (target) => JSON.stringify(acceptanceFor(finding(target), "2026-11-24")),
  "a capsule": (target) => [...capsuleFiles(parts(target), AROUND(target), explained).values()].join("\n"),
};

describe.each(Object.entries(WAYS))("%s", (_, leave) => {
  it.each(SECRETS)("holds no secret of %s", (url, secrets) => {
    const text = leave(url);
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});

it("leaves what is public as it is", () => {
  for (const url of [
    "abfs://container@account.dfs.core.windows.net/a.nc",
    "https://data.example/a.nc?version=3&sv=2024&time=12:00#part",
    "s3://bucket/a.nc",
    "https://data.example/monkeys/author@2x.nc",
    "the token is missing; ask for a key",
  ])
    expect(withoutSecrets(url)).toBe(url);
  expect(hasSecrets("https://data.example/a.nc?sig=1")).toBe(true);
});

it("hides authorisation, alone and in a text", () => {
  expect(withoutSecrets("Bearer abcdefghijkl")).not.toContain("abcdefghijkl");
  expect(withoutSecrets('{"Authorization": "Bearer abcdefghijkl"}')).not.toContain("abcdefghijkl");
  expect(withoutSecrets('{"token": "abcdefghijkl"}')).not.toContain("abcdefghijkl");
});
