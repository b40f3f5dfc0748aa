import { expect, it } from "vitest";
import { finding, targetAt } from "../findings/finding.ts";
import { accessRemedy, findingRemedies, isRefused } from "./finding-remedies.ts";

const ORIGIN = "https://p.example";
const denied = (target: string) =>
  finding("http-status", targetAt(target), { status: 403, expected: [206], attempts: 1 });

it("gives lines in which nothing that a set writes is run by a shell", () => {
  const lines = findingRemedies(denied("https://x.example/$(touch y)"), ORIGIN)?.lines.map(({ text }) => text);
  expect(lines).toEqual([
    expect.stringMatching(/^curl .* 'https:\/\/x\.example\/\$\(touch y\)'$/),
    "refscope doctor 'https://x.example/$(touch y)'",
  ]);
});

it("asks an address that a target stands for, and offers nothing where none is known", () => {
  const s3 = denied("s3://ocean/a.nc");
  expect(findingRemedies(s3, ORIGIN)).toBeUndefined();
  const known = findingRemedies(s3, ORIGIN, () => "https://ocean.s3.amazonaws.com/a.nc");
  expect(known?.likely).toEqual([]);
  expect(known?.lines[1]?.text).toContain("https://ocean.s3.amazonaws.com/a.nc");
  const cors = finding("cors-absent", targetAt("https://ocean.s3.amazonaws.com/a.nc"), {
    allowed: undefined,
    origin: ORIGIN,
  });
  expect(findingRemedies(cors, ORIGIN)?.likely.map(({ id }) => id)).toEqual(["s3"]);
  expect(findingRemedies(cors, ORIGIN)?.others.map(({ id }) => id)).toEqual(["gcs", "azure", "nginx", "apache"]);
});

it("says in the recipe what it cannot know", () => {
  expect(isRefused(denied("x"))).toBe(true);
  const place = { scheme: "https", prefix: "h", need: "token" } as const;
  const { text } = accessRemedy({ kind: "fsspec", location: "https://h/r.json", places: [place] }, 1);
  expect(text).toMatch(/^# A server asked for a token\. .*\n# pip install /);
});
