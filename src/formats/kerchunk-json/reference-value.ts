/**
 * The value of one key of a reference set, after fsspec (implementations/reference.py: `_process_references0`,
 * `_process_references1`, `_cat_common`). What fsspec keeps but fails on when the key is read is `bad`, with the reason.
 */
import { RefscopeError } from "../../core/errors.ts";
import { pythonJsonOf } from "../../core/python-json.ts";
import { asciiText, decodeString, decodeText, itemsOf } from "./json-bytes.ts";
import { inlineOfText, type InlineOddity } from "./inline.ts";

export type ReferenceValue =
  /** `raw`: JSON string text without quotes, as the inline pool keeps it. */
  | { readonly kind: "inline"; readonly raw: Uint8Array; readonly oddity: InlineOddity | undefined }
  | { readonly kind: "whole"; readonly target: Uint8Array | null }
  | { readonly kind: "range"; readonly target: Uint8Array | null; readonly offset: number; readonly length: number }
  | { readonly kind: "bad"; readonly code: string; readonly reason: string };

const QUOTE = 34;
const OBJECT = 123;
const encoder = new TextEncoder();

/** The bytes from `from` to `to` are one JSON value that has passed `skipValue`. */
export function referenceValue(bytes: Uint8Array, from: number, to: number): ReferenceValue {
  return bytes[from] === OBJECT ? dumpedObject(bytes.subarray(from, to)) : plainValue(bytes, from, to);
}

/** The same of a metadata document: an object stays as it is written, so that what is odd in it can be found. */
export function metadataValue(bytes: Uint8Array, from: number, to: number): ReferenceValue {
  if (bytes[from] !== OBJECT) return plainValue(bytes, from, to);
  return inlineJson(decodeText(bytes.subarray(from, to)).text);
}

function plainValue(bytes: Uint8Array, from: number, to: number): ReferenceValue {
  const first = bytes[from];
  if (first === QUOTE) return stringValue(bytes.subarray(from + 1, to - 1));
  if (first === 91) return listValue(bytes, from, to);
  const written = asciiText(bytes, from, to);
  if (written === "null") return malformed("The value is null, which is no reference: Python's reader fails on it.");
  return malformed(`The value is ${written}, which is no reference: a list or a text is expected.`);
}

function stringValue(raw: Uint8Array): ReferenceValue {
  const { oddity } = inlineOfText(decodeString(raw).text);
  if (oddity === "bad-base64") {
    return {
      kind: "bad",
      code: "inline-bad-base64",
      reason: "The text after “base64:” is not base64: Python's decoder refuses it, and with it a whole Version 1 set.",
    };
  }
  if (oddity === "lone-surrogate") {
    return malformed("The text holds half a surrogate pair, which cannot be encoded as UTF-8.");
  }
  return { kind: "inline", raw, oddity };
}

/** The chunk is what `json.dumps` makes of the object. */
function dumpedObject(value: Uint8Array): ReferenceValue {
  try {
    return inlineJson(pythonJsonOf(decodeText(value).text));
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    return malformed(`The value is an object that Python's reader would write as JSON text: ${error.message}`);
  }
}

function inlineJson(text: string): ReferenceValue {
  return { kind: "inline", raw: encoder.encode(JSON.stringify(text).slice(1, -1)), oddity: undefined };
}

function listValue(bytes: Uint8Array, from: number, to: number): ReferenceValue {
  const items = itemsOf(bytes, from, to);
  const [url, offset, length] = items;
  if (url === undefined) return malformed("The list is empty: [url], or [url, offset, length] is expected.");
  const target = targetOf(bytes, url);
  if (target === undefined) {
    return malformed("The first item of the list is neither a text nor null, so it is no target URL.");
  }
  if (offset === undefined) return { kind: "whole", target };
  if (length === undefined) {
    return malformed("The list has two items; Python's reader keeps it and fails when the chunk is read.");
  }
  if (items.length > 3) {
    return malformed(`The list has ${items.length} items; Python's reader keeps it and fails when the chunk is read.`);
  }
  return rangeValue(target, scalarText(bytes, offset), scalarText(bytes, length));
}

function targetOf(bytes: Uint8Array, [from, to]: readonly [number, number]): Uint8Array | null | undefined {
  if (bytes[from] === QUOTE) return bytes.subarray(from + 1, to - 1);
  return to - from === 4 && bytes[from] === 110 ? null : undefined;
}

function scalarText(bytes: Uint8Array, [from, to]: readonly [number, number]): string {
  return decodeText(bytes.subarray(from, Math.min(to, from + 60))).text;
}

function rangeValue(target: Uint8Array | null, offsetText: string, lengthText: string): ReferenceValue {
  const offset = sizeOf("offset", offsetText);
  if (typeof offset !== "number") return offset;
  const length = sizeOf("length", lengthText);
  if (typeof length !== "number") return length;
  if (!Number.isSafeInteger(offset + length)) return tooLarge("end", `${offsetText} + ${lengthText}`);
  return { kind: "range", target, offset, length };
}

function sizeOf(what: "offset" | "length", text: string): number | ReferenceValue {
  if (/^\d+$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : tooLarge(what, text);
  if (/^-\d+$/.test(text)) {
    if (Number(text) === 0) return 0;
    const reason = `The ${what} is ${text}; it must not be negative.`;
    return { kind: "bad", code: `reference-${what}-negative`, reason };
  }
  if (/^-?\d/.test(text)) {
    const reason = `The ${what} is ${text}; it must be an integer, and Python's reader fails with a floating-point number.`;
    return { kind: "bad", code: `reference-${what}-fractional`, reason };
  }
  const reason = `The ${what} is ${text}; it must be an integer, and Python's reader fails with anything else.`;
  return { kind: "bad", code: `reference-${what}-not-a-number`, reason };
}

function tooLarge(what: string, text: string): ReferenceValue {
  const reason = `The ${what} is ${text}, which is beyond 2^53 − 1: no file is so large.`;
  return { kind: "bad", code: `reference-${what}-too-large`, reason };
}

function malformed(reason: string): ReferenceValue {
  return { kind: "bad", code: "reference-malformed", reason };
}
