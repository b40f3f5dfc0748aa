/** Scalars of YAML 1.2's core schema: what a plain or quoted text means. */
import type { JsonValue } from "../../core/json.ts";
import { exact } from "./flat.ts";
import type { Fault } from "./yaml.ts";

const ESCAPES = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["0", "\0"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["e", "\u001b"],
  ["f", "\f"],
  ["v", "\v"],
  [" ", " "],
  ['"', '"'],
  ["/", "/"],
  ["\\", "\\"],
  ["N", "\u0085"],
  ["_", "\u00a0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

export function readScalar(text: string, fault: Fault): JsonValue {
  if (text.startsWith('"') || text.startsWith("'")) return readQuoted(text, fault);
  const comment = text.indexOf(" #");
  return plainValue(comment < 0 ? text : text.slice(0, comment).trimEnd());
}

/** A text in double or single quotes, a comment after it left out. */
export function readQuoted(text: string, fault: Fault): string {
  if (text.startsWith('"')) return readDouble(text, fault);
  const match = /^'((?:[^']|'')*)'\s*(?:#.*)?$/.exec(text);
  if (match === null) throw fault("a text that ends in its quote", shortened(text));
  return (match[1] ?? "").replaceAll("''", "'");
}

function readDouble(text: string, fault: Fault): string {
  const match = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(text);
  if (match === null) throw fault("a text that ends in its quote, in one line", shortened(text));
  return (match[1] ?? "").replaceAll(/\\(x..|u.{4}|U.{8}|.)/gs, (whole, code: string) => {
    const simple = ESCAPES.get(code);
    if (simple !== undefined) return simple;
    const point = /^[xuU][0-9a-fA-F]+$/.test(code) ? Number.parseInt(code.slice(1), 16) : -1;
    if (point < 0 || point > 0x10_ffff) throw fault("an escape that YAML knows", shortened(whole));
    return String.fromCodePoint(point);
  });
}

function plainValue(text: string): JsonValue {
  if (text === "" || /^(?:~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?[0-9]{1,40}$/.test(text)) return exact(BigInt(text.replace(/^\+/, "")));
  if (/^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?$|^[-+]?[0-9]+[eE][-+]?[0-9]+$/.test(text)) {
    return Number(text);
  }
  return text;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
