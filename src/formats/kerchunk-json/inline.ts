/** Inline values: from the JSON string text that the inline pool keeps to the bytes that fsspec returns for them. */
import { decodeString } from "./json-bytes.ts";

/**
 * Base64 as Python's `base64.b64decode` reads it without `validate` (CPython, Modules/binascii.c, a2b_base64): bytes
 * outside the alphabet are skipped, reading stops at padding that completes a group, and what is then incomplete is an
 * error. Other decoders refuse or accept other texts.
 */
const VALUES = new Uint8Array(256).fill(255);
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
for (let value = 0; value < LETTERS.length; value += 1) VALUES[LETTERS.charCodeAt(value)] = value;

const PAD = 61;

/** Decoded bytes, or `undefined` where Python raises `binascii.Error`. */
export function decodeBase64(text: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const out = new Uint8Array(Math.floor((text.length * 3) / 4) + 3);
  let length = 0;
  let position = 0;
  let pads = 0;
  let left = 0;
  for (const byte of text) {
    if (byte === PAD) {
      pads += position >= 2 ? 1 : 0;
      if (position >= 2 && position + pads >= 4) return out.slice(0, length);
      continue;
    }
    const value = VALUES[byte] ?? 255;
    if (value === 255) continue;
    pads = 0;
    if (position > 0) out[length++] = ((left << (position * 2)) | (value >> (6 - position * 2))) & 255;
    left = value & (63 >> (position * 2));
    position = (position + 1) & 3;
  }
  return position === 0 ? out.slice(0, length) : undefined;
}

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
export const decodeInline = (raw: Uint8Array): InlineBytes => inlineOfText(decodeString(raw).text);

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
