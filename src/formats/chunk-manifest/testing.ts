/** For tests: a manifest's rows as plain values. */
import { chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { STATES } from "#core/table/reference.ts";
import { BLOCK_ROWS, LENGTH_WHOLE, ORDINAL_STRAY, TARGET_BAD, TARGET_INLINE } from "#core/table/reference-table.ts";
import type { ReferenceTable } from "#core/table/reference-table.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { addManifest, type PathBase } from "./index.ts";
import { readManifest, type Manifest } from "./read.ts";

export type PlainRow = readonly (string | number)[];

export const GRID = [2, 3] as const;

export function read(text: string, grid: readonly number[] = GRID): Manifest {
  return readManifest({ kind: "text", text }, { array: "a", grid, key: "a/manifest.json" });
}

export function tableOf(manifest: Manifest, grid: readonly number[] = GRID, base?: PathBase): ReferenceTable {
  const table = tableBuilder();
  addManifest(manifest, { table, array: table.addArray(manifest.array, grid, ".") }, base);
  return table.build();
}

/** Key, state, and what the state needs: `["a/0.1", "range", "x.nc", 100, 10]`. */
export function rowsOf(table: ReferenceTable): readonly PlainRow[] {
  const strays = new Map(table.strays.map(({ row, key }) => [row, key]));
  return Array.from({ length: table.rows }, (_row, row) => {
    const block = table.blocks[Math.floor(row / BLOCK_ROWS)];
    const at = row % BLOCK_ROWS;
    const slot = table.arrays[block?.array[at] ?? 0];
    const ordinal = block?.ordinal[at] ?? ORDINAL_STRAY;
    const key =
      ordinal === ORDINAL_STRAY
        ? strays.get(row)
        : chunkKey(slot?.path ?? "", coordinatesOf(slot?.grid ?? [], ordinal), ".");
    return [
      key ?? "?",
      ...valueOf(table, row, block?.target[at] ?? 0, [block?.offset[at] ?? 0, block?.length[at] ?? 0]),
    ];
  });
}

function valueOf(
  table: ReferenceTable,
  row: number,
  target: number,
  [offset, length]: readonly [number, number],
): PlainRow {
  if (target === TARGET_INLINE) return ["inline", new TextDecoder().decode(table.inline.slice(offset, length))];
  if (target === TARGET_BAD) return ["bad", table.bad.get(row)?.reason.code ?? "?"];
  const text = table.targets.text(target);
  const whole = length === LENGTH_WHOLE;
  return whole ? [STATES[2] ?? "", text] : [STATES[3] ?? "", text, offset, table.bigLengths.get(row) ?? length];
}

export function codes(manifest: Manifest): readonly string[] {
  return manifest.findings.map(({ code, count }) => (count === 1 ? code : `${code} ×${count}`));
}
