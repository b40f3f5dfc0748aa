/** The records of an array as pages of references: record N holds the chunks from ordinal N × record_size on. */
import type { CallContext } from "../../core/byte-source.ts";
import { cellCount } from "../../core/chunk-grid.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { keyAt } from "../../core/findings/place.ts";
import type { PageSink, ReferencePages } from "../../core/reference-pages.ts";
import { addRecord } from "./add-record.ts";
import type { Decompressors } from "./column-pages.ts";
import { recordKey } from "./detect.ts";
import { readRecord } from "./record.ts";
import { recordFindings } from "./record-findings.ts";

export interface RecordSet {
  /** References in a record, 1 or more. */
  readonly recordSize: number;
  readonly decompressors: Decompressors;
  /** All bytes of a file of the set, `sst/refs.3.parq`; `undefined` where there is none. Throws RefscopeError. */
  fetch(key: string, context: CallContext): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * The target that a URL of a record means, from the document's place: see `recordTarget`. It is asked once for each
   * distinct URL of a record.
   */
  targetOf(url: string, record: RecordPlace): string;
}

export interface RecordPlace {
  /** Path of the array. */
  readonly array: string;
  /** What the file says of its writer. */
  readonly writer: string | undefined;
}

/** Throws what `readRecord` and `set.fetch` throw; a record that is not there is a finding. */
export function recordPages(set: RecordSet, array: string, grid: readonly number[]): ReferencePages {
  const cells = cellCount(grid);
  const { recordSize } = set;
  const cellsOf = (page: number): number => Math.max(0, Math.min(recordSize, cells - page * recordSize));
  return {
    unit: "record",
    words: ["record", "records"],
    count: Math.ceil(cells / recordSize),
    pageOf: (ordinal) => Math.floor(ordinal / recordSize),
    cellsOf,
    visit(page, see) {
      const first = page * recordSize;
      const end = first + cellsOf(page);
      for (let ordinal = first; ordinal < end; ordinal += 1) see(ordinal);
    },
    load: (page, into, context) => loadRecord(set, { array, page, cells: cellsOf(page) }, into, context),
  };
}

interface RecordPage {
  readonly array: string;
  readonly page: number;
  /** Chunks of the grid that it is for. */
  readonly cells: number;
}

async function loadRecord(
  set: RecordSet,
  { array, page, cells }: RecordPage,
  into: PageSink,
  context: CallContext,
): Promise<readonly Finding[]> {
  const key = recordKey(array, page);
  const bytes = await set.fetch(key, context);
  if (bytes === undefined) return [finding("parquet-record-missing", keyAt(key), { chunks: cells })];
  const record = await readRecord(bytes, keyAt(key), set.decompressors, context.signal);
  const { writer } = record.footer;
  const targets = record.urls.map((url) => into.table.addTarget(set.targetOf(url, { array, writer })));
  const first = page * set.recordSize;
  const tally = addRecord(record, targets, { cells, recordSize: set.recordSize, first }, into);
  return recordFindings(tally, { key, first, cells, rows: record.rows, recordSize: set.recordSize });
}

/**
 * Where the URL of a record leads. GDAL resolves a relative one against the folder of the record, and so its writers
 * mean it: it becomes relative to the set. fsspec hands it to its file system as it is, which for local files is relative
 * to where Python was started: it stays as it is.
 */
export function recordTarget(url: string, { array, writer }: RecordPlace): string {
  const isRelative = !/^(?:[a-z][a-z0-9+.-]*:|\/|\\)/i.test(url);
  return isRelative && array !== "" && /^GDAL\b/.test(writer ?? "") ? `${array}/${url}` : url;
}
