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
