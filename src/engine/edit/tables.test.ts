import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TableEdit } from "#core/studio.ts";
import { indexTable } from "../table/table-index.ts";
import { plainSets, tableOf } from "../fixtures/plain-table.ts";
import { rowFinder, keyOfRow, versionOrder } from "./document-index.ts";
import { appliedEdits } from "./reduced-document.ts";
import { belongsTo } from "./text-edits.ts";

describe("the order of keys", () => {
  it("is the one that was written, both ways", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (isMetadata) => {
        let rows = 0;
        const before: number[] = [];
        const written = isMetadata.map((one) => {
          if (!one) return { kind: "row" as const, row: rows++ };
          before.push(rows);
          return { kind: "metadata" as const, index: before.length - 1 };
        });
        const order = versionOrder(rows, before);
        expect(order.total).toBe(written.length);
        expect(written.map((_, position) => order.at(position))).toEqual(written);
        expect(written.map((item) => order.positionOf(item))).toEqual(written.map((_, position) => position));
      }),
    );
  });
});

describe("the row of a key", () => {
  it("is the row whose key it is", () => {
    fc.assert(
      fc.property(plainSets, (set) => {
        const table = tableOf(set);
        const index = indexTable(table);
        const keys = Array.from({ length: table.rows }, (_, row) => keyOfRow({ table, index }, row));
        const finder = rowFinder(index);
        for (const [row, key] of keys.entries()) {
          // The fixture may spell one key as a chunk of two arrays; a document has it once.
          if (keys.indexOf(key) === keys.lastIndexOf(key)) expect(finder.rowOfKey(key)).toBe(row);
        }
        for (const key of ["", "nowhere", "a/9.9", "a/0.00", "a/-1.0", "huge/0", ".zgroup"]) {
          if (!keys.includes(key)) expect(finder.rowOfKey(key)).toBe(-1);
        }
      }),
    );
  });
});

describe("edits of references", () => {
  const key = fc.constantFrom("a/0", "a/1", "b/0");
  const edit: fc.Arbitrary<TableEdit> = fc.oneof(
    fc.record({
      kind: fc.constant("replace-prefix" as const),
      from: fc.constantFrom("s3://", "q", "/"),
      to: fc.constantFrom("q", "/", '"'),
    }),
    fc.record({
      kind: fc.constant("set-reference" as const),
      key,
      value: fc.constantFrom('["s3://n",1,2]', '"s3://"'),
    }),
    fc.record({
      kind: fc.constant("set-references" as const),
      values: fc.uniqueArray(fc.tuple(key, fc.constantFrom('["s3://n",1,2]', '"s3://"')), { selector: ([one]) => one }),
    }),
    fc.record({ kind: fc.constant("remove-reference" as const), key }),
    fc.record({ kind: fc.constant("remove-references" as const), keys: fc.array(key, { maxLength: 3 }) }),
    fc.record({ kind: fc.constant("drop-array" as const), path: fc.constantFrom("a", "b") }),
    fc.record({
      kind: fc.constant("shift-ranges" as const),
      path: fc.constantFrom("a", "b"),
      shift: fc.integer({ min: -2, max: 2 }),
      lengthen: fc.integer({ min: -2, max: 2 }),
    }),
  );

  it("mean what doing them one after the other on a dict means", () => {
    const start = [
      ["a/0", '["s3://x/\\u0061",0,1]'],
      ["b/0", '["/y"]'],
    ] as const;
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
        const dict = new Map<string, unknown>(start.map(([k, v]) => [k, JSON.parse(v)]));
        for (const one of edits) run(dict, one);
        const applied = appliedEdits(edits);
        const kept = start.flatMap(([k, v]) => {
          const value = applied.value(k, v);
          return value === undefined ? [] : [[k, value] as const];
        });
        const all = [...kept, ...applied.atEnd((k) => start.some(([one]) => one === k))];
        expect(all.map(([k, v]) => [k, JSON.parse(v)])).toEqual([...dict]);
      }),
      { numRuns: runs(3000) },
    );
  });

  function run(dict: Map<string, unknown>, edit: TableEdit): void {
    for (const [k, value] of dict) {
      if (edit.kind === "drop-array" && belongsTo(k, edit.path)) dict.delete(k);
      if (edit.kind === "shift-ranges" && k.startsWith(`${edit.path}/`)) dict.set(k, shifted(value, edit));
      if (edit.kind !== "replace-prefix" || !Array.isArray(value)) continue;
      const [url, ...rest] = value as [string];
      if (url.startsWith(edit.from)) dict.set(k, [edit.to + url.slice(edit.from.length), ...rest]);
    }
    if (edit.kind === "remove-reference") dict.delete(edit.key);
    if (edit.kind === "remove-references") for (const one of edit.keys) dict.delete(one);
    if (edit.kind === "set-reference") dict.set(edit.key, JSON.parse(edit.value));
    if (edit.kind === "set-references") for (const [one, value] of edit.values) dict.set(one, JSON.parse(value));
  }

  function shifted(value: unknown, { shift, lengthen }: Extract<TableEdit, { kind: "shift-ranges" }>): unknown {
    if (!Array.isArray(value) || value.length !== 3) return value;
    const [url, offset, length] = value as [string, number, number];
    const isPossible = offset + shift >= 0 && length + lengthen > 0;
    return isPossible ? [url, offset + shift, length + lengthen] : value;
  }
});
