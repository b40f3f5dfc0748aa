/** PNG (ISO/IEC 15948) as imagecodecs reads it with libpng: palettes and short samples widened, tRNS as alpha. */
import { type Decoder, decodeTooLarge } from "../codec.ts";
import { damaged, pngRows, readPng, rowBytes, type PngPicture, type PngSource } from "./picture.ts";

const ID = "imagecodecs_png";

export const imagecodecsPng: Decoder = {
  prepare: () => ({ label: "PNG", decode: (input, limit) => decodePng(ID, input, limit) }),
};

const PALETTE = 3;

/**
 * Samples of a pixel next to each other, 1 byte or 2, little-endian.
 *
 * @throws RefscopeError `decode-failed`, `decode-too-large`, `checksum-mismatch`
 */
export function decodePng(codec: string, input: Uint8Array, limit: number): Uint8Array<ArrayBuffer> {
  const source = { codec };
  const picture = readPng(source, input);
  const { width, height, depth, colour } = picture;
  const alpha = picture.transparency === undefined ? 0 : 1;
  const channels = (colour === PALETTE ? 3 : picture.channels) + (colour > PALETTE ? 0 : alpha);
  const wide = { channels, size: depth === 16 ? 2 : 1 };
  const bytes = width * height * channels * wide.size;
  // Neither side may be 0, as in libpng.
  if (bytes === 0) throw damaged(source, "a picture of at least one pixel", `${width} × ${height} pixels`);
  if (bytes > limit) throw decodeTooLarge(codec, limit, `${bytes} bytes, as the picture's header says`);
  const samples = samplesOf(picture, pngRows(source, picture));
  const out = new Uint8Array(bytes);
  const target = wide.size === 2 ? new Uint16Array(out.buffer) : out;
  if (colour === PALETTE) putColours(source, picture, samples, target, channels);
  else putSamples(picture, samples, target, channels);
  return out;
}

/** One number a sample, row by row. */
function samplesOf(picture: PngPicture, rows: Uint8Array): Uint8Array | Uint16Array {
  const { width, height, depth, channels } = picture;
  if (depth === 8) return rows;
  const across = width * channels;
  if (depth === 16) {
    return Uint16Array.from(
      { length: across * height },
      (_, at) => (rows[at * 2] ?? 0) * 256 + (rows[at * 2 + 1] ?? 0),
    );
  }
  const row = rowBytes(picture);
  return Uint8Array.from({ length: across * height }, (_, at) => {
    const bit = (at % across) * depth;
    const byte = rows[Math.floor(at / across) * row + (bit >> 3)] ?? 0;
    return (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
  });
}

function putColours(
  source: PngSource,
  { palette, transparency }: PngPicture,
  samples: ArrayLike<number>,
  target: Uint8Array | Uint16Array,
  channels: number,
): void {
  const entries = Math.floor(palette.length / 3);
  for (let at = 0; at < samples.length; at++) {
    const entry = samples[at] as number;
    if (entry >= entries) throw damaged(source, `an entry of the palette, below ${entries}`, String(entry));
    for (let i = 0; i < 3; i++) target[at * channels + i] = palette[entry * 3 + i] as number;
    if (channels === 4) target[at * 4 + 3] = transparency?.[entry] ?? 255;
  }
}

/** Short samples are stretched to a byte; the colour that tRNS names has no alpha, all others all of it. */
function putSamples(
  { depth, channels, transparency }: PngPicture,
  samples: ArrayLike<number>,
  target: Uint8Array | Uint16Array,
  wide: number,
): void {
  const factor = depth < 8 ? 255 / (2 ** depth - 1) : 1;
  const opaque = depth === 16 ? 65_535 : 255;
  const named = Array.from({ length: channels }, (_, i) =>
    transparency === undefined ? -1 : (transparency[i * 2] ?? 0) * 256 + (transparency[i * 2 + 1] ?? 0),
  );
  for (let from = 0, to = 0; from < samples.length; from += channels, to += wide) {
    let isNamed = true;
    for (let i = 0; i < channels; i++) {
      const sample = samples[from + i] as number;
      target[to + i] = sample * factor;
      isNamed &&= sample === named[i];
    }
    if (wide > channels) target[to + channels] = isNamed ? 0 : opaque;
  }
}
