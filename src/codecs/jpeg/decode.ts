/** Decodes a JPEG with the browser's own decoder, kept from changing what it decodes. */
import { joinBytes } from "../../core/join-bytes.ts";
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { decodeFailed, decodeTooLarge } from "../failure.ts";
import { colorsOf, type Colors, type JpegConfiguration } from "./color.ts";
import { readSegments, readTables, withHeader, type Frame, type Segments } from "./segments.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Samples in rows, channels next to each other. Throws RefscopeError `decode-failed`, `decode-too-large`,
 * `codec-configuration`; `codec-unavailable` where there is no browser, or one that changes what canvases give.
 */
export async function decodeJpeg(configuration: JpegConfiguration, input: Bytes, limit: number): Promise<Bytes> {
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
