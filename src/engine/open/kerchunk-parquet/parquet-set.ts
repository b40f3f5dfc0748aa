/** A folder of Kerchunk Parquet: metadata from `.zmetadata`, references from records that are fetched when needed. */
import { gridOf } from "../../../core/chunk-grid.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import { failure } from "../../../core/findings/failure.ts";
import { finding, type Finding } from "../../../core/findings/finding.ts";
import { keyAt, targetAt } from "../../../core/findings/place.ts";
import type { ArrayNode, MetadataDocument } from "../../../core/hierarchy.ts";
import type { Recognition } from "../../../core/open-set.ts";
import type { ReferencePages } from "../../../core/reference-pages.ts";
import {
  detectParquetMetadata,
  parseRecordKey,
  readParquetMetadata,
  recordPages,
  recordTarget,
  type RecordSet,
} from "../../../formats/kerchunk-parquet/index.ts";
import type { FindingLog } from "../../../core/findings/finding-log.ts";
import type { Store } from "../../../io/store.ts";
import type { StoreContext } from "../store-set.ts";
import type { TargetReader } from "../target-reader.ts";
import { decompressors } from "./decompressors.ts";

export interface ParquetDocuments {
  readonly documents: ReadonlyMap<string, MetadataDocument>;
  readonly recordSize: number | undefined;
  readonly findings: readonly Finding[];
  /** What fsspec refuses the set for; absent where it reads it. */
  readonly refused: Finding | undefined;
  readonly recognised: Recognition;
}

const KEY = ".zmetadata";

/** `undefined` where the store is not a Kerchunk Parquet set. */
export function parquetDocuments(
  store: Store,
  documents: ReadonlyMap<string, MetadataDocument>,
): ParquetDocuments | undefined {
  const text = documents.get(KEY)?.text;
  if (text === undefined) return undefined;
  const recognised = recognise(text, store);
  if (recognised === undefined) return undefined;
  const read = readParquetMetadata(text);
  return {
    documents: new Map(read.documents.map((document) => [document.key, document])),
    recordSize: read.recordSize,
    findings: read.findings,
    refused: read.refused,
    recognised,
  };
}

function recognise(text: string, store: Store): Recognition | undefined {
  const detected = detectParquetMetadata(text);
  if (detected.kind === "parquet") return { ...detected, kind: "record-size" };
  return detected.kind === "unclear" && hasRecord(store) ? { kind: "records-beside" } : undefined;
}

const hasRecord = ({ keys }: Store): boolean => keys?.some((key) => parseRecordKey(key) !== undefined) === true;

export function parquetPages(
  { store, targets, table }: StoreContext,
  { recordSize }: ParquetDocuments,
  { path, metadata }: ArrayNode,
): ReferencePages {
  const grid = gridOf(metadata.shape, metadata.chunks);
  // Without a record size only an array's single record can be located.
  const set: RecordSet = {
    recordSize: recordSize ?? Number.MAX_SAFE_INTEGER,
    decompressors: decompressors(),
    targetOf: (url, place) => besideSet(recordTarget(url, place), targets, table.log),
    fetch: (key, context) => fetchRecord(store, key, context),
  };
  return recordPages(set, path, grid);
}

/**
 * A relative URL that fsspec wrote means something in the folder where Python runs; mostly that is the one which holds
 * the set. Taken for that only where a file is there, and none below the set.
 */
function besideSet(url: string, targets: TargetReader, log: FindingLog): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(url) || isExact(targets, url) || !isExact(targets, `../${url}`)) return url;
  log.add(finding("parquet-path-base", targetAt(url), {}));
  return `../${url}`;
}

function isExact(targets: TargetReader, url: string): boolean {
  const resolution = targets.resolve(url);
  return resolution.kind === "file" && resolution.byName !== true;
}

async function fetchRecord(
  store: Store,
  key: string,
  context: CallContext,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const answer = await store.get(key, context);
  if (answer.kind === "present") return answer.bytes;
  if (answer.kind === "absent") return undefined;
  throw failure("parquet-record-denied", keyAt(key), { status: answer.status });
}
