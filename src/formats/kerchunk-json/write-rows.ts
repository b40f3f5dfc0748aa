/**
 * Rows of a table as members of a JSON object. Keys are made from the ordinals, digit by digit; the beginning of keys
 * is encoded once per array, a URL once while rows next to each other share it.
 */
import { chunkKey, coordinatesOf } from "../../core/chunk-grid.ts";
import {
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_WIDE,
  TARGET_BAD,
  TARGET_INLINE,
  TARGET_NULL,
  type ReferenceTable,
} from "../../core/reference-table.ts";
import { blockOf, placeOf } from "./columns.ts";
import type { JsonBytes } from "./write-bytes.ts";

export interface RowTexts {
  /** The URL to be written for a target id. */
  url(id: number): string;
  /** JSON text of a bad reference; `undefined` where it cannot be written. */
  bad(row: number): string | undefined;
}

export interface RowWriter {
  /** Writes `"key":value`, after a comma where it is not the first. False, and nothing written, where it cannot be. */
  write(row: number, isFirst: boolean): boolean;
  /** The same with a value of the caller's. */
  writeAs(row: number, isFirst: boolean, value: string): void;
  keyOf(row: number): string;
}

const encoder = new TextEncoder();
const COMMA = 44;
const CLOSE = 93;
const QUOTE = 34;
const END_OF_KEY = encoder.encode('":');
const NULL_LIST = encoder.encode('":[null');

export function rowWriter(table: ReferenceTable, out: JsonBytes, texts: RowTexts): RowWriter {
  const keys = keyWriter(table, out);
  const urls = urlCache((id) => encoder.encode(`":[${JSON.stringify(texts.url(id))}`));
  const inline = (offset: number, length: number): void => {
    out.bytes(END_OF_KEY);
    out.byte(QUOTE);
    out.bytes(table.inline.slice(offset, length));
    out.byte(QUOTE);
  };
  const numbers = (row: number, offset: number, length: number): void => {
    out.byte(COMMA);
    out.digits(offset);
    out.byte(COMMA);
    out.digits(length === LENGTH_BIG ? (table.bigLengths.get(row) ?? length) : length);
  };
  const writeAs = (row: number, isFirst: boolean, value: string): void => {
    keys.begin(row, isFirst);
    out.bytes(END_OF_KEY);
    out.text(value);
  };
  return {
    keyOf: (row) => keys.keyOf(row),
    writeAs,
    write(row, isFirst) {
      const block = blockOf(table.blocks, row);
      const at = placeOf(row);
      const target = block.target[at] as number;
      if (target === TARGET_BAD) {
        const value = texts.bad(row);
        if (value !== undefined) writeAs(row, isFirst, value);
        return value !== undefined;
      }
      keys.begin(row, isFirst);
      const [offset, length] = [block.offset[at] as number, block.length[at] as number];
      if (target === TARGET_INLINE) inline(offset, length);
      else {
        out.bytes(target === TARGET_NULL ? NULL_LIST : urls(target));
        if (length !== LENGTH_WHOLE) numbers(row, offset, length);
        out.byte(CLOSE);
      }
      return true;
    },
  };
}

/** `begin` writes the key with its opening quote, without the closing one. */
function keyWriter(table: ReferenceTable, out: JsonBytes) {
  const arrays = table.arrays.map(({ path, grid, separator }) => ({
    prefix: encoder.encode(
      (path === "" ? '"' : JSON.stringify(`${path}/`).slice(0, -1)) + (separator.length === 2 ? separator : ""),
    ),
    grid,
    separator: separator.charCodeAt(separator.length - 1),
    scalar: JSON.stringify(chunkKey(path, [], separator)).slice(0, -1),
    coordinates: new Float64Array(grid?.length ?? 0),
  }));
  const strays = new Map(table.strays.map(({ row, key }) => [row, key]));
  const ordinalOf = (row: number): number => {
    const ordinal = blockOf(table.blocks, row).ordinal[placeOf(row)] as number;
    return ordinal === ORDINAL_WIDE ? (table.wideOrdinals.get(row) ?? ordinal) : ordinal;
  };
  const slotOf = (row: number): number => blockOf(table.blocks, row).array[placeOf(row)] as number;
  return {
    begin(row: number, isFirst: boolean): void {
      if (!isFirst) out.byte(COMMA);
      const stray = strays.size === 0 ? undefined : strays.get(row);
      const array = stray === undefined ? arrays[slotOf(row)] : undefined;
      if (array?.grid === undefined) return out.text(JSON.stringify(stray ?? "").slice(0, -1));
      if (array.grid.length === 0) return out.text(array.scalar);
      out.bytes(array.prefix);
      writeName(out, array.grid, array.coordinates, array.separator, ordinalOf(row));
    },
    keyOf(row: number): string {
      const slot = table.arrays[slotOf(row)];
      const coordinates = (): number[] => coordinatesOf(slot?.grid ?? [], ordinalOf(row));
      return strays.get(row) ?? chunkKey(slot?.path ?? "", coordinates(), slot?.separator ?? ".");
    },
  };
}

/** As `chunkName` of the ordinal's coordinates. */
function writeName(
  out: JsonBytes,
  grid: readonly number[],
  coordinates: Float64Array,
  separator: number,
  ordinal: number,
): void {
  let rest = ordinal;
  for (let dimension = grid.length - 1; dimension > 0; dimension -= 1) {
    const count = grid[dimension] as number;
    const above = Math.floor(rest / count);
    coordinates[dimension] = rest - above * count;
    rest = above;
  }
  out.digits(rest);
  for (let dimension = 1; dimension < grid.length; dimension += 1) {
    out.byte(separator);
    out.digits(coordinates[dimension] as number);
  }
}

/** A power of two. Sets with a target a chunk must not keep them all: these are some ten megabytes. */
const KEPT_URLS = 65_536;

function urlCache(encode: (id: number) => Uint8Array): (id: number) => Uint8Array {
  const ids: number[] = [];
  const kept: Uint8Array[] = [];
  return (id) => {
    const place = id & (KEPT_URLS - 1);
    const known = kept[place];
    if (known !== undefined && ids[place] === id) return known;
    const encoded = encode(id);
    ids[place] = id;
    kept[place] = encoded;
    return encoded;
  };
}
