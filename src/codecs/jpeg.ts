/**
 * JPEG (ITU-T T.81) as imagecodecs reads it with libjpeg-turbo: `imagecodecs_jpeg`, and virtual-tiff's name for it. The
 * decoder is the browser's own: where it is another than libjpeg-turbo, values may differ by 1 or so.
 */
import type { JsonObject } from "../core/json/json.ts";
import type { DecodeStep, Decoder } from "./codec.ts";
import { brief, stringMember } from "./configuration.ts";
import { badConfiguration } from "./failure.ts";
import type { ColorSpace, JpegConfiguration } from "./jpeg/color.ts";

export const imagecodecsJpeg = jpegCodec("imagecodecs_jpeg");
export const imagecodecsJpeg8 = jpegCodec("imagecodecs_jpeg8");

function jpegCodec(id: string): Decoder {
  return { prepare: (configuration) => jpegStep(id, configuration) };
}

function jpegStep(codec: string, configuration: JsonObject): DecodeStep {
  const bits = configuration.get("bitspersample") ?? null;
  if (bits !== null && bits !== 8) {
    throw badConfiguration(codec, "bitspersample", "8, which browsers decode", brief(bits));
  }
  const read: JpegConfiguration = {
    codec,
    header: bytesMember(codec, configuration, "header"),
    tables: bytesMember(codec, configuration, "tables"),
    stored: spaceMember(codec, configuration, "colorspace_jpeg"),
    wanted: spaceMember(codec, configuration, "colorspace_data"),
  };
  return {
    label: "JPEG, by the browser's decoder: values may differ from Python's by 1",
    decode: async (input, limit) => {
      const { decodeJpeg } = await import("./jpeg/decode.ts");
      return decodeJpeg(read, input, limit);
    },
  };
}

function bytesMember(codec: string, configuration: JsonObject, member: string): Uint8Array | undefined {
  const text = stringMember(codec, configuration, member);
  if (text === undefined) return undefined;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw badConfiguration(codec, member, "bytes in base64", brief(text));
  }
}

/** libjpeg's J_COLOR_SPACE. */
const SPACES: readonly ColorSpace[] = ["default", "gray", "rgb", "ycbcr", "cmyk", "ycck"];
const NAMES: ReadonlyMap<string, ColorSpace> = new Map([
  ["GRAYSCALE", "gray"],
  ["RGB", "rgb"],
  ["YCBCR", "ycbcr"],
  ["CMYK", "cmyk"],
  ["YCCK", "ycck"],
]);

function spaceMember(codec: string, configuration: JsonObject, member: string): ColorSpace | undefined {
  const value = configuration.get(member) ?? null;
  if (value === null) return undefined;
  const space =
    typeof value === "number" ? SPACES[value] : NAMES.get(typeof value === "string" ? value.toUpperCase() : "");
  if (space !== undefined) return space;
  throw badConfiguration(codec, member, "null, 0 to 5, or one of GRAYSCALE, RGB, YCBCR, CMYK, YCCK", brief(value));
}
