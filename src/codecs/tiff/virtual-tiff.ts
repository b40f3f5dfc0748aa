/**
 * Codecs that virtual-tiff (virtual_tiff/codecs.py) writes into Zarr v3: `ChunkyCodec` for pixels whose samples lie
 * together, `HorizontalDeltaCodec` for TIFF's predictor 2.
 *
 * Its own Python sums big-endian samples after `ChunkyCodec` in the wrong byte order; here they are summed as the file's
 * writer took their differences (TIFF 6.0 §14), as it does itself after `bytes`.
 */
import { withByteOrder } from "#core/metadata/data-type-v3.ts";
import type { JsonObject } from "#core/json/json.ts";
import { toLittleEndianC } from "#core/values/little-endian.ts";
import { badConfiguration, brief, type ChunkOutline, decodeFailed, type Decoder } from "../codec.ts";
import { elementTypeOf } from "../numbers/element-type.ts";
import { summedUp } from "./tiff-delta.ts";

const CHUNKY = "ChunkyCodec";
const DELTA = "HorizontalDeltaCodec";
const ORDERS = ["little", "big"] as const;

export const chunky: Decoder = {
  prepare: (configuration, array) => {
    const order = orderMember(CHUNKY, configuration, array);
    const { dataType, chunkShape } = array;
    if (dataType.kind === "object") {
      throw badConfiguration(CHUNKY, "data_type", "elements of a fixed size", dataType.text.slice(0, 80));
    }
    const layout = { dataType: withByteOrder(dataType, order), chunks: chunkShape, order: "F" } as const;
    return {
      label: `Fortran order${dataType.itemSize === 1 ? "" : `, ${order}-endian`}`,
      decode: (input) => toLittleEndianC(checked(CHUNKY, input, array), layout),
    };
  },
};

export const horizontalDelta: Decoder = {
  prepare: (configuration, array) => {
    // Newer versions write the order of the file's bytes: sums of values do not depend on it.
    orderMember(DELTA, configuration, array);
    const { dataType, chunkShape } = array;
    const type = elementTypeOf(dataType);
    if (type === undefined || type.kind === "bool") {
      throw badConfiguration(DELTA, "data_type", "integers or floats of at most 64 bits", dataType.text.slice(0, 80));
    }
    const length = chunkShape.at(-1);
    if (length === undefined) throw badConfiguration(DELTA, "shape", "at least one dimension", "none");
    return {
      label: `TIFF differences, ${dataType.text} along the last dimension`,
      decode: (input) => summedUp(checked(DELTA, input, array), { size: type.size, big: type.big, length, inner: 1 }),
    };
  },
};

function orderMember(codec: string, configuration: JsonObject, { dataType }: ChunkOutline): "little" | "big" {
  const value = configuration.get("endian");
  const isWritten = value !== undefined && (value !== null || dataType.itemSize > 1);
  const known = isWritten ? ORDERS.find((order) => order === value) : "little";
  if (known !== undefined) return known;
  throw badConfiguration(codec, "endian", '"little" or "big"', brief(value));
}

/** Throws `decode-failed` where the bytes are not as many as the chunk has. */
function checked(codec: string, input: Uint8Array<ArrayBuffer>, { elements, dataType, chunkShape }: ChunkOutline) {
  const size = elements * dataType.itemSize;
  if (input.length === size) return input;
  const shape = `chunk shape [${chunkShape.join(", ")}] of ${dataType.itemSize}-byte elements`;
  throw decodeFailed(codec, `${size} bytes, for ${shape}`, `${input.length} bytes`);
}
