/** What a WebP file says of its image (RFC 9649 §2), before anything is decoded. */
import { hexBytes } from "../../core/hex-bytes.ts";
import { decodeFailed } from "../failure.ts";

export interface WebpHeader {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** Throws `decode-failed`. */
export function readWebpHeader(codec: string, bytes: Uint8Array): WebpHeader {
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
