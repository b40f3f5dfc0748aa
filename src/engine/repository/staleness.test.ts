import { describe, expect, it } from "vitest";
import { stalenessOf } from "./staleness.ts";

const REQUEST = { url: "https://a.example/b", attempts: 1, bytesReceived: 1, milliseconds: 1 };
const codes = (...given: Parameters<typeof stalenessOf>) => stalenessOf(...given).map(({ code }) => code);

describe("staleness of a target", () => {
  const time = { kind: "last-modified", seconds: 1_714_979_289, time: "2024-05-06T07:08:09.000Z" } as const;
  const etag = { kind: "etag", etag: '"abc"' } as const;

  it("by time: the same second or older is the same file", () => {
    const at = (lastModified: string) => codes(time, { ...REQUEST, lastModified });
    expect(at("Mon, 06 May 2024 07:08:09 GMT")).toEqual([]);
    expect(at("Mon, 06 May 2013 07:08:09 GMT")).toEqual([]);
    expect(at("Mon, 06 May 2024 07:08:10 GMT")).toEqual(["icechunk-target-changed"]);
    expect(at("some day")).toEqual(["icechunk-checksum-not-compared"]);
  });

  it("by ETag, quotes or not", () => {
    expect(codes(etag, { ...REQUEST, etag: '"abc"' })).toEqual([]);
    expect(codes({ kind: "etag", etag: "abc" }, { ...REQUEST, etag: '"abc"' })).toEqual([]);
    expect(codes(etag, { ...REQUEST, etag: '"abd"' })).toEqual(["icechunk-target-changed"]);
    expect(codes(etag, REQUEST)).toEqual(["icechunk-checksum-not-compared"]);
  });

  it("by a weak ETag: not changed, but refused where conditions are heeded", () => {
    const weak = { kind: "etag", etag: 'W/"abc"' } as const;
    expect(codes(weak, { ...REQUEST, etag: 'W/"abc"' })).toEqual(["icechunk-etag-weak"]);
    expect(codes(weak, { ...REQUEST, etag: 'W/"abd"' })).toEqual(["icechunk-target-changed"]);
    expect(codes(etag, { ...REQUEST, etag: 'W/"abc"' })).toEqual([]);
  });

  it("without a checksum nothing is said of single chunks", () => {
    expect(codes(undefined, REQUEST)).toEqual([]);
  });
});
