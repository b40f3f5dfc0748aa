/** WebP (RFC 9649) as imagecodecs reads it, with libwebp in WebAssembly (the package @jsquash/webp). */
import factory from "@jsquash/webp/codec/dec/webp_dec.js";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { hexBytes } from "#core/bytes.ts";
import { badConfiguration, brief, type Bytes, decodeFailed, type Decoder, decodeTooLarge } from "../codec.ts";

const ID = "imagecodecs_webp";

export const imagecodecsWebp: Decoder = {
  prepare: (configuration) => {
    const index = configuration.get("index") ?? 0;
    if (index !== 0) throw badConfiguration(ID, "index", "0 or null: an image, no animation", brief(index));
    const hasAlpha = configuration.get("hasalpha") ?? null;
    if (hasAlpha !== null && typeof hasAlpha !== "boolean") {
      throw badConfiguration(ID, "hasalpha", "true, false or null", brief(hasAlpha));
    }
    return {
      label: hasAlpha === null ? "WebP" : hasAlpha ? "WebP, with alpha" : "WebP, without alpha",
      decode: (input, limit) => decodeWebp(ID, input, { hasAlpha: hasAlpha ?? undefined, limit }),
    };
  },
};

// Reads a WebP file's description of its image (RFC 9649 §2) before decoding.

/** Throws `decode-failed`. */
function readWebpHeader(codec: string, bytes: Uint8Array) {
  const text = (at: number, length = 4) => String.fromCharCode(...bytes.subarray(at, at + length));
  if (text(0) !== "RIFF" || text(8) !== "WEBP") {
    const found = bytes.length === 0 ? "nothing" : hexBytes(bytes.subarray(0, 12));
    throw decodeFailed(codec, "a WebP file, which begins with “RIFF” and has “WEBP” 8 bytes on", found);
  }
  if (bytes.length < 30) throw decodeFailed(codec, "a WebP file of at least 30 bytes", `${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const needed = view.getUint32(4, true) + 8;
  if (needed > bytes.length) throw decodeFailed(codec, `a file of ${needed} bytes`, `${bytes.length} bytes`);
  switch (text(12)) {
    case "VP8 ": {
      const [width, height] = [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
      return { width, height, hasAlpha: false };
    }
    case "VP8L": {
      const bits = view.getUint32(21, true);
      const [width, height] = [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
      return { width, height, hasAlpha: ((bits >>> 28) & 1) === 1 };
    }
    case "VP8X": {
      const flags = bytes[20] ?? 0;
      if ((flags & 2) !== 0) throw decodeFailed(codec, "an image", "an animation");
      const three = (at: number) => view.getUint16(at, true) + (bytes[at + 2] ?? 0) * 65_536;
      return { width: three(24) + 1, height: three(27) + 1, hasAlpha: (flags & 16) !== 0 };
    }
    default:
      throw decodeFailed(codec, "a chunk “VP8 ”, “VP8L” or “VP8X”", JSON.stringify(text(12)));
  }
}

export interface WebpOptions {
  /** True if there are four channels; absent: read from the file. */
  readonly hasAlpha: boolean | undefined;
  /** Most bytes. */
  readonly limit: number;
}

type Webp = Awaited<ReturnType<typeof factory>>;

const MODULE = new URL("../../../node_modules/@jsquash/webp/codec/dec/webp_dec.wasm", import.meta.url);

/** WebAssembly's memory never shrinks: after a larger image it is given up. */
const MOST_KEPT_PIXELS = 2 ** 22;

let opened: Promise<Webp> | undefined;

/** The package fetches its module by its URL, which Node does not for files. */
async function openWebp(): Promise<Webp> {
  if (MODULE.protocol !== "file:") return factory({ noInitialRun: true, locateFile: () => MODULE.href });
  const { readFile } = process.getBuiltinModule("node:fs/promises");
  return factory({ noInitialRun: true, wasmBinary: await readFile(MODULE) });
}

/**
 * Samples of a pixel next to each other: red, green, blue and perhaps alpha.
 *
 * @throws RefscopeError `decode-failed`, `decode-too-large`; `codec-unavailable` where WebAssembly is refused
 */
export async function decodeWebp(codec: string, input: Bytes, { hasAlpha, limit }: WebpOptions): Promise<Bytes> {
  const header = readWebpHeader(codec, input);
  const pixels = header.width * header.height;
  const channels = (hasAlpha ?? header.hasAlpha) ? 4 : 3;
  if (pixels * channels > limit) {
    throw decodeTooLarge(codec, limit, `${pixels * channels} bytes, as the image's header says`);
  }
  const rgba = decoded(codec, await ready(codec), input);
  if (pixels > MOST_KEPT_PIXELS) opened = undefined;
  if (rgba.length !== pixels * 4) {
    throw decodeFailed(codec, `${pixels} pixels, as the header says`, `${rgba.length / 4}`);
  }
  if (channels === 4) return new Uint8Array(rgba);
  const rgb = new Uint8Array(pixels * 3);
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    rgb[to] = rgba[from] as number;
    rgb[to + 1] = rgba[from + 1] as number;
    rgb[to + 2] = rgba[from + 2] as number;
  }
  return rgb;
}

async function ready(codec: string): Promise<Webp> {
  try {
    opened ??= openWebp();
    return await opened;
  } catch (cause) {
    opened = undefined;
    throw failure("codec-unavailable", WHOLE_SET, { codec, problem: "no-wasm" }, { cause });
  }
}

function decoded(codec: string, webp: Webp, input: Bytes): Uint8ClampedArray {
  let image: ImageData | null;
  try {
    image = webp.decode(input);
  } catch (cause) {
    // A module that stopped may be in any state: the next image gets another.
    opened = undefined;
    throw decodeFailed(codec, "an image that libwebp decodes", String(cause).slice(0, 120));
  }
  if (image === null) throw decodeFailed(codec, "an image that libwebp decodes", "damaged data");
  return image.data;
}
