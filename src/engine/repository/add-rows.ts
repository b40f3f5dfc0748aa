/** Rows of the table from a page of an Icechunk array: virtual chunks are ranges, native and inline ones what they are. */
import { chunkKey, type KeySeparator } from "../../core/chunk-grid.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { targetAt, WHOLE_SET } from "../../core/findings/place.ts";
import type { StrayKey } from "../../core/reference-table.ts";
import type { PageSink } from "../../core/reference-pages.ts";
import type { Configuration } from "../../formats/icechunk/index.ts";
import { kindOf, ORDINAL_OUTSIDE, rangeAt, referenceAt, type ChunkColumns } from "../../formats/icechunk/references.ts";
import type { PageReferences } from "./array-references.ts";
import { oddReferences, type OddReferences } from "./odd-references.ts";
import { virtualTargets, type Target } from "./virtual-targets.ts";

export interface RowsOf {
  readonly path: string;
  readonly separator: KeySeparator;
  /** `undefined` where it is not read: then no row is of a chunk that is known. */
  readonly grid: readonly number[] | undefined;
  readonly configuration: Configuration;
}

/** Adds a row for each reference of the page; what is odd about them. */
export function addRows(page: PageReferences, of: RowsOf, into: PageSink): readonly Finding[] {
  const odd = oddReferences(of.path, of.grid);
  into.table.expectRows(page.columns.reduce((sum, { rows }) => sum + rows, 0));
  const target = targetFinder(page, of, into, odd);
  page.eachRow((columns, row) => {
    const stray = columns.strays.get(row) ?? (of.grid === undefined ? [] : undefined);
    const ordinal = stray === undefined ? (columns.ordinal[row] ?? ORDINAL_OUTSIDE) : 0;
    const added = addRow(columns, row, ordinal, into, target);
    if (stray !== undefined) {
      into.table.markStray(added, chunkKey(of.path, stray, of.separator), strayReason(stray, of.grid));
    } else if (kindOf(columns, row) === "virtual" && ordinal !== ORDINAL_OUTSIDE) {
      odd.chunk(columns, columns.entry[row] ?? 0, ordinal, (columns.checksum?.[row] ?? 0) !== 0);
    }
  });
  return [...page.columns.flatMap((columns) => columnFindings(columns)), ...odd.findings()];
}

function strayReason(coordinates: readonly number[], grid: readonly number[] | undefined): StrayKey["reason"] {
  if (grid === undefined) return "grid-unread";
  return coordinates.length === grid.length ? "outside-grid" : "wrong-rank";
}

type TargetOf = (columns: ChunkColumns, entry: number) => Target;

function addRow(columns: ChunkColumns, row: number, ordinal: number, into: PageSink, targetOf: TargetOf): number {
  const { table, array } = into;
  const kind = kindOf(columns, row);
  if (kind === "virtual" && columns.large.size === 0) {
    const target = targetOf(columns, columns.entry[row] as number);
    if (typeof target === "number") {
      return table.addRange(array, ordinal, target, columns.offset[row] as number, columns.length[row] as number);
    }
  }
  if (kind === "inline" || kind === "bad") {
    const reference = referenceAt(columns, row);
    if (reference.kind === "inline") return table.addInline(array, ordinal, reference.bytes);
    return table.addBad(array, ordinal, { reason: finding("icechunk-reference-empty", WHOLE_SET, {}), written: "" });
  }
  const { offset, length } = rangeAt(columns, row);
  if (typeof offset === "bigint" || typeof length === "bigint") {
    const found = `an offset of ${offset} and a length of ${length}`;
    const reason = finding("reference-malformed", WHOLE_SET, { expected: "numbers of bytes up to 2^53 − 1", found });
    return table.addBad(array, ordinal, { reason, written: "" });
  }
  if (kind === "native") return table.addNative(array, ordinal, length);
  const target = targetOf(columns, columns.entry[row] ?? 0);
  if (typeof target === "number") return table.addRange(array, ordinal, target, offset, length);
  return table.addBad(array, ordinal, { reason: target.problem, written: target.written });
}

function targetFinder(
  { columns }: PageReferences,
  { configuration }: RowsOf,
  { table }: PageSink,
  odd: OddReferences,
): TargetOf {
  const finders = new Map(
    columns.map((one) => {
      const uncontained = (url: string, entry: number) => odd.uncontained(one, entry, url);
      return [one, virtualTargets(one, configuration, table, uncontained)];
    }),
  );
  let [last, find] = [columns[0], finders.get(columns[0] as ChunkColumns)];
  return (of, entry) => {
    if (of !== last) [last, find] = [of, finders.get(of)];
    return find?.(entry) ?? { problem: finding("icechunk-reference-empty", WHOLE_SET, {}), written: "" };
  };
}

function columnFindings({ file, inOrder, outsideExtents }: ChunkColumns): Finding[] {
  const place = targetAt(file.path);
  return [
    ...(inOrder ? [] : [finding("icechunk-manifest-unordered", place, {})]),
    ...(outsideExtents === 0 ? [] : [finding("icechunk-outside-extents", place, {}, outsideExtents)]),
  ];
}
