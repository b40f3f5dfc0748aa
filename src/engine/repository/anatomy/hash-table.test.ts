import { expect, it } from "vitest";
import { hashTable } from "./hash-table.ts";

it("keeps a number for every hash while it grows, and another for one that is given anew", () => {
  const table = hashTable();
  const hashes = Array.from(
    { length: 100_000 },
    (_, at) => [Math.imul(at, 0x9e3779b1), Math.imul(at, 0x85ebca6b)] as const,
  );
  for (const [at, [high, low]] of hashes.entries()) {
    if (table.seek(high, low) !== 0) expect.fail(`at ${at}`);
    table.set(at + 1);
  }
  expect(table.count).toBe(hashes.length);
  for (const [at, [high, low]] of hashes.entries()) if (table.seek(high, low) !== at + 1) expect.fail(`at ${at}`);
  table.seek(...(hashes[7] as readonly [number, number]));
  table.set(9);
  expect([table.seek(...(hashes[7] as readonly [number, number])), table.count]).toEqual([9, hashes.length]);
  expect(table.byteLength).toBeLessThan(20 * hashes.length);
});

it("tells hashes apart that differ in one half, and wraps at the end of a part", () => {
  const table = hashTable();
  const last = 0xffff_ffff;
  for (const at of [1, 2, 3, 200]) {
    expect(table.seek(last, at)).toBe(0);
    table.set(at);
    expect(table.seek(at, last)).toBe(0);
    table.set(at + 1000);
  }
  for (const at of [1, 2, 3, 200]) expect([table.seek(last, at), table.seek(at, last)]).toEqual([at, at + 1000]);
});
