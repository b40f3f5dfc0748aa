/** Snappy as imagecodecs reads it: one block (google/snappy, format_description.txt). */
import { decodeSnappy, snappyLength } from "../blosc/snappy.ts";
import { decodeFailed, type Decoder, decodeTooLarge } from "../codec.ts";

const ID = "imagecodecs_snappy";
/** Three bytes copy 64 at most. */
const MOST_A_BYTE = 64;

export const imagecodecsSnappy: Decoder = {
  prepare: () => ({ label: "Snappy", decode: unsnappy }),
};

function unsnappy(input: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  const { length } = snappyLength(input, ID);
  if (length > limit) throw decodeTooLarge(ID, limit, `${length} bytes, as the data say`);
  if (length > input.length * MOST_A_BYTE) {
    throw decodeFailed(ID, `${length} bytes`, `${input.length} stored bytes, too few`);
  }
  const target = new Uint8Array(length);
  decodeSnappy(input, target, ID);
  return target;
}
