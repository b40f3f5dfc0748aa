/** A JSON value as the rows of a tree that can be folded. */
import { isJsonObject, type JsonValue } from "../../core/json.ts";
import { writeJson } from "../../core/json-write.ts";
import { countOf } from "../../widgets/number-format.ts";

export interface JsonRow {
  /** As Python subscripts from the attributes on: `["valid_range"][0]`. Unique within the value. */
  readonly path: string;
  /** The last part: a key, or an index. */
  readonly name: string;
  readonly value: JsonValue;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
}

interface Frame {
  readonly members: readonly (readonly [name: string, path: string, value: JsonValue])[];
  at: number;
}

/** Rows in order; at most `most`, and whether there are more. */
export function jsonRows(
  value: JsonValue,
  isExpanded: (path: string, level: number) => boolean,
  most: number,
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
    if (rows.length === most) return { rows, more: true };
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

function membersOf(value: JsonValue, path: string): Frame["members"] {
  if (isJsonObject(value))
    return [...value].map(([key, inner]) => [key, `${path}[${JSON.stringify(key)}]`, inner] as const);
  if (isList(value)) return value.map((inner, index) => [String(index), `${path}[${index}]`, inner] as const);
  return [];
}

function sizeOf(value: JsonValue): number {
  if (isJsonObject(value)) return value.size;
  return isList(value) ? value.length : 0;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/** Longest text of a value in its row; the whole is in the title and is what is copied. */
const MOST_SHOWN = 400;

/** A value in one line: strings with quotes, objects and lists by their size, short lists of scalars written out. */
export function valueText(value: JsonValue): string {
  if (isJsonObject(value)) return value.size === 0 ? "{}" : `{ ${countOf(value.size, "member")} }`;
  if (isList(value) && !value.every(isScalar)) return `[ ${countOf(value.length, "item")} ]`;
  if (isList(value) && value.length > 12) return `[ ${countOf(value.length, "item")} ]`;
  const text = writeJson(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** What is copied for a value: a string without its quotes, everything else as JSON. */
export function copiedText(value: JsonValue): string {
  return typeof value === "string" ? value : writeJson(value, 2);
}

function isScalar(value: JsonValue): boolean {
  return !isJsonObject(value) && !isList(value);
}
