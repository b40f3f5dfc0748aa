/**
 * `imagecodecs_delta` (imagecodecs, as tifffile writes it for TIFF's predictor 2, TIFF 6.0 §14): differences along an
 * axis, summed up. Floats are summed as integers of their bits.
 */
import { badConfiguration, decodeFailed, type Decoder } from "../codec.ts";
import { summedUp } from "../numbers/running-sum.ts";
import { checkedLength, layoutMember, type PredictorLayout } from "./tiff-delta-layout.ts";

const ID = "imagecodecs_delta";

export const tiffDelta: Decoder = {
  prepare: (configuration) => {
    const layout = layoutMember(ID, configuration);
    const { type, axis, dist } = layout;
    if (dist !== 1) throw badConfiguration(ID, "dist", "1, all that imagecodecs has", String(dist));
    const isSummed = (type.kind === "int" || type.kind === "uint" || type.kind === "float") && type.itemSize <= 8;
    if (!isSummed) throw badConfiguration(ID, "dtype", "an integer or float type of at most 64 bits", type.text);
    return { label: `TIFF differences, ${type.text} along axis ${axis}`, decode: (input) => decode(input, layout) };
  },
};

function decode(input: Uint8Array<ArrayBuffer>, layout: PredictorLayout): Uint8Array<ArrayBuffer> {
  const { type } = layout;
  const size = type.itemSize;
  checkedLength(ID, input.length, layout);
  if (layout.shape?.length === 0) throw decodeFailed(ID, "an array of at least one dimension", "one without");
  const shape = layout.shape ?? [input.length / size];
  const inner = shape.slice(layout.axis + 1).reduce((product, length) => product * length, 1);
  return summedUp(input, { size, big: type.byteOrder === "big", length: shape[layout.axis] ?? 0, inner });
}
