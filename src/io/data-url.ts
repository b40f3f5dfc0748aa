/**
 * The bytes of a `data:` URL (RFC 2397) as fsspec's data filesystem reads them (`implementations/data.py`, 2026.9): what
 * comes before the first comma ends in `base64`, or the rest is percent-encoded text.
 */
import { attempt } from "../core/basics.ts";
import type { Bytes, ByteSource } from "../core/byte-source.ts";
import { failure, type Finding, finding, targetAt } from "../core/findings/finding.ts";
import { shownTarget } from "#core/words.ts";
import { decodeBase64 } from "../codecs/objects/base64.ts";
import { bytesSource } from "./file.ts";

/** Characters. What comes out is no longer than three times as many bytes. */
export const MAX_DATA_URL = 64 * 1024 ** 2;

/** @throws RefscopeError `target-data-malformed`. */
export function dataSource(url: string): ByteSource {
  const name = shownTarget(url);
  const { bytes, findings } = bytesOf(url, name);
  const source = bytesSource(bytes, name);
  if (findings.length === 0) return source;
  return {
    ...source,
    read: async (range, context) => ({ ...(await source.read(range, context)), findings }),
  };
}

interface DataBytes {
  readonly bytes: Bytes;
  readonly findings: readonly Finding[];
}

function bytesOf(url: string, name: string): DataBytes {
  const place = targetAt(name);
  if (url.length > MAX_DATA_URL) {
    throw failure("target-data-malformed", place, { problem: "length", length: url.length, limit: MAX_DATA_URL });
  }
  const comma = url.indexOf(",");
  const text = url.slice(comma + 1);
  if (!url.slice(0, comma).endsWith("base64")) return bytesOfText(text, name);
  // Python takes base64 from ASCII text only.
  const ascii = /^[\0-\x7f]*$/.test(text) ? new TextEncoder().encode(text) : undefined;
  const bytes = ascii === undefined ? undefined : fromBase64(ascii);
  if (bytes === undefined) throw failure("target-data-malformed", place, { problem: "base64" });
  return { bytes, findings: [] };
}

const fromBase64 = (ascii: Bytes): Bytes | undefined => attempt(() => decodeBase64(ascii, ascii.length));

/**
 * `urllib.parse.unquote(text).encode()`: escapes are text in UTF-8. Bytes that are none (which RFC 2397 allows) become
 * U+FFFD, and so have three bytes each.
 */
function bytesOfText(text: string, name: string): DataBytes {
  if (/[\ud800-\udfff]/u.test(text)) throw failure("target-data-malformed", targetAt(name), { problem: "surrogate" });
  let replaced = 0;
  const plain = text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => {
    const bytes = Uint8Array.from({ length: escapes.length / 3 }, (_, at) =>
      Number.parseInt(escapes.slice(3 * at + 1, 3 * at + 3), 16),
    );
    const decoded = lenient.decode(bytes);
    if (!isUtf8(bytes)) replaced += 1;
    return decoded;
  });
  const findings = replaced === 0 ? [] : [finding("target-data-replaced", targetAt(name), {})];
  return { bytes: new TextEncoder().encode(plain), findings };
}

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

function isUtf8(bytes: Bytes): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
