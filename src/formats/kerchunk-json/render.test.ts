/**
 * Version 1 sets rendered while they are read, against plain dicts. The renderer here is a plain one of the test's
 * own.
 */
import { isDeep, runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TARGET_BAD } from "#core/table/reference-table.ts";
import type { GeneratedEntry, Version1Renderer } from "#core/table/version1.ts";
import { blockOf, placeOf } from "./columns.ts";
import type { KerchunkDocument } from "./interpret.ts";
import { isMetadataKey } from "./slots.ts";
import { resolveGrids } from "./table.ts";
import { plainRows, QUIET, readSet } from "./testing.ts";
import { finding, WHOLE_SET } from "#core/findings/finding.ts";

const SCANNERS = ["js", "wasm"] as const;

/** `{{name}}` becomes the template's text; `{{!}}` is an error. */
function urlOf(templates: ReadonlyMap<string, string>, written: string): string | undefined {
  if (templates.size === 0) return written;
  if (written.includes("{{!}}")) return undefined;
  return written.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => templates.get(name) ?? "");
}

const FAULT = {
  kind: "fault",
  error: "TypeError: no.",
  reason: finding("url-fails", WHOLE_SET, { raises: "TypeError", limit: undefined, error: "no.", step: "urls" }),
} as const;

interface Fake {
  readonly templates: ReadonlyMap<string, string>;
  /** `undefined`: a gap, as a failing gen leaves it. */
  readonly entries: readonly (GeneratedEntry | undefined)[];
}

function fakeRenderer({ templates, entries }: Fake): Version1Renderer {
  return {
    hasTemplates: templates.size > 0,
    url(written) {
      const url = urlOf(templates, written);
      return url === undefined ? FAULT : { kind: "url", url };
    },
    size: entries.length,
    isIncomplete: false,
    generate(from, take) {
      for (let at = from; at < entries.length; at += 1) {
        const entry = entries[at];
        if (entry !== undefined && !take(entry, at)) return false;
      }
      return true;
    },
    origin: (ordinal) => ({ gen: 0, variables: [{ name: "i", value: String(ordinal) }] }),
    findings: () => [],
  };
}

const ZARRAY = (shape: number[]): string =>
  JSON.stringify({ zarr_format: 2, shape, chunks: shape.map(() => 1), dtype: "|u1" });

type Value = string | readonly (string | number | null)[];
type Member = readonly [key: string, value: Value];

