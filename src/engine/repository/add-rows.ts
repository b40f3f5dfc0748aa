/** Rows of the table from a page of an Icechunk array: virtual chunks are ranges, native and inline ones what they are. */
import { chunkKey, type KeySeparator } from "../../core/chunk-grid.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { targetAt, WHOLE_SET } from "../../core/findings/place.ts";
import type { StrayKey } from "../../core/reference-table.ts";
import type { PageSink } from "../../core/reference-pages.ts";
import type { Configuration } from "../../formats/icechunk/index.ts";
import {
  isLocation,
  kindOf,
  ORDINAL_OUTSIDE,
  rangeAt,
  referenceAt,
  type ChunkColumns,
} from "../../formats/icechunk/references.ts";
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
  if (!addPlainRows(page, of, into, odd, target)) addEachRow(page, of, into, odd, target);
  return [...page.columns.flatMap((columns) => columnFindings(columns)), ...odd.findings()];
}

/** A page of which all rows are virtual chunks within the grid, as nearly all are: column by column. */
function addPlainRows(
  { columns: all, inOrder }: PageReferences,
  { grid }: RowsOf,
  { table, array }: PageSink,
  odd: OddReferences,
  targetOf: TargetOf,
): boolean {
  const [columns] = all;
  if (columns === undefined || all.length > 1 || !inOrder || grid === undefined || columns.large.size > 0) return false;
  const { ordinal, entry, offset, length, rows, entries } = columns;
  if (!(ordinal instanceof Uint32Array)) return false;
  const ids = new Uint32Array(entries.count);
  for (let at = 0; at < ids.length; at += 1) {
    const target = isLocation(columns, at) ? targetOf(columns, at) : undefined;
    if (typeof target !== "number") return false;
    ids[at] = target;
  }
  const target = new Uint32Array(rows);
  for (let row = 0; row < rows; row += 1) target[row] = ids[entry[row] as number] as number;
  if (!table.addRanges(array, { ordinal, target, offset, length })) return false;
  odd.chunks(columns);
  return true;
}

function addEachRow(page: PageReferences, of: RowsOf, into: PageSink, odd: OddReferences, target: TargetOf): void {
  const bad = (reason: Finding, ordinal: number) => {
    if (ordinal !== ORDINAL_OUTSIDE) odd.unusable(ordinal, reason);
  };
  page.eachRow((columns, row) => {
    const stray = columns.strays.get(row) ?? (of.grid === undefined ? [] : undefined);
    const ordinal = stray === undefined ? (columns.ordinal[row] ?? ORDINAL_OUTSIDE) : 0;
    const added = addRow(columns, row, ordinal, { ...into, target, bad: stray === undefined ? bad : none });
    if (stray !== undefined) {
      into.table.markStray(added, chunkKey(of.path, stray, of.separator), strayReason(stray, of.grid));
    } else if (kindOf(columns, row) === "virtual" && ordinal !== ORDINAL_OUTSIDE) {
      odd.chunk(columns, columns.entry[row] ?? 0, ordinal, (columns.checksum?.[row] ?? 0) !== 0);
    }
  });
}

/** A key that fits no chunk is told as such. */
const none = () => undefined;

function strayReason(coordinates: readonly number[], grid: readonly number[] | undefined): StrayKey["reason"] {
  if (grid === undefined) return "grid-unread";
  return coordinates.length === grid.length ? "outside-grid" : "wrong-rank";
}

type TargetOf = (columns: ChunkColumns, entry: number) => Target;

interface RowSink extends PageSink {
  readonly target: TargetOf;
  /** Told of each reference that cannot be followed. */
  readonly bad: (reason: Finding, ordinal: number) => void;
}

function addRow(columns: ChunkColumns, row: number, ordinal: number, into: RowSink): number {
  const { table, array, target: targetOf } = into;
  const addBad = (reason: Finding, written = "") => {
    into.bad(reason, ordinal);
    return table.addBad(array, ordinal, { reason, written });
  };
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
    return addBad(finding("icechunk-reference-empty", WHOLE_SET, {}));
  }
  const { offset, length } = rangeAt(columns, row);
  if (typeof offset === "bigint" || typeof length === "bigint") {
    const found = `an offset of ${offset} and a length of ${length}`;
    const reason = finding("reference-malformed", WHOLE_SET, { expected: "numbers of bytes up to 2^53 − 1", found });
    return addBad(reason);
  }
  if (kind === "native") return table.addNative(array, ordinal, length);
  const target = targetOf(columns, columns.entry[row] ?? 0);
  if (typeof target === "number") return table.addRange(array, ordinal, target, offset, length);
  return addBad(target.problem, target.written);
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
