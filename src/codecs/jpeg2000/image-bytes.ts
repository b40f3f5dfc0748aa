/** The samples of a JPEG 2000 image as bytes, as imagecodecs 2024-2026 lays them out (`jpeg2k_decode`). */
import { type Decoder, decodeTooLarge } from "../codec.ts";
import { hexBytes } from "#core/bytes.ts";
import { type ImageSize, damaged, type Source } from "./code-stream.ts";
import { bytesOfSample, decodeCodeStream, type Image, type ImageComponent } from "./decode.ts";

// The file format around a JPEG 2000 code stream, JP2 (ITU-T T.800 Annex I).

/** `undefined`: as the components are. `sycc`: luminance and chrominance, which readers turn into RGB. */
interface Boxed {
  readonly codeStream: Uint8Array;
  readonly colours: "sycc" | undefined;
}

/** Boxes that make other readers return other samples; Refscope refuses them. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["pclr", "a palette"],
  ["cmap", "a palette"],
]);
const SIGNATURE = "jP  ";
/** Others by number, CMYK and e-sYCC among them, are left as they are. */
const SYCC = 18;
/** The code stream itself may come bare. Throws `decode-failed`. */
function unbox(source: Source, bytes: Uint8Array): Boxed {
  if (bytes[0] === 0xff && bytes[1] === 0x4f) return { codeStream: bytes, colours: undefined };
  if (String.fromCharCode(...bytes.subarray(4, 8)) !== SIGNATURE) {
    const found = bytes.length === 0 ? "nothing" : hexBytes(bytes.subarray(0, 8));
    throw damaged(source, "the file", "a code stream (ff 4f ff 51) or a JP2 file (box “jP  ”)", found);
  }
  let colours: Boxed["colours"] | "unknown" = "unknown";
  for (const { kind, body } of boxesOf(source, bytes)) {
    if (kind === "jp2c") return { codeStream: body, colours: colours === "unknown" ? undefined : colours };
    if (kind !== "jp2h") continue;
    for (const inner of boxesOf(source, body)) {
      const refused = REFUSED.get(inner.kind);
      if (refused !== undefined) throw damaged(source, "the JP2 header", "components as they are", refused);
      // The first specification of colours counts.
      if (inner.kind === "colr" && colours === "unknown") colours = coloursOf(source, inner.body);
      if (inner.kind === "cdef") refuseReordered(source, inner.body);
    }
  }
  throw damaged(source, "the file", "a code stream (box jp2c)", "none");
}

interface Box {
  readonly kind: string;
  readonly body: Uint8Array;
}

function* boxesOf(source: Source, bytes: Uint8Array): Generator<Box> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 8 <= bytes.length;) {
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const [short, head] = [view.getUint32(at), view.getUint32(at) === 1 ? 16 : 8];
    const long = short === 1 && at + 16 <= bytes.length ? Number(view.getBigUint64(at + 8)) : short;
    // The last box may leave its length out.
    const end = short === 0 ? bytes.length : at + long;
    if (end < at + head || end > bytes.length) {
      throw damaged(source, "the file", `a box of ${long} bytes`, `${bytes.length - at} bytes`);
    }
    yield { kind, body: bytes.subarray(at + head, end) };
    at = end;
  }
}

/** Box colr (§I.5.3.3): by number, or a profile. */
function coloursOf(source: Source, body: Uint8Array): Boxed["colours"] {
  if (body[0] === 2) throw damaged(source, "the JP2 header", "colours by number (sRGB, grey, sYCC)", "an ICC profile");
  if (body[0] !== 1 || body.length < 7) return undefined;
  const number = new DataView(body.buffer, body.byteOffset, body.length).getUint32(3);
  return number === SYCC ? "sycc" : undefined;
}

/** Box cdef (§I.5.3.6): channels may be in another order than their colours. */
function refuseReordered(source: Source, body: Uint8Array): void {
  for (let at = 2; at + 6 <= body.length; at += 6) {
    const [channel, kind, colour] = [at, at + 2, at + 4].map((from) => (body[from] ?? 0) * 256 + (body[from + 1] ?? 0));
    if (kind === 0 && colour !== undefined && colour > 0 && colour < 65_535 && colour !== (channel ?? 0) + 1) {
      throw damaged(
        source,
        "the JP2 header",
        "channels in the order of their colours",
        `channel ${channel} for ${colour}`,
      );
    }
  }
}

export interface ImageBytesOptions {
  /** Components one after another, instead of the components of a pixel. */
  readonly isPlanar: boolean;
  /** Most bytes. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

const ID = "imagecodecs_jpeg2k";

/** Reads as imagecodecs does with OpenJPEG: a code stream or a JP2 file. The image describes itself. */
export const imagecodecsJpeg2k: Decoder = {
  prepare: (configuration) => {
    const isPlanar = configuration.get("planar") === true;
    return {
      label: isPlanar ? "JPEG 2000, a plane a component" : "JPEG 2000",
      decode: (input, limit, signal) => decodeJpeg2000({ codec: ID }, input, { isPlanar, limit, signal }),
    };
  },
};

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
