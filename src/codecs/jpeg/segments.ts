/** Segments of a JPEG (ITU-T T.81, annex B): what the image is, and the same image without what changes colours. */
import { joinBytes } from "../../core/join-bytes.ts";
import { hexBytes } from "../../core/hex-bytes.ts";
import { decodeFailed } from "../failure.ts";

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  /** Whether the markers, or the components' names, say RGB (libjpeg's jdapimin.c). */
  readonly isRgb: boolean;
}

export interface Segments {
  readonly frame: Frame;
  /** What goes before the scans, without application data (profiles, orientation, colour transforms) and comments. */
  readonly kept: readonly Uint8Array[];
  /** From the first scan on. */
  readonly scans: Uint8Array;
}

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const COMMENT = 0xfe;
const ADOBE = 0xee;

/** `input` begins with a start marker. Throws `decode-failed`. */
export function readSegments(codec: string, input: Uint8Array): Segments {
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
    if (isFrame(marker)) found = { frame: bytes, kind: marker - 0xc0 };
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

interface Segment {
  readonly marker: number;
  /** With its marker and length. */
  readonly bytes: Uint8Array;
  readonly at: number;
}

function* segmentsOf(codec: string, input: Uint8Array): Generator<Segment> {
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

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
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
