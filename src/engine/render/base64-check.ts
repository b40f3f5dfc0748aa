/** Whether Python's `base64.b64decode` takes a text: fsspec decodes inline values when it opens a set. */
import { FsspecError } from "./raised.ts";

const ALPHABET = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

/**
 * Characters outside of the alphabet are passed over, as Python does without `validate`.
 * @throws FsspecError ValueError for text outside of ASCII, binascii.Error for wrong padding
 */
export function checkBase64(text: string): void {
  // oxlint-disable-next-line no-control-regex
  if (/[^\0-\x7f]/.test(text)) {
    throw new FsspecError("ValueError", "string argument should contain only ASCII characters");
  }
  let digits = 0;
  let pads = 0;
  for (const character of text) {
    if (character === "=") {
      if (digits % 4 < 2) continue;
      pads += 1;
      if ((digits % 4) + pads >= 4) return;
    } else if (ALPHABET.has(character)) {
      digits += 1;
      pads = 0;
    }
  }
  if (digits % 4 === 0) return;
  if (digits % 4 > 1) throw new FsspecError("binascii.Error", "Incorrect padding");
  const message = `Invalid base64-encoded string: number of data characters (${digits}) cannot be 1 more than a multiple of 4`;
  throw new FsspecError("binascii.Error", message);
}
