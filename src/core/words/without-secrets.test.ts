/** Secrets of every kind, through every way by which something leaves. */
import { describe, expect, it } from "vitest";
import { capsuleFiles, type CapsuleParts } from "../check/capsule.ts";
import { acceptanceFor } from "../check/acceptance.ts";
import { explained } from "../findings/explain.ts";
import { githubLines } from "../report/github.ts";
import { markdownReport } from "../report/markdown.ts";
import { sarifReport } from "../report/sarif.ts";
import type { CheckFinding, CheckReport } from "../report/report.ts";
import { hasSecrets, isLinkable, linkable, withoutSecrets } from "./without-secrets.ts";

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
    "https://data.example/a.nc?version=3&time=12:00#part",
    "s3://bucket/a.nc",
    "https://dap.example/a.nc?time[0:1:10],lat",
    "https://wms.example/wms?SERVICE=WMS&request=GetMap&layers=sst&bbox=0,0,1,1&crs=EPSG:4326",
    "x = 1; y=2; #a=b",
    "https://data.example/monkeys/author@2x.nc",
    "the token is missing; ask for a key",
  ])
    expect(withoutSecrets(url)).toBe(url);
  expect(hasSecrets("https://data.example/a.nc?sig=1")).toBe(true);
});

/** Names that no list of secrets has thought of. */
const NAMES =
  "jwt code ticket sid session sas assertion hdnea h t exp se st sp pin nonce share csrf JSESSIONID k p __gda__ user state X-Amz-Credential";

it.each(NAMES.split(" "))("hides the value of %s, wherever it stands", (name) => {
  for (const text of [
    `https://data.example/a.nc?${name}=Zq0z&x=1`,
    `https://data.example/a.nc?x=1;${name}=Zq0z`,
    `https://data.example/a;${name}=Zq0z/b.nc`,
    `https://data.example/a.nc#${name}=Zq0z&view=data`,
    `relative/a.nc?x=1&${name}=Zq0z`,
    `https://data.example/a.nc?${name}=%26Zq0z%3Da%26Zq1z&x=1`,
    `https://data.example/a.nc?${name}=1;Zq0z`,
    `https://data.example/a.nc?${name}=1?Zq0z`,
    `https://data.example/a.nc?${name}=it'Zq0z`,
    `https://data.example/a.nc?${name}=1|Zq0z`,
    `https://page.example/?url=https%3A%2F%2Fdata.example%2Fa%3F${name}%3DZq0z`,
    `https%253A%252F%252Fdata.example%252Fa%253F${name}%253DZq0z`,
  ])
    expect([text, withoutSecrets(text)]).toEqual([text, expect.not.stringMatching(/Zq\dz/)]);
});

/** The forty of an attack, and forty of sessions, OAuth, OIDC, SAML and clouds. */
const ACCESS = (
  "access_token auth apikey api-key se st sktid Signature AWSAccessKeyId x-oss-signature hdnea __token__ ticket sid pass " +
  "secret assertion bearer h t X-Api-Key code nonce pin credentials user X-Amz-Credential GoogleAccessId hash hmac sign " +
  "auth_key x-cos-security-token refresh_token exp share dl_key csrf private_key JSESSIONID " +
  "PHPSESSID ASP.NET_SessionId connect.sid cfid CFTOKEN sessionKey id_token client_secret client_assertion code_verifier " +
  "device_code SAMLResponse RelayState samlart oauth_token oauth_verifier x-goog-security-token X-Amz-Security-Token " +
  "OSSAccessKeyId q-signature q-ak x-bce-security-token X-Tos-Credential Key-Pair-Id Policy skoid skt ske sdd magic invite " +
  "otp reset unlock lk cap grant wskey subscription-key edl_token SERVICE_KEY st-token ukey"
).split(" ");

it.each(ACCESS)("hides a token named %s, in links too", (name) => {
  for (const hide of [withoutSecrets, linkable])
    for (const token of [
      "Zq000zXk9aB7cD2eF4gH6",
      "eyJhbGciOiJIUzI1NiJ9.e30.q-Zq0z",
      "550e8400-e29b-41d4-a716-446655440000",
    ]) {
      const url = `https://data.example/a.nc?${name}=${token}`;
      expect(hide(url)).toBe(`https://data.example/a.nc?${name}=…`);
      expect(hide(encodeURIComponent(url))).not.toContain(token);
    }
});

