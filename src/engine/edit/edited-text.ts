/** The parts of an edited document: which member is what, and which strings are templates. */
import type { JsonArrayNode, JsonMember, JsonNode, JsonObjectNode } from "#core/json/json.ts";
import { decodeRaw, stringEnd } from "./string-text.ts";

export interface EditedText {
  readonly text: string;
  readonly root: JsonNode;
  /** 0 where there is no `version`, or null, as fsspec has it. */
  readonly version: 0 | 1;
  readonly templates: JsonObjectNode | undefined;
  readonly gen: JsonArrayNode | undefined;
  /** The object that holds the references: `refs`, in Version 0 the document. */
  readonly refs: JsonObjectNode | undefined;
}

/** Role of a string in the document. */
export type StringRole =
  | { readonly kind: "template"; readonly name: string }
  | { readonly kind: "gen"; readonly gen: number; readonly field: GenField }
  | { readonly kind: "refs"; readonly key: string };

export const GEN_FIELDS = ["key", "url", "offset", "length"] as const;
export type GenField = (typeof GEN_FIELDS)[number];

export interface StringPlace {
  readonly role: StringRole;
  readonly value: string;
  /** Place of the opening quote. */
  readonly start: number;
  readonly contentEnd: number;
}

export function editedText(text: string, root: JsonNode): EditedText {
  const version = memberOf(root, "version")?.node;
  const known = version !== undefined && !(version.kind === "scalar" && version.value === null);
  if (!known) return { text, root, version: 0, templates: undefined, gen: undefined, refs: objectOf(root) };
  const gen = memberOf(root, "gen")?.node;
  return {
    text,
    root,
    version: 1,
    templates: objectOf(memberOf(root, "templates")?.node),
    gen: gen?.kind === "array" ? gen : undefined,
    refs: objectOf(memberOf(root, "refs")?.node),
  };
}

let last: EditedText | undefined;

/** The text read loosely; the last one is kept, since one asks several things of a text. */
export function looseText(text: string): EditedText {
  if (last?.text !== text) last = editedText(text, looseTree(text));
  return last;
}

/** The last member of that name: it is the one that counts. */
export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === "object" ? node.members.findLast((member) => member.key === key) : undefined;
}

export const objectOf = (node: JsonNode | undefined): JsonObjectNode | undefined =>
  node?.kind === "object" ? node : undefined;

export const stringOf = (node: JsonNode | undefined): string | undefined =>
  node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;

export const nodeText = ({ text }: EditedText, node: JsonNode | undefined): string | undefined =>
  node === undefined ? undefined : text.slice(node.start, node.end);

/** Names and values of the templates that are strings; of repeated names the last value. */
export function templateTexts({ templates }: EditedText): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { key, node } of templates?.members ?? []) {
    const value = stringOf(node);
    if (value !== undefined) texts.set(key, value);
  }
  return texts;
}

export function dimensionsOf(gen: JsonNode | undefined): readonly JsonMember[] {
  const dimensions = memberOf(gen, "dimensions")?.node;
  return dimensions?.kind === "object" ? [...byName(dimensions.members).values()] : [];
}

function byName(members: readonly JsonMember[]): ReadonlyMap<string, JsonMember> {
  return new Map(members.map((member) => [member.key, member]));
}

/** All strings that are templates or may be: values of templates, fields of gens, URLs of refs with "{{". */
export function* templateStrings(document: EditedText): Generator<StringPlace> {
  for (const { key, node } of document.templates?.members ?? []) {
    yield* placeOf(document, node, { kind: "template", name: key });
  }
  for (const [gen, entry] of (document.gen?.items ?? []).entries()) {
    for (const field of GEN_FIELDS) {
      yield* placeOf(document, memberOf(entry, field)?.node, { kind: "gen", gen, field });
    }
  }
  if (document.version === 0) return;
  for (const { key, node } of document.refs?.members ?? []) {
    const url = node.kind === "array" ? node.items[0] : undefined;
    if (stringOf(url)?.includes("{{") === true) yield* placeOf(document, url, { kind: "refs", key });
  }
}

function* placeOf({ text }: EditedText, node: JsonNode | undefined, role: StringRole): Generator<StringPlace> {
  const value = stringOf(node);
  if (node === undefined || value === undefined) return;
  yield { role, value, start: node.start, contentEnd: stringEnd(text, node.start).contentEnd };
}

/** The template string around a place in the text. */
export function templateStringAt(document: EditedText, offset: number): StringPlace | undefined {
  for (const node of candidatesAt(document, offset)) {
    for (const place of placeOf(document, node.node, node.role)) {
      if (place.start < offset && offset <= place.contentEnd) return place;
    }
  }
  return undefined;
}

interface Candidate {
  readonly node: JsonNode | undefined;
  readonly role: StringRole;
}

