/** Errors of reading one record. They know no file name: `readRecord` adds it. */
import { RefscopeError } from "../../core/errors.ts";

export const RECORD_BROKEN = "parquet-record-broken";
const DOING = "Reading a Parquet record";

/** The file breaks the Parquet format, or says one thing here and another there. */
export function recordFault(expected: string, found: string): RefscopeError {
  const advice = "The file is damaged or cut off: fetch it again, or have it written again.";
  return new RefscopeError({ code: RECORD_BROKEN, doing: DOING, expected, found, advice });
}

/** Legal Parquet that is not read here. */
export function unsupportedRecord(expected: string, found: string): RefscopeError {
  const advice = "Write the record anew with zstd, snappy or gzip compression and flat columns, as fsspec does.";
  return new RefscopeError({ code: "parquet-record-unsupported", doing: DOING, expected, found, advice });
}

export function recordTooLarge(expected: string, found: string): RefscopeError {
  const advice = "Write the set with a smaller record_size; 10,000 to 1,000,000 is usual.";
  return new RefscopeError({ code: "parquet-record-too-large", doing: DOING, expected, found, advice });
}

export function notARecord(found: string): RefscopeError {
  const expected = "the columns path, offset, size and raw (path or raw at least)";
  const advice = "It is a Parquet file of another kind, not a record of a Kerchunk reference set.";
  return new RefscopeError({ code: "parquet-not-a-record", doing: DOING, expected, found, advice });
}

/** Any error as one that names the record; what is not ours already is a sign of a broken file. Aborts pass. */
export function namedFault(cause: unknown, name: string): unknown {
  if (cause instanceof Error && cause.name === "AbortError") return cause;
  const doing = `Reading the Parquet record ${name}`;
  if (cause instanceof RefscopeError && cause.fields.doing === DOING) {
    return new RefscopeError({ ...cause.fields, doing }, { cause });
  }
  const found = cause instanceof Error ? cause.message : String(cause);
  const { expected, advice } = recordFault("a whole Parquet file", found).fields;
  const parts = { ...(expected === undefined ? {} : { expected }), ...(advice === undefined ? {} : { advice }) };
  return new RefscopeError({ code: RECORD_BROKEN, doing, found, ...parts }, { cause });
}