const document = (refs: readonly Member[]): string => {
  const members = refs.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{"version": 1, "templates": {}, "refs": {${members.join(", ")}}}`;
};

const read = (refs: readonly Member[], fake: Fake, scanner: "js" | "wasm", piece?: number): Promise<KerchunkDocument> =>
  readSet(document(refs), { scanner, rendering: () => fakeRenderer(fake) }, piece);

const codes = ({ findings }: KerchunkDocument) => findings.map(({ code, count }) => `${code} ${count}`);
const TEMPLATES = new Map([
  ["u", "s3://b/a.nc"],
  ["v", "{{u}}"],
]);

describe.each(SCANNERS)("%s", (scanner) => {
  test("URLs are rendered once, and what was written stays known", async () => {
    const refs: Member[] = [
      ["a/.zarray", ZARRAY([9])],
      ["a/0", ["{{u}}", 0, 1]],
      ["a/1", ["{{v}}", 1, 1]],
      ["a/2", ["s3://b/a.nc"]],
      ["a/3", ["{{u}}", 2, 1]],
      ["a/4", "{{u}}"],
    ];
    const { table, findings } = await read(refs, { templates: TEMPLATES, entries: [] }, scanner);
    expect(plainRows(table).map(([, value]) => value)).toEqual([
      ["s3://b/a.nc", 0, 1],
      ["{{u}}", 1, 1],
      ["s3://b/a.nc"],
      ["s3://b/a.nc", 2, 1],
      "{{u}}",
    ]);
    const ids = [0, 1, 2, 3].map((row) => blockOf(table.blocks, row).target[placeOf(row)] ?? -1);
    expect(ids.map((id) => table.targets.written(id))).toEqual(["{{u}}", "{{v}}", "s3://b/a.nc", "{{u}}"]);
    expect(findings).toEqual([]);
  });

  test("escaped braces are braces; without templates nothing is rendered", async () => {
    const text = `{"version":1,"refs":{"a/.zarray":${JSON.stringify(ZARRAY([2]))},"a/0":["\\u007b{u}}"]}}`;
    const rendering = (templates: Fake["templates"]) => () => fakeRenderer({ templates, entries: [] });
    const rendered = await readSet(text, { scanner, rendering: rendering(TEMPLATES) });
    expect(plainRows(rendered.table)).toEqual([["a/0", ["s3://b/a.nc"]]]);
    const plain = await readSet(text, { scanner, rendering: rendering(new Map()) });
    expect(plainRows(plain.table)).toEqual([["a/0", ["{{u}}"]]]);
  });

  test("a URL that cannot be rendered makes bad references of its rows and metadata", async () => {
    const refs: Member[] = [
      ["a/.zarray", ZARRAY([9])],
      ["a/.zattrs", ["{{!}}", 3, 4]],
      ["a/0", ["{{!}}x", 5, 2 ** 40]],
      ["a/1", ["{{u}}", 1, 1]],
      ["a/2", ["{{!}}x"]],
    ];
    const { table, metadata } = await read(refs, { templates: TEMPLATES, entries: [] }, scanner);
    expect([...table.bad]).toEqual([
      [0, { reason: FAULT.reason, written: `["{{!}}x",5,${2 ** 40}]` }],
      [2, { reason: FAULT.reason, written: `["{{!}}x"]` }],
    ]);
    expect(table.bigLengths.size).toBe(0);
    expect(metadata[1]).toMatchObject({ value: { kind: "bad", written: `["{{!}}",3,4]` }, written: "{{!}}" });
  });

  test("a generated URL is never rendered again", async () => {
    const refs: Member[] = [
      ["a/.zarray", ZARRAY([9])],
      ["a/0", ["{{u}}", 0, 1]],
    ];
    const entries = [
      { key: "a/1", url: "{{u}}" },
      { key: "a/2", url: "s3://b/a.nc" },
      { key: "a/3", url: "{{!}}" },
    ];
    const { table, origins } = await read(refs, { templates: TEMPLATES, entries }, scanner);
    expect(plainRows(table)).toEqual([
      ["a/0", ["s3://b/a.nc", 0, 1]],
      ["a/1", ["{{u}}"]],
      ["a/2", ["s3://b/a.nc"]],
      ["a/3", ["{{!}}"]],
    ]);
    // A URL that gen renders is the same target.
    const id = (row: number) => blockOf(table.blocks, row).target[row];
    expect(id(0)).toBe(id(2));
    expect([0, 1, 2, 3].map((row) => origins.genOrdinal(row))).toEqual([undefined, 0, 1, 2]);
    expect(origins.refsRows).toBe(1);
  });

  test("keys that gen repeats: place of the first, value of the last, and what is said", async () => {
    const refs: Member[] = [
      ["a/0", ["x", 0, 1]],
      ["a/.zarray", ZARRAY([9])],
      ["a/1", ["x", 1, 1]],
      ["a/1", ["x", 2, 1]],
      ["a/2", ["x", 3, 1]],
    ];
    const entries = ["a/2", "a/5", "a/0", "a/5", "a/.zattrs", "a/.zarray", "a/6"].map((key, at) => ({
      key,
      url: `g${at}`,
    }));
    const set = await read(refs, { templates: TEMPLATES, entries }, scanner);
    expect(plainRows(set.table)).toEqual([
      ["a/0", ["g2"]],
      ["a/1", ["x", 2, 1]],
      ["a/2", ["g0"]],
      ["a/5", ["g3"]],
      ["a/6", ["g6"]],
    ]);
    expect([0, 1, 2, 3, 4].map((row) => set.origins.genOrdinal(row))).toEqual([2, undefined, 0, 3, 6]);
    expect(set.metadata.map(({ key, row, gen, overrides }) => ({ key, row, gen, overrides }))).toEqual([
      { key: "a/.zarray", row: 1, gen: 5, overrides: true },
      { key: "a/.zattrs", row: 4, gen: 4, overrides: false },
    ]);
    expect(codes(set)).toEqual(["duplicate-key 1", "gen-overrides 3", "gen-collision 1"]);
    const collision = set.findings.find(({ code }) => code === "gen-collision");
    const origin = (value: string) => ({ gen: 0, variables: [{ name: "i", value }] });
    expect(collision?.facts).toEqual({ earlier: origin("1"), later: origin("3") });
    // The array's grid is not known, since its metadata are a reference now.
    const grids = new Map([["a", { grid: [9], separator: "." as const }]]);
    const later = resolveGrids(set.table, grids);
    expect([0, 1, 2, 3, 4].map((row) => later.origins.genOrdinal(row))).toEqual([2, undefined, 0, 3, 6]);
  });

  test("keys found to be the same only when the grid is known, after others were removed", async () => {
    const refs: Member[] = [
      ["a/.zarray", ["file:///x"]],
      ["a/0", ["x", 0, 1]],
      ["b/0", ["x", 0, 1]],
      ["b/0", ["x", 1, 1]],
    ];
    const entries = [
      { key: "b/0", url: "g0" },
      { key: "a/0", url: "g1" },
      { key: "a/1", url: "g2" },
    ];
    const set = await read(refs, { templates: TEMPLATES, entries }, scanner);
    const later = resolveGrids(set.table, new Map([["a", { grid: [4], separator: "." as const }]]));
    const origins = plainRows(later.table).map(([key], row) => [key, later.origins.genOrdinal(row)]);
    expect(origins).toEqual([
      ["a/0", 1],
      ["b/0", 0],
      ["a/1", 2],
    ]);
    expect(later.origins.refsRows).toBe(2);
  });

  test("offsets and lengths that are not a byte range make bad references", async () => {
    const entries: GeneratedEntry[] = [
      { key: "a/0", url: "x", offset: -1, length: 1 },
      { key: "a/1", url: "x", offset: 2n ** 53n, length: 1 },
      { key: "a/2", url: "x", offset: 0, length: 10n ** 30n },
      { key: "a/3", url: "x", offset: 0, length: 2 ** 33 },
    ];
    const set = await read([["a/.zarray", ZARRAY([9])]], { templates: TEMPLATES, entries }, scanner);
    expect(codes(set)).toEqual([
      "reference-offset-negative 1",
      "reference-offset-too-large 1",
      "reference-length-too-large 1",
    ]);
    expect([...set.table.bad.values()].map(({ written }) => written)).toEqual([
      `["x",-1,1]`,
      `["x",9007199254740992,1]`,
      `["x",0,1${"0".repeat(30)}]`,
    ]);
    expect(plainRows(set.table)[3]).toEqual(["a/3", ["x", 0, 2 ** 33]]);
  });

  test("keys and URLs of any kind", async () => {
    const odd = [
      "",
      "/",
      "a",
      '"\\',
      "__proto__",
      "é/0",
      "\ud800",
      "\n",
      "x/.zgroup",
      "zarr.json",
      "a/00",
      "constructor/0",
    ];
    const entries = odd.map((key) => ({ key, url: `u${key}` }));
    const set = await read([], { templates: TEMPLATES, entries }, scanner);
    const rows = odd.filter((key) => !isMetadataKey(key));
    // Half a surrogate pair is not UTF-8 text, in which keys are kept.
    expect(plainRows(set.table)).toEqual(rows.map((key) => [key.replace("\ud800", "\ufffd"), [`u${key}`]]));
    expect(set.metadata.map(({ key }) => key)).toEqual(odd.filter((key) => isMetadataKey(key)));
    expect(rows.map((_, row) => set.origins.genOrdinal(row))).toEqual(rows.map((key) => odd.indexOf(key)));
  });

  test("what fsspec refuses once there are templates", async () => {
    const refs: Member[] = [
      ["a/.zarray", ZARRAY([9])],
      ["a/0", ["{{u}}", 7, 8, 9]],
      ["a/1", ["x", 1]],
      ["a/2", [null, 1, 2]],
      ["a/3", []],
      ["a/.zattrs", [null]],
    ];
    const set = await read(refs, { templates: TEMPLATES, entries: [] }, scanner);
    expect(plainRows(set.table)[0]).toEqual(["a/0", ["s3://b/a.nc", 7, 8]]);
    const refused = set.findings.filter(({ code }) => code === "reference-refused");
    expect(refused.map(({ place, facts }) => [place?.kind, facts?.["problem"], facts?.["raises"]])).toEqual([
      ["set", "two-items", "IndexError"],
      ["set", "empty-list", "IndexError"],
      ["set", "null-url", "TypeError"],
      ["key", "null-url", "TypeError"],
    ]);
    const without = await read(refs, { templates: new Map(), entries: [] }, scanner);
    expect(without.findings.filter(({ code }) => code === "reference-refused")).toEqual([]);
    expect(plainRows(without.table)[0]).toEqual(["a/0", { bad: `["{{u}}",7,8,9]` }]);
  });

  test("300,000 entries in several pieces, with progress, and an abort between them", async () => {
    const size = 300_000;
    const entries = Array.from({ length: size }, (_, i) => ({
      key: `a/${i}`,
      url: `s3://b/${i % 7}`,
      offset: i,
      length: 2,
    }));
    const seen: number[] = [];
    const report = ({ label, done }: { label: string; done: number }) =>
      void (label === "Rendering gen" && seen.push(done));
    const text = document([["a/.zarray", ZARRAY([size])]]);
    const fake = fakeRenderer({ templates: TEMPLATES, entries });
    const context = { ...QUIET, report };
    const set = await readSet(text, { scanner, rendering: () => fake, context });
    expect(set.table.rows).toBe(size);
    expect(set.table.strays).toEqual([]);
    expect(set.origins.genOrdinal(size - 1)).toBe(size - 1);
    expect(blockOf(set.table.blocks, 299_999).offset[placeOf(299_999)]).toBe(299_999);
    expect(seen.length).toBeGreaterThan(0);
    const stop = new AbortController();
    const aborting = { signal: stop.signal, report: () => stop.abort() };
    const work = readSet(text, { scanner, rendering: () => fake, context: aborting });
    await expect(work).rejects.toMatchObject({ name: "AbortError" });
  });
});

