/** numcodecs `astype`: elements stored as `encode_dtype`, read as `decode_dtype`, turned as NumPy's `astype` turns them. */
import type { Codec } from "./codec.ts";
import { typeField } from "./fields.ts";
import { complexMember, requiredElementType } from "./element-type.ts";
import { castBytes } from "./element-type-cast.ts";
import { arrayFilter } from "./element-type-v3.ts";

export const astype: Codec = {
  id: "astype",
  kind: "array-array",
  words: "Turns elements into another type.",
  insertable: '{"encode_dtype":"<f4","decode_dtype":"<f8"}',
  fields: [typeField("decode_dtype"), typeField("encode_dtype")],
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

export const astypeV3 = arrayFilter(astype, { decoded: "decode_dtype", encoded: "encode_dtype", isFilled: true });
