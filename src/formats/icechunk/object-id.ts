/**
 * Ids of objects: 12 bytes (snapshots, manifests, chunks) or 8 (nodes), written in Crockford's base32 without padding.
 */

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Bytes [from, from + size) as text: 20 characters for 12 bytes, 13 for 8. The last digit's low bits are zero. */
export function objectId(bytes: Uint8Array, from: number, size: number): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (let at = from; at < from + size; at += 1) {
    held = ((held << 8) | (bytes[at] ?? 0)) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += DIGITS.charAt((held >> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + DIGITS.charAt((held << (5 - bits)) & 31);
}

/** True if the text may be the id of a snapshot, manifest or chunk. */
export const isObjectId = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{20}$/.test(text);
