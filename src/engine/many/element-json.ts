/** Elements of no fixed size as Python's `json.dumps(…, default=str)` writes them with its defaults. */
import { fromBase64 } from "../../core/values/fill-bytes.ts";
import { pythonJsonOf, pythonJsonText } from "../../core/json/python-json.ts";
import type { VariableElements } from "../../core/values/variable-elements.ts";

/** JSON of one element; text in quotes, escaped beyond ASCII. */
export function pythonJson(elements: VariableElements, index: number): string {
  const element = elements.at(index) ?? "";
  if (typeof element !== "string") return pythonJsonText(bytesRepr(element));
  if (elements.kind !== "json") return pythonJsonText(element);
  return pythonJsonOf(withoutBytes(element));
}

/** Byte strings inside objects (`b"…"`, core/variable-elements.ts) become the text that `default=str` gives. */
function withoutBytes(text: string): string {
  if (!text.includes('b"')) return text;
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|b"([A-Za-z0-9+/=]*)"/g, (whole, base64: string | undefined) => {
    const bytes = base64 === undefined ? undefined : fromBase64(base64);
    return bytes === undefined ? whole : pythonJsonText(bytesRepr(bytes));
  });
}

const NAMED: ReadonlyMap<number, string> = new Map([
  [9, "\\t"],
  [10, "\\n"],
  [13, "\\r"],
  [92, "\\\\"],
]);

/** Python's `str` of bytes. */
function bytesRepr(bytes: Uint8Array): string {
  const quote = bytes.includes(39) && !bytes.includes(34) ? '"' : "'";
  const text = Array.from(bytes, (byte) => {
    if (byte === quote.charCodeAt(0)) return `\\${quote}`;
    const isPlain = byte >= 32 && byte < 127 && byte !== 92;
    return isPlain ? String.fromCharCode(byte) : (NAMED.get(byte) ?? `\\x${byte.toString(16).padStart(2, "0")}`);
  }).join("");
  return `b${quote}${text}${quote}`;
}
