/** Sets of every layout, key by key against JSON.parse, however the bytes arrive; and laws over odd documents. */
import { isDeep, runs } from "#core/testing/runs.ts";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generate, LAYOUTS } from "../../../bench/generate.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import { isMetadataKey } from "./slots.ts";
import { plainRows, readSet, readText, type PlainReference } from "./testing.ts";

const SCANNERS = ["js", "wasm"] as const;

interface Written {
  readonly text: string;
  readonly rows: readonly (readonly [string, unknown])[];
}

const kept = new Map<string, Written>();

/** A synthetic set and its rows, made once for both scanners. */
function written(layout: (typeof LAYOUTS)[number], count: number, every = 1): Written {
  const name = `${layout} ${count} ${every}`;
  const one = kept.get(name) ?? writeSet([...generate(count, layout, every)].join(""));
  kept.set(name, one);
  return one;
}

function writeSet(text: string): Written {
  const set = JSON.parse(text) as { refs: Record<string, unknown> };
  return { text, rows: Object.entries(set.refs).filter(([key]) => !isMetadataKey(key)) };
}

/** Node compares much faster; what differs is shown as usual. */
function expectEqual(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

/** References, and the lengths of pieces that cut them often, a few times and not at all. */
const [COUNT, PIECES] = isDeep ? [6_000, [1000, 65_536, 1_000_000]] : [600, [1000, 20_000, 1_000_000]];

describe.each(SCANNERS)("synthetic sets, %s", (scanner) => {
  test.each(LAYOUTS)(`%s, ${COUNT} references`, async (layout) => {
    const { text, rows } = written(layout, COUNT);
    for (const piece of PIECES) {
      const set = await readSet(text, { scanner }, piece);
      expect(set.findings).toEqual([]);
      expect(set.table.strays).toEqual([]);
      expectEqual(plainRows(set.table), rows);
    }
  });

  test.each(LAYOUTS)("%s, in pieces of 1, 7 and 64 bytes", async (layout) => {
    // A read for each byte is dear, and what a piece may cut through comes again with every reference.
    for (const piece of [1, 7, 64]) {
      const { text, rows } = written(layout, 1, isDeep || piece === 64 ? 1 : 8);
      expectEqual(plainRows((await readSet(text, { scanner }, piece)).table), rows);
    }
  });
});

// Unusual documents of all kinds: what a row shows must not depend on the scanner or on how the bytes arrive.
const url = fc.oneof(
  fc.constantFrom(
    "s3://b/a.nc",
    "s3://b/b.nc",
    "x",
    "",
    "{{u}}/z",
    'é"\\/',
    "a very long name of a target, long enough",
  ),
  fc.string({ maxLength: 30 }),
);
const size = fc.oneof(
  fc.nat(2000),
  fc.constantFrom<unknown>(-1, 1.5, 2 ** 32 - 2, 2 ** 32, 2 ** 53, null, "7", 1e9, 999_999_999, 0, true),
);
const value = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(url, fc.nat(2 ** 40), fc.nat(2 ** 30)) },
  { weight: 2, arbitrary: fc.tuple(url) },
  fc.tuple(fc.constant(null), fc.nat(99), fc.nat(99)),
  fc.tuple(url, size, size),
  fc.array(size, { maxLength: 4 }),
  fc.base64String({ maxLength: 40 }).map((text) => `base64:${text}`),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const key = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.nat(3), fc.nat(3)).map(([a, b]) => `a/${a}.${b}`) },
  { weight: 3, arbitrary: fc.tuple(fc.nat(3), fc.nat(3)).map(([a, b]) => `g/s/${a}/${b}`) },
  fc.nat(9).map((a) => `é b/${a}`),
  fc.nat(3).map(String),
  fc.constantFrom(
    "a/.zattrs",
    ".zgroup",
    "a/00.1",
    "readme",
    "__proto__",
    "a/0",
    "a/-1.0",
    "a/1e3.0",
    "v/c/0/0",
    "/",
    "",
  ),
  fc.string({ maxLength: 10 }),
);
const zarray = (separator: string, shape: number[]): string =>
  JSON.stringify({ shape, chunks: shape.map(() => 2), dimension_separator: separator });
