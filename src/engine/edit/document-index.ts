/** An open set as the studio looks at it: all its keys in order, each with its value and where it comes from. */
import { chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { Reference } from "#core/table/reference.ts";
import type { RowOrigin } from "#core/table/version1.ts";
import type { MetadataEntry } from "#formats/kerchunk-json/index.ts";
import { columnsAt, ordinalOfRow } from "../table/batch.ts";
import { referenceAt } from "../chunk/chunk-reference.ts";
import type { DocumentSet } from "../engine-set.ts";
import { once } from "#core/once.ts";
import { oncePer } from "../kept.ts";
import { rowOriginOf } from "../table/row-origin.ts";
import { rowFinder } from "./row-finder.ts";
import { lowerBound } from "../table/array-index.ts";

export interface DocumentIndex {
  readonly set: DocumentSet;
  readonly metadata: readonly MetadataEntry[];
  readonly order: VersionOrder;
  /** Index of a metadata entry by key. */
  readonly metadataIndex: () => ReadonlyMap<string, number>;
}

export const documentIndex = oncePer((set: DocumentSet): DocumentIndex => {
  const { metadata } = set.document;
  const order = versionOrder(
    set.table.rows,
    metadata.map(({ row }) => row),
  );
  const metadataIndex = once(() => new Map(metadata.map(({ key }, index) => [key, index])));
  return { set, metadata, order, metadataIndex };
});

export function findItem({ set, metadataIndex }: DocumentIndex, key: string): VersionItem | undefined {
  const index = metadataIndex().get(key);
  if (index !== undefined) return { kind: "metadata", index };
  const row = rowFinder(set.index).rowOfKey(key);
  return row < 0 ? undefined : { kind: "row", row };
}

export function keyOf({ set, metadata }: DocumentIndex, item: VersionItem): string {
  if (item.kind === "metadata") return metadata[item.index]?.key ?? "";
  return keyOfRow(set, item.row);
}

export function keyOfRow({ table, index }: Pick<DocumentSet, "table" | "index">, row: number): string {
  const ordinal = ordinalOfRow(table, row);
  if (ordinal < 0) {
    const strays = index.strays();
    return strays.list[strays.positionOf(row)]?.key ?? "";
  }
  const slot = table.arrays[columnsAt(table, row).array];
  return chunkKey(slot?.path ?? "", coordinatesOf(slot?.grid ?? [], ordinal), slot?.separator ?? ".");
}

/** JSON text of a key's value, as fsspec keeps it; inline texts cut at 300 characters, bad ones at 500. */
export function valueText({ set, metadata }: DocumentIndex, item: VersionItem): string {
  if (item.kind === "row") return referenceAt(set, item.row).written;
  const value = metadata[item.index]?.value;
  return value === undefined ? "" : referenceText(value);
}

const decoder = new TextDecoder();

function referenceText(value: Reference): string {
  if (value.kind === "inline") return JSON.stringify(decoder.decode(value.bytes.subarray(0, 600)).slice(0, 300));
  if (value.kind === "whole") return JSON.stringify([value.target]);
  if (value.kind === "range") return JSON.stringify([value.target, value.offset, value.length]);
  return value.kind === "bad" ? value.written : "";
}

/** Number of the gen entry that made a key; none for keys of the document's own. */
export function genOrdinal({ set, metadata }: DocumentIndex, item: VersionItem): number | undefined {
  if (item.kind === "row") return set.origins.genOrdinal(item.row);
  return metadata[item.index]?.gen;
}

/** True if a generated key replaces one in `refs`. */
export function genReplaced({ set, metadata }: DocumentIndex, item: VersionItem): boolean {
  if (item.kind === "metadata") return metadata[item.index]?.overrides === true;
  return item.row < set.origins.refsRows;
}

export function originOf(of: DocumentIndex, item: VersionItem): RowOrigin {
  const { table, origins, renderer } = of.set;
  if (item.kind === "row") return rowOriginOf(table, origins, renderer)(item.row);
  const ordinal = genOrdinal(of, item);
  const origin = ordinal === undefined ? undefined : renderer?.origin(ordinal);
  return origin === undefined ? metadataOrigin(of.metadata[item.index]) : { kind: "gen", ...origin };
}

function metadataOrigin(entry: MetadataEntry | undefined): RowOrigin {
  const kind = entry?.value.kind;
  if (kind !== "whole" && kind !== "range") return { kind: "metadata" };
  return entry?.written === undefined ? { kind: "refs" } : { kind: "refs", written: entry.written };
}

// The order of keys of the Version 0 result: metadata and chunk references in the order of the document.

/** A key of the result: a row of the table, or a metadata entry by its index. */
export type VersionItem =
  | { readonly kind: "row"; readonly row: number }
  | { readonly kind: "metadata"; readonly index: number };

export type VersionOrder = ReturnType<typeof versionOrder>;

/** `before`: for each metadata entry how many rows of the table stand before it, ascending. */
export function versionOrder(rows: number, before: readonly number[]) {
  const metadata = Float64Array.from(before, (row, index) => row + index);
  const sorted = Float64Array.from(before);
  // Entries before the row count: those with at most as many rows before them as the row has.
  const positionOfRow = (row: number): number => row + lowerBound(sorted, row + 1);
  return {
    total: rows + metadata.length,
    /** 0 … total - 1. */
    at(position: number): VersionItem {
      const index = lowerBound(metadata, position);
      return metadata[index] === position ? { kind: "metadata", index } : { kind: "row", row: position - index };
    },
    positionOf(item: VersionItem): number {
      return item.kind === "metadata" ? (metadata[item.index] ?? -1) : positionOfRow(item.row);
    },
    positionOfRow,
  };
}
