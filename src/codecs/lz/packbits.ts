/** numcodecs `packbits`: a byte that counts the bits of padding, then eight booleans a byte, the highest bit first. */
import { decodeFailed, type Decoder, decodeTooLarge } from "../codec.ts";
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
