/**
 * `log_bins` (ccic/codecs.py of SEE-GEO/ccic; in Zarr v3 `numcodecs.log_bins`): one byte an element, the number of a bin of
 * 254 whose edges go from `low` to `high` in equal steps of their logarithm. An element reads as the middle of its bin.
 */
import type { ScalarType } from "#core/metadata/data-type.ts";
import type { JsonObject } from "#core/json/json.ts";
import { badConfiguration, type ChunkOutline, type Decoder, decodeTooLarge, numberMember } from "../codec.ts";
import { writeNumbers } from "./element-type.ts";

const ID = "log_bins";
const EDGES = 254;
/** Above the last edge. */
const TOP = 254;
const MISSING = 255;

export const logBins: Decoder = {
  prepare: (configuration) => step(configuration, false),
};

export const logBinsV3: Decoder = {
  prepare: (configuration, array) => {
    const { kind, itemSize, byteOrder, text } = array.dataType;
    if (kind === "float" && itemSize === 4) return step(configuration, byteOrder === "big");
    throw badConfiguration(ID, "data_type", "float32, which it decodes to", text.slice(0, 80));
  },
  encoded: (_, array): ChunkOutline => ({ ...array, dataType: UINT8, fillValue: null }),
};

const UINT8: ScalarType = { kind: "uint", itemSize: 1, byteOrder: "none", text: "uint8" };

function step(configuration: JsonObject, big: boolean) {
  const [low, high] = [numberMember(ID, configuration, "low"), numberMember(ID, configuration, "high")];
  if (low <= 0) throw badConfiguration(ID, "low", "a number above 0", String(low));
  if (high <= low) throw badConfiguration(ID, "high", `a number above low, ${low}`, String(high));
  return {
    label: `logarithmic bins from ${low} to ${high}`,
    decode: (input: Uint8Array<ArrayBuffer>, limit: number) => {
      if (4 * input.length > limit) throw decodeTooLarge(ID, limit, `${4 * input.length} bytes`);
      const values = valuesOf(low, high);
      const numbers = Float64Array.from(input, (code) => values[code] ?? NaN);
      return writeNumbers(numbers, { kind: "float", size: 4, big, text: "float32" });
    },
  };
}

/** Values by stored byte, computed in float32 throughout. */
function valuesOf(low: number, high: number): Float32Array {
  const edges = logarithmicSteps(low, high);
  return Float32Array.from({ length: 256 }, (_, code) => {
    if (code === 0) return 0;
    if (code === MISSING) return NaN;
    if (code === TOP) return edges[EDGES - 1] ?? NaN;
    return 0.5 * Math.fround((edges[code - 1] ?? 0) + (edges[code] ?? 0));
  });
}

/** `numpy.logspace(log10(low), log10(high), 254)` as float32. */
function logarithmicSteps(low: number, high: number): Float32Array {
  const [first, last] = [Math.log10(low), Math.log10(high)];
  const step = (last - first) / (EDGES - 1);
  return Float32Array.from({ length: EDGES }, (_, at) => 10 ** (at === EDGES - 1 ? last : at * step + first));
}
