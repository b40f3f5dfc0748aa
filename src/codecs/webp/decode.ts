/** Decodes WebP with libwebp in WebAssembly (the package @jsquash/webp). */
import factory from "@jsquash/webp/codec/dec/webp_dec.js";
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { decodeFailed, decodeTooLarge } from "../failure.ts";
import { readWebpHeader } from "./header.ts";

export interface WebpOptions {
  /** Whether there are four channels; absent: as the file says. */
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
export async function decodeWebp(
  codec: string,
  input: Uint8Array<ArrayBuffer>,
  { hasAlpha, limit }: WebpOptions,
): Promise<Uint8Array<ArrayBuffer>> {
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

function decoded(codec: string, webp: Webp, input: Uint8Array<ArrayBuffer>): Uint8ClampedArray {
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
