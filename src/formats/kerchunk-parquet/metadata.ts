/**
 * `.zmetadata` of a Kerchunk Parquet set: the metadata documents of all nodes, and how many references a record holds.
 * (fsspec, implementations/reference.py, LazyReferenceMapper)
 */
import { failure } from "../../core/findings/failure.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { keyAt } from "../../core/findings/place.ts";
import type { MetadataDocument } from "../../core/hierarchy.ts";
import { jsonFindings } from "../../core/json-finding.ts";
import { writeJsonNode } from "../../core/json-write.ts";
import { describeJson, isJsonObject, memberOf, membersOf, type JsonNode, type JsonValue } from "../../core/json.ts";
import { jsonValueOf, parseJsonTree } from "../../core/parse-json.ts";

export interface ParquetMetadata {
  readonly documents: readonly MetadataDocument[];
  /** References in a record; `undefined` where the document does not say it: then it is unknown where records begin. */
  readonly recordSize: number | undefined;
  readonly findings: readonly Finding[];
  /** What fsspec refuses the set for. */
  readonly refused: Finding | undefined;
}

const KEY = ".zmetadata";
const PLACE = keyAt(KEY);
/** More than anyone writes: a record is read as a whole. */
const MAX_RECORD_SIZE = 2 ** 40;

/** Throws RefscopeError `json-invalid`, `json-too-deep`, `parquet-metadata-broken`. */
export function readParquetMetadata(text: string): ParquetMetadata {
  const { root, oddities } = parseJsonTree(text);
  const value = jsonValueOf(root);
  const members = membersOf(memberOf(root, "metadata"));
  if (!isJsonObject(value) || members === undefined) {
    const member = isJsonObject(value) ? "metadata" : undefined;
    throw failure("parquet-metadata-broken", PLACE, {
      member,
      found: describeJson(isJsonObject(value) ? value.get("metadata") : value),
    });
  }
  const findings: Finding[] = [...jsonFindings(oddities, keyAt(KEY))];
  const documents = [...members].map(([key, member]) => documentOf(key, member));
  const recordSize = readRecordSize(value.get("record_size"));
  const refused = recordSize === undefined ? sizeFinding(value.get("record_size")) : undefined;
  if (refused !== undefined) findings.push(refused);
  return { documents, recordSize, findings, refused };
}

/** Objects as fsspec writes them, or text as Kerchunk JSON has it. */
function documentOf(key: string, node: JsonNode): MetadataDocument {
  return { key, text: node.kind === "scalar" && typeof node.value === "string" ? node.value : writeJsonNode(node) };
}

export function readRecordSize(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MAX_RECORD_SIZE
    ? value
    : undefined;
}

function sizeFinding(value: JsonValue | undefined): Finding {
  if (value === undefined) return finding("parquet-record-size-missing", PLACE, {});
  const found = typeof value === "number" || typeof value === "bigint" ? String(value) : describeJson(value);
  return finding("parquet-record-size-invalid", PLACE, { found });
}
