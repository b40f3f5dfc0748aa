/**
 * `imagecodecs_floatpred` (imagecodecs, as tifffile writes it for TIFF's predictor 3, Adobe's technical note 3): the
 * bytes of a row's elements lie apart, the highest first, as differences of bytes.
 */
import { badConfiguration, type Decoder } from "../codec.ts";
import { checkedLength, layoutMember, type PredictorLayout } from "../tiff/tiff-delta-layout.ts";

const ID = "imagecodecs_floatpred";

export const floatpred: Decoder = {
  prepare: (configuration) => {
    const layout = layoutMember(ID, configuration);
    const { type, shape, axis, dist } = layout;
    if (shape === undefined || shape.length === 0) throw badConfiguration(ID, "shape", "a list of lengths", "none");
    if (!configuration.has("dtype")) throw badConfiguration(ID, "dtype", "a float type such as <f4", "nothing");
    if (dist !== 1 && dist !== 2 && dist !== 4) throw badConfiguration(ID, "dist", "1, 2 or 4", String(dist));
    if (type.itemSize < 2) throw badConfiguration(ID, "dtype", "elements of at least 2 bytes", type.text);
    if (axis < shape.length - 2) {
      throw badConfiguration(ID, "axis", "one of the last two dimensions, as imagecodecs has it", String(axis));
    }
    if ((shape[axis] ?? 0) % dist !== 0) {
      throw badConfiguration(
        ID,
        "dist",
        `a divisor of the axis's length ${shape[axis]}, as imagecodecs has it`,
        String(dist),
      );
    }
    return { label: `TIFF float predictor, ${type.text} along axis ${axis}`, decode: (input) => decode(input, layout) };
  },
};

function decode(input: Uint8Array<ArrayBuffer>, layout: PredictorLayout): Uint8Array<ArrayBuffer> {
  const { type, shape = [], axis, dist } = layout;
  checkedLength(ID, input.length, layout);
  const samples = shape.slice(axis + 1).reduce((product, length) => product * length, 1);
  const elements = (shape[axis] ?? 0) * samples;
  const row = elements * type.itemSize;
  const bytes = new Uint8Array(input);
  const result = new Uint8Array(input.length);
  const distance = samples * dist;
  for (let start = 0; start < bytes.length; start += row) {
    for (let i = start + distance; i < start + row; i++) {
      bytes[i] = (bytes[i] as number) + (bytes[i - distance] as number);
    }
    joinRow(bytes.subarray(start, start + row), result.subarray(start, start + row), elements, layout);
  }
  return result;
}

function joinRow(planes: Uint8Array, target: Uint8Array, elements: number, { type }: PredictorLayout): void {
  const size = type.itemSize;
  for (let byte = 0; byte < size; byte++) {
    const to = type.byteOrder === "big" ? byte : size - 1 - byte;
    for (let i = 0; i < elements; i++) target[i * size + to] = planes[byte * elements + i] as number;
  }
}
