/** numcodecs `fixedscaleoffset`: value = stored / scale + offset, stored as `astype`, read as `dtype`. */
import { type Decoder, numberMember } from "../codec.ts";
import { scaledFloats } from "./element-loops.ts";
import { elementTypeMember, readElements, requiredElementType, type ElementType } from "./element-type.ts";
import { castElements, floatRounding, refuseLarger } from "./element-type-cast.ts";
import { arrayFilter } from "./element-type-v3.ts";

const ID = "fixedscaleoffset";

export const fixedScaleOffset: Decoder = {
  prepare: (configuration) => {
    const to = requiredElementType(ID, configuration, "dtype");
    const from = elementTypeMember(ID, configuration, "astype") ?? to;
    const scale = numberMember(ID, configuration, "scale");
    const offset = numberMember(ID, configuration, "offset");
    // NumPy computes with integers in float64, with floats in their own type.
    const type: ElementType = { kind: "float", size: from.kind === "float" ? from.size : 8, big: false, text: "" };
    return {
      label: `fixed scale and offset, ${from.text} / ${scale} + ${offset} as ${to.text}`,
      decode: (input, limit) => {
        refuseLarger(ID, input.length, { from, to }, limit);
        const quick = scaledFloats(input, { from, to }, scale, offset);
        if (quick !== undefined) return quick;
        const stored = readElements(ID, input, from);
        return castElements(scaled(stored, floatRounding(type.size), scale, offset), type, to);
      },
    };
  },
};

export const fixedScaleOffsetV3 = arrayFilter(ID, fixedScaleOffset, {
  decoded: "dtype",
  encoded: "astype",
  isFilled: true,
});

/** Rounded after each step. */
function scaled(stored: ArrayLike<number | bigint>, round: (value: number) => number, scale: number, offset: number) {
  const result = new Float64Array(stored.length);
  const divisor = round(scale);
  const summand = round(offset);
  for (let i = 0; i < result.length; i++) result[i] = round(round(Number(stored[i]) / divisor) + summand);
  return result;
}
