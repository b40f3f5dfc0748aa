import { describe, expect, it } from "vitest";
import { parseAddress } from "../store/address.ts";
import { FIELDS, moved, originsIn } from "./from-query.ts";

describe("what stands after the question mark", () => {
  it("goes to the fragment, which counts before it; the rest stays", () => {
    const url = encodeURIComponent("s3://b/r|icechunk:@tag.v1/sst");
    const { search, hash } = moved({ search: `?url=${url}&array=sst&embed=1&view=data`, hash: "#view=check" });
    expect(search).toBe("?embed=1");
    expect(parseAddress(hash)).toEqual({ url: "s3://b/r|icechunk:@tag.v1/sst", array: "sst", view: "check" });
    const all = { url: "u", set: "s", ref: "r", array: "a", chunk: "0", view: "data", slice: "0", point: "0" };
    const whole = new URLSearchParams({ ...all, values: "raw", target: "t", tab: "hex" });
    expect(moved({ search: `?${whole}`, hash: "" })).toEqual({ search: "", hash: `#${whole}` });
    expect(Object.keys(parseAddress(`#${whole}`)).toSorted()).toEqual(FIELDS.toSorted());
    expect(moved({ search: "?utm=1", hash: "" })).toEqual({ search: "?utm=1", hash: "" });
  });

  it("names origins alone as those who are told", () => {
    expect(originsIn(["https://a.example/page", "*", "null", "javascript:1", "file:///x"])).toEqual([
      "https://a.example",
    ]);
  });
});
