/**
 * `imagecodecs_delta` (imagecodecs, as tifffile writes it for TIFF's predictor 2, TIFF 6.0 §14): differences along an
 * axis, summed up. Floats are summed as integers of their bits.
 */
import { badConfiguration, decodeFailed, type Decoder } from "../codec.ts";
import { checkedLength, layoutMember, type PredictorLayout } from "./tiff-delta-layout.ts";
import type { Bytes } from "#core/byte-source.ts";
import { swapBytes } from "#core/values/byte-order.ts";

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

/**
 * Differences along a dimension, as TIFF's predictor 2 has them (TIFF 6.0 §14), summed up as unsigned integers that
 * wrap.
 */
export interface Summed {
  /** Bytes of an element: 1, 2, 4 or 8. */
  readonly size: number;
  readonly big: boolean;
  /** Elements along the dimension. */
  readonly length: number;
  /** Elements from one to the next along it. */
  readonly inner: number;
}

/** The bytes must be whole elements. Floats are summed as integers of their bits. */
export function summedUp(input: Bytes, { size, big, length, inner }: Summed): Bytes {
  const bytes = big ? swapBytes(input, size) : new Uint8Array(input);
  // Bigints behave alike: an array has numbers or bigints throughout.
  sum(viewOf(bytes, size) as Uint32Array, length, inner);
  return big ? swapBytes(bytes, size) : bytes;
}

/** Integers wrap when they are written. */
function viewOf(bytes: Bytes, size: number) {
  if (size === 8) return new BigUint64Array(bytes.buffer);
  if (size === 4) return new Uint32Array(bytes.buffer);
  return size === 2 ? new Uint16Array(bytes.buffer) : bytes;
}

/** Rows of `length` times `inner` elements. */
function sum(elements: Uint32Array, length: number, inner: number): void {
  const row = length * inner;
  for (let start = 0; start < elements.length; start += row) {
    for (let i = start + inner; i < start + row; i++) {
      elements[i] = (elements[i] as number) + (elements[i - inner] as number);
    }
  }
}
