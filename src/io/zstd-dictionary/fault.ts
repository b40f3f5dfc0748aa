/** Errors of decompressing with a dictionary. */
import { failure, type RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";

const CODEC = "zstd";

/** `found`: what is wrong, and where. */
export function damaged(found: string, expected = "whole and undamaged zstd data"): RefscopeError {
  return failure("decode-failed", WHOLE_SET, { codec: CODEC, expected, found });
}

export function badDictionary(found: string): RefscopeError {
  return damaged(found, "a dictionary as RFC 8878 §5 describes it");
}

export function tooLarge(limit: number, found: string): RefscopeError {
  return failure("decode-too-large", WHOLE_SET, { codec: CODEC, limit, found });
}
