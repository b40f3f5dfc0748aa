/** What is odd about a record, as findings. */
import { finding, type Finding } from "../../core/findings/finding.ts";
import { keyAt } from "../../core/findings/place.ts";
import type { RecordTally, RowTally } from "./add-record.ts";

export interface RecordExpected {
  readonly key: string;
  /** Ordinal of the first row. */
  readonly first: number;
  /** Chunks of the grid that the record is for. */
  readonly cells: number;
  /** Rows that it has. */
  readonly rows: number;
  readonly recordSize: number;
}

export function recordFindings({ pastGrid, both, bad }: RecordTally, of: RecordExpected): readonly Finding[] {
  const { key, first, cells, rows, recordSize } = of;
  const place = keyAt(key);
  const oddRows = ({ count, first: row }: RowTally) => ({ rows: count, row, chunk: first + row });
  const end = cells < recordSize ? "grid" : "record-size";
  const past = { rows: pastGrid.count, row: pastGrid.first, end, chunks: cells } as const;
  return [
    ...(rows < cells ? [finding("parquet-record-short", place, { rows, chunks: cells })] : []),
    ...(pastGrid.count > 0 ? [finding("parquet-rows-past-grid", place, past)] : []),
    ...(both.count > 0 ? [finding("parquet-raw-and-path", place, oddRows(both))] : []),
    ...(bad.count > 0 ? [finding("parquet-bad-range", place, oddRows(bad))] : []),
  ];
}