it.each(
  "pin=1234 myToken=a code=x sessionId=12 PHPSESSID=42 user=me sig=a apiKey=1 client_secret=a jwt=a.b".split(" "),
)("hides %s in links, where the name speaks of access", (parameter) => {
  expect(isLinkable(`https://data.example/a.nc?id=42&${parameter}`)).toBe(false);
  expect(linkable(`https://data.example/a.nc?id=42&${parameter}`)).toContain("?id=42&");
});

it.each([
  "id=42 format=nc file=sst_20200101T00Z_v2.1.nc path=%2Fdata%2FERA5%2Fsst.nc run=2020010100 q=geopotentialHeight download=1 " +
    "product_id=S2A_MSIL2A_20200101T101021_N0500 monkey=3 keyword=ocean dataset_id=cmems_mod_glo_phy-thetao_0.083deg_P1D-m",
])("keeps %s in links, which must lead to the dataset, and nowhere else", (parameters) => {
  for (const parameter of parameters.split(" ")) {
    const url = `https://data.example/a?${parameter}`;
    expect(linkable(url)).toBe(url);
    expect(linkable(`https://me:Zq0z@${url.slice(8)}`)).not.toContain("Zq0z");
  }
});

it("keeps plain values of unlisted names out of what is published", () => {
  expect(withoutSecrets("https://data.example/a?id=42")).toBe("https://data.example/a?id=…");
});

it("hides users in URLs within URLs, headers, and a long value without a name", () => {
  for (const text of [
    "s3://AKIA:Zq0z@bucket/a.nc",
    "https://page.example/?url=https%3A%2F%2Fme%3AZq0z%40data.example%2Fa",
    "https://u:p@a.example/?url=https://u:Zq0z@b.example/",
    "Cookie: a=Zq0z",
    "X-Api-Key: Zq0z",
    "https://data.example/a.nc?Zq0z123456789012345",
  ])
    expect(withoutSecrets(text)).not.toContain("Zq0z");
});

it("keeps the rest of the path, the adapters of a Zarr URL and the punctuation around it", () => {
  expect(withoutSecrets("https://d.example/a;sid=5/b.nc")).toBe("https://d.example/a;sid=…/b.nc");
  expect(withoutSecrets("https://d.example/a?sig=5|zip:b/|zarr2:")).toBe("https://d.example/a?sig=…|zip:b/|zarr2:");
  expect(withoutSecrets("[a](https://d.example/a?jwt=5).")).toBe("[a](https://d.example/a?jwt=…).");
});

/** A search that begins anew at every place takes minutes for these. */
it.each([
  "a",
  "a.",
  "?",
  "&a=b",
  "a:%2f%2f",
  "a@",
  "%25",
  "25",
  "a-b.c_/",
  "token",
  "x-",
  ";a=)",
  "?a=)",
  "|a",
  " ",
  "://",
  "%3a%2f%2fa:b",
  "%3f",
  "?=",
  "&a=a?",
  "@ ",
])("reads 400 kB of %j once", (piece) => {
  const text = `https://d.example/?${piece.repeat(Math.ceil(400_000 / piece.length))}`;
  for (const hide of [withoutSecrets, linkable]) expect(hide(text).length).toBeLessThanOrEqual(2 * text.length);
});

it("hides what follows a thousand parameters, which no URL has, and keeps text that is no query", () => {
  const many = "&a=1".repeat(1000);
  expect(withoutSecrets(`https://data.example/a.nc?version=3${many}&version=4`)).toMatch(
    /^[^…]+\?version=3(?:&a=…){999}…$/,
  );
  expect(withoutSecrets(`a${many}?jwt=Zq0z`)).not.toContain("Zq0z");
  expect(withoutSecrets(`a${many}&time=2`)).toBe(`a${many}&time=2`);
});

it("hides a value behind separators that follow another", () => {
  expect(withoutSecrets("https://data.example/a.nc?sig=1;;Zq0z")).not.toContain("Zq0z");
});

it("hides authorisation, alone and in a text", () => {
  expect(withoutSecrets("Bearer abcdefghijkl")).not.toContain("abcdefghijkl");
  expect(withoutSecrets('{"Authorization": "Bearer abcdefghijkl"}')).not.toContain("abcdefghijkl");
  expect(withoutSecrets('{"token": "abcdefghijkl"}')).not.toContain("abcdefghijkl");
});
