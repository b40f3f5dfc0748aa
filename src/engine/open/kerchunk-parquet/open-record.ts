/** A record of Kerchunk Parquet alone: its references, which belong to an array that only its folder would name. */
import { buildHierarchy } from "../../../core/build-hierarchy.ts";
import { NO_CODECS } from "../../../core/codec-table.ts";
import { finding } from "../../../core/findings/finding.ts";
import { targetAt } from "../../../core/findings/place.ts";
import { decodeInline } from "../../../formats/kerchunk-json/index.ts";
import {
  describeRecord,
  recordPages,
  recordTarget,
  type RecordFooter,
} from "../../../formats/kerchunk-parquet/index.ts";
import type { EngineSet } from "../../engine-set.ts";
import type { Opening } from "../driver.ts";
import { growingTable, makeSet, partsOf, type GrowingTable } from "../../set.ts";
import { decompressors } from "./decompressors.ts";
import type { DocumentSource } from "../sources.ts";
import { targetReader } from "../target-reader.ts";

export async function openRecord(source: DocumentSource, opening: Opening): Promise<EngineSet> {
  const { locations, network, context } = opening;
  const started = performance.now();
  const { bytes } = await source.document.read(undefined, context);
  const place = targetAt(source.name);
  const footer = describeRecord(bytes, place);
  const { hierarchy } = buildHierarchy([], [], NO_CODECS);
  const table = recordTable(bytes, footer);
  for (const pages of table.index.paged.values()) await pages.load([0], context);
  return makeSet(
    {
      name: source.name,
      url: source.url,
      choice: source.path === undefined ? undefined : `${source.path}\n`,
      format: {
        kind: "kerchunk-parquet",
        label: "Kerchunk Parquet, one record",
        recognised: { kind: "first-bytes", bytes: "PAR1" },
        decodeInline,
        takesShortRanges: true,
      },
      bytesReceived: bytes.length,
      documentBytes: bytes.length,
      refused: undefined,
      hierarchy,
      documents: new Map(),
      targets: targetReader(source, locations, network),
      ...partsOf(table),
      opening: [finding("record-alone", place, { rows: footer.rows, writer: footer.writer })],
      milliseconds: performance.now() - started,
    },
    context,
  );
}

/** Rows are listed as if they were the chunks of a one-dimensional array at the root. */
function recordTable(bytes: Uint8Array<ArrayBuffer>, { rows }: RecordFooter): GrowingTable {
  const table = growingTable([{ path: "", grid: [rows], separator: "." }]);
  const set = {
    recordSize: Math.max(1, rows),
    decompressors: decompressors(),
    fetch: () => Promise.resolve(bytes),
    targetOf: recordTarget,
  };
  table.addPages("", recordPages(set, "", [rows]));
  return table;
}
