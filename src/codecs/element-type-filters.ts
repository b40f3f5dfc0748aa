/** Filters of numcodecs in Zarr v3 whose elements are of another type than the array's. */
import { astype } from "./astype.ts";
import type { Codec } from "./codec.ts";
import { delta } from "./delta.ts";
import { arrayFilter, bitFilter } from "./element-type-v3.ts";
import { fixedScaleOffset } from "./fixed-scale-offset.ts";
import { packbits } from "./packbits.ts";
import { quantize } from "./quantize.ts";

export const numcodecsFilters: readonly Codec[] = [
  arrayFilter(astype, { decoded: "decode_dtype", encoded: "encode_dtype", isFilled: true }),
  arrayFilter(delta, { decoded: "dtype", encoded: "astype", isFilled: false }),
  arrayFilter(fixedScaleOffset, { decoded: "dtype", encoded: "astype", isFilled: true }),
  // zarr-python does not know that `astype` changes the type: what has another cannot be read.
  arrayFilter(quantize, { decoded: "dtype", encoded: undefined, isFilled: true }),
  bitFilter(packbits),
];
