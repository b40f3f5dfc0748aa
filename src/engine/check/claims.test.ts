/** Ranges in the order of their files, and what claims the same bytes, against looking at every pair. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tableBuilder } from "#core/table/table-builder.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { indexTable } from "../table/table-index.ts";
import { findClaims, type ClaimSink } from "./claims.ts";
import { eachWindow, targetRanges } from "../table/target-ranges.ts";

interface Range {
  readonly target: number;
  readonly offset: number;
  readonly length: number;
}

const small = fc.record({ target: fc.nat(2), offset: fc.nat(40), length: fc.nat(12) });
const large = fc.record({
  target: fc.nat(1),
  offset: fc.constantFrom(0, 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 45, 2 ** 52, 2 ** 52 + 1),
  length: fc.constantFrom(1, 70_000, 0xffff_fffe, 2 ** 33),
});

async function windowsOf(ranges: readonly Range[], sink?: ClaimSink) {
  const builder = tableBuilder();
  const id = builder.addArray("a", [ranges.length], ".");
  const targets = [0, 1, 2].map((at) => builder.addTarget(`t${at}`));
  for (const [at, { target, offset, length }] of ranges.entries())
    builder.addRange(id, at, targets[target] ?? 0, offset, length);
  const index = indexTable(builder.build());
  const order = await targetRanges(index, CONTEXT);
  const columns: (readonly [row: number, offset: number, length: number])[] = [];
  await eachWindow(
    order,
    (window) => {
      if (sink !== undefined) findClaims(window, sink);
      for (let target = window.targets[0]; target < window.targets[1]; target += 1) {
        for (let at = order.starts[target] as number; at < (order.ends[target] as number); at += 1) {
          const own = at - window.base;
          columns.push([order.rows[at] as number, window.offsets[own] as number, window.lengths[own] as number]);
        }
      }
    },
    CONTEXT,
  );
  return { rows: order.rows, columns };
}

const byPlace = (a: Range, b: Range): number => a.target - b.target || a.offset - b.offset || a.length - b.length;

describe("ranges", () => {
  it("lie by target, offset and length", async () => {
    const lists = fc.oneof(fc.array(small, { maxLength: 12 }), fc.array(small, { minLength: 30 }), fc.array(large));
    await fc.assert(
      fc.asyncProperty(lists, async (ranges) => {
        const { columns } = await windowsOf(ranges);
        const kept = ranges.filter(({ length }) => length > 0);
        const sorted = columns.map(([row]) => ranges[row] as Range);
        expect(sorted).toEqual(kept.toSorted(byPlace));
        expect(columns.map(([, offset, length]) => [offset, length])).toEqual(
          sorted.map(({ offset, length }) => [offset, length]),
        );
      }),
    );
  });

  it("that share bytes with another are found, and no others", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(small, { maxLength: 25 }), async (ranges) => {
        const places = new Set<number>();
        const { rows } = await windowsOf(ranges, {
          same: (same) => same.forEach((place) => places.add(place)),
          overlap: (_, one, other) => places.add(one).add(other),
        });
        const claimed = new Set([...places].map((place) => rows[place]));
        for (const [row, range] of ranges.entries()) {
          const shares = ranges.some((other) => other !== range && overlap(range, other));
          // Each range within a longer one is found; a range that holds several, once.
          if (shares) expect(claimed).toContain(row);
          else expect(claimed).not.toContain(row);
        }
      }),
    );
  });
});

const overlap = (a: Range, b: Range): boolean =>
  a.target === b.target &&
  a.length > 0 &&
  b.length > 0 &&
  a.offset < b.offset + b.length &&
  b.offset < a.offset + a.length;
