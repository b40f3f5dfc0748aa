/** Version 1 of `document.ts`, in fsspec's order, so that the first exception is fsspec's too. */
import { FindingLog } from "#core/findings/finding-log.ts";
import { finding, type Finding, WHOLE_SET } from "#core/findings/finding.ts";
import type { JsonNode } from "#core/json/json.ts";
import { type GeneratedEntry, MAX_GENERATED } from "#core/table/version1.ts";
import { Budget, valueOfJson } from "@refscope/jinja";
import { GenList } from "./gen-list.ts";
import type { Gen } from "./gen.ts";
import { dictOf, pythonType, textOf } from "./json-types.ts";
import { missingArguments, notedUrl, printedFunction } from "./name-findings.ts";
import { pythonJson } from "#core/json/python-json.ts";
import { FsspecError, raisedBy, genFails, genTooLarge, referenceFails, templateFails } from "./render-findings.ts";
import type { Raised } from "./render-findings.ts";
import { MAX_CHARACTERS, type RenderOptions } from "./renderer.ts";
import { formatUrl } from "./simple.ts";
import { readTemplates, type Templates, urlToRender } from "./templates.ts";
import { parseJsonTree } from "#core/json/parse-json.ts";
import { str } from "@refscope/jinja/python";

export interface DocumentOptions extends RenderOptions {
  /** fsspec's default mode, `simple_templates=True`. */
  readonly simple?: boolean | undefined;
  /** Most milliseconds for rendering; absent = no limit. */
  readonly maxMilliseconds?: number | undefined;
}

export interface DocumentRefs {
  readonly version: 0 | 1;
  readonly size: number;
  /** References in fsspec's order: the key, and the JSON text of the value as fsspec keeps it. */
  readonly refs: () => Iterable<readonly [key: string, json: string]>;
}

/** A value of the result: its JSON text, or the ordinal of the gen entry that makes it. */
type Made = string | number;

function renderVersion1(
  members: ReadonlyMap<string, JsonNode>,
  options: DocumentOptions,
  log: FindingLog,
): DocumentRefs {
  const { overrides, simple = false, most = MAX_GENERATED, maxCharacters = MAX_CHARACTERS } = options;
  const templates: Templates = readTemplates(members.get("templates"), overrides, new Budget(), {
    fault: (error, name) => {
      log.add(templateFails(error, name));
      throw error;
    },
    missing: (name, template, given) => log.addAll(missingArguments(name, template, given, templates)),
  });
  const clock = deadline(options.maxMilliseconds, maxCharacters);
  const made = new Map<string, Made>();
  const task: RefsTask = { templates, made, clock, log, simple };
  const refs = members.get("refs");
  if (refs !== undefined) readRefs(dictOf(refs), task);
  if (simple) noteDropped(members.get("gen"), log);
  const list = simple ? undefined : new GenList(members.get("gen"), templates, log);
  if (list !== undefined) addEntries(list, task, most);
  return { version: 1, size: made.size, refs: () => written(made, list) };
}

interface RefsTask {
  readonly templates: Templates;
  readonly made: Map<string, Made>;
  readonly clock: (characters?: number) => void;
  readonly log: FindingLog;
  readonly simple: boolean;
}

function readRefs(refs: ReadonlyMap<string, JsonNode>, task: RefsTask): void {
  // Cache like fsspec's: a URL written often is rendered once.
  const urls = new Map<string, string>();
  for (const [key, node] of refs) {
    try {
      task.clock();
      task.made.set(key, refValue(node, urls, task));
    } catch (error) {
      task.log.add(referenceFails(error, key, node.kind === "array" ? textOf(node.items[0]) : undefined));
      throw error;
    }
  }
}

function refValue(node: JsonNode, urls: Map<string, string>, task: RefsTask): string {
  const text = textOf(node);
  if (text !== undefined) {
    if (text.startsWith("base64:")) checkBase64(text.slice(7));
    return JSON.stringify(text);
  }
  if (node.kind === "object") return JSON.stringify(pythonJson(node));
  if (task.templates.values.size === 0) return pythonJson(node, false);
  if (node.kind !== "array") throw new FsspecError("TypeError", `'${pythonType(node)}' object is not subscriptable`);
  const [url, offset, length] = node.items;
  if (url === undefined) throw outOfRange();
  const rendered = urlText(url, urls, task);
  if (node.items.length === 1) return `[${rendered}]`;
  if (offset === undefined || length === undefined) throw outOfRange();
  return `[${rendered}, ${pythonJson(offset, false)}, ${pythonJson(length, false)}]`;
}

