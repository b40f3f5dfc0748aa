/** Errors of reading one record. They know not which: `readRecord` adds it. */
import { failedAt, failure, findingOfError, isAbort, RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import type { FactsOf, Place } from "#core/findings/finding.ts";

/** The file breaks the Parquet format, or says one thing here and another there. Both are short noun phrases. */
export function recordFault(expected: string, found: string): RefscopeError {
  return failure("parquet-record-broken", WHOLE_SET, { expected, found, cause: undefined });
}

/** Legal Parquet that is not read here. */
export function unsupportedRecord(expected: string, found: string): RefscopeError {
  return failure("parquet-record-unsupported", WHOLE_SET, { expected, found });
}

export function recordTooLarge(
  what: FactsOf<"parquet-record-too-large">["what"],
  limit: number,
  found?: number | bigint,
): RefscopeError {
  return failure("parquet-record-too-large", WHOLE_SET, { what, limit, found });
}

/** Error of a page that its codec cannot decompress. */
export function undecodedPage(compression: string, cause: unknown): RefscopeError {
  const expected = `a page compressed as ${compression}`;
  const found = cause instanceof RefscopeError ? "other bytes" : messageOf(cause);
  const reason = cause instanceof RefscopeError ? findingOfError(cause) : undefined;
  return failure("parquet-record-broken", WHOLE_SET, { expected, found, cause: reason }, { cause });
}

/** Any error as one at the record; what is not ours already is a sign of a broken file. Aborts pass. */
export function faultAt(cause: unknown, place: Place): unknown {
  if (isAbort(cause)) return cause;
  if (cause instanceof RefscopeError) return failedAt(cause, place);
  const facts = { expected: "a whole Parquet file", found: messageOf(cause), cause: undefined };
  return failure("parquet-record-broken", place, facts, { cause });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
