/** Tests that written sets read as the same sets, key by key and in order, and that JSON.parse agrees. */
import { isDeep, runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generate, LAYOUTS } from "../../../bench/generate.ts";
import type { ExportForm } from "#core/studio.ts";
import { portableJson } from "#core/json/portable-json.ts";
import { makeRenderer } from "#engine/render/renderer.ts";
import type { KerchunkDocument } from "./interpret.ts";
import { plainRows, readSet, readText } from "./testing.ts";
import { writeReferences } from "./write.ts";

const FORMS = ["version0", "version1-flat", "version1"] as const;
const rendering = { rendering: makeRenderer };

function written(document: KerchunkDocument, form: ExportForm) {
  const writing = writeReferences(document, form);
  const pieces = [...writing.pieces];
  return { bytes: new Uint8Array(Buffer.concat(pieces)), pieces, writing };
}

const textOf = (document: KerchunkDocument, form: ExportForm): string =>
  new TextDecoder().decode(written(document, form).bytes);

const plainMetadata = ({ metadata }: KerchunkDocument) => metadata.map(({ key, value, row }) => ({ key, value, row }));

/** All that readers see: rows, metadata and the order of both. */
const seen = (document: KerchunkDocument) => ({ rows: plainRows(document.table), metadata: plainMetadata(document) });

describe.each(FORMS)("%s", (form) => {
  test.each(isDeep ? LAYOUTS : LAYOUTS.slice(0, 1))("of a synthetic set, %s", async (layout) => {
    const text = [...generate(20_000, layout)].join("");
    const { bytes, pieces } = written(await readSet(text), form);
    const refs = (JSON.parse(text) as { refs: object }).refs;
    const expected = { version0: refs, "version1-flat": { version: 1, refs }, version1: { version: 1, refs } }[form];
    // Compares texts, since the order of keys counts; normalised, since inline values keep their escapes.
    const alike = JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)));
    expect(alike === JSON.stringify(expected)).toBe(true);
    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1 << 20);
  });

  test("of an empty set", async () => {
    const document = await readSet('{"version":1,"refs":{}}');
    expect(textOf(document, form)).toBe(form === "version0" ? "{}" : '{"version":1,"refs":{}}');
  });
});

const zarray = (shape: readonly number[], separator = "."): string =>
  JSON.stringify({ zarr_format: 2, shape, chunks: shape.map(() => 1), dimension_separator: separator });

const odd = {
  ".zgroup": '{"zarr_format":2}',
  "2": ["s3://b/integer-like", 1, 2],
  "a/0.0": ['s3://b/x y"\\/é\u{1f600}\u2028', 0, 10],
  "a/.zarray": zarray([3, 3]),
  "a/1.0": ["s3://b/whole"],
  "a/2.2": [null, 5, 6],
  "a/1.1": [null],
  "a/0.1": "base64:AAEC",
  "a/0.2": 'text "quoted" \u0001 é',
  "a/7.7": ["outside", 1, 1],
  "a/01.1": ["leading-zero", 1, 1],
  __proto__x: ["stray", 0, 1],
  'k"é\n/0': ["x", 1, 2],
  "w/.zarray": zarray([100_000, 100_000], "/"),
  "w/99999/99999": ["wide", Number.MAX_SAFE_INTEGER - 2 ** 33, 2 ** 33],
  "w/0/0": ["limits", 999_999_999, 2 ** 32 - 1],
  "w/0/1": ["limits", 1e9, 2 ** 32 - 2],
  "w/0/2": ["limits", 4_294_967_296_000_000, 1_000_000_000],
  "s/.zarray": zarray([]),
  "s/0": ["scalar", 0, 0],
  "m/.zattrs": ["s3://b/attributes", 3, 4],
  "n/.zattrs": "base64:/w==",
  "n/.zarray": '{"units":"°C"}',
  bad: ["url", -1, 5],
  "bad/text": 7,
  "a/2.1": ["url", 1],
  "{{u}}": ["{{u}}/not-a-template", 1, 2],
};

