/**
 * JPEG (ITU-T T.81) as imagecodecs reads it with libjpeg-turbo: `imagecodecs_jpeg`, and virtual-tiff's name for it. The
 * decoder is the browser's own, kept from changing what it decodes: where it is another than libjpeg-turbo, values may
 * differ by 1 or so.
 */
import { orThrow } from "#core/basics.ts";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { hexBytes, joinBytes } from "#core/bytes.ts";
import type { JsonObject } from "#core/json/json.ts";
import { badConfiguration, brief, decodeFailed, decodeTooLarge, stringMember } from "../codec.ts";
import type { Bytes, Decoder, DecodeStep } from "../codec.ts";

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
  return orThrow(
    () => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
    () => badConfiguration(codec, member, "bytes in base64", brief(text)),
  );
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

// Conversion of a JPEG's colours, as imagecodecs asks libjpeg for it.

export type ColorSpace = "default" | "gray" | "rgb" | "ycbcr" | "cmyk" | "ycck";

export interface JpegConfiguration {
  readonly codec: string;
  /** Goes before the data, and an end marker after them. */
  readonly header: Uint8Array | undefined;
  /** An image of nothing but tables (TIFF's JPEGTables). */
  readonly tables: Uint8Array | undefined;
  /** Colour space of the components; absent: read from the markers. */
  readonly stored: ColorSpace | undefined;
  /** Requested colour space; absent: the stored one if given, else RGB or gray. */
  readonly wanted: ColorSpace | undefined;
}

export interface Colors {
  /** True if three components are converted from YCbCr to RGB. */
  readonly isTransformed: boolean;
  /** Channels of the result: the first of those decoded, or all three. */
  readonly channels: 1 | 3;
}

/** Throws `decode-failed` for what a browser cannot give, and `codec-configuration` for what libjpeg refuses. */
function colorsOf({ codec, stored, wanted }: JpegConfiguration, frame: Frame): Colors {
  const { components } = frame;
  if (components !== 1 && components !== 3) {
    const expected = "1 or 3 components, which a browser gives as they are";
    throw decodeFailed(codec, expected, `${components} (CMYK is turned into RGB there)`);
  }
  const said = stored === "default" ? undefined : stored;
  const guess = components === 1 ? "gray" : frame.isRgb ? "rgb" : "ycbcr";
  const from = said ?? guess;
  const usual = components === 1 ? "gray" : "rgb";
  const to = wanted === "default" ? usual : (wanted ?? said ?? usual);
  if ((components === 1) !== (from === "gray") || from === "cmyk" || from === "ycck") {
    throw badConfiguration(codec, "colorspace_jpeg", `a colour space of ${components} components`, from);
  }
  if (to === from) return { isTransformed: false, channels: components };
  if (from === "ycbcr" && to === "rgb") return { isTransformed: true, channels: 3 };
  if (from === "ycbcr" && to === "gray") return { isTransformed: false, channels: 1 };
  if (from === "gray" && to === "rgb") return { isTransformed: false, channels: 3 };
  throw badConfiguration(codec, "colorspace_data", `a colour space that ${from} is turned into`, to);
}

// Segments of a JPEG (ITU-T T.81, annex B): what the image is, and the same image without what changes colours.

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  /** True if the markers, or the components' names, say RGB (libjpeg's jdapimin.c). */
  readonly isRgb: boolean;
}

export interface Segments {
  readonly frame: Frame;
  /** Segments before the scans, without application data (profiles, orientation, colour transforms) and comments. */
  readonly kept: readonly Uint8Array[];
  /** From the first scan on. */
  readonly scans: Uint8Array;
}

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const COMMENT = 0xfe;
const ADOBE = 0xee;