const outOfRange = (): FsspecError => new FsspecError("IndexError", "list index out of range");

/** JSON text of a reference's first item, rendered where fsspec renders it. */
function urlText(url: JsonNode, urls: Map<string, string>, task: RefsTask): string {
  const written = urlToRender(url, task.simple);
  if (written === undefined) return pythonJson(url, false);
  const known = urls.get(written);
  if (known !== undefined) return known;
  const json = JSON.stringify(
    task.simple ? formatUrl(written, task.templates) : notedUrl(written, task.templates, task.log),
  );
  task.clock(json.length);
  urls.set(written, json);
  return json;
}

/** Notes that fsspec's default mode drops `gen`. */
function noteDropped(gen: JsonNode | undefined, log: FindingLog): void {
  const entries = gen?.kind === "array" ? gen.items.length : 0;
  if (entries > 0) log.add(finding("gen-dropped", WHOLE_SET, { entries }));
}

/** Makes all entries once, since fsspec may raise on any of them; what is kept is which entry makes which key. */
function addEntries(list: GenList, task: RefsTask, most: number): void {
  if (list.total > BigInt(Math.min(most, Number.MAX_SAFE_INTEGER))) {
    const found = genTooLarge(list.total, most);
    task.log.add(found);
    const [total, limit] = [list.total, most].map((count) => count.toLocaleString("en"));
    throw new FsspecError("Budget", `The gens make ${total} references, more than the ${limit} that are made at most.`);
  }
  // Entries that may come out differently a second time are kept as text.
  const isAgain = !list.isMutable;
  const update = new Map<string, Made>();
  for (const [index, gen] of list.gens.entries()) {
    if (gen.fault !== undefined) throw noted(gen.fault, index, 0, gen, task.log);
    const start = list.starts[index] ?? 0;
    for (let number = 0; number < Number(gen.count); number += 1) {
      const entry = entryOf(gen, index, number, task);
      if (number === 0)
        task.log.addAll(printedFunction({ kind: "gen", index, field: "url" }, entry.url, task.templates));
      update.set(entry.key, isAgain ? start + number : entryJson(entry));
    }
  }
  for (const [key, made] of update) task.made.set(key, made);
}

function entryOf(gen: Gen, index: number, number: number, { clock, log }: RefsTask): GeneratedEntry {
  try {
    const entry = gen.entry(number);
    clock(entry.key.length + entry.url.length);
    return entry;
  } catch (error) {
    throw noted(error, index, number, gen, log);
  }
}

function noted(error: unknown, index: number, number: number, gen: Gen, log: FindingLog): unknown {
  const variables = gen.fault === undefined ? gen.variableTexts(number) : [];
  log.add(genFails(error, { gen: index, variables }));
  return error;
}

const entryJson = ({ url, offset, length }: GeneratedEntry): string =>
  offset === undefined || length === undefined
    ? `[${JSON.stringify(url)}]`
    : `[${JSON.stringify(url)}, ${offset}, ${length}]`;

function* written(made: ReadonlyMap<string, Made>, list: GenList | undefined): Generator<readonly [string, string]> {
  for (const [key, value] of made) {
    if (typeof value === "string") yield [key, value];
    else if (list !== undefined) yield [key, entryJson(list.entry(value))];
  }
}

/** Called before each piece of work, with the characters made since. */
function deadline(maxMilliseconds: number | undefined, maxCharacters: number): (characters?: number) => void {
  const end = maxMilliseconds === undefined ? Infinity : performance.now() + maxMilliseconds;
  let sum = 0;
  return (characters = 0) => {
    sum += characters;
    if (sum > maxCharacters) {
      const limit = maxCharacters.toLocaleString("en");
      throw new FsspecError("Budget", `Rendering was stopped: the references have more than ${limit} characters.`);
    }
    if (end !== Infinity && performance.now() > end) {
      throw new FsspecError("Budget", `Rendering was stopped after ${maxMilliseconds} ms.`);
    }
  };
}

