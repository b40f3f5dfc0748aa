/** JSON as Python's `json.dumps` writes it with its defaults, byte for byte, and Python's literals of texts. */
import type { JsonNode } from "./json.ts";
import { floatText } from "../values/number-text.ts";
import { parseJsonTree } from "./parse-json.ts";

/** A JSON text as `json.dumps` writes what `json.loads` made of it. Throws as `parseJsonTree`. */
export const pythonJsonOf = (text: string): string => pythonJson(parseJsonTree(text).root);

/** Text in quotes, beyond printable ASCII escaped. JSON.stringify escapes lone surrogates by itself, as Python does. */
export const pythonJsonText = (text: string): string => inAscii(JSON.stringify(text));

/** A JSON string with every other character escaped. */
export const inAscii = (token: string): string =>
  token.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Text of a tree as Python writes it. `ascii`: escapes every other character (`ensure_ascii`). */
export function pythonJson(node: JsonNode, ascii = true): string {
  const textOf = ascii ? pythonJsonText : JSON.stringify;
  if (node.kind === "array") return `[${node.items.map((item) => pythonJson(item, ascii)).join(", ")}]`;
  if (node.kind === "object") {
    // A repeated key has its last value, at its first place.
    const members = new Map(node.members.map((member) => [member.key, member.node]));
    return `{${Array.from(members, ([key, value]) => `${textOf(key)}: ${pythonJson(value, ascii)}`).join(", ")}}`;
  }
  if (node.kind === "number") return numberText(node.text, node.value);
  return typeof node.value === "string" ? textOf(node.value) : String(node.value);
}

function numberText(text: string, value: number | bigint): string {
  if (typeof value === "bigint" || /^-?\d+$/.test(text)) return String(value);
  if (Number.isFinite(value)) return floatText(value, 8);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

/** Characters that a reader of the script would not see, or see elsewhere than they are. */
const HIDDEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A Python string literal. JSON's escapes all mean the same in Python. */
export function pythonString(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
