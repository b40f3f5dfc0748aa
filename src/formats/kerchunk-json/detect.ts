/** Whether data may be a Kerchunk JSON reference set, from their first bytes and name. */
import { decodeText } from "./json-bytes.ts";

const ENOUGH = 65_536;

/**
 * `head`: the first bytes, decompressed; a few hundred suffice. "yes": an object that has what only reference sets have;
 * "maybe": JSON that may be one, or may hold some. The name decides nothing that the bytes do not allow.
 */
export function detectKerchunkJson(head: Uint8Array, name: string): "yes" | "maybe" | "no" {
  const text = decodeText(head.subarray(0, ENOUGH))
    .text.replace(/^\ufeff/, "")
    .trimStart();
  if (!text.startsWith("{") && !text.startsWith("[")) return "no";
  const afterBracket = text.slice(1).trimStart();
  // The first key of an object, or of the first object in a list, must begin like one.
  if (text.startsWith("{") && !/^["}]/.test(afterBracket) && afterBracket !== "") return "no";
  if (/"refs"\s*:\s*\{/.test(text) || /"(?:[^"\\]|\\.)*\.z(?:group|array|attrs)"\s*:/.test(text)) {
    return text.startsWith("{") ? "yes" : "maybe";
  }
  // `zarr.json` and its kind have their own readers.
  return /(?:^|\/)(?:zarr\.json|\.z[a-z]+)$/.test(name) ? "no" : "maybe";
}
