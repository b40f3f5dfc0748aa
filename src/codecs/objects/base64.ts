/** numcodecs `base64` (RFC 4648 §4), read as Python's `standard_b64decode` does: other characters are passed over. */
import { decodeFailed, type Decoder, decodeTooLarge } from "../codec.ts";

const ID = "base64";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SIXTHS = new Uint8Array(256).fill(255);
for (let i = 0; i < 64; i++) SIXTHS[ALPHABET.charCodeAt(i)] = i;
const PAD = 61;

export const base64: Decoder = {
  prepare: () => ({ label: "base64", decode: decodeBase64 }),
};

/** @throws RefscopeError `decode-failed`, `decode-too-large`. */
export function decodeBase64(input: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  const maximum = Math.ceil(input.length / 4) * 3;
  const result = new Uint8Array(Math.min(maximum, limit));
  let length = 0;
  let held = 0;
  let characters = 0;
  let pads = 0;
  for (const byte of input) {
    if (byte === PAD) {
      // Padding that completes a group of four ends the text, whatever follows.
      pads += 1;
      if (characters % 4 >= 2 && (characters % 4) + pads >= 4) return result.slice(0, length);
      continue;
    }
    const sixth = SIXTHS[byte] as number;
    if (sixth > 63) continue;
    pads = 0;
    held = (held << 6) | sixth;
    characters += 1;
    const place = characters % 4;
    if (place === 1) continue;
    if (length >= limit) throw decodeTooLarge(ID, limit, `more than ${limit} bytes`);
    result[length++] = held >> (place === 2 ? 4 : place === 3 ? 2 : 0);
  }
  if (characters % 4 === 0) return result.slice(0, length);
  throw decodeFailed(ID, "groups of four characters, the last filled up with “=”", `${characters} characters`);
}
