/** A JSON document as the rows of a tree that can be folded. Numbers stay as they were written: `1.0` is not `1`. */
import type { JsonNode } from "../../core/json.ts";
import { countOf } from "../../widgets/number-format.ts";

export interface JsonRow {
  /** As Python subscripts from the attributes on: `["valid_range"][0]`. Unique within the value. */
  readonly path: string;
  /** The last part: a key, or an index. */
  readonly name: string;
  readonly value: JsonNode;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
}

interface Frame {
  readonly members: readonly (readonly [name: string, path: string, value: JsonNode])[];
  at: number;
}

/** Rows in order; at most `limit`, and whether there are more. */
export function jsonRows(
  value: JsonNode,
  isExpanded: (path: string, level: number) => boolean,
  limit: number,
): { readonly rows: readonly JsonRow[]; readonly more: boolean } {
  const rows: JsonRow[] = [];
  const stack: Frame[] = [{ members: membersOf(value, ""), at: 0 }];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const member = frame.members[frame.at];
    frame.at += 1;
    if (member === undefined) {
      stack.pop();
      continue;
    }
    if (rows.length === limit) return { rows, more: true };
    const [name, path, inner] = member;
    const level = stack.length;
    const expandable = sizeOf(inner) > 0;
    const expanded = expandable && isExpanded(path, level);
    rows.push({
      path,
      name,
      value: inner,
      level,
      position: frame.at,
      siblings: frame.members.length,
      expandable,
      expanded,
    });
    if (expanded) stack.push({ members: membersOf(inner, path), at: 0 });
  }
  return { rows, more: false };
}

function membersOf(value: JsonNode, path: string): Frame["members"] {
  if (value.kind === "array") return value.items.map((inner, index) => [String(index), `${path}[${index}]`, inner]);
  if (value.kind !== "object") return [];
  // A repeated key has its last value, where it was first written.
  const last = new Map(value.members.map(({ key, node }) => [key, node]));
  return [...last].map(([key, inner]) => [key, `${path}[${JSON.stringify(key)}]`, inner]);
}

function sizeOf(value: JsonNode): number {
  if (value.kind === "object") return value.members.length;
  return value.kind === "array" ? value.items.length : 0;
}

/** Longest text of a value in its row; the whole is in the title and is what is copied. */
const MAX_SHOWN = 400;

const LONGEST_LIST = 12;

/** A value in one line: strings with quotes, objects and lists by their size, short lists of scalars written out. */
export function valueText(value: JsonNode): string {
  const text = lineOf(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function lineOf(value: JsonNode): string {
  if (value.kind === "object") return value.members.length === 0 ? "{}" : `{ ${countOf(sizeOf(value), "member")} }`;
  if (value.kind === "array") {
    const short =
      value.items.length <= LONGEST_LIST && value.items.every(({ kind }) => kind !== "array" && kind !== "object");
    return short ? `[${value.items.map(lineOf).join(", ")}]` : `[ ${countOf(sizeOf(value), "item")} ]`;
  }
  return value.kind === "number" ? value.text : JSON.stringify(value.value);
}

/** What is copied for a value: a string without its quotes, everything else as `text`, the document, has it. */
export function copiedText(value: JsonNode, text: string): string {
  return value.kind === "scalar" && typeof value.value === "string" ? value.value : text.slice(value.start, value.end);
}

const INDENT = "  ";

/** Laid out for reading, every scalar as `text`, the document, has it. */
export function prettyJson(root: JsonNode, text: string, indent = ""): string {
  const deeper = indent + INDENT;
  if (root.kind === "array" && root.items.length > 0) {
    return `[\n${root.items.map((item) => deeper + prettyJson(item, text, deeper)).join(",\n")}\n${indent}]`;
  }
  if (root.kind === "object" && root.members.length > 0) {
    const lines = root.members.map(
      ({ key, node }) => `${deeper}${JSON.stringify(key)}: ${prettyJson(node, text, deeper)}`,
    );
    return `{\n${lines.join(",\n")}\n${indent}}`;
  }
  return text.slice(root.start, root.end);
}
