/**
 * `.zmetadata` of a Kerchunk Parquet set: the metadata documents of all nodes, and how many references a record holds.
 * (fsspec, implementations/reference.py, LazyReferenceMapper)
 */
import type { Finding } from "../../core/finding.ts";
import type { MetadataDocument } from "../../core/hierarchy.ts";
import { RefscopeError } from "../../core/errors.ts";
import { keyAt } from "../../core/findings/place.ts";
import { jsonFindings } from "../../core/json-finding.ts";
import { writeJson } from "../../core/json-write.ts";
import { describeJson, isJsonObject, type JsonValue } from "../../core/json.ts";
import { parseJson } from "../../core/parse-json.ts";

export interface ParquetMetadata {
  readonly documents: readonly MetadataDocument[];
  /** References in a record; `undefined` where the document does not say it: then no record can be told from another. */
  readonly recordSize: number | undefined;
  readonly findings: readonly Finding[];
}

const KEY = ".zmetadata";
/** More than anyone writes: a record is read as a whole. */
const MAX_RECORD_SIZE = 2 ** 40;

/** Throws RefscopeError `json-invalid`, `json-too-deep`, `parquet-metadata-broken`. */
export function readParquetMetadata(text: string): ParquetMetadata {
  const doing = "Reading the .zmetadata of a Kerchunk Parquet set";
  const { value, oddities } = parseJson(text);
  const members = isJsonObject(value) ? value.get("metadata") : undefined;
  if (!isJsonObject(value) || !isJsonObject(members)) {
    const found = isJsonObject(value) ? `“metadata” is ${describeJson(members)}` : describeJson(value);
    const expected = "an object with an object “metadata” in it";
    const advice = "Give the .zmetadata that the writer of the references made.";
    throw new RefscopeError({ code: "parquet-metadata-broken", doing, where: KEY, expected, found, advice });
  }
  const findings: Finding[] = [...jsonFindings(oddities, keyAt(KEY))];
  const documents = [...members].map(([key, member]) => documentOf(key, member));
  const recordSize = readRecordSize(value.get("record_size"));
  if (recordSize === undefined) findings.push(sizeFinding(value.get("record_size")));
  return { documents, recordSize, findings };
}

/** Objects as fsspec writes them, or text as Kerchunk JSON has it. */
function documentOf(key: string, value: JsonValue): MetadataDocument {
  return { key, text: typeof value === "string" ? value : writeJson(value) };
}

export function readRecordSize(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MAX_RECORD_SIZE
    ? value
    : undefined;
}

function sizeFinding(value: JsonValue | undefined): Finding {
  const shared = { severity: "error", key: KEY } as const;
  if (value === undefined) {
    return {
      ...shared,
      code: "parquet-record-size-missing",
      message:
        "The .zmetadata has no “record_size”, so it is unknown which references a record holds. fsspec refuses the set " +
        "with KeyError: 'record_size'.",
      advice:
        "Add “record_size” beside “metadata”: the number of rows of refs.0.parq of an array with several records.",
    };
  }
  const found = typeof value === "number" || typeof value === "bigint" ? String(value) : describeJson(value);
  return {
    ...shared,
    code: "parquet-record-size-invalid",
    message: `The .zmetadata has a “record_size” that is no whole number of references from 1 on: ${found}.`,
    advice: "Write the number of rows of refs.0.parq of an array with several records.",
  };
}
