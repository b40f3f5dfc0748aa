/** One reference's value as the columns hold it, and as plain data. */
import { LENGTH_BIG, LENGTH_WHOLE, TARGET_BAD, TARGET_INLINE, TARGET_NULL } from "#core/table/reference-table.ts";
import type { Reference } from "#core/table/reference.ts";
import { inlineOfText } from "./inline.ts";
import { decodeString, decodeText } from "./json-bytes.ts";
import type { ReferenceValue } from "./reference-value.ts";
import type { Scanner } from "./scan-wasm.ts";

const MAX_WRITTEN = 500;

/** Puts the target or the inline text into the scanner's pools. A length beyond the column is `LENGTH_BIG`. */
export function columnsOf(scanner: Scanner, value: ReferenceValue) {
  if (value.kind === "bad") return { target: TARGET_BAD, offset: 0, length: 0 };
  if (value.kind === "inline") {
    return { target: TARGET_INLINE, offset: scanner.addInline(value.raw), length: value.raw.length };
  }
  const target = value.target === null ? TARGET_NULL : scanner.addTarget(value.target);
  if (value.kind === "whole") return { target, offset: 0, length: LENGTH_WHOLE };
  return { target, offset: value.offset, length: Math.min(value.length, LENGTH_BIG) };
}

/** `bytes` from `from` to `to`: the value as JSON text. */
export function asReference(value: ReferenceValue, bytes: Uint8Array, from: number, to: number): Reference {
  if (value.kind === "inline") return { kind: "inline", bytes: inlineOfText(decodeString(value.raw).text).bytes };
  if (value.kind === "bad") return { kind: "bad", reason: value.found, written: writtenText(bytes, from, to) };
  const target = value.target === null ? null : decodeString(value.target).text;
  if (value.kind === "whole") return { kind: "whole", target };
  return { kind: "range", target, offset: value.offset, length: value.length };
}

/** JSON text, cut at 500 bytes. */
export function writtenText(bytes: Uint8Array, from: number, to: number): string {
  return decodeText(bytes.subarray(from, Math.min(to, from + MAX_WRITTEN))).text;
}
