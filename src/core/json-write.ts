/** Writes JSON values so that `parseJson` (and Python's `json.loads`) gives the same value back. */
import type { JsonValue } from "./json.ts";

/**
 * JSON text of a value: bigint exact, members in their order, NaN and the infinities bare as Python writes them.
 * Without `indent` on one line, with it as `JSON.stringify` lays it out. A number that a reader would take for an integer
 * beyond 2^53 keeps its `.0`, and so does -0: they are doubles.
 */
export function writeJson(value: JsonValue, indent = 0): string {
  return write(value, indent, "\n");
}

function write(value: JsonValue, indent: number, newline: string): string {
  if (typeof value === "number") return writeNumber(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return String(value);
  const inner = newline + " ".repeat(indent);
  if (!(value instanceof Map)) {
    const items = (value as readonly JsonValue[]).map((item) => write(item, indent, inner));
    return enclose("[", items, "]", indent, newline);
  }
  const colon = indent > 0 ? ": " : ":";
  const members = [...(value as ReadonlyMap<string, JsonValue>)].map(
    ([key, member]) => JSON.stringify(key) + colon + write(member, indent, inner),
  );
  return enclose("{", members, "}", indent, newline);
}

function enclose(open: string, items: readonly string[], close: string, indent: number, newline: string): string {
  if (items.length === 0 || indent === 0) return open + items.join(",") + close;
  const inner = newline + " ".repeat(indent);
  return open + inner + items.join(`,${inner}`) + newline + close;
}

function writeNumber(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  const readsAsInteger = /^-?\d+$/.test(text);
  return readsAsInteger && (Object.is(value, -0) || !Number.isSafeInteger(value)) ? `${text}.0` : text;
}
