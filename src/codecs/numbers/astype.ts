/**
 * numcodecs `astype`: elements stored as `encode_dtype`, read as `decode_dtype`, turned as NumPy's `astype` turns
 * them.
 */
import type { Decoder } from "../codec.ts";
import { complexMember, requiredElementType } from "./element-type.ts";
import { castBytes } from "./element-type-cast.ts";
import { arrayFilter } from "./element-type-v3.ts";

export const astype: Decoder = {
  prepare: (configuration) => {
    // Complex to complex is float to float, twice an element.
    const [complexFrom, complexTo] = ["encode_dtype", "decode_dtype"].map((member) =>
      complexMember("astype", configuration, member),
    );
    const isComplex = complexFrom !== undefined && complexTo !== undefined;
    const from = isComplex ? complexFrom : requiredElementType("astype", configuration, "encode_dtype");
    const to = isComplex ? complexTo : requiredElementType("astype", configuration, "decode_dtype");
    return {
      label: `astype, ${from.text} as ${to.text}`,
      decode: (input, limit) => castBytes("astype", input, { from, to }, limit),
    };
  },
};

export const astypeV3 = arrayFilter("astype", astype, {
  decoded: "decode_dtype",
  encoded: "encode_dtype",
  isFilled: true,
});
