/** numcodecs `packbits`: a byte that counts the bits of padding, then eight booleans a byte, the highest bit first. */
import { decodeFailed, type Decoder, decodeTooLarge, finish, newOutput, reserve } from "../codec.ts";
import { bitFilter } from "../numbers/element-type-v3.ts";

const ID = "packbits";

export const packbits: Decoder = {
  prepare: () => ({ label: "packed bits, a boolean each", decode: unpack }),
};

export const packbitsV3 = bitFilter(ID, packbits);

function unpack(input: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  const padded = input[0];
  if (padded === undefined) throw decodeFailed(ID, "a byte that counts the bits of padding", "0 bytes");
  const count = Math.max(0, 8 * (input.length - 1) - padded);
  if (count > limit) throw decodeTooLarge(ID, limit, `${count} bytes`);
  const result = new Uint8Array(count);
  for (let i = 0; i < count; i++) result[i] = ((input[1 + (i >> 3)] as number) >> (7 - (i & 7))) & 1;
  return result;
}

const OF_BYTES = "imagecodecs_packbits";

/** PackBits (TIFF 6.0, section 9) as imagecodecs reads it: packs bytes, not bits. */
export const imagecodecsPackbits: Decoder = {
  prepare: () => ({ label: "PackBits, runs of bytes", decode: unpackBits }),
};

/** 0 to 127: that many bytes plus one as they are; 129 to 255: the next byte 257 less that many times; 128: nothing. */
function unpackBits(input: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  const output = newOutput(OF_BYTES, limit, input.length * 2);
  let at = 0;
  while (at < input.length) {
    const control = input[at++] as number;
    if (control === 128) continue;
    // A zero at the very end is a pad byte (DICOM makes lengths even).
    if (control === 0 && at === input.length) break;
    const stored = control < 128 ? control + 1 : 1;
    const length = control < 128 ? stored : 257 - control;
    if (at + stored > input.length) {
      throw decodeFailed(
        OF_BYTES,
        `${stored} bytes after byte ${at}`,
        `${input.length - at} bytes, the end of the data`,
      );
    }
    reserve(output, length);
    if (control < 128) output.bytes.set(input.subarray(at, at + stored), output.length);
    else output.bytes.fill(input[at] as number, output.length, output.length + length);
    output.length += length;
    at += stored;
  }
  return finish(output);
}
