/**
 * Whole GRIB messages as chunks: kerchunk's codec `grib` and gribscan's `gribscan.rawgrib`, which read them with eccodes,
 * and `gribberish`. Values come flat, in the order in which the message stores them, missing ones as NaN; the array's shape is laid over them. The reader
 * of messages is loaded when first needed.
 *
 * The message marks missing values, by its bitmap or packing. kerchunk's codec, which knows eccodes' number for it alone, makes
 * NaN of each 9999 that was measured, too, and gribscan's references have 9999 as their fill value. Neither turns rows that
 * are stored in alternating directions, as cfgrib does and Refscope. Both is noted.
 */
import { dataTypeLabel } from "../core/metadata/data-type.ts";
import { finding, type Finding, WHOLE_SET } from "../core/findings/finding.ts";
import type { JsonObject } from "../core/json/json.ts";
import { badConfiguration, brief, decodeFailed, stringMember } from "./codec.ts";
import type { ChunkOutline, Decoder, DecodeStep } from "./codec.ts";
import { elementTypeMember, elementTypeOf, isLong, writeLongs, writeNumbers } from "./numbers/element-type.ts";
import type { ElementType } from "./numbers/element-type.ts";
import type { Orientation } from "./grib/orientation.ts";
import type { Wanted } from "./grib/read-message.ts";
import type { ReadOptions } from "./grib/read-options.ts";
import type { Reader } from "./grib/scale.ts";

/** Value that eccodes gives for a missing point by default. */
const ECCODES_MISSING = 9999;

/**
 * Notes what readers with eccodes make otherwise. It counts values of 9999, by the message's bytes, as it is decoded.
 */
function differences(codec: string) {
  const counts = new WeakMap<Uint8Array, number>();
  return {
    count: (input: Uint8Array, values: Float64Array): void => {
      let number = 0;
      for (const value of values) if (value === ECCODES_MISSING) number += 1;
      counts.set(input, number);
    },
    remarks: async (input: Uint8Array): Promise<readonly Finding[]> => {
      const values = counts.get(input) ?? 0;
      const { areRowsTurned } = await import("./grib/read-message.ts");
      const problems = [values > 0 && "missing-number", areRowsTurned(codec, input) && "alternating-rows"] as const;
      return problems.flatMap((problem) =>
        problem === false ? [] : finding("grib-codec-differs", WHOLE_SET, { codec, problem, values }),
      );
    },
  };
}

export const grib: Decoder = {
  prepare: (configuration) => {
    const wanted = variable("grib", configuration);
    const type = typeMember("grib", configuration) ?? (wanted === "values" ? FLOAT32 : FLOAT64);
    return gribStep(wanted, type);
  },
};

const FLOAT64: ElementType = { kind: "float", size: 8, big: false, text: "<f8" };
const FLOAT32: ElementType = { ...FLOAT64, size: 4, text: "<f4" };

/** gribscan/rawgribcodec.py: eccodes' `values` as they come. */
export const gribscanRaw: Decoder = {
  prepare: () => {
    const { count, remarks } = differences("gribscan.rawgrib");
    return {
      label: `${labelOf("values", FLOAT64)}, missing ones ${ECCODES_MISSING}`,
      decode: async (input, limit) => {
        const { asEccodes } = await import("./grib/read-message.ts");
        const read = await asEccodes(input, "values", readOptions("gribscan.rawgrib", "eccodes", limit, FLOAT64));
        count(input, read);
        for (let i = 0; i < read.length; i++) if (Number.isNaN(read[i])) read[i] = ECCODES_MISSING;
        return write("gribscan.rawgrib", read, FLOAT64);
      },
      remarks,
    };
  },
};

export const gribberish: Decoder = {
  prepare: (configuration, outline) => {
    const type = typeMember("gribberish", configuration) ?? arrayType(outline);
    return gribberishStep(variable("gribberish", configuration), type, orientation(configuration));
  },
};

function variable(codec: string, configuration: JsonObject): Wanted {
  const name = stringMember(codec, configuration, "var");
  return name === "latitude" || name === "longitude" ? name : "values";
}

function orientation(configuration: JsonObject): Orientation {
  return {
    adjustLongitudeRange: flag(configuration, "adjust_longitude_range"),
    northUp: flag(configuration, "north_up"),
  };
}

