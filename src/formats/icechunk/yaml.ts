/**
 * YAML as Icechunk's library reads `config.yaml` (serde_yaml): one document of the core schema, aliases followed, keys
 * once each. A tag before a value, `!http …`, becomes a mapping of one member, `{http: …}`, as the same configuration has
 * it in format 2.
 */
import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, Parser } from "yaml";
import type { Node, Pair, Scalar, YAMLMap } from "yaml";
import type { JsonValue } from "#core/json/json.ts";
import { exact, finite } from "./flat.ts";

export type Fault = (expected: string, found: string) => Error;

/** Characters: the package needs seconds for a few hundred thousand hostile ones. */
const MAX_CHARACTERS = 262_144;
/** Collections in one another, which the package reads by calls in one another. */
const MAX_DEPTH = 64;
/** Values that are read, those that aliases repeat counted again. */
const MAX_VALUES = 200_000;

interface Scan {
  readonly text: string;
  readonly fault: Fault;
  readonly anchors: Map<string, Node>;
  values: number;
}

/** `fault` makes the error. */
export function readYaml(text: string, fault: Fault): JsonValue {
  if (text.length > MAX_CHARACTERS) {
    throw fault(`YAML of at most ${MAX_CHARACTERS} characters`, `${text.length} characters`);
  }
  const scan: Scan = { text, fault, anchors: new Map(), values: 0 };
  const tokens = tokensOf(scan);
  // Repeated keys are found below: the package compares each key with all others.
  const composer = new Composer({ intAsBigInt: true, uniqueKeys: false, logLevel: "silent" });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (second !== undefined) throw faultAt(scan, second.range[0], "one document");
  const [error] = document?.errors ?? [];
  if (error !== undefined) throw faultAt(scan, error.pos[0], "YAML", error.message);
  return valueOf(scan, document?.contents ?? null, 0);
}

function tokensOf(scan: Scan) {
  const parser = new Parser();
  const tokens = [];
  let at = 0;
  for (const lexeme of new Lexer().lex(scan.text)) {
    tokens.push(...parser.next(lexeme));
    at += lexeme.length;
    if (parser.stack.length > 2 * MAX_DEPTH) throw faultAt(scan, at, `values at most ${MAX_DEPTH} deep`);
  }
  tokens.push(...parser.end());
  return tokens;
}

function faultAt({ text, fault }: Scan, at: number, expected: string, problem?: string): Error {
  const line = text.slice(0, at).split("\n").length;
  const shown = JSON.stringify(text.split("\n", line).at(-1)?.slice(0, 80));
  return fault(expected, `${problem === undefined ? "" : `${problem}: `}${shown} in line ${line}`);
}

function valueOf(scan: Scan, node: Node | null, depth: number): JsonValue {
  if (node === null) return null;
  const at = node.range?.[0] ?? 0;
  scan.values += 1;
  if (scan.values > MAX_VALUES) throw faultAt(scan, at, `at most ${MAX_VALUES} values`);
  if (depth > MAX_DEPTH) throw faultAt(scan, at, `values at most ${MAX_DEPTH} deep`);
  if (isAlias(node)) {
    const target = scan.anchors.get(node.source);
    if (target === undefined) throw faultAt(scan, at, `an anchor &${node.source}`);
    return valueOf(scan, target, depth + 1);
  }
  if (node.anchor !== undefined) scan.anchors.set(node.anchor, node);
  const variant = /^!(\w+)$/.exec(node.tag ?? "")?.[1];
  const value = untagged(scan, node, depth);
  return variant === undefined
    ? value
    : new Map([[variant.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase(), value]]);
}

function untagged(scan: Scan, node: Node, depth: number): JsonValue {
  if (isMap(node)) return membersOf(scan, node, depth);
  if (isSeq<Node | null>(node)) return node.items.map((item) => valueOf(scan, item, depth + 1));
  return isScalar(node) ? scalarOf(node) : null;
}

function membersOf(scan: Scan, map: YAMLMap, depth: number): JsonValue {
  const members = new Map<string, JsonValue>();
  for (const { key, value } of map.items as Pair<Node | null, Node | null>[]) {
    const at = key?.range?.[0] ?? map.range?.[0] ?? 0;
    if (!isScalar(key)) throw faultAt(scan, at, "keys that are text");
    const name = typeof key.value === "string" ? key.value : (key.source ?? "");
    if (members.has(name)) throw faultAt(scan, at, "each key once");
    members.set(name, valueOf(scan, value, depth + 1));
  }
  return members;
}

function scalarOf({ value, source, type }: Scalar): JsonValue {
  if (typeof value === "bigint") return exact(value);
  if (typeof value === "number") return finite(value);
  if (typeof value === "boolean") return value;
  // After a tag, nothing at all is a value too.
  return typeof value === "string" && !(source === "" && type === "PLAIN") ? value : null;
}