test.runIf(isDeep)("more faulty references than are kept are all bad", async () => {
  const text = `{"version":1,"refs":{"a/.zarray":${JSON.stringify(ZARRAY([1_000_100]))}${Array.from({ length: 1_000_100 }, (_, i) => `,"a/${i}":["{{!}}"]`).join("")}}}`;
  const rendering = () => fakeRenderer({ templates: TEMPLATES, entries: [] });
  const { table } = await readSet(text, { rendering });
  expect(table.bad.size).toBe(1_000_000);
  expect(blockOf(table.blocks, 1_000_099).target[placeOf(1_000_099)]).toBe(TARGET_BAD);
});

test("the text is kept where it is small", async () => {
  const text = '{"version": 1, "refs": {"é": "1"}}';
  for (const piece of [1, undefined]) {
    expect((await readSet(text, { keepText: 100 }, piece)).text).toBe(text);
    expect((await readSet(text, { keepText: 34 }, piece)).text).toBeUndefined();
    expect((await readSet(text, {}, piece)).text).toBeUndefined();
  }
});

const url = fc.constantFrom("{{u}}", "{{v}}", "{{u}}/x", "s3://b/a.nc", "x", "{{w}}", "é/{{u}}", "{{!}}", "");
const key = fc.oneof(
  { weight: 5, arbitrary: fc.nat(9).map((at) => `a/${at}`) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(2), fc.nat(2)).map(([i, j]) => `b/c/${i}.${j}`) },
  fc.constantFrom("a/.zarray", "b/c/.zarray", "a/.zattrs", ".zgroup", "stray", "a/99", "q/0"),
);
const member: fc.Arbitrary<Member> = fc
  .tuple(key, url, fc.nat(5), fc.nat(2))
  .map(([name, target, at, kind]): Member => {
    if (name.endsWith(".zarray")) return [name, ZARRAY(name.startsWith("a") ? [10] : [3, 3])];
    return [name, kind === 0 ? "text" : kind === 1 ? [target] : [target, at, 1]];
  });