// Tells if Python's `base64.b64decode` takes a text: fsspec decodes inline values when it opens a set.

const ALPHABET = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

/**
 * Characters outside of the alphabet are passed over, as Python does without `validate`.
 * @throws FsspecError ValueError for text outside of ASCII, binascii.Error for wrong padding
 */
function checkBase64(text: string): void {
  // oxlint-disable-next-line no-control-regex
  if (/[^\0-\x7f]/.test(text)) {
    throw new FsspecError("ValueError", "string argument should contain only ASCII characters");
  }
  let digits = 0;
  let pads = 0;
  for (const character of text) {
    if (character === "=") {
      if (digits % 4 < 2) continue;
      pads += 1;
      if ((digits % 4) + pads >= 4) return;
    } else if (ALPHABET.has(character)) {
      digits += 1;
      pads = 0;
    }
  }
  if (digits % 4 === 0) return;
  if (digits % 4 > 1) throw new FsspecError("binascii.Error", "Incorrect padding");
  const message = `Invalid base64-encoded string: number of data characters (${digits}) cannot be 1 more than a multiple of 4`;
  throw new FsspecError("binascii.Error", message);
}

// A whole document as fsspec opens it: every version rule, every value of `refs` as fsspec keeps it, and the exception
// where it refuses the document. For the terminal; what the page shows is read by `formats/`.

export type RenderedDocument =
  | (DocumentRefs & { readonly kind: "refs"; readonly findings: readonly Finding[] })
  | (Raised & { readonly kind: "error"; readonly findings: readonly Finding[] });

/** `text`: the JSON document. Never throws for errors in it. */
export function renderDocument(text: string, options: DocumentOptions = {}): RenderedDocument {
  const log = new FindingLog();
  try {
    const refs = render(parsed(text), options, log);
    return { kind: "refs", ...refs, findings: log.list() };
  } catch (error) {
    return { kind: "error", ...raisedBy(error), findings: log.list() };
  }
}

function parsed(text: string): JsonNode {
  const { root, oddities } = parseJsonTree(text);
  const refused = oddities.find(({ code }) => code === "trailing-comma" || code === "byte-order-mark");
  if (refused === undefined) return root;
  const { line, column } = refused.position;
  const found =
    refused.code === "trailing-comma" ? `A comma before “${refused.written}”` : "A byte order mark (U+FEFF)";
  throw new FsspecError("JSONDecodeError", `${found} at line ${line}, column ${column}, which JSON does not allow`);
}

function render(root: JsonNode, options: DocumentOptions, log: FindingLog): DocumentRefs {
  const members = dictOf(root, "get");
  const version = members.get("version");
  if (version === undefined || isNull(version)) return renderVersion0(members, options, log);
  if (!isOne(version)) {
    const value = str(valueOfJson(version), new Budget());
    throw new FsspecError("ValueError", `Unknown reference spec version: ${value}`);
  }
  return renderVersion1(members, options, log);
}

const isNull = (node: JsonNode): boolean => node.kind === "scalar" && node.value === null;

/** `version == 1`, which `1.0` and `True` are too. */
const isOne = (node: JsonNode): boolean =>
  node.kind === "number" ? Number(node.text) === 1 : node.kind === "scalar" && node.value === true;

/** Version 0: every member is a reference; dicts become JSON text. */
function renderVersion0(
  members: ReadonlyMap<string, JsonNode>,
  options: DocumentOptions,
  log: FindingLog,
): DocumentRefs {
  if ((options.overrides?.size ?? 0) > 0) log.add(finding("overrides-ignored", WHOLE_SET, {}));
  const value = (node: JsonNode): string =>
    node.kind === "object" ? JSON.stringify(pythonJson(node)) : pythonJson(node, false);
  return {
    version: 0,
    size: members.size,
    refs: () => [...members].map(([key, node]) => [key, value(node)] as const).values(),
  };
}
