/**
 * JPEG (ITU-T T.81) as imagecodecs reads it with libjpeg-turbo: `imagecodecs_jpeg`, and virtual-tiff's name for it. The
 * decoder is the browser's own, kept from changing what it decodes: where it is another than libjpeg-turbo, values may
 * differ by 1 or so.
 */
import type { JsonObject } from "../../core/json/json.ts";
import { joinBytes } from "../../core/join-bytes.ts";
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import type { DecodeStep, Decoder } from "../codec.ts";
import { brief, stringMember } from "../configuration.ts";
import { badConfiguration, decodeFailed, decodeTooLarge } from "../failure.ts";
import { colorsOf, type Colors, type ColorSpace, type JpegConfiguration } from "./color.ts";
import { readSegments, readTables, withHeader, type Frame, type Segments } from "./segments.ts";

type Bytes = Uint8Array<ArrayBuffer>;

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
    decode: (input, limit) => decodeJpeg(read, input, limit),
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

/**
 * Samples in rows, channels next to each other. Throws RefscopeError `decode-failed`, `decode-too-large`,
 * `codec-configuration`; `codec-unavailable` where there is no browser, or one that changes what canvases give.
 */
async function decodeJpeg(configuration: JpegConfiguration, input: Bytes, limit: number): Promise<Bytes> {
  const { codec } = configuration;
  const segments = readSegments(codec, withHeader(configuration.header, input));
  const { frame, scans } = segments;
  const colors = colorsOf(configuration, frame);
  const size = frame.width * frame.height * colors.channels;
  if (size > limit) throw decodeTooLarge(codec, limit, `${size} bytes, as the image's header says`);
  // Decoders make up what is missing: plausible and wrong.
  if (!hasEnd(scans)) throw decodeFailed(codec, "an end marker (ff d9)", "data cut off before it");
  checkBrowser(codec);
  const pixels = await pixelsOf(codec, plainImage(configuration, segments, colors), frame);
  const step = 4;
  const samples = new Uint8Array(size);
  for (let at = 0, to = 0; at < pixels.length; at += step) {
    for (let channel = 0; channel < colors.channels; channel++) samples[to++] = pixels[at + channel] as number;
  }
  return samples;
}

function hasEnd(scans: Uint8Array): boolean {
  for (let at = scans.length - 2; at >= 0; at--) if (scans[at] === 0xff && scans[at + 1] === 0xd9) return true;
  return false;
}

/** Without profiles and orientation; the only word on colours is ours (Adobe's APP14 segment). */
function plainImage(configuration: JpegConfiguration, { frame, kept, scans }: Segments, colors: Colors): Bytes {
  const { codec, tables } = configuration;
  const transform = colors.isTransformed ? 1 : 0;
  const adobe = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, transform];
  return joinBytes([
    Uint8Array.of(0xff, 0xd8),
    frame.components === 3 ? Uint8Array.from(adobe) : new Uint8Array(),
    ...(tables === undefined ? [] : readTables(codec, tables)),
    ...kept,
    scans,
  ]);
}

/** Red, green, blue and alpha of each pixel. */
async function pixelsOf(codec: string, image: Bytes, { width, height }: Frame): Promise<Uint8ClampedArray> {
  const options = { colorSpaceConversion: "none", premultiplyAlpha: "none" } as const;
  const bitmap = await createImageBitmap(new Blob([image], { type: "image/jpeg" }), options).catch((cause: unknown) => {
    const found = cause instanceof Error ? cause.message : String(cause);
    throw decodeFailed(codec, "a JPEG that this browser decodes", found);
  });
  try {
    if (bitmap.width !== width || bitmap.height !== height) {
      throw decodeFailed(codec, `${width} by ${height} pixels`, `${bitmap.width} by ${bitmap.height}`);
    }
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    if (context === null) throw failure("codec-unavailable", WHOLE_SET, { codec, problem: "no-canvas" });
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  } finally {
    bitmap.close();
  }
}

const PATTERN = 64;
let isFaithful: boolean | undefined;

/** Some browsers change a few pixels of every canvas that is read, against fingerprinting. */
function checkBrowser(codec: string): void {
  if (typeof OffscreenCanvas === "undefined" || typeof createImageBitmap === "undefined") {
    throw failure("codec-unavailable", WHOLE_SET, { codec, problem: "no-browser" });
  }
  isFaithful ??= canvasIsFaithful();
  if (isFaithful) return;
  throw failure("codec-unavailable", WHOLE_SET, { codec, problem: "changed-pixels" });
}

function canvasIsFaithful(): boolean {
  const context = new OffscreenCanvas(PATTERN, PATTERN).getContext("2d", { willReadFrequently: true });
  if (context === null) return false;
  const written = new ImageData(PATTERN, PATTERN);
  for (let i = 0; i < written.data.length; i++) written.data[i] = i % 4 === 3 ? 255 : (i * 31 + (i >> 7) * 17) % 256;
  context.putImageData(written, 0, 0);
  const read = context.getImageData(0, 0, PATTERN, PATTERN).data;
  return read.every((value, at) => value === written.data[at]);
}
