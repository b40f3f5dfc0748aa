/** numcodecs `packbits`: a byte that counts the bits of padding, then eight booleans a byte, the highest bit first. */
import type { Codec } from "./codec.ts";
import { badConfiguration, decodeFailed, decodeTooLarge } from "./failure.ts";
import { bitFilter } from "./element-type-v3.ts";

const ID = "packbits";

export const packbits: Codec = {
  id: ID,
  kind: "array-array",
  words: "Makes a boolean of each bit.",
  insertable: "{}",
  prepare: (configuration) => {
    // The codec of this name in Zarr v3's registry packs otherwise; without these members the length decides.
    const foreign = ["padding_encoding", "first_bit", "last_bit"].find((member) => configuration.has(member));
    if (foreign !== undefined) {
      const found = "that of the registered Zarr v3 codec, which Refscope does not decode";
      throw badConfiguration(ID, foreign, "the configuration of numcodecs' packbits, which has no members", found);
    }
    return { label: "packed bits, a boolean each", decode: unpack };
  },
};

export const packbitsV3 = bitFilter(packbits);

function unpack(input: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  const padded = input[0];
  if (padded === undefined) throw decodeFailed(ID, "a byte that counts the bits of padding", "0 bytes");
  const count = Math.max(0, 8 * (input.length - 1) - padded);
  if (count > limit) throw decodeTooLarge(ID, limit, `${count} bytes`);
  const result = new Uint8Array(count);
  for (let i = 0; i < count; i++) result[i] = ((input[1 + (i >> 3)] as number) >> (7 - (i & 7))) & 1;
  return result;
}
