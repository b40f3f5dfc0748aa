import { type Finding, finding, WHOLE_SET } from "../findings/finding.ts";
import { sameBytes } from "../bytes.ts";

/**
 * The six states of a chunk (see Words in the design), and two more: `unknown` while its page of references has not been
 * fetched or the store was not asked for it; `virtual` for a range of a file elsewhere in formats that also have chunks
 * of their own (Icechunk), instead of `range`. What reading it gave is kept apart from its state.
 */
export type ChunkState = "missing" | "inline" | "whole" | "range" | "native" | "bad" | "unknown" | "virtual";

/** States by code, in every column of codes: `STATES[code]`. */
export const STATES: readonly ChunkState[] = [
  "missing",
  "inline",
  "whole",
  "range",
  "native",
  "bad",
  "unknown",
  "virtual",
];

/** The order in which states are sorted and shown. */
export const STATES_IN_ORDER: readonly ChunkState[] = [
  "missing",
  "inline",
  "whole",
  "range",
  "virtual",
  "native",
  "bad",
  "unknown",
];

export const STATE_CODE: Readonly<Record<ChunkState, number>> = {
  missing: 0,
  inline: 1,
  whole: 2,
  range: 3,
  native: 4,
  bad: 5,
  unknown: 6,
  virtual: 7,
};

/** Result of reading a chunk. A failed chunk is never drawn as fill value. */
export type ReadingResult = "not tried" | "ok" | "failed";

/** Data kept of every reading. */
export type KeptReading =
  /** Decoded bytes; absent where there was nothing to decode. */
  { readonly result: "ok"; readonly bytes?: number } | { readonly result: "failed"; readonly why?: Finding };

/** One chunk's reference as plain data. Made only when a row is looked at; at rest it is columns. */
export type Reference =
  | { readonly kind: "missing" }
  | { readonly kind: "inline"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** `target` is `null` where the set wrote null: "the target given when opening". */
  | { readonly kind: "whole"; readonly target: string | null }
  /** Also of a virtual chunk: what is read is the same, only its state has another name. */
  | { readonly kind: "range"; readonly target: string | null; readonly offset: number; readonly length: number }
  /** Without a range: the whole object. */
  | {
      readonly kind: "native";
      readonly key: string;
      readonly range?: { readonly offset: number; readonly length: number };
    }
  | { readonly kind: "bad"; readonly reason: Finding; readonly written: string };

/** A reference as far as it is compared; `target` is whatever names a target in one set. */
export type ComparedReference<Target> =
  | { readonly kind: "missing" }
  | { readonly kind: "inline"; readonly bytes: Uint8Array }
  | { readonly kind: "whole"; readonly target: Target }
  | ({ readonly kind: "range"; readonly target: Target } & ExactRange)
  | { readonly kind: "native"; readonly key: string; readonly range?: ExactRange }
  | { readonly kind: "bad"; readonly written: string };

interface ExactRange {
  readonly offset: number | bigint;
  readonly length: number | bigint;
}

const sameRange = (a: ExactRange | undefined, b: ExactRange | undefined): boolean =>
  a?.offset === b?.offset && a?.length === b?.length;

/** True if two references lead to the same bytes. `isOneTarget` is asked last: it may have to resolve both. */
export function sameReference<Target>(
  a: ComparedReference<Target>,
  b: ComparedReference<Target>,
  isOneTarget: (a: Target, b: Target) => boolean = (one, other) => one === other,
): boolean {
  if (a.kind === "inline" && b.kind === "inline") return sameBytes(a.bytes, b.bytes);
  if (a.kind === "whole" && b.kind === "whole") return isOneTarget(a.target, b.target);
  if (a.kind === "range" && b.kind === "range") return sameRange(a, b) && isOneTarget(a.target, b.target);
  if (a.kind === "native" && b.kind === "native") return a.key === b.key && sameRange(a.range, b.range);
  if (a.kind === "bad" && b.kind === "bad") return a.written === b.written;
  return a.kind === "missing" && b.kind === "missing";
}

/** Why an inline value has no bytes: its base64 is damaged, or its text cannot be encoded as UTF-8. */
export function unreadableInline(oddity: "bad-base64" | "lone-surrogate"): Finding {
  if (oddity === "bad-base64") return finding("inline-bad-base64", WHOLE_SET, { raises: "binascii.Error" });
  const expected = "a text that can be encoded as UTF-8";
  return finding("reference-malformed", WHOLE_SET, { expected, found: "a text with half a surrogate pair" });
}
