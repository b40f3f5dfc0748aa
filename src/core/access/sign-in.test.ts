import { expect, it } from "vitest";
import { finding, targetAt } from "../findings/finding.ts";
import { explained } from "../findings/explain.ts";
import { isRefused, remediesFor } from "./finding-remedies.ts";
import { isSigned, signInOf } from "./sign-in.ts";
import { withoutSecrets } from "../words/without-secrets.ts";

it.each([
  ["Earthdata Login", "https://data.example/oauth/authorize", "earthdata"],
  ["", "https://urs.earthdata.nasa.gov/oauth/authorize", "earthdata"],
  ["Sign in - Google Accounts", "https://accounts.google.com/v3/signin", "google"],
  ["Please log in", undefined, "other"],
  ["Welcome", "https://portal.example/auth/realms/x", "other"],
  ["Index of /data", undefined, undefined],
  ["404 Not Found", "https://data.example/authors/list", undefined],
  ["Blogging in the Arctic", undefined, undefined],
])("knows what a page %j from %s is", (words, from, kind) => expect(signInOf(words, from)).toBe(kind));

it("tells a sign-in page as such, with its steps, and a page of another kind as before", () => {
  const page = (words: string) => explained(finding("web-page", targetAt("https://h.example/a.nc"), { words }));
  expect(page("Earthdata Login")).toMatchObject({
    title: "Sign-in page instead of data",
    remedy: expect.stringContaining("urs.earthdata.nasa.gov") as string,
  });
  expect(page("Index of /")).toMatchObject({ title: "Web page instead of data" });
});

it.each([
  ["https://h.example/a.nc?X-Amz-Date=1&X-Amz-Signature=ab", true],
  ["https://h.example/a.nc?sv=1&sig=ab", true],
  ["https://h.example/a.nc?Expires=1&Signature=ab", true],
  ["https://h.example/signature=/a.nc?design=1", false],
])("%s is signed: %s", (url, is) => expect(isSigned(url)).toBe(is));

it("never offers a token beside a signature", () => {
  const denied = (url: string) => finding("http-status", targetAt(url), { status: 403, expected: [206], attempts: 1 });
  const access = {
    kind: "fsspec",
    location: "r.json",
    places: [{ scheme: "https", prefix: "h.example", need: "token" }],
  } as const;
  const of = (url: string) => remediesFor(denied(url), "https://p.example", access).map(({ id }) => id);
  expect(of("https://h.example/a.nc")).toContain("python");
  expect(of("https://h.example/a.nc?sv=1&sig=ab")).not.toContain("python");
  expect(isRefused(denied("https://h.example/a.nc?sv=1&sig=ab"))).toBe(false);
  expect(explained(denied("https://h.example/a.nc?sv=1&sig=ab")).remedy).toMatch(/^Check the signature/);
});

it("leaves the place for a token in lines to paste as it is", () => {
  const line = '"headers": {"Authorization": "Bearer TOKEN"}';
  expect(withoutSecrets(line)).toBe(line);
  expect(withoutSecrets('"headers": {"Authorization": "Bearer TOKENab"}')).not.toContain("TOKENab");
});