describe("odd values", () => {
  const text = JSON.stringify({ version: 1, refs: odd }).replace("__proto__x", "__proto__");

  test.each(FORMS)("%s: the same text again", async (form) => {
    const document = await readSet(text);
    const again = await readSet(textOf(document, form));
    expect(seen(again)).toEqual(seen(document));
    const { writing, bytes } = written(document, "version0");
    expect(writing.leftOut()).toBe(0);
    expect(writing.written()).toBe(writing.total);
    // `base64:/w==` and all other values keep their spelling, so that the texts are equal.
    expect(new TextDecoder().decode(bytes)).toBe(portableJson(text).slice('{"version":1,"refs":'.length, -1));
  });

  test("what is not kept whole is left out and counted", async () => {
    const long = `[${Array.from({ length: 300 }, () => 10).join()}]`;
    const document = await readSet(`{"version":1,"refs":{"a":${long},"b":["x",1,2],"c":${"9".repeat(600)},"d":[NaN]}}`);
    const { writing, bytes } = written(document, "version1-flat");
    expect(new TextDecoder().decode(bytes)).toBe('{"version":1,"refs":{"b":["x",1,2]}}');
    expect([writing.leftOut(), writing.written(), writing.total]).toEqual([3, 1, 4]);
  });

  test("keys that say something else at the top level of Version 0", async () => {
    const document = await readSet('{"version":1,"refs":{"version":["x",1,2],"a":["y",1,2],"refs":["z",1,2]}}');
    expect(textOf(document, "version0")).toBe('{"a":["y",1,2],"refs":["z",1,2]}');
    expect(textOf(document, "version1")).toContain('"version":["x",1,2]');
  });

  test("values longer than a piece", async () => {
    const long = "x".repeat(3_000_000);
    const text2 = JSON.stringify({ version: 1, refs: { ".zattrs": `{"a":"${long}"}`, b: long, c: [long, 1, 2] } });
    expect(textOf(await readSet(text2), "version1")).toBe(text2);
  });
});

const TEMPLATED = `{
  "version": 1,
  "templates": {"u": "s3://bucket/data", "f": "{{c}}"},
  "gen": [
    {"key": "g/{{i}}", "url": "{{u}}_{{i}}", "offset": "{{i * 10}}", "length": "5", "dimensions": {"i": {"stop": 4}}},
    {"key": "{{k}}", "url": "{{'{{u}}'}}", "dimensions": {"k": ["g/.zattrs", "late/.zattrs"]}}
  ],
  "refs": {
    "a/0": ["{{u}}/first", 1, 2],
    "g/.zattrs": "{}",
    "g/2": ["replaced", 1, 1],
    "g/.zarray": ${JSON.stringify(zarray([6]))},
    "a/1": ["{{f(c='text')}}", 3, 4],
    "a/2": ["{{u}}/x", -1, 4],
    "m/.zattrs": ["{{u}}/attributes"],
    "s3://bucket/data_9": ["plain", 1, 2],
    "g/5": "{{u}}"
  }
}`;

describe("Version 1 with templates and gen", () => {
  test("flat: rendered, without them", async () => {
    const document = await readSet(TEMPLATED, rendering);
    const expected = {
      "a/0": ["s3://bucket/data/first", 1, 2],
      "g/.zattrs": ["{{u}}"],
      "g/2": ["s3://bucket/data_2", 20, 5],
      "g/.zarray": zarray([6]),
      "a/1": ["text", 3, 4],
      "a/2": ["s3://bucket/data/x", -1, 4],
      "m/.zattrs": ["s3://bucket/data/attributes"],
      "s3://bucket/data_9": ["plain", 1, 2],
      "g/5": "{{u}}",
      "g/0": ["s3://bucket/data_0", 0, 5],
      "g/1": ["s3://bucket/data_1", 10, 5],
      "g/3": ["s3://bucket/data_3", 30, 5],
      "late/.zattrs": ["{{u}}"],
    };
    expect(textOf(document, "version0")).toBe(JSON.stringify(expected));
    expect(textOf(document, "version1-flat")).toBe(JSON.stringify({ version: 1, refs: expected }));
    for (const form of ["version0", "version1-flat"] as const) {
      const again = await readSet(textOf(document, form), rendering);
      expect(plainRows(again.table).filter(([key]) => key !== "a/2")).toEqual(
        plainRows(document.table).filter(([key]) => key !== "a/2"),
      );
      expect(again.metadata.map(({ key, value, row }) => ({ key, value, row }))).toEqual(plainMetadata(document));
    }
  });

  test("as kept: read and rendered to the same set", async () => {
    const document = await readSet(TEMPLATED, rendering);
    const text = textOf(document, "version1");
    const parsed = JSON.parse(text) as { refs: Record<string, unknown>; templates: unknown; gen: unknown };
    const original = JSON.parse(TEMPLATED) as typeof parsed;
    expect(Object.keys(parsed.refs)).toEqual(Object.keys(original.refs));
    expect([parsed.templates, parsed.gen]).toEqual([original.templates, original.gen]);
    expect(parsed.refs["a/0"]).toEqual(["{{u}}/first", 1, 2]);
    expect(parsed.refs["m/.zattrs"]).toEqual(["{{u}}/attributes"]);
    expect(seen(await readSet(text, rendering))).toEqual(seen(document));
  });
});