function flag(configuration: JsonObject, member: string): boolean {
  const value = configuration.get(member) ?? false;
  if (typeof value !== "boolean") throw badConfiguration("gribberish", member, "true or false", brief(value));
  return value;
}

function gribStep(wanted: Wanted, type: ElementType): DecodeStep {
  const { count, remarks } = differences("grib");
  return {
    label: labelOf(wanted, type),
    decode: async (input, limit) => {
      const { asEccodes } = await import("./grib/read-message.ts");
      const read = await asEccodes(input, wanted, readOptions("grib", "eccodes", limit, type));
      if (wanted === "values") count(input, read);
      return write("grib", read, type);
    },
    remarks: async (input) => (wanted === "values" ? remarks(input) : []),
  };
}

function gribberishStep(wanted: Wanted, type: ElementType, flags: Orientation): DecodeStep {
  const codec = "gribberish";
  const turned = [flags.adjustLongitudeRange ? ", from 180° west" : "", flags.northUp ? ", north up" : ""].join("");
  return {
    label: labelOf(wanted, type) + turned,
    decode: async (input, limit) => {
      const { asGribberish } = await import("./grib/read-message.ts");
      const read = await asGribberish(input, wanted, flags, readOptions(codec, codec, limit, type));
      return write(codec, read, type);
    },
    remarks: async (input) => {
      if (wanted !== "values") return [];
      const { gribberishDifference } = await import("./grib/gribberish-differs.ts");
      const facts = gribberishDifference(codec, input, flags.adjustLongitudeRange || flags.northUp);
      return facts === undefined ? [] : [finding("gribberish-differs", WHOLE_SET, facts)];
    },
  };
}

function readOptions(codec: string, reader: Reader, limit: number, type: ElementType): ReadOptions {
  return { codec, reader, limit, maximum: Math.floor(limit / type.size) };
}

function labelOf(wanted: Wanted, type: ElementType): string {
  return `GRIB message, ${wanted === "values" ? "values" : `${wanted}s`} as ${typeName(type)}`;
}

/** `dtype` as NumPy reads it: `float64`, `<f8`, `f8`. */
function typeMember(codec: string, configuration: JsonObject): ElementType | undefined {
  const text = stringMember(codec, configuration, "dtype");
  if (text?.endsWith("b1") === true) throw badConfiguration(codec, "dtype", "a float or integer type", brief(text));
  return elementTypeMember(codec, configuration, "dtype");
}

/** The array's own type, as gribberish's codec of Zarr v3 turns values into it. */
function arrayType({ dataType }: ChunkOutline): ElementType {
  const type = elementTypeOf(dataType);
  if (type !== undefined && type.kind !== "bool") return type;
  const expected = "a numeric type, here or in the array's metadata";
  throw badConfiguration("gribberish", "dtype", expected, dataTypeLabel(dataType));
}

const typeName = ({ kind, size, big }: ElementType): string => `${kind}${size * 8}${big ? ", big-endian" : ""}`;

/**
 * Converts as `astype` does. Integers: truncates towards zero; throws if a value does not fit, since NumPy's result
 * then depends on the machine.
 */
function write(codec: string, values: Float64Array<ArrayBuffer>, type: ElementType): Uint8Array<ArrayBuffer> {
  if (type.kind === "float") {
    const isAsWanted = type.size === 8 && !type.big && values.byteLength === values.buffer.byteLength;
    return isAsWanted ? new Uint8Array(values.buffer) : writeNumbers(values, type);
  }
  const minimum = type.kind === "int" ? -(2 ** (type.size * 8 - 1)) : 0;
  const end = 2 ** (type.size * 8 - (type.kind === "int" ? 1 : 0));
  const whole = values.map((value) => {
    const cut = Math.trunc(value);
    if (cut >= minimum && cut < end) return cut;
    throw decodeFailed(
      codec,
      `values that fit ${typeName(type)}`,
      Number.isNaN(value) ? "a missing value" : String(value),
    );
  });
  if (!isLong(type)) return writeNumbers(whole, type);
  const longs = type.kind === "int" ? BigInt64Array : BigUint64Array;
  return writeLongs(longs.from(Array.from(whole, BigInt)), type);
}
