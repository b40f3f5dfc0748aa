/**
 * The JavaScript reader (reference-spec-reader with nunjucks, as its README says): the document to give it, and its
 * answer compared with the true result. A document that is here as text is given as it stands. Of a larger one only what
 * can come out differently is given: templates, gens, and each URL with "{{" once, under a key of its own.
 */
import { attempt } from "#core/basics.ts";
import { TARGET_NULL } from "#core/table/reference-table.ts";
import type { Reference } from "#core/table/reference.ts";
import { sameBytes } from "#core/bytes.ts";
import type { ReaderValue } from "#core/studio.ts";
import { referenceAt } from "../chunk/chunk-reference.ts";
import { columnsAt } from "../table/batch.ts";
import { type DocumentIndex, findItem, type VersionItem } from "./document-index.ts";
import { comparedReader, isGenerated, LOST, otherValue, SAME, uniformReader } from "./simple-reader.ts";
import type { ReaderView } from "./simple-reader.ts";

// Reads the sandbox's answer from the JavaScript reader: untrusted bytes, validated before use.

type Refs = readonly (readonly [key: string, value: unknown])[];

const MAX_ANSWER_BYTES = 128 << 20;
const LONGEST_ERROR = 500;

/** The references, or what is said in place of them. */
function readAnswer(bytes: Uint8Array): Refs | ReaderView {
  if (bytes.length > MAX_ANSWER_BYTES) return unusable(`it answered with ${bytes.length} bytes, which is too much`);
  const answer = attempt(() => JSON.parse(new TextDecoder().decode(bytes)) as unknown);
  if (answer === undefined) return unusable("it answered with something that is not JSON");
  const error = memberOf(answer, "error");
  if (error !== undefined) return uniformReader({ kind: "refuses", error: errorText(error) });
  const refs = memberOf(answer, "refs");
  const sound = Array.isArray(refs) && refs.every((pair) => Array.isArray(pair) && typeof pair[0] === "string");
  return sound ? (refs as Refs) : unusable("it answered without references");
}

const unusable = (found: string): ReaderView =>
  uniformReader({ kind: "unknown", reason: `The JavaScript reader is not known: ${found}.` });

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function errorText(error: unknown): string {
  const [name, message] = [memberOf(error, "name"), memberOf(error, "message")];
  const [kind, said] = [typeof name === "string" ? name : "Error", typeof message === "string" ? message : ""];
  return `${kind}: ${said}`.slice(0, LONGEST_ERROR);
}

/** A value of the answer as JavaScript prints it: what JSON has no word for came as `{"$": word}`. */
function spelled(value: unknown, depth = 0): string {
  const word = memberOf(value, "$");
  if (word === "object") return "{…}";
  if (typeof word === "string") return word.slice(0, 40);
  if (Array.isArray(value) && depth < 4)
    return `[${value
      .slice(0, 20)
      .map((item) => spelled(item, depth + 1))
      .join(", ")}]`;
  return typeof value === "string" && value.length > 300
    ? JSON.stringify(value.slice(0, 300))
    : (JSON.stringify(value) ?? "");
}

export type JavascriptDocument = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly unavailable: string };

const MAX_GENERATED = 100_000;
const MAX_BYTES = 20 << 20;
/** Keys of URLs given for themselves; no store key begins so. */
const URL_KEY = "\0url/";

export function javascriptDocument({ set }: DocumentIndex): JavascriptDocument {
  const size = set.renderer?.size ?? 0;
  if (size > MAX_GENERATED) {
    const count = size.toLocaleString("en");
    return {
      unavailable: `Not asked: gens make ${count} references, and that reader takes 70 µs for each; the limit is 100,000.`,
    };
  }
  const text = set.documentText ?? documentOfUrls(set);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_BYTES) return { bytes };
  return {
    unavailable: `Not asked: what it would have to render is ${bytes.length.toLocaleString("en")} bytes; the limit is 20 MB.`,
  };
}

