/** The columns of the list of targets; their widths are in its style sheet. */
import type { SourceColumn, SourcesSpec } from "../../core/sources.ts";

export interface TargetColumn {
  readonly id: "target" | "references" | "bytes" | "share" | "covers" | "asked";
  readonly header: string;
  readonly title: string;
  readonly numeric: boolean;
  /** What it is sorted by; absent where it is not. */
  readonly sort?: SourceColumn;
}

export const TARGET_COLUMNS: readonly TargetColumn[] = [
  { id: "target", header: "Target", title: "The URL as references name it", numeric: false, sort: "target" },
  { id: "references", header: "References", title: "References into it", numeric: true, sort: "references" },
  { id: "bytes", header: "Bytes", title: "Sum of its ranges", numeric: true, sort: "bytes" },
  { id: "share", header: "Share", title: "Of the bytes that the set refers to", numeric: true },
  {
    id: "covers",
    header: "Arrays and where",
    title: "Arrays with chunks in it, and the part of the first one",
    numeric: false,
    sort: "arrays",
  },
  { id: "asked", header: "When asked", title: "What asking it gave", numeric: false },
];

/** Numbers begin with the most, names with the first; the next press turns it round. */
export function nextSort(sort: SourcesSpec["sort"], column: SourceColumn): SourcesSpec["sort"] {
  if (sort.column === column) return { column, descending: !sort.descending };
  return { column, descending: column !== "target" };
}

export const ariaSort = (sort: SourcesSpec["sort"], column: SourceColumn): "ascending" | "descending" | "none" =>
  sort.column !== column ? "none" : sort.descending ? "descending" : "ascending";