const metadata: [string, unknown][] = [
  ["a/.zarray", zarray(".", [6, 6])],
  ["g/s/.zarray", zarray("/", [6, 6])],
  ["é b/.zarray", zarray(".", [9])],
];
const entries = fc
  .tuple(fc.array(fc.tuple(key, value), { maxLength: 60 }), fc.shuffledSubarray(metadata), fc.boolean())
  .chain(([rest, some, mixed]) => {
    const all = [...some, ...rest];
    return mixed ? fc.shuffledSubarray(all, { minLength: all.length }) : fc.constant(all);
  });

const spaces = fc.constantFrom("", " ", "\n  ", "\t");

function write(list: readonly (readonly [string, unknown])[], space: string, slashes: boolean): string {
  const members = list.map(([name, one]) => `${JSON.stringify(name)}${space}:${space}${JSON.stringify(one)}`);
  const text = `{${space}"version":1,"refs":{${space}${members.join(`${space},${space}`)}}${space}}`;
  return slashes ? text.replaceAll("/", "\\/") : text;
}

/** Python's dict of the same members. */
function dictOf(list: readonly (readonly [string, unknown])[]): Map<string, unknown> {
  return new Map(list.map(([name, one]) => [name, JSON.parse(JSON.stringify(one)) as unknown]));
}

function agrees(shown: PlainReference, written: unknown): boolean {
  if (typeof shown === "object" && "bad" in shown) return true;
  if (typeof shown === "string") {
    return typeof written === "string"
      ? shown === written
      : JSON.stringify(JSON.parse(shown)) === JSON.stringify(written);
  }
  return JSON.stringify(shown) === JSON.stringify(written);
}

test("a key that begins with a slash is not one of the root's", async () => {
  const metadata = JSON.stringify({ zarr_format: 2, shape: [2], chunks: [1], dtype: "|u1" });
  for (const scanner of ["js", "wasm"] as const) {
    const { table } = await readSet(JSON.stringify({ ".zarray": metadata, "/0": ["a", 0, 1], "1": ["b", 0, 1] }), {
      scanner,
    });
    expect(plainRows(table).map(([name]) => name)).toEqual(["1", "/0"]);
    expect(table.strays.map(({ key }) => key)).toEqual(["/0"]);
  }
});

test("any document: rows as in a dict, the same by both scanners and in any pieces", async () => {
  await fc.assert(
    fc.asyncProperty(
      entries,
      spaces,
      fc.boolean(),
      fc.integer({ min: 1, max: 200 }),
      async (list, space, slashes, piece) => {
        const text = write(list, space, slashes);
        const dict = dictOf(list);
        const js = await readSet(text, { scanner: "js" });
        const rows = plainRows(js.table);
        expect(rows.map(([name]) => name)).toEqual([...dict.keys()].filter((name) => !isMetadataKey(name)));
        const odd = rows.filter(([name, shown]) => !agrees(shown, dict.get(name)));
        expect(odd).toEqual([]);
        expect(js.keys).toBe(dict.size);
        const wasm = await readSet(text, { scanner: "wasm" }, piece);
        expectEqual(plainRows(wasm.table), rows);
        expectEqual(wasm.table.strays, js.table.strays);
        expectEqual(wasm.findings, js.findings);
      },
    ),
    { numRuns: runs(400) },
  );
});

test("2,000 damaged documents: a result or a clear error, never a crash", async () => {
  const whole = JSON.parse([...generate(100, "file")].join("")) as { refs: Record<string, unknown> };
  const some = Object.entries(whole.refs).filter((_, index) => index % 12 === 0);
  const base = new TextEncoder().encode(JSON.stringify({ version: 1, refs: Object.fromEntries(some) }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(base.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
      fc.nat(3000),
      fc.constantFrom(...SCANNERS),
      fc.integer({ min: 50, max: 10_000 }),
      async (damage, cut, scanner, piece) => {
        const bytes = base.slice(0, base.length - (cut % 5 === 0 ? cut : 0));
        for (const [at, byte] of damage) if (at < bytes.length) bytes[at] = byte;
        let outcome: string;
        try {
          outcome = (await readText(bytes, { scanner }, piece)).kind;
        } catch (error) {
          if (!(error instanceof RefscopeError)) throw error;
          outcome = error.code;
        }
        expect(outcome).toMatch(/^(?:set|choose|other|json-malformed|json-truncated)$/);
        // If JSON.parse accepts it, it is read; if not, it is refused or reported as odd.
        if (isJson(bytes)) expect(outcome).toMatch(/^(?:set|choose|other)$/);
      },
    ),
    { numRuns: runs(2000) },
  );
});

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
