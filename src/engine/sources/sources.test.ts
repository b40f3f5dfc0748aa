import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { SourcesSpec } from "#core/check/sources.ts";
import { STRIP_KINDS } from "#core/check/sources.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { CONTEXT, plainSets, tableOf, type PlainReference, type PlainSet } from "../fixtures/plain-table.ts";
import { indexTable, type TableIndex } from "../table/table-index.ts";
import type { TargetClaims } from "../table/target-ranges.ts";
import { claimsOfPlace, emptyRanges, totalsOf, rangesAtByte, rangesBetween } from "./claims-of-target.ts";
import { childOf, prefixLevel, placeOfTarget, targetList, claimStrip } from "./operations.ts";
import { rowsOf } from "./source-rows.ts";
import { arraysOfTarget, sourceIndex } from "./source-index.ts";

const isInTarget = ({ state }: PlainReference): boolean => state === "range" || state === "whole";
const inTargets = ({ references }: PlainSet) => references.filter(isInTarget);
const byText = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;

const specs: fc.Arbitrary<SourcesSpec> = fc.record({
  prefix: fc.constantFrom("", "s3://b/", "https://", "rel/", "s3://b/1", "nothing"),
  text: fc.constantFrom("", ".nc", "1", "é"),
  sort: fc.record({
    column: fc.constantFrom("target", "references", "bytes", "arrays", "end"),
    descending: fc.boolean(),
  }),
});

/** Expected list, by brute force. */
function listOf(set: PlainSet, { prefix, text, sort }: SourcesSpec) {
  const targets = [...new Set(inTargets(set).map(({ target }) => target))].sort(byText);
  const rows = targets.map((target) => {
    const own = inTargets(set).filter((one) => one.target === target);
    const ranges = own.filter(({ state }) => state === "range");
    return {
      target,
      references: own.length,
      whole: own.length - ranges.length,
      bytes: ranges.reduce((sum, { length }) => sum + length, 0),
      end: Math.max(0, ...ranges.filter(({ length }) => length > 0).map(({ offset, length }) => offset + length)),
      arrays: new Set(own.map(({ array }) => array)).size,
    };
  });
  const isListed = ({ target }: { target: string | null }) =>
    (prefix === "" || target?.startsWith(prefix) === true) && (text === "" || target?.includes(text) === true);
  const sign = sort.descending ? -1 : 1;
  const { column } = sort;
  return rows
    .filter(isListed)
    .toSorted((a, b) => sign * (column === "target" ? byText(a.target, b.target) : a[column] - b[column]));
}

describe("the list of targets", () => {
  it("is that of brute force, whatever is asked for", async () => {
    await fc.assert(
      fc.asyncProperty(plainSets, specs, async (set, spec) => {
        const sources = await sourceIndex(indexTable(tableOf(set)), CONTEXT);
        const places = await targetList(sources, spec, CONTEXT);
        const rows = await rowsOf(sources, places, 0, new Map(), CONTEXT);
        const said = rows.map(({ target, references, whole, bytes, end, arrayCount: arrays }) => ({
          target,
          references,
          whole,
          bytes,
          end,
          arrays,
        }));
        expect(said).toEqual(listOf(set, spec));
        for (const { target } of said)
          expect(places[said.findIndex((one) => one.target === target)]).toBe(placeOfTarget(sources, target));
        expect(placeOfTarget(sources, "s3://b/3.nc")).toBe(-1);
      }),
    );
  });

  it("says which box of which array lies in a target", async () => {
    await fc.assert(
      fc.asyncProperty(plainSets, async (set) => {
        const sources = await sourceIndex(indexTable(tableOf(set)), CONTEXT);
        for (let place = 0; place < sources.count; place += 1) {
          const target = place < sources.named ? sources.index.table.targets.text(sources.ids[place] ?? 0) : null;
          const own = inTargets(set).filter((one) => one.target === target);
          for (const { array, references, box } of await arraysOfTarget(sources, place, CONTEXT)) {
            const here = own.filter((one) => (set.arrays[one.array]?.path ?? "") === array);
            expect(references).toBeLessThanOrEqual(here.length);
            const grid = set.arrays.find(({ path }) => path === array)?.grid;
            const chunks = here
              .filter(({ stray }) => stray === undefined)
              .map(({ ordinal }) => coordinatesOf(grid ?? [], ordinal));
            if (box === undefined) continue;
            expect(box.from).toEqual((grid ?? []).map((_, axis) => Math.min(...chunks.map((one) => one[axis] ?? 0))));
            expect(box.to).toEqual((grid ?? []).map((_, axis) => Math.max(...chunks.map((one) => one[axis] ?? 0))));
          }
        }
      }),
    );
  });
});

