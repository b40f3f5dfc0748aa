/** Inline values: from the JSON string text that the inline pool keeps to the bytes that fsspec returns for them. */
import { decodeBase64 } from "./base64.ts";
import { decodeString } from "./json-bytes.ts";

/**
 * - `non-ascii`: text with characters from U+0080 on. Python's reader encodes them as UTF-8; LINDI's writer means one
 *   byte a character (Latin-1)
 * - `bad-base64`: Python refuses it (and, in Version 1, the whole set); there are no bytes
 * - `lone-surrogate`: half a character, which Python cannot encode; there are no bytes
 */
export type InlineOddity = "non-ascii" | "bad-base64" | "lone-surrogate";

export interface InlineBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly oddity?: InlineOddity;
}

const PREFIX = "base64:";
const encoder = new TextEncoder();

/**
 * Bytes of an inline value. `raw`: a JSON string's text without its quotes, still escaped. After `base64:` Python's
 * base64 (fsspec, implementations/reference.py, `_cat_common`), else the text's UTF-8. Never throws for text that is
 * JSON.
 */
export function decodeInline(raw: Uint8Array): InlineBytes {
  return inlineOfText(decodeString(raw).text);
}

export function inlineOfText(text: string): InlineBytes {
  if (text.startsWith(PREFIX)) {
    // Python takes base64 from ASCII text only.
    const ascii = /^[\0-\x7f]*$/.test(text);
    const bytes = ascii ? decodeBase64(encoder.encode(text.slice(PREFIX.length))) : undefined;
    return bytes === undefined ? { bytes: new Uint8Array(0), oddity: "bad-base64" } : { bytes };
  }
  if (/[\ud800-\udfff]/u.test(text)) return { bytes: new Uint8Array(0), oddity: "lone-surrogate" };
  const bytes = encoder.encode(text);
  return bytes.length === text.length ? { bytes } : { bytes, oddity: "non-ascii" };
}
