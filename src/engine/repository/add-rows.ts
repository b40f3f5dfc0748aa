/** Rows of the table from a page of an Icechunk array: virtual chunks are ranges, native and inline ones what they are. */
import { chunkKey, type KeySeparator } from "../../core/chunk-grid.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { nodeAt, targetAt, WHOLE_SET } from "../../core/findings/place.ts";
import type { StrayKey } from "../../core/reference-table.ts";
import type { PageSink } from "../../core/reference-pages.ts";
import type { Configuration } from "../../formats/icechunk/index.ts";
import { kindOf, ORDINAL_OUTSIDE, rangeAt, referenceAt, type ChunkColumns } from "../../formats/icechunk/references.ts";
import type { PageReferences } from "./array-references.ts";
import { virtualTargets, type Target } from "./virtual-targets.ts";

export interface RowsOf {
  readonly path: string;
  readonly separator: KeySeparator;
  /** `undefined` where it is not read: then no row is of a chunk that is known. */
  readonly grid: readonly number[] | undefined;
  readonly configuration: Configuration;
  /** What was said already: of hosts that no container covers, and of arrays without checksums. */
  readonly said: Set<string>;
}

/** Adds a row for each reference of the page; what is odd about them. */
export function addRows(page: PageReferences, of: RowsOf, into: PageSink): readonly Finding[] {
  const findings = page.columns.flatMap((columns) => columnFindings(columns));
  let unrecorded = false;
  into.table.expectRows(page.columns.reduce((sum, { rows }) => sum + rows, 0));
  const target = targetFinder(page, of, into, findings);
  page.eachRow((columns, row) => {
    const stray = columns.strays.get(row) ?? (of.grid === undefined ? [] : undefined);
    const ordinal = stray === undefined ? (columns.ordinal[row] ?? ORDINAL_OUTSIDE) : 0;
    unrecorded ||= (columns.checksum?.[row] ?? 0) === 0 && kindOf(columns, row) === "virtual";
    const added = addRow(columns, row, ordinal, into, target);
    if (stray === undefined) return;
    into.table.markStray(added, chunkKey(of.path, stray, of.separator), strayReason(stray, of.grid));
  });
  if (unrecorded && !of.said.has(of.path)) {
    of.said.add(of.path);
    findings.push(finding("icechunk-no-checksum", nodeAt(of.path), {}));
  }
  return findings;
}

function strayReason(coordinates: readonly number[], grid: readonly number[] | undefined): StrayKey["reason"] {
  if (grid === undefined) return "grid-unread";
  return coordinates.length === grid.length ? "outside-grid" : "wrong-rank";
}

type TargetOf = (columns: ChunkColumns, entry: number) => Target;

function addRow(columns: ChunkColumns, row: number, ordinal: number, into: PageSink, targetOf: TargetOf): number {
  const { table, array } = into;
  const kind = kindOf(columns, row);
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
  { configuration, said }: RowsOf,
  { table }: PageSink,
  findings: Finding[],
): TargetOf {
  let host = "/";
  const uncontained = (url: string): void => {
    if (!host.endsWith("/") || !url.startsWith(host)) host = noteUncontained(url, said, findings);
  };
  const finders = new Map(columns.map((one) => [one, virtualTargets(one, configuration, table, uncontained)]));
  let [last, find] = [columns[0], finders.get(columns[0] as ChunkColumns)];
  return (of, entry) => {
    if (of !== last) [last, find] = [of, finders.get(of)];
    return find?.(entry) ?? { problem: finding("icechunk-reference-empty", WHOLE_SET, {}), written: "" };
  };
}

/** The official reader refuses such chunks; they are still shown and read here. The host. */
function noteUncontained(url: string, said: Set<string>, findings: Finding[]): string {
  const host = /^[a-z][a-z\d+.-]*:\/\/[^/]*\/?/i.exec(url)?.[0] ?? url;
  if (said.has(host)) return host;
  said.add(host);
  findings.push(finding("icechunk-no-container", targetAt(url), { host }));
  return host;
}

function columnFindings({ file, inOrder, outsideExtents }: ChunkColumns): Finding[] {
  const place = targetAt(file.path);
  return [
    ...(inOrder ? [] : [finding("icechunk-manifest-unordered", place, {})]),
    ...(outsideExtents === 0 ? [] : [finding("icechunk-outside-extents", place, {}, outsideExtents)]),
  ];
}
