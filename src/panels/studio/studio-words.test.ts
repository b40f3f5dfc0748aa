import { describe, expect, it } from "vitest";
import { rowWords, summaryWords, valueText } from "./reader-words.ts";

const SAME = { kind: "same" } as const;

describe("other readers in words", () => {
  it("names those that differ, or says that all agree", () => {
    expect(rowWords({ simple: SAME, javascript: SAME })).toEqual([{ tone: "ok", short: "all agree" }]);
    const raises = { kind: "raises", error: "KeyError: 'c'" } as const;
    expect(rowWords({ simple: raises, javascript: { kind: "lost" } }).map(({ short }) => short)).toEqual([
      "KeyError in fsspec default",
      "lost by JavaScript readers",
    ]);
  });

  it("never calls agreed what was not compared", () => {
    const unknown = { kind: "unknown" } as const;
    expect(rowWords({ simple: SAME, javascript: unknown })).toEqual([{ tone: "quiet", short: "fsspec agrees" }]);
    expect(rowWords({ simple: unknown, javascript: unknown })).toHaveLength(2);
  });

  it("says which parts of a reference are undefined", () => {
    const other = (value: string) => valueText({ kind: "other", value });
    expect(other("[undefined, undefined, undefined]")).toBe(
      "the URL is undefined, the offset is undefined and the length is undefined: the templates render to no value there",
    );
    expect(other('["s3://b/a.nc", NaN, 3]')).toBe('["s3://b/a.nc", NaN, 3]');
  });

  it("counts on the whole set what differs, with the number", () => {
    const outcome = { kind: "differs", other: 1, lost: 5, extra: 0 } as const;
    expect(summaryWords("simple", { outcome, first: "k" }).short).toBe(
      "fsspec default: 5 keys lost, 1 with another value",
    );
    expect(summaryWords("simple", { outcome: { ...outcome, lost: 0, extra: 2 }, first: "k" }).short).toBe(
      "fsspec default: 1 key with another value, 2 too many",
    );
  });
});