// Unusual keys and values of all kinds; the expectation is JSON.parse of the document, as an ordered list.
const url = fc.oneof(
  fc.constantFrom("s3://b/a.nc", "", "{{u}}/z", 'é"\\/'),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const size = fc.oneof(
  fc.nat(2000),
  fc.nat(2 ** 31 - 1),
  fc.constantFrom(2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, 2 ** 52, 1e9),
);
const value = fc.oneof(
  fc.tuple(url, size, fc.nat(2 ** 31 - 1)),
  fc.tuple(url, fc.nat(99), size),
  fc.tuple(url),
  fc.tuple(fc.constant(null), size, fc.nat(99)),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => `base64:${Buffer.from(bytes).toString("base64")}`),
  fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !text.startsWith("base64:")),
  fc.constantFrom<unknown>([], ["u", 1], ["u", -1, 2], ["u", 1.5, 2], ["u", 1, 2, 3], null, true, 12, [[1]]),
);
const key = fc.oneof(
  fc.tuple(fc.nat(8), fc.nat(6)).map(([a, b]) => `a/${a}.${b}`),
  fc.tuple(fc.nat(3), fc.nat(3)).map(([a, b]) => `g/é"s/${a}/${b}`),
  fc.nat(9).map(String),
  fc.constantFrom(
    "s/0",
    "s/1",
    ".zgroup",
    "a/.zattrs",
    "x/.zattrs",
    "__proto__",
    "constructor",
    "a/00.1",
    "/",
    "",
    "refs",
  ),
  fc.string({ unit: "binary", maxLength: 10 }),
);
const metadata: [string, unknown][] = [
  ["a/.zarray", zarray([8, 6])],
  ['g/é"s/.zarray', zarray([3, 3], "/")],
  ["s/.zarray", zarray([])],
];
const members = fc
  .tuple(fc.array(fc.tuple(key, value), { maxLength: 40 }), fc.shuffledSubarray(metadata))
  .chain(([some, all]) => fc.shuffledSubarray([...some, ...all], { minLength: some.length + all.length }))
  .map((list) => [...new Map(list)].filter(([name]) => !["version", "templates", "gen"].includes(name)));

const objectText = (list: readonly (readonly [string, unknown])[]): string =>
  portableJson(`{${list.map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`).join()}}`);

test("any set, flattened: every key and value in its order", async () => {
  await fc.assert(
    fc.asyncProperty(members, fc.constantFrom(...FORMS), async (list, form) => {
      const document = await readSet(`{"refs":${objectText(list)},"version":1}`);
      const text = textOf(document, form);
      const own = objectText(list.map(([name, one]) => [name, /(^|\/)\.z/.test(name) ? sameBytes(one) : one]));
      expect(text).toBe(form === "version0" ? own : `{"version":1,"refs":${own}}`);
      const again = await readText(text);
      // A few inline texts alone are not recognisable as a set.
      if (form === "version0" && again.kind !== "set") return;
      if (again.kind !== "set") throw new Error("expected a set");
      expect(seen(again.document)).toEqual(seen(document));
    }),
    { numRuns: runs(500) },
  );
});

/** Metadata are kept as bytes: base64 of text comes back as the text. */
function sameBytes(one: unknown): unknown {
  if (typeof one !== "string" || !one.startsWith("base64:")) return one;
  const bytes = Buffer.from(one.slice("base64:".length), "base64");
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) && !text.startsWith("base64:") ? text : one;
}