const entry = fc.option(
  fc.tuple(key, url, fc.nat(5), fc.boolean()).map(([name, target, at, ranged]): GeneratedEntry => {
    return ranged ? { key: name, url: target, offset: at, length: 2 } : { key: name, url: target };
  }),
  { nil: undefined, freq: 12 },
);

interface Expected {
  readonly value: Value | undefined;
  readonly gen: number | undefined;
  readonly written: string | undefined;
}

/** References as Python's dicts would hold them. */
function expectedOf(refs: readonly Member[], { templates, entries }: Fake): Map<string, Expected> {
  const all = new Map<string, Expected>();
  for (const [name, value] of refs) {
    const [written, ...rest] = typeof value === "string" ? [] : value;
    const rendered = typeof written === "string" ? urlOf(templates, written) : undefined;
    const shown = typeof written === "string" ? (rendered === undefined ? undefined : [rendered, ...rest]) : value;
    all.set(name, { value: shown, gen: undefined, written: typeof written === "string" ? written : undefined });
  }
  for (const [gen, made] of entries.entries()) {
    if (made === undefined) continue;
    const numbers = made.offset === undefined ? [] : [Number(made.offset), Number(made.length)];
    all.set(made.key, { value: [made.url, ...numbers], gen, written: undefined });
  }
  return all;
}

