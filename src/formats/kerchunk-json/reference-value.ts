/**
 * The value of one key of a reference set, after fsspec (implementations/reference.py: `_process_references0`,
 * `_process_references1`, `_cat_common`). What fsspec keeps but fails on when the key is read is `bad`, with the reason.
 */
import { unreadableInline } from "#core/table/reference.ts";
import { type Code, finding, type Finding, WHOLE_SET, withFacts, unlessFinding } from "#core/findings/finding.ts";
import { pythonJsonOf } from "#core/json/python-json.ts";
import { asciiText, decodeString, decodeText, itemsOf } from "./json-bytes.ts";
import { inlineOfText, type InlineOddity } from "./inline.ts";

export type ReferenceValue =
  /** `raw`: JSON string text without quotes, as the inline pool keeps it. */
  | { readonly kind: "inline"; readonly raw: Uint8Array; readonly oddity: InlineOddity | undefined }
  | { readonly kind: "whole"; readonly target: Uint8Array | null }
  | { readonly kind: "range"; readonly target: Uint8Array | null; readonly offset: number; readonly length: number }
  | BadValue;

/** `found`: why; the caller, who knows the key, gives it a place. */
export interface BadValue {
  readonly kind: "bad";
  readonly found: Finding;
}

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
  return malformed(written);
}

function stringValue(raw: Uint8Array): ReferenceValue {
  const { oddity } = inlineOfText(decodeString(raw).text);
  if (oddity === "bad-base64") return { kind: "bad", found: withFacts(unreadableInline(oddity), { step: "inline" }) };
  if (oddity === "lone-surrogate") return { kind: "bad", found: unreadableInline(oddity) };
  return { kind: "inline", raw, oddity };
}

/** The chunk is the object as `json.dumps` writes it. */
const dumpedObject = (value: Uint8Array): ReferenceValue =>
  unlessFinding(
    () => inlineJson(pythonJsonOf(decodeText(value).text)),
    () => malformed("an object that is not JSON", "a text, a list or a JSON object"),
  );

function inlineJson(text: string): ReferenceValue {
  return { kind: "inline", raw: encoder.encode(JSON.stringify(text).slice(1, -1)), oddity: undefined };
}

function listValue(bytes: Uint8Array, from: number, to: number): ReferenceValue {
  const items = itemsOf(bytes, from, to);
  const [url, offset, length] = items;
  if (url === undefined) return malformed("an empty list", LIST);
  const target = targetOf(bytes, url);
  if (target === undefined) {
    return malformed("a list whose first item is neither a text nor null", LIST);
  }
  if (offset === undefined) return { kind: "whole", target };
  if (length === undefined) {
    return malformed("a list of 2 items", LIST);
  }
  if (items.length > 3) {
    return malformed(`a list of ${items.length} items`, LIST);
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
  const offset = byteCount("offset", offsetText);
  if (typeof offset !== "number") return offset;
  const length = byteCount("length", lengthText);
  if (typeof length !== "number") return length;
  if (!Number.isSafeInteger(offset + length)) return tooLarge("end", `${offsetText} + ${lengthText}`);
  return { kind: "range", target, offset, length };
}

function byteCount(what: "offset" | "length", text: string): number | BadValue {
  if (/^\d+$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : tooLarge(what, text);
  if (/^-\d+$/.test(text)) return Number(text) === 0 ? 0 : badSize(`reference-${what}-negative`, text);
  return badSize(/^-?\d/.test(text) ? `reference-${what}-fractional` : `reference-${what}-not-a-number`, text);
}

const tooLarge = (what: "offset" | "length" | "end", text: string): BadValue =>
  badSize(`reference-${what}-too-large`, text);

type SizeCode = Exclude<Extract<Code, `reference-${"offset" | "length" | "end"}-${string}`>, "reference-length-absent">;

const badSize = (code: SizeCode, written: string): BadValue => ({
  kind: "bad",
  found: finding(code, WHOLE_SET, { written }),
});

const LIST = "[url] or [url, offset, length]";

export const malformed = (found: string, expected = "a text or a list"): BadValue => ({
  kind: "bad",
  found: finding("reference-malformed", WHOLE_SET, { expected, found }),
});
