/** The errors that decoding ends in. Where the chunk is, and what the step was given, is added by who calls the codec. */
import { failure, type RefscopeError, WHOLE_SET } from "../core/findings/finding.ts";

/** `section`: the part of the data that is wrong, where the format has names for its parts. */
export function decodeFailed(codec: string, expected: string, found: string, section?: string): RefscopeError {
  const facts = { codec, expected, found, ...(section === undefined ? {} : { section }) };
  return failure("decode-failed", WHOLE_SET, facts);
}

export function decodeTooLarge(codec: string, limit: number, found: string): RefscopeError {
  return failure("decode-too-large", WHOLE_SET, { codec, limit, found });
}

export function checksumMismatch(codec: string, stored: number | string, computed: number | string): RefscopeError {
  const [expected, found] = [hexadecimal(stored), hexadecimal(computed)];
  return failure("checksum-mismatch", WHOLE_SET, { codec, stored: expected, computed: found, frame: undefined });
}

export function badConfiguration(codec: string, member: string, expected: string, found: string): RefscopeError {
  return failure("codec-configuration", WHOLE_SET, { codec, member, expected, found });
}

/** For elements of a data type that is known by its name alone. */
export function dataTypeUnread(name: string): RefscopeError {
  return failure("dtype-unread", WHOLE_SET, { name: name.slice(0, 80) });
}

function hexadecimal(value: number | string): string {
  return typeof value === "string" ? value : `0x${(value >>> 0).toString(16).padStart(8, "0")}`;
}
