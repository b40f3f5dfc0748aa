/** `bytes` (Zarr v3 core codec; once called `endian`): elements one after another, in C order. */
import { swapBytes } from "../core/values/byte-order.ts";
import { badConfiguration, brief, type ChunkOutline, dataTypeUnread, decodeFailed, type Decoder } from "./codec.ts";

export const bytes: Decoder = {
  prepare: (configuration, array) => {
    if (array.dataType.kind === "object") {
      if (array.dataType.isUnknown === true) throw dataTypeUnread(array.dataType.text);
      const found = `elements of type ${array.dataType.text.slice(0, 80)}, which have none`;
      throw badConfiguration("bytes", "data_type", "elements of a fixed size", found);
    }
    const endian = configuration.get("endian");
    return {
      label: labelOf(endian, array),
      decode: (input) => inOrder(checked(input, array), endian, array),
    };
  },
};

function labelOf(endian: unknown, { dataType }: ChunkOutline): string {
  if (endian === undefined || endian === null) {
    return dataType.itemSize === 1 ? "bytes" : "bytes, byte order not said: little-endian";
  }
  if (endian === "little" || endian === "big") return `bytes, ${endian}-endian`;
  throw badConfiguration("bytes", "endian", '"little" or "big"', brief(endian as never));
}

/**
 * The array's data type says the byte order from here on, and it was taken from this codec: so nothing is turned round
 * but wider elements under an array of single bytes (`cast_value`), whose type knows no order.
 */
function inOrder(input: Uint8Array<ArrayBuffer>, endian: unknown, { dataType, orderIsOwn }: ChunkOutline) {
  const written = endian === "big" ? "big" : "little";
  return orderIsOwn === true && dataType.byteOrder !== written ? swapBytes(input, dataType.itemSize) : input;
}

function checked(input: Uint8Array<ArrayBuffer>, { dataType, chunkShape, elements, otherType }: ChunkOutline) {
  const size = otherType === true ? input.length : elements * dataType.itemSize;
  if (input.length === size) return input;
  const shape = `chunk shape [${chunkShape.join(", ")}] of ${dataType.itemSize}-byte elements`;
  throw decodeFailed("bytes", `${size} bytes, for ${shape}`, `${input.length} bytes`);
}
