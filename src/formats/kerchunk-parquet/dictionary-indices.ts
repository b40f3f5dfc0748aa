/** Values named by their number in a dictionary, and rows without a value. */
import { readHybrid } from "./bit-packing.ts";
import type { DataPage } from "./column-pages.ts";
import { recordFault } from "./record-fault.ts";

export function isDictionaryEncoded(page: DataPage): boolean {
  return page.encoding === "RLE_DICTIONARY" || page.encoding === "PLAIN_DICTIONARY";
}

/** A number below `size` for each value of the page. Throws `parquet-record-broken`. */
export function readIndices(page: DataPage, size: number | undefined): Uint32Array {
  if (size === undefined) throw recordFault("a dictionary before the values that name its entries", "none");
  const indices = new Uint32Array(page.values);
  if (page.values === 0) return indices;
  const width = page.body[0];
  if (width === undefined || width > 32) throw recordFault("numbers of at most 32 bits", `${width} bits`);
  readHybrid(page.body, 1, width, indices, 0, page.values);
  for (const index of indices) {
    if (index >= size) throw recordFault(`numbers of a dictionary of ${size} values`, String(index));
  }
  return indices;
}

/** Moves the values that stand from `at` on to the rows that have them; the other rows get `none`. */
export function spread(column: Float64Array | Uint32Array, at: number, page: DataPage, none: number): void {
  const { present } = page;
  if (present === undefined) return;
  let value = page.values;
  for (let row = page.rows - 1; row >= 0; row -= 1) {
    if (present[row] === 0) column[at + row] = none;
    else column[at + row] = column[at + --value] as number;
  }
}

/** Rows of a page that have a value, counted from `at`. */
export function rowsPresent(page: DataPage, at: number): Uint32Array {
  const rows = new Uint32Array(page.values);
  let value = 0;
  for (let row = 0; row < page.rows; row += 1) {
    if (page.present !== undefined && page.present[row] === 0) continue;
    rows[value] = at + row;
    value += 1;
  }
  return rows;
}
