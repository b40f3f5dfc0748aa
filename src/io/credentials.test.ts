import { describe, expect, it } from "vitest";
import { covers } from "./http/http-attempt.ts";

const PREFIX = "https://a.example/data";

describe("a prefix of credentials", () => {
  it.each(["", "/", "/x/y", "/x%20y", "/x?a=../b", "/..x/y..", "/a%2Fb", "/...", "/x;v=1/y", "/50%25/y"])(
    "covers %s below it",
    (rest) => {
      expect(covers(PREFIX, PREFIX + rest)).toBe(true);
    },
  );

  it.each([
    "x",
    "/../evil",
    "/%2e%2e/evil",
    "/..%2fevil",
    "/..%2Fevil",
    "/%2e.%2fevil",
    "/%252e%252e%252fevil",
    "/%25252e./evil",
    "/..;/evil",
    "/..;a=b/evil",
    "/..%3b/evil",
    "/..%5cevil",
    "/x/..%5C..%5Cevil",
    "/.;/evil",
    "%2fx",
  ])("does not cover %s", (rest) => {
    expect(covers(PREFIX, PREFIX + rest)).toBe(false);
  });

  it("covers its own host, scheme and port only", () => {
    for (const url of [
      "http://a.example/data/x",
      "https://a.example:8443/data/x",
      "https://a.example.evil/data/x",
      "x",
    ])
      expect(covers(PREFIX, url)).toBe(false);
  });
});
