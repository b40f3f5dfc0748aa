/** `bytes` (Zarr v3 core codec; once called `endian`): elements one after another, in C order. */
import type { ChunkOutline, Codec } from "./codec.ts";
import { brief } from "./configuration.ts";
import { badConfiguration, decodeFailed } from "./failure.ts";

export const bytes: Codec = {
  id: "bytes",
  prepare: (configuration, array) => {
    if (array.dataType.kind === "object") {
      const found = `elements of type ${array.dataType.text.slice(0, 80)}, which have none`;
      throw badConfiguration("bytes", "data_type", "elements of a fixed size", found);
    }
    // The array's data type says the byte order from here on: nothing is turned round.
    return {
      label: labelOf(configuration.get("endian"), array),
      decode: (input) => checked(input, array),
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

function checked(input: Uint8Array<ArrayBuffer>, { dataType, chunkShape, elements, otherType }: ChunkOutline) {
  const size = otherType === true ? input.length : elements * dataType.itemSize;
  if (input.length === size) return input;
  const shape = `chunk shape [${chunkShape.join(", ")}] of ${dataType.itemSize}-byte elements`;
  throw decodeFailed("bytes", `${size} bytes, for ${shape}`, `${input.length} bytes`);
}
