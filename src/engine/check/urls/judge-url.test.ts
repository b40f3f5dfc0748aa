/** Tests of single URLs, judged by themselves. */
import { describe, expect, it } from "vitest";
import { urlProblems } from "./judge-url.ts";

const NOW = Date.UTC(2026, 0, 1);
const codes = (url: string) => urlProblems(url, NOW).map(({ code }) => code);

describe("a URL by itself", () => {
  it.each([
    "s3://ocean-data/2020/a.nc",
    "gs://ocean_data/a b.nc",
    "https://ocean.s3.us-west-2.amazonaws.com/a%20b.nc",
    "https://s3.amazonaws.com/ocean/a.nc",
    "abfs://container@account.dfs.core.windows.net/a.nc",
    "simplecache::s3://ocean-data/a.nc",
    "file:///data/a.nc",
    "/data/a.nc",
    "data/a b.nc",
    "a#1.nc",
    "arn.nc",
    "tar://a.nc::s3://Ocean/all.tar",
    "s3://bucket/a.nc",
    "None.nc",
    "https://data.example/dap/a.nc?sst{1:2}",
    "data/null/a.nc",
    "https://data.example:8443/a.nc",
    "s3://arn:aws:s3:us-west-2:1:accesspoint/x/a.nc",
  ])("%s is right", (url) => expect(codes(url)).toEqual([]));

  it.each([
    ["OPeNDAP_DMRpp_DATA_ACCESS_URL", "dmrpp"],
    ["OPeNDAP_DMRpp_MISSING_DATA_ACCESS_URL", "dmrpp-missing"],
    ["https://data.example/{{ year }}/a.nc", "template", "{{ year }}"],
    ["<BUCKET>/a.nc", "name", "<BUCKET>"],
    ["s3://BUCKET/a.nc", "name", "BUCKET"],
    ["s3://your-bucket/a.nc", "name", "your-bucket"],
    ["s3://ocean/{date:%Y}.nc", "name", "{date:%Y}"],
    ["None", "nothing"],
    ["s3://None/a.nc", "nothing", "s3://None"],
    ["null", "nothing"],
    ["", "nothing"],
    ["memory://a.nc", "memory"],
    ["<fsspec.implementations.local.LocalFileOpener object at 0x7f1c>", "object"],
    ["<File-like object S3FileSystem, ocean/a.nc>", "object"],
  ])("“%s” is a placeholder (%s)", (url, problem, text = url) =>
    expect(urlProblems(url, NOW)).toEqual([{ code: "url-placeholder", facts: { problem, text, beside: undefined } }]),
  );

  it("in an archive is one that fsspec's reference filesystem does not follow", () => {
    for (const url of ["zip://a.nc::all.zip", "simplecache::zip://in/a.nc::s3://ocean/all.zip"])
      expect(codes(url)).toEqual(["url-in-archive"]);
    expect(codes("zip://a.nc")).toEqual([]);
  });

  it.each([
    ["htps://data.example/a.nc", "unknown", "https://"],
    ["htpts://data.example/a.nc", "unknown", "https://"],
    ["HTTPS://data.example/a.nc", "case", "https://"],
    ["S3n://ocean/a.nc", "unknown", "s3://"],
    ["s33://ocean/a.nc", "unknown", "s3://"],
    ["quux://ocean/a.nc", "unknown", undefined],
    ["s3:/ocean/a.nc", "slashes", "s3://"],
    ["s3//ocean/a.nc", "slashes", "s3://"],
    ["https:data.example/a.nc", "slashes", "https://"],
    ["https:///data.example/a.nc", "slashes", "https://"],
    ["https://https://data.example/a.nc", "slashes", "https://"],
    ["s3://", "host", "s3://"],
  ])("%s has a slip in its scheme (%s)", (url, problem, meant) =>
    expect(urlProblems(url, NOW)).toMatchObject([{ code: "url-scheme-typo", facts: { problem, meant } }]),
  );

  it.each([
    ["s3://ocean/a%255Fb.nc", { written: "%255F", once: "%5F", meant: "_" }],
    ["https://data.example/a%2520b.nc", { written: "%2520", once: "%20", meant: "" }],
  ])("%s is encoded twice", (url, facts) =>
    expect(urlProblems(url, NOW)).toEqual([{ code: "url-double-encoded", facts }]),
  );

  it.each([
    ["https://anna:secret@data.example/a.nc", true],
    ["https://token@data.example/a.nc", false],
    ["s3://KEY:secret@ocean/a.nc", true],
  ])("%s has credentials", (url, hasPassword) =>
    expect(urlProblems(url, NOW)).toEqual([{ code: "url-credentials", facts: { hasPassword } }]),
  );

  it.each([
    ["s3://Ocean/a.nc", "upper-case"],
    ["s3://ocean_data/a.nc", "underscore"],
    ["s3://oc/a.nc", "length"],
    ["s3://-ocean/a.nc", "edge"],
    ["s3://oc..ean/a.nc", "dots"],
    ["s3://10.0.0.1/a.nc", "address"],
    ["gs://Ocean/a.nc", "upper-case"],
    ["https://storage.googleapis.com/oc ean/a.nc", "character"],
  ])("%s names no bucket (%s)", (url, rule) =>
    expect(urlProblems(url, NOW)).toMatchObject([{ code: "url-bucket-invalid", facts: { rule } }]),
  );

  it.each([
    ["us-est-1", "us-east-1", false],
    ["uswest-2", "us-west-2", false],
    ["us-wets-2", "us-west-2", false],
    ["eu-west-9", undefined, true],
    ["ap-midwest-1", undefined, true],
    ["usa", undefined, false],
  ])("%s is no region that is known", (region, meant, isPossible) =>
    expect(urlProblems(`https://ocean.s3.${region}.amazonaws.com/a.nc`, NOW)).toEqual([
      { code: "url-region-typo", facts: { region, meant, isPossible } },
    ]),
  );

  it.each([
    ["X-Amz-Date=20250601T120000Z&X-Amz-Expires=3600&X-Amz-Signature=ab", "url-signature-expired", "2025-06-01 13:00"],
    [
      "X-Goog-Date=20250601T120000Z&X-Goog-Expires=3600&X-Goog-Signature=ab",
      "url-signature-expired",
      "2025-06-01 13:00",
    ],
    ["sv=2022&se=2025-02-01T00%3A00%3A00Z&sig=ab%3D", "url-signature-expired", "2025-02-01 00:00"],
    ["Expires=1672531200&Signature=ab", "url-signature-expired", "2023-01-01 00:00"],
    ["sv=2022&se=2030-02-01&sig=ab", "url-signature-ends", "2030-02-01 00:00"],
  ])("?%s says how long it is good for", (query, code, ends) =>
    expect(urlProblems(`https://data.example/a.nc?${query}`, NOW)).toEqual([{ code, facts: { ends } }]),
  );

  it("fragments, and blanks where nobody sees them", () => {
    expect(codes("https://data.example/run#2.nc")).toEqual(["url-fragment"]);
    expect(urlProblems("s3://ocean/a.nc ", NOW)).toEqual([{ code: "url-blank", facts: { at: "end" } }]);
    expect(urlProblems(" s3://ocean/a.nc", NOW)).toEqual([{ code: "url-blank", facts: { at: "start" } }]);
    expect(urlProblems("s3://ocean/a\n.nc", NOW)).toEqual([{ code: "url-blank", facts: { at: "inside" } }]);
  });
});
