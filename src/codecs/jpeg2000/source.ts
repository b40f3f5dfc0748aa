/** Origin of a code stream, for the errors of decoding it. */
import type { RefscopeError } from "#core/findings/finding.ts";
import { decodeFailed } from "../codec.ts";

export interface Source {
  readonly codec: string;
  /** The part of the codec's data that is the code stream, where there are others. */
  readonly section?: string;
}

export function damaged({ codec, section }: Source, part: string, expected: string, found: string): RefscopeError {
  return decodeFailed(codec, expected, found, section === undefined ? part : `${section}, ${part}`);
}