const URLS = [
  "s3://b/x/1.nc",
  "s3://b/x/2.nc",
  "s3://b/y/z/1.nc",
  "s3://c/1.nc",
  "rel/a.nc",
  "name",
  "https://h/d/f?u=a/b",
  "s3://b/0.nc",
  "s3://b/x",
];

function tableWith(
  targets: readonly string[],
  ranges: readonly (readonly [offset: number, length: number])[] = [[0, 10]],
) {
  const builder = tableBuilder();
  builder.addArray("a", [1000], ".", undefined);
  let ordinal = 0;
  for (const url of targets)
    for (const [offset, length] of ranges) builder.addRange(0, ordinal++, builder.addTarget(url), offset, length);
  return indexTable(builder.build());
}

describe("the tree of prefixes", () => {
  it("goes from slash to slash, and over what stands alone", async () => {
    const sources = await sourceIndex(tableWith(URLS), CONTEXT);
    const level = async (prefix: string) =>
      (await prefixLevel(sources, prefix, CONTEXT)).prefixes.map(({ label, targets, isParent }) => [
        label,
        targets,
        isParent,
      ]);
    expect(await level("")).toEqual([
      ["https://h/d/", 1, false],
      ["rel/", 1, false],
      ["s3://b/", 5, true],
      ["s3://c/", 1, false],
    ]);
    expect(await level("s3://b/")).toEqual([
      ["x/", 2, false],
      ["y/z/", 1, false],
    ]);
    expect(await level("s3://b/y/z/")).toEqual([]);
    expect(await level("nothing/")).toEqual([]);
  });

  it("counts every target in exactly one place", async () => {
    const urls = fc.uniqueArray(fc.stringMatching(/^(?:s3:\/\/[ab]\/|https:\/\/h\/|)(?:[ab]\/){0,4}[ab?]{1,3}$/), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(urls, async (targets) => {
        const sources = await sourceIndex(tableWith(targets), CONTEXT);
        const walk = async (prefix: string): Promise<number> => {
          const { prefixes } = await prefixLevel(sources, prefix, CONTEXT);
          let below = 0;
          for (const one of prefixes) {
            expect(one.prefix).toBe(prefix + one.label);
            const inside = await walk(one.prefix);
            expect(inside > 0).toBe(one.isParent);
            const direct = targets.filter(
              (url) => url.startsWith(one.prefix) && childOf(url, one.prefix) === undefined,
            );
            expect(one.targets).toBe(inside + direct.length);
            below += one.targets;
          }
          return below;
        };
        const names = targets.filter((url) => childOf(url, "") === undefined);
        expect((await walk("")) + names.length).toBe(targets.length);
      }),
    );
  });

  it("is made of as many URLs as there may be", async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `s3://b/${(at * 7919) % 20_000}/f.nc`);
    const sources = await sourceIndex(tableWith(many), CONTEXT);
    const texts = Array.from({ length: sources.count }, (_, at) =>
      sources.index.table.targets.text(sources.ids[at] ?? 0),
    );
    expect(texts).toEqual(many.toSorted(byText));
    const { prefixes, more } = await prefixLevel(sources, "s3://b/", CONTEXT);
    expect([prefixes.length, more]).toEqual([500, 19_500]);
  });
});

const someRanges = fc.array(fc.tuple(fc.nat(60), fc.nat(20)), { maxLength: 30 });

async function claimsOf(
  index: TableIndex,
): Promise<{ readonly claims: TargetClaims; readonly sources: Awaited<ReturnType<typeof sourceIndex>> }> {
  const sources = await sourceIndex(index, CONTEXT);
  return { sources, claims: await claimsOfPlace(sources, 0) };
}

