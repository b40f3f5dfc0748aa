/**
 * `json2` (numcodecs' JSON): a chunk as one list in JSON, `[…values, dtype, shape]`; `json`, its form before numcodecs
 * 0.6, has no shape. Kerchunk writes text of HDF5 so.
 */
import { joinBytes } from "#core/bytes.ts";
import type { JsonObject } from "#core/json/json.ts";
import { badConfiguration, brief, type Bytes, decodeFailed, type Decoder, stringMember } from "../codec.ts";
import { listedElements } from "./json2-elements.ts";

export const json2: Decoder = jsonCodec("json2", false);
export const json: Decoder = jsonCodec("json", true);

function jsonCodec(id: string, withoutShape: boolean): Decoder {
  return {
    prepare: (configuration, array) => {
      const encoding = encodingMember(id, configuration);
      const strict = configuration.get("strict") !== false;
      return {
        label: `JSON list, ${encoding}`,
        makes: array.dataType.kind === "object" ? "json" : undefined,
        decode: (input, limit) => {
          const text = toUtf8(id, input, encoding);
          const readable = strict ? text : withEscapes(text);
          return listedElements(id, readable, array, { limit, withoutShape, unchecked: true });
        },
      };
    },
  };
}

type Encoding = "utf-8" | "ascii" | "latin-1";

/** Encodings by the names to which Python normalises them. */
const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ["utf_8", "utf-8"],
  ["utf8", "utf-8"],
  ["u8", "utf-8"],
  ["ascii", "ascii"],
  ["us_ascii", "ascii"],
  ["latin_1", "latin-1"],
  ["latin1", "latin-1"],
  ["iso_8859_1", "latin-1"],
  ["iso8859_1", "latin-1"],
  ["l1", "latin-1"],
]);

function encodingMember(id: string, configuration: JsonObject): Encoding {
  const name = stringMember(id, configuration, "encoding") ?? "utf-8";
  const encoding = ENCODINGS.get(name.toLowerCase().replaceAll(/[- ]/g, "_"));
  if (encoding === undefined) throw badConfiguration(id, "encoding", "utf-8, ascii or latin-1", brief(name));
  return encoding;
}

function toUtf8(id: string, input: Bytes, encoding: Encoding): Bytes {
  if (encoding === "latin-1") return fromLatin1(input);
  if (encoding === "ascii" && input.some((byte) => byte > 127)) throw decodeFailed(id, "ASCII", "bytes beyond 127");
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input);
  } catch {
    throw decodeFailed(id, "JSON text in UTF-8", `${input.length} bytes that are not UTF-8`);
  }
  return input;
}

function fromLatin1(input: Bytes): Bytes {
  const wide = input.reduce((count, byte) => count + (byte > 127 ? 1 : 0), 0);
  if (wide === 0) return input;
  const text = new Uint8Array(input.length + wide);
  let to = 0;
  for (const byte of input) {
    if (byte > 127) text[to++] = 0xc0 | (byte >> 6);
    text[to++] = byte > 127 ? 0x80 | (byte & 63) : byte;
  }
  return text;
}

/** `strict: false` allows control characters in strings: they are escaped. */
function withEscapes(text: Bytes): Bytes {
  const parts: Uint8Array[] = [];
  let [inString, from] = [false, 0];
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number;
    if (byte === 0x22) inString = !inString;
    else if (byte === 0x5c) at++;
    else if (inString && byte < 32) {
      parts.push(text.subarray(from, at), new TextEncoder().encode(`\\u${byte.toString(16).padStart(4, "0")}`));
      from = at + 1;
    }
  }
  return from === 0 ? text : joinBytes([...parts, text.subarray(from)]);
}
