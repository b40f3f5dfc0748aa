/** Errors of pcodec files, in one place: the name that they give the codec. */
import type { RefscopeError } from "#core/findings/finding.ts";
import { decodeFailed } from "../codec.ts";

export const CODEC = "pcodec";

/** `section`: the part of the file. */
export function invalid(expected: string, found: string, section?: string): RefscopeError {
  return decodeFailed(CODEC, expected, found, section);
}
