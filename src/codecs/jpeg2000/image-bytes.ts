/** The samples of a JPEG 2000 image as bytes, as imagecodecs 2024-2026 lays them out (`jpeg2k_decode`). */
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
  const accept = (size: ImageSize) => refuseUnlike(source, size);
  const image = await decodeCodeStream(source, codeStream, { accept, limit, signal });
  if (colours === "sycc" && image.components.length >= 3) turnToRgb(image);
  return bytesOfImage(image, isPlanar);
}

/** imagecodecs refuses components of several depths or sizes; those of fewer chroma samples it first turns into RGB. */
function refuseUnlike(source: Source, { components }: ImageSize): void {
  const kinds = new Set(components.map(({ depth, isSigned, dx, dy }) => `${depth}/${isSigned}/${dx}/${dy}`));
  if (kinds.size === 1) return;
  const found = components.slice(0, 4).map(({ depth, dx, dy }) => `${depth} bits, one in ${dx} × ${dy} pixels`);
  throw damaged(source, "SIZ", "components of one depth and size", found.join("; "));
}

/** Amendment 1 to IEC 61966-2-1, rounded towards zero as OpenJPEG's own programs do. */
function turnToRgb({ components }: Image): void {
  const [red, green, blue] = components.map(({ samples }) => samples) as [Int32Array, Int32Array, Int32Array];
  const depth = components[0]?.depth ?? 8;
  const [offset, most] = [2 ** (depth - 1), 2 ** depth - 1];
  const within = (value: number) => Math.min(most, Math.max(0, value));
  const float = Math.fround;
  for (let i = 0; i < red.length; i++) {
    const y = red[i] as number;
    const [b, r] = [(green[i] as number) - offset, (blue[i] as number) - offset];
    red[i] = within(y + Math.trunc(float(1.402 * r)));
    green[i] = within(y - Math.trunc(float(0.344 * b + 0.714 * r)));
    blue[i] = within(y + Math.trunc(float(1.772 * b)));
  }
}

function bytesOfImage({ components }: Image, isPlanar: boolean): Uint8Array<ArrayBuffer> {
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
