/** Writes JSON values so that `parseJson` (and Python's `json.loads`) gives the same value back. */
import type { JsonNode, JsonValue } from "./json.ts";

/**
 * JSON text of a value: bigint exact, members in their order, NaN and the infinities bare as Python writes them.
 * Without `indent` on one line, with it as `JSON.stringify` lays it out. A number that a reader would take for an integer
 * beyond 2^53 keeps its `.0`, and so does -0: they are doubles.
 */
export const writeJson = (value: JsonValue, indent = 0): string => write(value, indent, "\n");

/** The same of a tree, in which every number stands as it was written: `10.0` is not `10` to Python. */
export function writeJsonNode(node: JsonNode): string {
  if (node.kind === "number") return node.text;
  if (node.kind === "scalar") return writeJson(node.value);
  if (node.kind === "array") return `[${node.items.map(writeJsonNode).join(",")}]`;
  const members = new Map(node.members.map((member) => [member.key, member.node]));
  return `{${Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${writeJsonNode(value)}`).join(",")}}`;
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
