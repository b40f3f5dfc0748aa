/**
 * DEFLATE (RFC 1951) without a checksum of its own: members of zip archives with their local header, as kerchunk's
 * `deflate` reads them (APPNOTE.TXT 4.3.7), and `imagecodecs_deflate`, which is zlib unless `raw` is true.
 */
import { type Bytes, decodeFailed, type Decoder, finish, newOutput } from "../codec.ts";
import { inflate } from "./inflate.ts";
import { unzlib } from "./zlib.ts";

export const deflate: Decoder = {
  streamEnd: (bytes, limit) => inflate(bytes, 0, newOutput("deflate", limit, limit)),
  prepare: () => ({ label: "DEFLATE, a member of a zip archive", decode: unzip }),
};

export const imagecodecsDeflate: Decoder = {
  prepare: (configuration) =>
    configuration.get("raw") === true
      ? { label: "DEFLATE", decode: (input, limit) => inflateAll("imagecodecs_deflate", input, 0, limit) }
      : { label: "zlib", decode: (input, limit) => unzlib("imagecodecs_deflate", input, limit) },
};

const HEADER_BYTES = 30;

/** Reads as Python's `zipfile`: ignores signatures and checksums, cuts bytes after the header's size. */
function unzip(input: Bytes, limit: number): Bytes {
  if (input.length < HEADER_BYTES) {
    throw decodeFailed("deflate", "a zip archive's local header of 30 bytes", `${input.length} bytes`);
  }
  const view = new DataView(input.buffer, input.byteOffset, HEADER_BYTES);
  const [stored, size] = [view.getUint32(18, true), view.getUint32(22, true)];
  const start = HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  if (stored === 0 || start >= input.length) {
    const found = stored === 0 ? "a header that says 0" : `${input.length} bytes, with data from byte ${start}`;
    throw decodeFailed("deflate", "compressed data after a zip archive's local header", found + startsWith(view));
  }
  const decoded = inflateAll("deflate", input.subarray(0, start + stored), start, limit);
  return decoded.length > size ? decoded.slice(0, size) : decoded;
}

function startsWith(view: DataView): string {
  const start = view.getUint32(0).toString(16).padStart(8, "0");
  return start === "504b0304" ? "" : `; the bytes begin ${start}, where a member of an archive begins 504b0304`;
}

/** Bytes after the end of the stream are read over. */
function inflateAll(codec: string, input: Bytes, from: number, limit: number): Bytes {
  const output = newOutput(codec, limit, (input.length - from) * 4);
  inflate(input, from, output);
  return finish(output);
}
