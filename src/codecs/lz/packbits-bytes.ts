/** PackBits (TIFF 6.0, section 9) as imagecodecs reads it. Not numcodecs' `packbits`, which packs bits. */
import { decodeFailed, type Decoder, finish, newOutput, reserve } from "../codec.ts";

const ID = "imagecodecs_packbits";

export const imagecodecsPackbits: Decoder = {
  prepare: () => ({ label: "PackBits, runs of bytes", decode: unpackBits }),
};

/** 0 to 127: that many bytes plus one as they are; 129 to 255: the next byte 257 less that many times; 128: nothing. */
function unpackBits(input: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  const output = newOutput(ID, limit, input.length * 2);
  let at = 0;
  while (at < input.length) {
    const control = input[at++] as number;
    if (control === 128) continue;
    // A zero at the very end is a pad byte (DICOM makes lengths even).
    if (control === 0 && at === input.length) break;
    const stored = control < 128 ? control + 1 : 1;
    const length = control < 128 ? stored : 257 - control;
    if (at + stored > input.length) {
      throw decodeFailed(ID, `${stored} bytes after byte ${at}`, `${input.length - at} bytes, the end of the data`);
    }
    reserve(output, length);
    if (control < 128) output.bytes.set(input.subarray(at, at + stored), output.length);
    else output.bytes.fill(input[at] as number, output.length, output.length + length);
    output.length += length;
    at += stored;
  }
  return finish(output);
}
