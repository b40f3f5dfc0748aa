/** Inline bytes as a Kerchunk JSON set would write them, which is how the inline pool keeps them. */

const BASE64 = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const PREFIX = new TextEncoder().encode("base64:");
const [QUOTE, BACKSLASH, PAD] = [0x22, 0x5c, 0x3d];

/**
 * JSON string text of the bytes from `from` to `to`: printable ASCII as it is, anything else after `base64:`. Bytes that
 * themselves begin with `base64:` stay as they are, since Python decodes these too (fsspec, `_cat_common`).
 */
export function inlineText(bytes: Uint8Array, from: number, to: number): Uint8Array {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) return base64(bytes, from, to);
  }
  return bytes.subarray(from, to);
}

function base64(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const text = new Uint8Array(PREFIX.length + Math.ceil((to - from) / 3) * 4);
  text.set(PREFIX);
  let out = PREFIX.length;
  for (let at = from; at < to; at += 3, out += 4) {
    const left = to - at;
    const three = ((bytes[at] as number) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text[out] = digit(three >> 18);
    text[out + 1] = digit(three >> 12);
    text[out + 2] = left > 1 ? digit(three >> 6) : PAD;
    text[out + 3] = left > 2 ? digit(three) : PAD;
  }
  return text;
}

function digit(bits: number): number {
  return BASE64[bits & 63] as number;
}
