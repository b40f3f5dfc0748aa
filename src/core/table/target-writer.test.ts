import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLOCK_ROWS } from "./reference-table.ts";
import { tableBuilder, type TableBuilder } from "./table-builder.ts";

const named = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `s3://bucket/file_${from + at}`);

/** Ids of the URLs, added as a list that says it takes no room. */
function addList(builder: TableBuilder, urls: readonly string[]): readonly number[] {
  const survey = builder.surveyTargets();
  for (const url of urls) survey.see(url);
  const list = { count: urls.length, text: (at: number) => urls[at] ?? "", byteLength: 3 * urls.length };
  const idAt = builder.addTargets(list, survey);
  return urls.map((_, at) => idAt(at));
}

describe("lists of targets", () => {
  it("are kept as text where they are few, or few beside the rows", () => {
    const builder = tableBuilder();
    const few = addList(builder, named(0, 10));
    expect(builder.addTarget("s3://bucket/file_3")).toBe(few[3]);
    builder.expectRows(100_000);
    const more = addList(builder, named(5, 500));
    expect(more.slice(0, 5)).toEqual(few.slice(5));
    expect(builder.live().targets.count).toBe(505);
  });

  it("are kept as they are where they are many, and take what they say", () => {
    const builder = tableBuilder();
    const before = builder.live().byteLength;
    const ids = addList(builder, named(0, 10_000));
    expect(builder.live().targets.count).toBe(10_000);
    expect(builder.live().byteLength - before).toBeLessThan(4 * 10_000);
    expect(ids[9_999]).toBe(9_999);
    expect(builder.live().targets.text(1234)).toBe("s3://bucket/file_1234");
    expect(builder.live().targets.text(10_000)).toBe("");
  });

  it("are the same where the same list comes again", () => {
    const builder = tableBuilder();
    const first = addList(builder, named(0, 1000));
    const other = addList(builder, named(1, 1000));
    expect(addList(builder, named(0, 1000))).toEqual(first);
    expect(addList(builder, named(1, 1000))).toEqual(other);
    expect(builder.live().targets.count).toBe(1001);
  });

  it("are not kept beside others that have most of their URLs", () => {
    const builder = tableBuilder();
    const first = addList(builder, named(0, 1000));
    expect(addList(builder, [...named(0, 500), "s3://else", ...named(501, 400)])).toEqual([
      ...first.slice(0, 500),
      1000,
      ...first.slice(501, 901),
    ]);
    expect(builder.addTarget("s3://bucket/file_3")).toBe(3);
    expect(builder.live().targets.mayRepeat).toBe(false);
    const other = addList(builder, named(900, 1000));
    expect(other[0]).toBe(1001);
    expect(builder.live().targets).toMatchObject({ count: 2001, mayRepeat: true });
  });

  it("give every id its URL, among single ones", () => {
    const parts = fc.array(fc.tuple(fc.nat(300), fc.nat(200), fc.boolean()), { maxLength: 12 });
    fc.assert(
      fc.property(parts, fc.nat(5000), (all, rows) => {
        const builder = tableBuilder();
        builder.expectRows(rows);
        const known: [number, string][] = [];
        for (const [from, count, isList] of all) {
          const urls = named(from, count);
          const ids = isList ? addList(builder, urls) : urls.map((url) => builder.addTarget(url));
          known.push(...ids.map((id, at): [number, string] => [id, urls[at]!]));
        }
        const { targets } = builder.live();
        for (const [id, url] of [...known, ...known.toReversed()]) expect(targets.text(id)).toBe(url);
        for (const [id] of known) expect(id).toBeLessThan(targets.count);
      }),
      { numRuns: 50 },
    );
  });
});

describe("blocks that grow", () => {
  it("hold what they held, for holders of the shorter ones", () => {
    const builder = tableBuilder();
    const array = builder.addArray("a", [200_000], ".");
    const { blocks } = builder.live();
    const held: { readonly rows: number; readonly block: (typeof blocks)[number] }[] = [];
    for (let row = 0; row < BLOCK_ROWS + 5000; row += 1) {
      if (row % 777 === 1) held.push({ rows: row % BLOCK_ROWS, block: blocks.at(-1)! });
      builder.addRange(array, row, null, row, 7);
    }
    for (const { rows, block } of held) {
      for (let at = 1; at < rows; at += 501) expect((block.offset[at]! - block.ordinal[at]!) % BLOCK_ROWS).toBe(0);
      expect(block.length[Math.max(0, rows - 1)]).toBe(7);
    }
  });

  it("have no more room than the rows that were announced", () => {
    const builder = tableBuilder();
    const array = builder.addArray("a", [100_000], ".");
    builder.expectRows(100_000);
    for (let row = 0; row < 100_000; row += 1) builder.addRange(array, row, null, 0, 7);
    // Offsets of the whole block take four bytes instead of eight.
    expect(builder.live().byteLength).toBe(100_000 * 22 - BLOCK_ROWS * 4);
    expect(builder.live().blocks.map(({ target }) => target.length)).toEqual([BLOCK_ROWS, 100_000 - BLOCK_ROWS]);
  });

  it("count what is kept beside them", () => {
    const builder = tableBuilder();
    builder.countBeside(1000);
    expect(builder.live().byteLength).toBe(1000);
  });
});
