/** Bytes in no format: all the same, or text, which may say what it is. */
import type { Signature } from "../../../core/check/lab.ts";
import { factsOf, shownText, type Recognise } from "./signature.ts";

const LEAST = 8;

export const same: Recognise = (bytes) => {
  const [first] = bytes;
  if (first === undefined || bytes.length < LEAST || !areAll(bytes, first)) return undefined;
  if (first === 0) return { name: "zeros", label: "all zeros", facts: [] };
  return { name: "constant", label: `all bytes ${first.toString(16).padStart(2, "0")}`, facts: [] };
};

function areAll(bytes: Uint8Array, value: number): boolean {
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] !== value) return false;
  return true;
}

const LOOKED_AT = 4096;
const MAX_JSON = 64 * 1024;

/** What servers and repositories send in place of data. */
const TEXTS: readonly (readonly [RegExp, name: string, label: string])[] = [
  [/^\s*(?:<!doctype html|<html)/i, "html", "an HTML page"],
  [/^\s*<\?xml|^\s*<Error>/, "xml", "an XML document"],
  [/^version https:\/\/git-lfs\.github\.com\//, "git-lfs", "a pointer of Git LFS in place of a file"],
];

/** ASCII with spaces or line ends in it; JSON also without. */
export const text: Recognise = (bytes) => {
  const beginning = bytes.subarray(0, LOOKED_AT);
  if (bytes.length < LEAST || !beginning.every(isText)) return undefined;
  const shown = shownText(beginning, LOOKED_AT);
  const known = TEXTS.find(([pattern]) => pattern.test(shown));
  if (known !== undefined) return { name: known[1], label: known[2], facts: firstLine(shown) };
  if (isJson(bytes)) return { name: "json", label: "JSON text", facts: firstLine(shown) };
  return /[ \n]/.test(shown) ? { name: "text", label: "ASCII text", facts: firstLine(shown) } : undefined;
};

const isText = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;

const firstLine = (shown: string): Signature["facts"] =>
  factsOf({ "First line": shown.trimStart().slice(0, 80).split("\n", 1)[0] });

/** An object or a list. Long ones are recognised by how they begin. */
function isJson(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, MAX_JSON));
  if (!/^\s*(?:\{\s*["}]|\[\s*["{[\]\-\dtfn])/.test(start)) return false;
  if (bytes.length > MAX_JSON) return true;
  try {
    JSON.parse(start);
    return true;
  } catch {
    return false;
  }
}