describe("the bytes of a target", () => {
  it("are claimed or not: together they are all there are", async () => {
    await fc.assert(
      fc.asyncProperty(someRanges, fc.option(fc.nat(90), { nil: undefined }), async (ranges, size) => {
        if (ranges.length === 0) return;
        const { sources, claims } = await claimsOf(tableWith(["t"], ranges));
        const named = ranges.filter(([, length]) => length > 0);
        const furthest = Math.max(0, ...named.map(([offset, length]) => offset + length));
        const end = size ?? furthest;
        const over = (byte: number) => named.filter(([offset, length]) => offset <= byte && byte < offset + length);
        const bytes = Array.from({ length: Math.max(end, furthest) }, (_, byte) => over(byte));
        const totals = totalsOf(claims, size);
        expect(emptyRanges(sources, 0, claims) + claims.count).toBe(ranges.length);
        expect(totals.claimed + totals.unclaimed).toBe(end);
        expect(totals.claimed).toBe(bytes.filter((one, byte) => byte < end && one.length > 0).length);
        expect(totals.pastEnd).toBe(
          size === undefined ? 0 : bytes.filter((one, byte) => byte >= size && one.length > 0).length,
        );
        expect(totals.overlapping).toBe(bytes.filter((one) => new Set(one.map(String)).size > 1).length);
        expect(totals.shared).toBe(
          named.filter((one) => named.filter((other) => String(other) === String(one)).length > 1).length,
        );
        expect(totals.extent).toBe(bytes.length);
      }),
    );
  });

  it("have ranges, each with what lies before it and what it shares", async () => {
    await fc.assert(
      fc.asyncProperty(someRanges, fc.nat(90), async (ranges, size) => {
        if (ranges.length === 0) return;
        const { claims, sources } = await claimsOf(tableWith(["t"], ranges));
        const named = ranges.filter(([, length]) => length > 0).map(([from, length]) => [from, from + length] as const);
        const ordered = named.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
        const { total, ranges: said } = rangesBetween({ sources, claims, size }, 0, 1000);
        expect(total).toBe(named.length);
        expect(said.map(({ from, to }) => [from, to])).toEqual(ordered);
        for (const { from, to, before, same, overlaps, pastEnd, place, coordinates } of said) {
          const others = ordered.filter((_, at) => at !== place);
          expect(same).toBe(others.filter((one) => one[0] === from && one[1] === to).length);
          expect(overlaps).toBe(
            others.some((one) => one[0] < to && one[1] > from && (one[0] !== from || one[1] !== to)),
          );
          expect(pastEnd).toBe(Math.max(0, to - Math.max(from, size)));
          const reached = Math.max(0, ...ordered.slice(0, place).map((one) => one[1]));
          expect(before).toBe(Math.max(0, from - reached));
          expect(ranges[coordinates?.[0] ?? -1]).toEqual([from, to - from]);
        }
      }),
    );
  });

  it("are asked for one by one: what names a byte, or the gap around it", async () => {
    await fc.assert(
      fc.asyncProperty(someRanges, fc.nat(100), async (ranges, byte) => {
        if (ranges.length === 0) return;
        const { claims, sources } = await claimsOf(tableWith(["t"], ranges));
        const named = ranges.filter(([, length]) => length > 0).map(([from, length]) => [from, from + length] as const);
        const found = rangesAtByte({ sources, claims, size: 90 }, byte);
        const over = named.filter(([from, to]) => from <= byte && byte < to);
        expect(found.count).toBe(over.length);
        expect(found.ranges.every(({ from, to }) => from <= byte && byte < to)).toBe(true);
        if (over.length > 0) {
          expect(found.gap).toBeUndefined();
          return;
        }
        const from = Math.max(0, ...named.map(([, to]) => to).filter((to) => to <= byte));
        const next = Math.min(...named.map(([start]) => start).filter((start) => start > byte), 90);
        expect(found.gap).toEqual({ from, to: next > byte ? next : undefined });
      }),
    );
  });

  it("are drawn: a pixel a byte shows just what each is", async () => {
    await fc.assert(
      fc.asyncProperty(someRanges, async (ranges) => {
        if (ranges.length === 0) return;
        const { claims, sources } = await claimsOf(tableWith(["t"], ranges));
        const named = ranges.filter(([, length]) => length > 0);
        const window = { from: 5, to: 75, pixels: 70, size: 50 };
        const strip = await claimStrip(sources, claims, [0], window, CONTEXT);
        const kinds = Array.from({ length: 70 }, (_, pixel) => {
          const over = named.filter(([from, length]) => from <= pixel + 5 && pixel + 5 < from + length).map(String);
          if (over.length === 0) return "unclaimed";
          if (pixel + 5 >= 50) return "past-end";
          if (new Set(over).size > 1) return "overlap";
          return named.filter((one) => String(one) === over[0]).length > 1 ? "shared" : "claimed";
        });
        expect([...strip.kinds].map((kind) => STRIP_KINDS[kind])).toEqual(kinds);
        expect([...strip.shares].map((share) => share > 0)).toEqual(kinds.map((kind) => kind !== "unclaimed"));
        const begins = kinds.map((_, pixel) => Number(named.some(([from]) => from === pixel + 5)));
        expect([...strip.begins]).toEqual(begins);
        expect([...strip.owners]).toEqual(kinds.map((kind) => (kind === "unclaimed" ? 0 : 1)));
      }),
    );
  });

  it("show a single byte among a million", async () => {
    const { claims, sources } = await claimsOf(
      tableWith(
        ["t"],
        [
          [0, 500_000],
          [499_999, 500_001],
        ],
      ),
    );
    const strip = await claimStrip(
      sources,
      claims,
      [0],
      { from: 0, to: 1_000_000, pixels: 100, size: undefined },
      CONTEXT,
    );
    expect([...strip.kinds].filter((kind) => STRIP_KINDS[kind] === "overlap")).toHaveLength(1);
  });
});
