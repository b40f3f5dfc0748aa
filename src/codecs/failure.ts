/** The errors that decoding ends in: one function each, so that they read alike whatever the codec. */
import { RefscopeError } from "../core/errors.ts";

const CHECK_BYTES =
  "Look at the bytes of the stage before this one. Either the reference points at other bytes, or the metadata names another codec than the data were written with.";

export function decodeFailed(codec: string, expected: string, found: string): RefscopeError {
  return new RefscopeError({
    code: "decode-failed",
    doing: `Decoding with “${codec}”`,
    expected,
    found,
    advice: CHECK_BYTES,
  });
}

export function decodeTooLarge(codec: string, limit: number, found: string): RefscopeError {
  return new RefscopeError({
    code: "decode-too-large",
    doing: `Decoding with “${codec}”`,
    expected: `at most ${limit} bytes for a chunk of this shape and type`,
    found,
    advice: "Decoding was stopped to keep memory in bounds. Check the array's chunk shape and data type.",
  });
}

export function checksumMismatch(codec: string, stored: number, computed: number): RefscopeError {
  return new RefscopeError({
    code: "checksum-mismatch",
    doing: `Verifying the checksum of “${codec}”`,
    expected: `${hexadecimal(stored)}, as stored with the data`,
    found: `${hexadecimal(computed)}, computed from the data`,
    advice: "The bytes are damaged, or the reference points at other bytes than those the checksum was made from.",
  });
}

export function badConfiguration(codec: string, member: string, expected: string, found: string): RefscopeError {
  return new RefscopeError({
    code: "codec-configuration",
    doing: `Reading the configuration of the codec “${codec}”`,
    where: member,
    expected,
    found,
    advice: "Correct the codec's entry in the array's metadata.",
  });
}

function hexadecimal(value: number): string {
  return `0x${(value >>> 0).toString(16).padStart(8, "0")}`;
}
