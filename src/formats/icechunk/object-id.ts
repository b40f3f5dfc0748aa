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

/** Bytes of an id; digits that are none count as zero. */
export function idBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let [held, bits, at] = [0, 0, 0];
  for (const digit of text) {
    held = ((held << 5) | Math.max(0, DIGITS.indexOf(digit))) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
  }
  return bytes;
}

/** A new id, at random. `size`: 8 of nodes, 12 of all else. */
export const newId = (size: 8 | 12): string => objectId(crypto.getRandomValues(new Uint8Array(size)), 0, size);
