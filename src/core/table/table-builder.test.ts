import { expect, it } from "vitest";
import {
  BLOCK_ROWS,
  LENGTH_BIG,
  LENGTH_WHOLE,
  MAX_ARRAYS,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
  TARGET_BAD,
  TARGET_INLINE,
  TARGET_NATIVE,
  TARGET_NULL,
} from "./reference-table.ts";
import { tableBuilder } from "./table-builder.ts";
import { finding, WHOLE_SET } from "../findings/finding.ts";

it("writes every kind of reference into its columns", () => {
  const builder = tableBuilder();
  const array = builder.addArray("a", [2, 3], ".");
  const url = builder.addTarget("s3://b/x");
  expect(builder.addTarget("s3://b/y")).toBe(1);
  expect(builder.addTarget("s3://b/x")).toBe(url);
  builder.addRange(array, 5, url, 2 ** 52, 17);
  builder.addRange(array, 4, null, 0, 2 ** 33);
  builder.addWhole(array, 2 ** 33, url);
  builder.addInline(array, 1, new TextEncoder().encode('"abc"'));
  builder.addInline(array, 2, new TextEncoder().encode('"de"'));
  builder.addNative(array, 3, undefined);
  builder.markStray(
    builder.addBad(array, 0, { reason: finding("reference-not-kept", WHOLE_SET, {}), written: "7" }),
    "a/9.9",
    "outside-grid",
  );
  const table = builder.build();
  const [block] = table.blocks;
  const first = (column: ArrayLike<number> | undefined) => Array.from({ length: 7 }, (_, row) => column?.[row]);
  expect(table.rows).toBe(7);
  expect(first(block?.target)).toEqual([0, TARGET_NULL, 0, TARGET_INLINE, TARGET_INLINE, TARGET_NATIVE, TARGET_BAD]);
  expect(first(block?.ordinal)).toEqual([5, 4, ORDINAL_WIDE, 1, 2, 3, ORDINAL_STRAY]);
  expect(first(block?.length)).toEqual([17, LENGTH_BIG, LENGTH_WHOLE, 5, 4, LENGTH_WHOLE, 0]);
  expect(first(block?.offset)).toEqual([2 ** 52, 0, 0, 0, 5, 0, 0]);
  expect([...table.bigLengths]).toEqual([[1, 2 ** 33]]);
  expect([...table.wideOrdinals]).toEqual([[2, 2 ** 33]]);
  expect(new TextDecoder().decode(table.inline.slice(5, 4))).toBe('"de"');
  expect(table.bad.get(6)).toEqual({ reason: finding("reference-not-kept", WHOLE_SET, {}), written: "7" });
  expect(table.strays).toEqual([{ row: 6, key: "a/9.9", reason: "outside-grid" }]);
  expect([table.targets.count, table.targets.text(1)]).toEqual([2, "s3://b/y"]);
});

it("goes on in a new block", () => {
  const builder = tableBuilder();
  const array = builder.addArray("a", [BLOCK_ROWS + 2], ".");
  for (let ordinal = 0; ordinal < BLOCK_ROWS + 2; ordinal += 1) builder.addRange(array, ordinal, null, ordinal, 1);
  const table = builder.build();
  expect(table.blocks).toHaveLength(2);
  expect(table.blocks[0]?.offset[BLOCK_ROWS - 1]).toBe(BLOCK_ROWS - 1);
  expect(table.blocks[1]?.offset[1]).toBe(BLOCK_ROWS + 1);
  expect(table.blocks[0]?.length).toHaveLength(BLOCK_ROWS);
  // Offsets of a whole block take four bytes where they can.
  expect(table.byteLength).toBeGreaterThanOrEqual((BLOCK_ROWS + 2) * 18);
  expect(table.byteLength).toBeLessThan(BLOCK_ROWS * 22 * 1.2);
});

it("takes many plain ranges at once, and no others", () => {
  const [one, many] = [tableBuilder(), tableBuilder()];
  const grid = [2 * BLOCK_ROWS];
  for (const builder of [one, many]) {
    builder.addArray("a", grid, ".");
    builder.addArray("b", grid, ".");
  }
  const of = (from: number, to: number) => Uint32Array.from({ length: to - from }, (_, at) => from + at);
  for (const [from, to] of [
    [0, 5],
    [5, 70_000],
    [70_000, 2 * BLOCK_ROWS],
  ] as const) {
    const ordinal = of(from, to);
    const rows = { ordinal, target: ordinal.map((at) => at % 7), offset: ordinal.map((at) => at * 3), length: ordinal };
    expect(many.addRanges(1, rows)).toBe(true);
    for (const at of ordinal) one.addRange(1, at, at % 7, at * 3, at);
  }
  expect(many.build().rows).toBe(2 * BLOCK_ROWS);
  const { blocks } = one.build();
  for (const [at, block] of many.build().blocks.entries()) {
    for (const name of ["array", "ordinal", "target", "offset", "length"] as const)
      expect(block[name].every((value, row) => value === blocks[at]?.[name][row])).toBe(true);
  }
  const plain = { ordinal: of(0, 2), target: of(0, 2), offset: of(0, 2), length: of(0, 2) };
  for (const odd of [
    { ordinal: Uint32Array.of(0, ORDINAL_WIDE) },
    { length: Uint32Array.of(1, LENGTH_BIG) },
    { offset: Float64Array.of(0, 2 ** 53) },
  ])
    expect(many.addRanges(1, { ...plain, ...odd })).toBe(false);
  expect(many.build().rows).toBe(2 * BLOCK_ROWS);
});

it("keeps whole blocks in less memory, with the same in them", () => {
  const builder = tableBuilder();
  const [a, b] = [builder.addArray("a", [9], "."), builder.addArray("b", [9], ".")];
  const offsets = [() => 0, () => 7, (at: number) => at, (at: number) => at * 2 ** 20, () => 2 ** 40];
  const all = offsets.flatMap((offset) => Array.from({ length: BLOCK_ROWS }, (_, at) => offset(at)));
  for (const [row, offset] of all.entries()) builder.addRange(row % BLOCK_ROWS === 5 ? b : a, row, null, offset, 1);
  builder.addRange(a, 0, null, 0, 1);
  const { blocks, byteLength } = builder.build();
  expect(all.every((offset, row) => blocks[row >>> 16]?.offset[row & 0xffff] === offset)).toBe(true);
  expect(blocks.slice(0, 5).map(({ offset }) => offset.BYTES_PER_ELEMENT)).toEqual([4, 4, 4, 8, 8]);
  expect(blocks[1]?.array[5]).toBe(b);
  expect(byteLength).toBeLessThan(5.2 * BLOCK_ROWS * 22);
});

it("refuses what the columns cannot hold", () => {
  const builder = tableBuilder();
  for (const [offset, length] of [
    [-1, 1],
    [0.5, 1],
    [0, -1],
    [2 ** 53, 1],
    [0, Number.NaN],
  ] as const) {
    const refusal = expect.objectContaining({ code: "reference-out-of-range" }) as Error;
    expect(() => builder.addRange(0, 0, null, offset, length)).toThrow(refusal);
  }
  for (let at = 0; at < MAX_ARRAYS; at += 1) builder.addArray(`a${at}`, undefined, ".");
  expect(() => builder.addArray("more", undefined, ".")).toThrow("arrays");
  expect(builder.build().rows).toBe(0);
});