/** Keys in the order of the document: rows, and the metadata that stand between them. */
function orderOf({ table, metadata }: KerchunkDocument): readonly string[] {
  const rows = plainRows(table);
  const keys: string[] = [];
  for (let row = 0; row <= rows.length; row += 1) {
    keys.push(...metadata.filter((one) => one.row === row).map((one) => one.key));
    const [name] = rows[row] ?? [];
    if (name !== undefined) keys.push(name);
  }
  return keys;
}

function writtenAt({ table }: KerchunkDocument, row: number): string | undefined {
  const id = blockOf(table.blocks, row).target[placeOf(row)] ?? TARGET_BAD;
  return id < table.targets.count ? table.targets.written(id) : undefined;
}

/** Generated keys that were there already, by whether gen had made what was there. */
function repeatsOf(refs: readonly Member[], { entries }: Fake) {
  const made = new Map(refs.map(([name]) => [name, false]));
  const counts = { overrides: 0, collisions: 0 };
  for (const one of entries) {
    if (one === undefined) continue;
    const known = made.get(one.key);
    if (known === false) counts.overrides += 1;
    if (known === true) counts.collisions += 1;
    made.set(one.key, true);
  }
  return counts;
}

const countOf = (set: KerchunkDocument, wanted: string) =>
  set.findings.filter(({ code }) => code === wanted).reduce((sum, { count }) => sum + count, 0);

test("any set and any gen: keys, order, values and origins as in Python's dicts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(member, { maxLength: 25 }),
      fc.array(entry, { maxLength: 25 }),
      fc.boolean(),
      fc.constantFrom(...SCANNERS),
      fc.integer({ min: 1, max: 300 }),
      async (refs, entries, hasTemplates, scanner, piece) => {
        const fake = { templates: hasTemplates ? TEMPLATES : new Map<string, string>(), entries };
        const set = await read(refs, fake, scanner, piece);
        const expected = expectedOf(refs, fake);
        expect(set.keys).toBe(expected.size);
        expect(orderOf(set)).toEqual([...expected.keys()]);
        for (const [row, [name, value]] of plainRows(set.table).entries()) {
          const one = expected.get(name);
          expect({ name, gen: set.origins.genOrdinal(row) }).toEqual({ name, gen: one?.gen });
          if (one?.value === undefined) expect(value).toHaveProperty("bad");
          else expect({ name, value }).toEqual({ name, value: one.value });
          const isRange = typeof one?.value === "object" && one.gen === undefined;
          if (isRange) expect({ name, written: writtenAt(set, row) }).toEqual({ name, written: one.written });
        }
        for (const one of set.metadata)
          expect({ ...one, gen: one.gen }).toMatchObject({ gen: expected.get(one.key)?.gen });
        const repeats = repeatsOf(refs, fake);
        expect(countOf(set, "gen-overrides")).toBe(repeats.overrides);
        expect(countOf(set, "gen-collision")).toBe(repeats.collisions);
      },
    ),
    { numRuns: runs(600) },
  );
});