function documentOfUrls({ table, document, format }: DocumentIndex["set"]): string {
  if (format.version === 0) return "{}";
  const members: string[] = [];
  let characters = 0;
  for (let id = 0; id < table.targets.count && characters <= MAX_BYTES; id += 1) {
    const written = table.targets.written(id);
    if (!written.includes("{{")) continue;
    const member = `${JSON.stringify(`${URL_KEY}${id}`)}:${JSON.stringify([written])}`;
    characters += member.length;
    members.push(member);
  }
  const { templates = "{}", gen = "[]" } = document;
  return `{"version":1,"templates":${templates},"gen":${gen},"refs":{${members.join(",")}}}`;
}

export function javascriptReader(of: DocumentIndex, bytes: Uint8Array): ReaderView {
  const answer = readAnswer(bytes);
  if ("summary" in answer) return answer;
  return of.set.documentText === undefined ? ofUrls(of, answer) : ofDocument(of, answer);
}

interface Compared {
  /** The reader's own values, by position. */
  readonly others: ReadonlyMap<number, ReaderValue>;
  readonly met: Uint8Array;
  readonly extra: readonly string[];
}

/** Only what differs is kept. */
function compare(of: DocumentIndex, refs: Iterable<readonly [string, unknown]>): Compared {
  const others = new Map<number, ReaderValue>();
  const met = new Uint8Array(of.order.total);
  const extra: string[] = [];
  for (const [key, value] of refs) {
    const item = findItem(of, key);
    const position = item === undefined ? -1 : of.order.positionOf(item);
    if (item === undefined) extra.push(key);
    else {
      met[position] = 1;
      if (!isTrueValue(of, item, value)) others.set(position, otherValue(spelled(value)));
    }
  }
  return { others, met, extra };
}

function ofDocument(of: DocumentIndex, refs: Refs): ReaderView {
  const { others, met, extra } = compare(of, refs);
  const value = (item: VersionItem): ReaderValue => {
    const position = of.order.positionOf(item);
    return met[position] === 0 ? LOST : (others.get(position) ?? SAME);
  };
  return comparedReader({ of, value, extra });
}

function ofUrls(of: DocumentIndex, refs: Refs): ReaderView {
  const { targets } = of.set.table;
  const urls = new Map<number, unknown>();
  for (const [key, value] of refs) if (key.startsWith(URL_KEY)) urls.set(Number(key.slice(URL_KEY.length)), value);
  const generated = refs.filter(([key]) => !key.startsWith(URL_KEY));
  const { others, met, extra } = compare(of, generated);
  const value = (item: VersionItem): ReaderValue => {
    const position = of.order.positionOf(item);
    if (met[position] === 1) return others.get(position) ?? SAME;
    if (isGenerated(of, item)) return LOST;
    const id = item.kind === "row" ? columnsAt(of.set.table, item.row).target : TARGET_NULL;
    const url = urls.get(id);
    if (!Array.isArray(url) || url[0] === targets.text(id)) return SAME;
    return otherValue(spelled(url[0]));
  };
  return comparedReader({ of, value, extra });
}

/** True if the reader's value is the true one. */
function isTrueValue(of: DocumentIndex, item: VersionItem, value: unknown): boolean {
  const { set, metadata } = of;
  const reference = item.kind === "row" ? referenceAt(set, item.row).reference : metadata[item.index]?.value;
  return reference !== undefined && sameValue(set, reference, value);
}

const encoder = new TextEncoder();

function sameValue(set: DocumentIndex["set"], reference: Reference, value: unknown): boolean {
  if (reference.kind === "bad") return sameText(reference.written, value);
  if (reference.kind === "inline") {
    if (typeof value !== "string") return false;
    const { bytes } = set.format.decodeInline(encoder.encode(JSON.stringify(value).slice(1, -1)));
    return sameBytes(bytes, reference.bytes);
  }
  if (!Array.isArray(value)) return false;
  if (reference.kind === "whole") return value.length === 1 && value[0] === reference.target;
  if (reference.kind !== "range" || value.length !== 3) return false;
  return value[0] === reference.target && value[1] === reference.offset && value[2] === reference.length;
}

function sameText(written: string, value: unknown): boolean {
  return attempt(() => JSON.stringify(JSON.parse(written)) === JSON.stringify(value), false);
}
