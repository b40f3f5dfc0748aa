/** JSON trees as Python's dicts and lists: type names in messages, members, what `in` asks. */
import type { JsonNode } from "#core/json/json.ts";
import { FsspecError } from "./render-findings.ts";

/** `type(value).__name__` of what `json.loads` makes of it. */
export function pythonType(node: JsonNode): string {
  if (node.kind === "array") return "list";
  if (node.kind === "object") return "dict";
  if (node.kind === "number") return isInteger(node.text) ? "int" : "float";
  if (node.value === null) return "NoneType";
  return typeof node.value === "boolean" ? "bool" : "str";
}

/** True if `json.loads` makes an int of a number in this spelling. */
export const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

export const textOf = (node: JsonNode | undefined): string | undefined =>
  node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;

/** Members of an object as a dict has them: of repeated keys the last value, where the key was first written. */
export function membersOf(node: JsonNode & { readonly kind: "object" }): Map<string, JsonNode> {
  return new Map(node.members.map((member) => [member.key, member.node]));
}

/** `value.items()`: AttributeError where it is not a dict. `method`: what fsspec calls on it. */
export function dictOf(node: JsonNode, method = "items"): Map<string, JsonNode> {
  if (node.kind === "object") return membersOf(node);
  throw new FsspecError("AttributeError", `'${pythonType(node)}' object has no attribute '${method}'`);
}

/** `"{{" in value`: of a str, a list or a dict; TypeError for others. */
export function containsBraces(node: JsonNode): boolean {
  const text = textOf(node);
  if (text !== undefined) return text.includes("{{");
  if (node.kind === "array") return node.items.some((item) => textOf(item) === "{{");
  if (node.kind === "object") return node.members.some((member) => member.key === "{{");
  throw new FsspecError("TypeError", `argument of type '${pythonType(node)}' is not iterable`);
}

/** `value[name]` where value is not a dict: always a TypeError. */
export function notSubscriptable(node: JsonNode): FsspecError {
  const type = pythonType(node);
  if (type === "str") return new FsspecError("TypeError", "string indices must be integers, not 'str'");
  if (type === "list") return new FsspecError("TypeError", "list indices must be integers or slices, not str");
  return new FsspecError("TypeError", `'${type}' object is not subscriptable`);
}
