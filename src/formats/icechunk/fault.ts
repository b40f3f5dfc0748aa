/** Errors of Icechunk files: each names the file, and the field if known. */
import { hexBytes } from "#core/bytes.ts";
import { failure, type RefscopeError, targetAt } from "#core/findings/finding.ts";
import type { FileKind } from "#core/findings/catalogue/formats/icechunk.ts";

export interface FileName {
  readonly kind: FileKind;
  /** Path below the repository's root. */
  readonly path: string;
}

export interface Damage {
  /** "nodes[3].path": the field in the format's own words. */
  readonly field?: string;
  /** Short noun phrases, as `found` is. */
  readonly expected: string;
  readonly found: string;
  readonly cause?: unknown;
}

/** `icechunk-file-damaged`, to be thrown. */
export function damaged({ kind, path }: FileName, { field = "", expected, found, cause }: Damage): RefscopeError {
  const facts = { file: kind, field: field === "" ? undefined : field, expected, found };
  return failure("icechunk-file-damaged", targetAt(path), facts, cause === undefined ? undefined : { cause });
}

/** The first bytes in hexadecimal. */
export const firstBytes = (bytes: Uint8Array): string => hexBytes(bytes.subarray(0, 12));
