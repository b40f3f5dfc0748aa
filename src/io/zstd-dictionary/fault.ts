/** What decompressing with a dictionary ends in where it does not succeed. */
import { RefscopeError } from "../../core/errors.ts";

const DAMAGED = "The bytes are damaged, or were compressed in another way than the file says.";

/** `found`: what is wrong, and where. */
export function damaged(found: string, expected = "whole and undamaged zstd data"): RefscopeError {
  return new RefscopeError({
    code: "decode-failed",
    doing: "Decompressing with Zstandard",
    expected,
    found,
    advice: DAMAGED,
  });
}

export function badDictionary(found: string): RefscopeError {
  return new RefscopeError({
    code: "decode-failed",
    doing: "Reading a Zstandard dictionary",
    expected: "a dictionary as RFC 8878 §5 describes it",
    found,
    advice: DAMAGED,
  });
}

export function otherDictionary(expected: string, found: string): RefscopeError {
  return new RefscopeError({
    code: "decode-failed",
    doing: "Decompressing with Zstandard",
    expected,
    found,
    advice: "The data were compressed with another dictionary than the one stored with them.",
  });
}

export function tooLarge(limit: number, found: string): RefscopeError {
  return new RefscopeError({
    code: "decode-too-large",
    doing: "Decompressing with Zstandard",
    expected: `at most ${limit} bytes`,
    found,
    advice: "Decompressing was stopped to keep memory in bounds. The data are damaged, or not what they are taken for.",
  });
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