/** `input` begins with a start marker. Throws `decode-failed`. */
function readSegments(codec: string, input: Uint8Array): Segments {
  const kept: Uint8Array[] = [];
  let found: { frame: Uint8Array; kind: number } | undefined;
  let [isJfif, adobe] = [false, undefined as number | undefined];
  for (const { marker, bytes, at } of segmentsOf(codec, input)) {
    if (marker === START_OF_SCAN) {
      if (found === undefined) throw decodeFailed(codec, "a frame before the first scan", "none");
      return { frame: frameOf(codec, found, isJfif, adobe), kept, scans: input.subarray(at) };
    }
    if (marker === END_OF_IMAGE) break;
    const text = String.fromCharCode(...bytes.subarray(4, 9));
    if (marker === 0xe0 && text.startsWith("JFIF\0")) isJfif = true;
    if (marker === ADOBE && text === "Adobe" && bytes.length >= 16) adobe = bytes[15];
    if ((marker >= 0xe0 && marker <= 0xef) || marker === COMMENT) continue;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      found = { frame: bytes, kind: marker - 0xc0 };
    kept.push(bytes);
  }
  throw decodeFailed(codec, "a JPEG with an image in it", `${input.length} bytes without`);
}

/** Tables alone: all of their segments. */
export function readTables(codec: string, tables: Uint8Array): readonly Uint8Array[] {
  const kept: Uint8Array[] = [];
  for (const { marker, bytes } of segmentsOf(codec, tables)) {
    if (marker === END_OF_IMAGE || marker === START_OF_SCAN) break;
    if ((marker < 0xe0 || marker > 0xef) && marker !== COMMENT) kept.push(bytes);
  }
  return kept;
}

function* segmentsOf(codec: string, input: Uint8Array) {
  if (input[0] !== 0xff || input[1] !== 0xd8) {
    const start = hexBytes(input.subarray(0, 4));
    throw decodeFailed(codec, "a JPEG, which begins ff d8", start === "" ? "nothing" : start);
  }
  let at = 2;
  while (at < input.length) {
    if (input[at] !== 0xff) throw decodeFailed(codec, `a marker at byte ${at}`, String(input[at]));
    while (input[at + 1] === 0xff) at++;
    const marker = input[at + 1] ?? END_OF_IMAGE;
    const length = marker === END_OF_IMAGE ? 0 : (input[at + 2] ?? 0) * 256 + (input[at + 3] ?? 0);
    const end = at + 2 + length;
    if (end > input.length || (length < 2 && marker !== END_OF_IMAGE)) {
      throw decodeFailed(codec, `a whole segment at byte ${at}`, `${input.length - at} bytes`);
    }
    yield { marker, bytes: input.subarray(at, end), at };
    at = end;
  }
}

function frameOf(
  codec: string,
  { frame, kind }: { readonly frame: Uint8Array; readonly kind: number },
  isJfif: boolean,
  adobe: number | undefined,
): Frame {
  const [precision = 0, high = 0, low = 0, wide = 0, narrow = 0, components = 0] = frame.subarray(4);
  if (kind > 2 || precision !== 8) {
    const found = `${precision} bits, process ${kind}`;
    throw decodeFailed(codec, "8 bits, baseline, extended or progressive with Huffman codes", found);
  }
  const [height, width] = [high * 256 + low, wide * 256 + narrow];
  if (frame.length < 10 + 3 * components || height === 0 || width === 0) {
    throw decodeFailed(codec, "a frame with a size and its components", `${width} by ${height}`);
  }
  const names = [0, 1, 2].map((i) => frame[10 + 3 * i] ?? 0);
  const isNamed = String.fromCharCode(...names) === "RGB";
  const isRgb = components === 3 && !isJfif && (adobe === undefined ? isNamed : adobe === 0);
  return { width, height, components, isRgb };
}

/** One JPEG of header, tables and data, as imagecodecs puts them together. */
export function withHeader(header: Uint8Array | undefined, input: Uint8Array): Uint8Array {
  if (header === undefined) return input;
  return joinBytes([header, input, Uint8Array.of(0xff, END_OF_IMAGE)]);
}