function candidatesAt(document: EditedText, offset: number): readonly Candidate[] {
  const within = (node: JsonNode) => node.start <= offset && offset <= node.end;
  const { templates, gen, refs, version } = document;
  const template = templates?.members.find(({ node }) => within(node));
  if (template !== undefined) return [{ node: template.node, role: { kind: "template", name: template.key } }];
  const at = gen?.items.findIndex(within) ?? -1;
  const entry = gen?.items[at];
  if (entry !== undefined) {
    return GEN_FIELDS.map((field) => ({
      node: memberOf(entry, field)?.node,
      role: { kind: "gen", gen: at, field },
    }));
  }
  const member = version === 1 ? refs?.members.find(({ node }) => within(node)) : undefined;
  if (member?.node.kind !== "array") return [];
  return [{ node: member.node.items[0], role: { kind: "refs", key: member.key } }];
}

// Reads JSON that is being typed: whatever is there becomes a tree with places, nothing is refused. Of sound JSON it
// gives the same tree as `parseJsonTree`. Completion and hover work on it while the text cannot be parsed.

const MAX_DEPTH = 400;
const WORD = /[^\s,:{}[\]"]+/y;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;

interface Scan {
  readonly text: string;
  at: number;
  depth: number;
}

/** Never throws. What is missing is a `null` of no width. */
export function looseTree(text: string): JsonNode {
  const scan: Scan = { text, at: text.charCodeAt(0) === 0xfeff ? 1 : 0, depth: 0 };
  skipSpace(scan);
  return readValue(scan);
}

function readValue(scan: Scan): JsonNode {
  const { text, at } = scan;
  const first = text[at];
  if (first === '"') return readString(scan);
  const nested = first === "{" ? readObject : first === "[" ? readArray : undefined;
  if (nested === undefined) return readWord(scan);
  if (scan.depth >= MAX_DEPTH) return skipRest(scan);
  scan.depth += 1;
  const node = nested(scan);
  scan.depth -= 1;
  return node;
}

function skipRest(scan: Scan): JsonNode {
  const start = scan.at;
  scan.at = scan.text.length;
  return { kind: "scalar", value: null, start, end: scan.at };
}

function readString(scan: Scan): JsonNode & { readonly value: string } {
  const start = scan.at;
  const { end, contentEnd } = stringEnd(scan.text, start);
  scan.at = end;
  return { kind: "scalar", value: decodeRaw(scan.text.slice(start + 1, contentEnd)), start, end };
}

/** Up to its own end, or that of what it is in. */
function readWithin(scan: Scan, own: "}" | "]", other: "]" | "}", read: (next: string) => void): void {
  scan.at += 1;
  for (;;) {
    skipSpace(scan);
    const next = scan.text[scan.at];
    if (next === own) scan.at += 1;
    if (next === undefined || next === own || next === other) return;
    read(next);
  }
}

function readObject(scan: Scan): JsonNode {
  const start = scan.at;
  const members: JsonMember[] = [];
  readWithin(scan, "}", "]", (next) => {
    if (next === '"') members.push(readMember(scan));
    else scan.at += 1;
  });
  return { kind: "object", members, start, end: scan.at };
}

function readMember(scan: Scan): JsonMember {
  const { value: key, start: keyStart, end: keyEnd } = readString(scan);
  skipSpace(scan);
  if (scan.text[scan.at] !== ":") return { key, keyStart, keyEnd, node: nothing(keyEnd) };
  scan.at += 1;
  const after = scan.at;
  skipSpace(scan);
  const next = scan.text[scan.at];
  const missing = next === undefined || next === "}" || next === "]" || next === ",";
  return { key, keyStart, keyEnd, node: missing ? nothing(after) : readValue(scan) };
}

function readArray(scan: Scan): JsonNode {
  const start = scan.at;
  const items: JsonNode[] = [];
  readWithin(scan, "]", "}", (next) => {
    if (next === "," || next === ":") scan.at += 1;
    else items.push(readValue(scan));
  });
  return { kind: "array", items, start, end: scan.at };
}

const nothing = (at: number): JsonNode => ({ kind: "scalar", value: null, start: at, end: at });

function readWord(scan: Scan): JsonNode {
  const start = scan.at;
  WORD.lastIndex = start;
  const word = WORD.exec(scan.text)?.[0] ?? "";
  scan.at = start + Math.max(1, word.length);
  const end = Math.min(scan.at, scan.text.length);
  if (word === "true" || word === "false") return { kind: "scalar", value: word === "true", start, end };
  const number = numberOf(word);
  if (word === "" || number === undefined) return { kind: "scalar", value: null, start, end };
  return { kind: "number", value: number, text: word, start, end };
}

function numberOf(word: string): number | bigint | undefined {
  if (!INTEGER.test(word)) {
    const value = /^-?\d|^-?Infinity$|^NaN$/.test(word) ? Number(word) : Number.NaN;
    return Number.isNaN(value) && word !== "NaN" ? undefined : value;
  }
  const value = Number(word);
  if (value === 0) return 0;
  return Number.isSafeInteger(value) || word.length > 4300 ? value : BigInt(word);
}

function skipSpace(scan: Scan): void {
  const { text } = scan;
  for (;;) {
    const code = text.charCodeAt(scan.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    scan.at += 1;
  }
}
