import { describe, expect, it } from "vitest";
import { finding, targetAt } from "#core/findings/finding.ts";
import { explained } from "#core/findings/explain.ts";
import type { SourceDetail, SourceRange } from "#core/check/sources.ts";
import type { TargetProbe, TargetReport } from "#core/check/target-probe.ts";
import {
  arrayNames,
  askedWords,
  boxWords,
  byteWords,
  detailFacts,
  elsewhereWords,
  rangeNotes,
  spanText,
} from "./source-words.ts";

const PROBE = {
  url: "https://h/a",
  requests: 2,
  attempts: 1,
  bytesReceived: 9,
  milliseconds: 1,
  status: 206,
  size: 1_200_000,
};
const report = (part: Partial<TargetReport>, probe: Partial<TargetProbe> = {}): TargetReport => ({
  target: "a",
  resolution: { kind: "url", url: "https://h/a", steps: [] },
  references: 1,
  whole: 0,
  end: 10,
  probe: { ...PROBE, ...probe },
  pastEnd: 0,
  isSound: false,
  codes: [],
  ...part,
});

describe("what asking a target gave", () => {
  it("is said in a few words, each with a sign of its own", () => {
    const said = (asked: TargetReport | undefined) => {
      const { sign, text } = askedWords(asked, explained);
      return `${sign} ${text}`;
    };
    expect(said(undefined)).toBe("○ not checked");
    expect(said(report({ isSound: true }))).toBe("✓ 1.20 MB");
    expect(said(report({ isSound: true, codes: ["range-ignored"] }))).toBe("◐ 1.20 MB, range-ignored");
    expect(said(report({ pastEnd: 2, codes: ["range-past-end"] }))).toBe("✕ 2 ranges past its end");
    expect(said(report({ codes: ["target-gone"] }, { status: 404 }))).toBe("✕ status 404");
    expect(said(report({ codes: ["web-page"] }))).toBe("✕ web-page");
    const gone = finding("target-missing", targetAt("a"), { near: undefined, where: "beside", targets: 1 });
    expect(said(report({ resolution: { kind: "unresolved", finding: gone, steps: [] } }))).toMatch(/^✕ .+/);
    expect(said(report({}, { failure: gone }))).toMatch(/^✕ .+/);
  });
});

const DETAIL: SourceDetail = {
  target: "a",
  references: 4,
  whole: 1,
  bytes: 30,
  end: 30,
  arrays: [],
  arrayCount: 1,
  extent: 40,
  size: 40,
  ranges: 3,
  empty: 1,
  claimed: 25,
  unclaimed: 15,
  overlapping: 5,
  shared: 2,
  pastEnd: 0,
};

describe("the bytes of a target", () => {
  it("are told of by what refers to them", () => {
    expect(detailFacts(DETAIL).map(({ text }) => text)).toEqual([
      "3 ranges",
      "1 to all of it",
      "1 of no bytes",
      "25 B referred to",
      "15 B unreferenced",
      "2 ranges shared",
      "5 B overlapping",
      "size 40 B",
    ]);
    const { size, ...unasked } = DETAIL;
    expect(size).toBe(40);
    expect(detailFacts(unasked).map(({ title }) => title)).toContain("15 bytes (up to the end of the last range)");
    expect(
      detailFacts({ ...unasked, pastEnd: 7 })
        .map(({ text }) => text)
        .slice(-2),
    ).toEqual(["7 B past the end", "size not known"]);
  });

  it("are ranges with notes, or bytes that nothing refers to", () => {
    const range: SourceRange = {
      place: 0,
      from: 10,
      to: 20,
      key: "a/0",
      array: "a",
      coordinates: [0],
      before: 10,
      same: 1,
      overlaps: true,
      pastEnd: 3,
    };
    expect(rangeNotes(range)).toEqual([
      "overlaps another",
      "3 B past the end",
      "the same as 1 other",
      "preceded by 10 unreferenced bytes",
    ]);
    expect(spanText(10, 20)).toBe("bytes 10 – 19");
    expect(spanText(10, 11)).toBe("byte 10");
    expect(byteWords({ byte: 12, ranges: [range], count: 3, place: 0 })).toBe("Byte 12: a/0 and 2 other ranges.");
    const nothing = { byte: 5, ranges: [], count: 0, place: 0 };
    expect(byteWords({ ...nothing, gap: { from: 0, to: 10 } })).toBe("Byte 5: nothing refers to bytes 0 – 9 (10 B).");
    expect(byteWords({ ...nothing, gap: { from: 3, to: undefined } })).toBe(
      "Byte 5: nothing refers to the bytes from 3 on.",
    );
    expect(byteWords(nothing)).toBe("");
  });

  it("are not all that a set has", () => {
    const totals = {
      targets: 1,
      references: 1,
      bytes: 1,
      allBytes: 1,
      whole: 1,
      inline: 2,
      native: 1,
      asked: 0,
      sound: 0,
    };
    expect(elsewhereWords(totals)).toBe(
      "1 reference means a whole target. 2 chunks are inline. 1 chunk is an object of the store itself.",
    );
  });
});

describe("which part of an array lies in a target", () => {
  const node = { shape: [24, 90], chunks: [4, 45], dimensionNames: ["time", undefined] };

  it("is said of the dimensions that are not there as a whole", () => {
    expect(boxWords({ box: { from: [1, 0], to: [2, 1] } }, node)).toBe("time 4 – 11");
    expect(boxWords({ box: { from: [0, 1], to: [5, 1] } }, node)).toBe("dimension 1: 45 – 89");
    expect(boxWords({ box: { from: [0, 0], to: [5, 1] } }, node)).toBe("all of it");
    expect(boxWords({}, node)).toBe("no chunk of the grid");
    const axis = {
      name: "time",
      role: "other",
      values: { kind: "texts", texts: Array.from({ length: 24 }, (_, at) => `day ${at}`) },
    };
    expect(boxWords({ box: { from: [1, 0], to: [2, 1] } }, node, [axis as never])).toBe("day 4 – day 11");
  });

  it("is of one of several arrays", () => {
    const arrays = ["sst", "", "u"].map((array) => ({ array, references: 1 }));
    expect(arrayNames(arrays, 5)).toBe("sst, / and 3 more arrays");
    expect(arrayNames(arrays.slice(0, 1), 1)).toBe("sst");
  });
});
