/** numcodecs `quantize`: rounds while encoding, which nothing undoes; floats stored as `astype` are read as `dtype`. */
import { badConfiguration, type Decoder, numberMember } from "../codec.ts";
import { elementTypeMember, requiredElementType, type ElementType } from "./element-type.ts";
import { castBytes } from "./element-type-cast.ts";
import { arrayFilter } from "./element-type-v3.ts";

const ID = "quantize";

export const quantize: Decoder = {
  prepare: (configuration) => {
    const to = onlyFloat(requiredElementType(ID, configuration, "dtype"), "dtype");
    const from = onlyFloat(elementTypeMember(ID, configuration, "astype") ?? to, "astype");
    const digits = numberMember(ID, configuration, "digits");
    const turned = from.text === to.text ? "nothing to undo" : `${from.text} as ${to.text}`;
    return {
      label: `quantize, ${digits} digits kept (${turned})`,
      decode: (input, limit) => castBytes(ID, input, { from, to }, limit),
    };
  },
};

/** zarr-python does not know that `astype` changes the type: what has another cannot be read. */
export const quantizeV3 = arrayFilter(ID, quantize, { decoded: "dtype", encoded: undefined, isFilled: true });

function onlyFloat(type: ElementType, member: string): ElementType {
  if (type.kind === "float") return type;
  throw badConfiguration(ID, member, "a float type such as <f4", type.text);
}
