/** JSON text as Python's `json.dumps` writes what `json.loads` read. */
import type { JsonNode } from "../../core/json/json.ts";
import { floatText } from "../../core/values/number-text.ts";
import { isInteger, membersOf } from "./json-types.ts";

/**
 * `json.dumps(value)`: a space after comma and colon, floats as `repr` writes them, NaN and the infinities bare.
 * `ascii`: every other character escaped (Python's default).
 */
export function pythonJson(node: JsonNode, ascii = true): string {
  if (node.kind === "number") return numberJson(node);
  if (node.kind === "array") return `[${node.items.map((item) => pythonJson(item, ascii)).join(", ")}]`;
  if (node.kind === "object") {
    const members = [...membersOf(node)].map(([key, value]) => `${textJson(key, ascii)}: ${pythonJson(value, ascii)}`);
    return `{${members.join(", ")}}`;
  }
  return typeof node.value === "string" ? textJson(node.value, ascii) : String(node.value);
}

/** The JSON text of a string. JSON.stringify escapes lone surrogates by itself, as Python does. */
export function textJson(text: string, ascii = false): string {
  const json = JSON.stringify(text);
  // Python escapes DEL too; JSON.stringify's own escapes are the same letters and lower-case digits.
  return ascii ? json.replaceAll(/[^\0-~]/g, escaped) : json;
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

function numberJson({ value, text }: JsonNode & { readonly kind: "number" }): string {
  if (isInteger(text)) return String(value);
  const float = Number(value);
  if (Number.isNaN(float)) return "NaN";
  if (!Number.isFinite(float)) return float > 0 ? "Infinity" : "-Infinity";
  return floatText(float, 8);
}
