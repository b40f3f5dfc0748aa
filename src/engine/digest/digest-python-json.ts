/** Elements of no fixed size as Python's `json.dumps(…, default=str)` writes them with its defaults. */
import type { JsonNode } from "../../core/json.ts";
import { floatText } from "../../core/number-text.ts";
import { parseJsonTree } from "../../core/parse-json.ts";
import { fromBase64 } from "../../core/fill-bytes.ts";
import type { VariableElements } from "../../core/variable-elements.ts";

/** Of one element; text in quotes, beyond ASCII escaped. */
export function pythonJson(elements: VariableElements, index: number): string {
  const element = elements.at(index) ?? "";
  if (typeof element !== "string") return stringText(bytesRepr(element));
  if (elements.kind !== "json") return stringText(element);
  return nodeText(parseJsonTree(withoutBytes(element)).root);
}

/** A JSON text as `json.dumps` writes what `json.loads` made of it. */
export function pythonJsonOf(text: string): string {
  return nodeText(parseJsonTree(text).root);
}

/** Byte strings inside objects (`b"…"`, core/variable-elements.ts) become the text that `default=str` gives. */
function withoutBytes(text: string): string {
  if (!text.includes('b"')) return text;
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|b"([A-Za-z0-9+/=]*)"/g, (whole, base64: string | undefined) => {
    const bytes = base64 === undefined ? undefined : fromBase64(base64);
    return bytes === undefined ? whole : stringText(bytesRepr(bytes));
  });
}

function nodeText(node: JsonNode): string {
  if (node.kind === "array") return `[${node.items.map(nodeText).join(", ")}]`;
  if (node.kind === "object") {
    // Of repeated keys the last value, where the key was first written.
    const members = new Map(node.members.map((member) => [member.key, member.node]));
    return `{${Array.from(members, ([key, value]) => `${stringText(key)}: ${nodeText(value)}`).join(", ")}}`;
  }
  if (node.kind === "number") return numberText(node.text, node.value);
  return typeof node.value === "string" ? stringText(node.value) : String(node.value);
}

function numberText(text: string, value: number | bigint): string {
  if (typeof value === "bigint" || /^-?\d+$/.test(text)) return String(value);
  if (Number.isFinite(value)) return floatText(value, 8);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

function stringText(text: string): string {
  return JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
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
