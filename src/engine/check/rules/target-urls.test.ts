/** Addresses of an open set: which targets, which chunks. */
import { expect, it } from "vitest";
import { arrayOf, foundIn, openDocument } from "#engine/testing/open-document.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { checkReferences, runSetRules } from "../check-references.ts";
import { targetUrls } from "./target-urls.ts";

/** An array of a chunk a URL, each read twice. */
const document = (urls: readonly string[], more: Readonly<Record<string, unknown>> = {}) => ({
  version: 1,
  ...more,
  refs: {
    "a/.zarray": arrayOf([urls.length, 2]),
    ...Object.fromEntries(urls.flatMap((url, at) => [0, 1].map((x) => [`a/${at}.${x}`, [url, 2 * x, 2]]))),
  },
});

const RIGHT = ["s3://ocean/1.nc", "s3://ocean/2.nc", "s3://ocean/3.nc", "s3://ocean/4.nc"];

it("says nothing of a set without anything odd", async () => {
  const { findings } = await checkReferences(await openDocument(document(RIGHT)), CONTEXT);
  expect(findings.filter(({ code }) => code.startsWith("url-"))).toEqual([]);
});

it("names the target, its first chunk, and how far it reaches", async () => {
  const found = await foundIn(document([...RIGHT, "htps://ocean.example/5.nc"]), "url-scheme-typo");
  expect(found).toEqual([
    {
      code: "url-scheme-typo",
      place: {
        kind: "target",
        target: "htps://ocean.example/5.nc",
        chunk: { kind: "chunk", array: "a", coordinates: [4, 0] },
      },
      facts: { problem: "unknown", scheme: "htps", meant: "https://", targets: 1, of: 5 },
      count: 2,
      extent: { arrays: [{ array: "a", chunks: 2, from: [4, 0], to: [4, 1] }], moreArrays: 0 },
    },
  ]);
});

it("is one finding for many targets, with a chunk of each", async () => {
  const found = await foundIn(document(["s3://Ocean/1.nc", "s3://Ocean/2.nc"]), "url-bucket-invalid");
  expect(found).toMatchObject([{ count: 4, facts: { targets: 2, of: 2 } }]);
  expect(found[0]?.places).toMatchObject([{ chunk: { coordinates: [0, 0] } }, { chunk: { coordinates: [1, 0] } }]);
});

it("places its findings at targets as they are written: what is selected is found, and reports hide secrets", async () => {
  const { findings } = await checkReferences(
    await openDocument(
      document([
        "https://anna:geheim@data.example/1.nc",
        "https://data.example/2.nc?X-Amz-Date=20200101T000000Z&X-Amz-Expires=60&X-Amz-Signature=geheim",
      ]),
    ),
    CONTEXT,
  );
  expect(findings.map(({ code }) => code)).toEqual(
    expect.arrayContaining(["url-credentials", "url-signature-expired"]),
  );
  expect(findings.find(({ code }) => code === "url-credentials")?.place).toMatchObject({
    target: "https://anna:geheim@data.example/1.nc",
  });
});

it("does not judge what an undefined name has made of a URL", async () => {
  const templates = { templates: { root: "s3://ocean" } };
  const urls = ["{{root}}/1.nc", "{{root}}/2.nc", "{{rooot}}/3.nc"];
  const { findings } = await checkReferences(await openDocument(document(urls, templates)), CONTEXT);
  expect(findings.filter(({ code }) => code.startsWith("url-"))).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: "name-undefined",
      place: {
        kind: "target",
        target: "{{rooot}}/3.nc",
        chunk: { kind: "chunk", array: "a", coordinates: [2, 0] },
      },
    }),
  );
});

it("says of Icechunk's locations that their queries are not sent", async () => {
  const urls = [
    "https://data.example/1.nc?version=1",
    "https://data.example/2.nc?version=2",
    "https://data.example/3%3F.nc",
  ];
  const set = await openDocument(document(urls));
  const codes = async (kind: string) => {
    const { findings } = await runSetRules({ ...set, format: { ...set.format, kind } }, CONTEXT, [targetUrls]);
    return findings.map(({ code, facts, count }) => [code, facts, count]);
  };
  expect(await codes("icechunk")).toEqual([["url-query-unsent", { targets: 2, of: 3 }, 4]]);
  // Others send them.
  expect(await codes("kerchunk-json")).toEqual([]);
});

it("tells placeholders with the file that OPeNDAP's stands for, unless a rule fills them in", async () => {
  const missing = "OPeNDAP_DMRpp_MISSING_DATA_ACCESS_URL";
  const set = await openDocument(document(["https://data.example/granule.h5", missing, "None"]));
  const placeholders = async () => {
    const { findings } = await checkReferences(set, CONTEXT);
    return findings.flatMap(({ code, facts, place }) => (code === "url-placeholder" ? [{ facts, place }] : []));
  };
  expect(await placeholders()).toMatchObject([
    { facts: { problem: "dmrpp-missing", beside: "granule_missing.h5" }, place: { target: missing } },
    { facts: { problem: "nothing", beside: undefined }, place: { target: "None" } },
  ]);
  const rewrites = [{ from: missing, to: "https://data.example/granule_missing.h5" }];
  set.targets.relocate({ ...set.targets.locations, rewrites }, undefined);
  expect(await placeholders()).toMatchObject([{ place: { target: "None" } }]);
});
