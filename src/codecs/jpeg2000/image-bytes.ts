/** The samples of a JPEG 2000 image as bytes, as imagecodecs 2024-2026 lays them out (`jpeg2k_decode`). */
import { decodeTooLarge } from "../failure.ts";
import { unbox } from "./boxes.ts";
import type { ImageSize } from "./code-stream.ts";
import { bytesOfSample, decodeCodeStream, type Image, type ImageComponent } from "./decode.ts";
import { damaged, type Source } from "./source.ts";

export interface ImageBytesOptions {
  /** Components one after another, instead of the components of a pixel. */
  readonly isPlanar: boolean;
  /** Most bytes. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Little-endian, 1, 2 or 4 bytes a sample as the samples' bits need.
 *
 * @throws RefscopeError `decode-failed`, `decode-too-large`, `codec-unavailable`
 */
export async function decodeJpeg2000(
  source: Source,
  input: Uint8Array,
  { isPlanar, limit, signal }: ImageBytesOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { codeStream, colours } = unbox(source, input);
  const accept = (size: ImageSize) => checkComponents(source, size, limit);
  const image = await decodeCodeStream(source, codeStream, { accept, limit, signal });
  const isHalved = image.components.length === 3 && image.components[1]?.dx === 2;
  const isSycc = isHalved || (colours === "sycc" && image.components.length >= 3);
  return bytesOfImage(isSycc ? turnedToRgb(image) : image.components, isPlanar);
}

type Samples = Int32Array<ArrayBuffer>;

/** Chroma samples may be half as many, across or both ways: readers take them for sYCC, whatever the file says. */
const HALVED: ReadonlySet<string> = new Set(["2/2", "2/1"]);

/** imagecodecs refuses components of several depths or sizes. */
function checkComponents(source: Source, { components, ...size }: ImageSize, limit: number): void {
  const [first, ...others] = components;
  const depths = new Set(components.map(({ depth, isSigned }) => `${depth}/${isSigned}`));
  const spacings = new Set(others.map(({ dx, dy }) => `${dx}/${dy}`));
  const isHalved = components.length === 3 && spacings.size === 1 && [...spacings].every((one) => HALVED.has(one));
  const isWhole = spacings.size === 0 || (spacings.size === 1 && spacings.has(`${first?.dx}/${first?.dy}`));
  if (depths.size > 1 || !(isWhole || (isHalved && first?.dx === 1 && first.dy === 1))) {
    const found = components.slice(0, 4).map(({ depth, dx, dy }) => `${depth} bits, one in ${dx} × ${dy} pixels`);
    throw damaged(source, "SIZ", "components of one depth and size, or half the chroma of sYCC", found.join("; "));
  }
  const { x0, y0, x1, y1 } = size;
  if (isHalved && spacings.has("2/2") && (x0 % 2 === 1 || y0 % 2 === 1)) {
    throw damaged(source, "SIZ", "an image from an even place on, where chroma is halved both ways", `${x0}, ${y0}`);
  }
  const needed = (x1 - x0) * (y1 - y0) * components.length * bytesOfSample(first?.depth ?? 8);
  if (isHalved && needed > limit) {
    throw decodeTooLarge(source.codec, limit, `${needed} bytes, as the image's header says`);
  }
}

/**
 * Amendment 1 to IEC 61966-2-1, rounded towards zero as OpenJPEG's own programs do. Of an image that begins at an odd
 * place they take the chroma of the first column to be 0.
 */
function turnedToRgb({ x0, components }: Image): readonly ImageComponent[] {
  const [first, second, third] = components as readonly [ImageComponent, ImageComponent, ImageComponent];
  const [right, down] = [second.dx / first.dx - 1, second.dy / first.dy - 1];
  const left = right * (x0 & 1);
  const [offset, most] = [2 ** (first.depth - 1), 2 ** first.depth - 1];
  const within = (value: number) => Math.min(most, Math.max(0, value));
  const rgb = [0, 1, 2].map(() => new Int32Array(first.samples.length)) as [Samples, Samples, Samples];
  for (let at = 0; at < first.samples.length; at++) {
    const x = (at % first.width) - left;
    const y = Math.floor(at / first.width);
    const from = x < 0 ? -1 : (y >> down) * second.width + (x >> right);
    const luma = first.samples[at] as number;
    const [b, r] = [(second.samples[from] ?? 0) - offset, (third.samples[from] ?? 0) - offset];
    rgb[0][at] = within(luma + Math.trunc(Math.fround(1.402 * r)));
    rgb[1][at] = within(luma - Math.trunc(Math.fround(0.344 * b + 0.714 * r)));
    rgb[2][at] = within(luma + Math.trunc(Math.fround(1.772 * b)));
  }
  return [...rgb.map((samples) => ({ ...first, samples })), ...components.slice(3)];
}

function bytesOfImage(components: readonly ImageComponent[], isPlanar: boolean): Uint8Array<ArrayBuffer> {
  const first = components[0] as ImageComponent;
  const size = bytesOfSample(first.depth);
  const pixels = first.samples.length;
  const count = components.length;
  const bytes = new Uint8Array(pixels * count * size);
  const out = size === 1 ? bytes : size === 2 ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer);
  for (const [at, { samples }] of components.entries()) {
    if (isPlanar) out.set(samples, at * pixels);
    else for (let i = 0, to = at; i < pixels; i++, to += count) out[to] = samples[i] as number;
  }
  return bytes;
}
