/**
 * The `templates` of a document as fsspec's `_process_templates` makes them: a template that contains `{{` becomes a
 * function, all else stays the value it is.
 */
import type { JsonNode } from "#core/json/json.ts";
import { Markup, PyCallable, PyDict, PyList, compileTemplate, valueOfJson } from "@refscope/jinja";
import type { Budget, TemplateError, Arguments, Template, Value } from "@refscope/jinja";
import { typeError } from "@refscope/jinja/errors";
import { containsBraces, dictOf, pythonType, textOf } from "./json-types.ts";
import { FsspecError } from "./render-findings.ts";

/** Context that all rendering of one document shares. */
export interface Templates {
  readonly values: ReadonlyMap<string, Value>;
  /** Names of templates that are functions. */
  readonly functions: ReadonlySet<string>;
  /** Those of fixed text whose names are the same in Jinja2. */
  readonly plain: ReadonlyMap<string, string>;
  readonly budget: Budget;
  /** Compiles a text, or takes what was made of the same text before. @throws TemplateError as Jinja2 does */
  readonly compile: (source: string) => Template;
}

export interface TemplateNotes {
  /** A template that fsspec raises on; the others are still made. Throw here to stop. */
  readonly fault: (error: unknown, name: string | undefined) => void;
  /** The names a function template uses and its first caller does not give. */
  readonly missing: (name: string, template: Template, given: ReadonlyMap<string, Value>) => void;
}

/** How fsspec's functions print; addresses differ from run to run. */
export const FUNCTION_TEXT = "<function ReferenceFileSystem._process_templates.<locals>.<lambda> at 0x..>";

const MAX_COMPILED = 1000;

/** `node`: the value of `templates`; absent as an empty one. */
export function readTemplates(
  node: JsonNode | undefined,
  overrides: ReadonlyMap<string, string> | undefined,
  budget: Budget,
  notes: TemplateNotes,
): Templates {
  const values = new Map<string, Value>();
  const functions = new Set<string>();
  const plain = new Map<string, string>();
  const templates: Templates = { values, functions, plain, budget, compile: compiler(budget) };
  const add = (name: string, isFunction: boolean, value: Value): void => {
    if (isFunction) functions.add(name);
    values.set(name, isFunction ? functionOf(name, value, templates, notes) : value);
  };
  try {
    for (const [name, member] of merged(node, overrides)) {
      if (typeof member === "string") add(name, member.includes("{{"), member);
      else guarded(notes, name, () => add(name, containsBraces(member), valueOfJson(member)));
    }
  } catch (error) {
    notes.fault(error, undefined);
  }
  for (const [name, text] of plainTexts(values)) plain.set(name, text);
  return templates;
}

function guarded(notes: TemplateNotes, name: string, task: () => void): void {
  try {
    task();
  } catch (error) {
    notes.fault(error, name);
  }
}

/** `templates.update(overrides)`: names keep their place, new ones go to the end. */
function merged(
  node: JsonNode | undefined,
  overrides: ReadonlyMap<string, string> | undefined,
): Map<string, JsonNode | string> {
  const method = overrides === undefined ? "items" : "update";
  const written = node === undefined ? [] : dictOf(node, method);
  return new Map<string, JsonNode | string>([...written, ...(overrides ?? [])]);
}

function compiler(budget: Budget): (source: string) => Template {
  const known = new Map<string, Template>();
  return (source) => {
    const old = known.get(source);
    if (old !== undefined) return old;
    budget.spend(source.length);
    const template = compileTemplate(source);
    if (known.size >= MAX_COMPILED) known.clear();
    known.set(source, template);
    return template;
  };
}

/** `lambda temp=text, **kwargs: environment.from_string(temp).render(**kwargs)` */
function functionOf(name: string, text: Value, templates: Templates, notes: TemplateNotes): PyCallable {
  let isNew = true;
  return new PyCallable(FUNCTION_TEXT, (given) => {
    const { source, named } = lambdaArguments(given, text);
    const template = templateOf(source, templates);
    refuseSelf(named);
    if (isNew && source === text) {
      isNew = false;
      notes.missing(name, template, named);
    }
    return template.render(named, templates.budget);
  });
}

/** The first positional argument, or the one named `temp`, replaces the template's text. */
function lambdaArguments({ positional, named }: Arguments, text: Value): { source: Value; named: Arguments["named"] } {
  if (positional.length > 1) {
    throw typeError(`<lambda>() takes from 0 to 1 positional arguments but ${positional.length} were given`);
  }
  const temp = named.get("temp");
  if (temp === undefined) return { source: positional.length === 1 ? (positional[0] as Value) : text, named };
  if (positional.length === 1) throw typeError("<lambda>() got multiple values for argument 'temp'");
  return { source: temp, named: new Map([...named].filter(([name]) => name !== "temp")) };
}

function templateOf(source: Value, { compile }: Templates): Template {
  if (typeof source === "string") return compile(source);
  if (source instanceof Markup) return compile(source.text);
  throw notATemplate();
}

/** Error that Jinja2 raises for a template that is not text. */
export const notATemplate = (): TemplateError => typeError("Can't compile non template nodes");

/** `Template.render(self, …)` has a parameter of that name. */
export function refuseSelf(names: { readonly has: (name: string) => boolean }): void {
  if (names.has("self")) throw typeError("Template.render() got multiple values for argument 'self'");
}

/** True if rendering could change the value: a text with it must be rendered again each time. */
export const isMutable = (value: Value | undefined): boolean => value instanceof PyList || value instanceof PyDict;

/**
 * A URL of `refs` that contains `{{`, as Jinja2 renders it, with its template where that had to be made. Throws what
 * fsspec raises.
 */
export function renderUrl(
  written: string,
  templates: Templates,
): { readonly url: string; readonly template?: Template } {
  const plain = plainUrl(written, templates);
  if (plain !== undefined) return { url: plain };
  templates.budget.reset();
  const template = templates.compile(written);
  refuseSelf(templates.values);
  return { url: template.render(templates.values, templates.budget), template };
}

const PLAIN_NAME = /^[A-Za-z_]\w*$/;
const LITERALS = new Set(["true", "True", "false", "False", "none", "None", "not"]);
const MAX_PLAIN = 100_000;

/** Templates of fixed text that a URL may name without more; none where rendering always fails. */
function plainTexts(values: ReadonlyMap<string, Value>): Map<string, string> {
  const texts = new Map<string, string>();
  if (values.has("self")) return texts;
  for (const [name, value] of values) {
    if (typeof value === "string" && PLAIN_NAME.test(name) && !LITERALS.has(name)) texts.set(name, value);
  }
  return texts;
}

/**
 * Marks of templates with more than text and `{{ name }}`: other tags, brackets that take one from a tag, line breaks
 * (Jinja2 changes them).
 */
const NOT_PLAIN = ["{{{", "{%", "{#", "\n", "\r"];

/**
 * The same without compiling for what nearly all URLs are: text and names of fixed templates. A set may have a million
 * of them. undefined: has anything else.
 */
function plainUrl(written: string, { plain }: Templates): string | undefined {
  if (plain.size === 0 || NOT_PLAIN.some((mark) => written.includes(mark))) return undefined;
  let url = "";
  let from = 0;
  for (let open = written.indexOf("{{"); open >= 0; open = written.indexOf("{{", from)) {
    const close = written.indexOf("}}", open);
    const value = close < 0 ? undefined : plain.get(withoutSpaces(written.slice(open + 2, close)));
    if (value === undefined || url.length + value.length > MAX_PLAIN) return undefined;
    url += written.slice(from, open) + value;
    from = close + 2;
  }
  return url + written.slice(from);
}

const withoutSpaces = (text: string): string =>
  text.startsWith(" ") || text.endsWith(" ") ? text.replaceAll(/^ +| +$/g, "") : text;

/**
 * The first item of a reference as fsspec looks at it where there are templates: the URL to render, or undefined where
 * it stays as it is.
 */
export function urlToRender(url: JsonNode, simple: boolean): string | undefined {
  if (!containsBraces(url)) return undefined;
  const text = textOf(url);
  if (text !== undefined) return text;
  // A list or dict that has the item "{{".
  if (simple) throw new FsspecError("AttributeError", `'${pythonType(url)}' object has no attribute 'replace'`);
  throw new FsspecError("TypeError", `unhashable type: '${pythonType(url)}'`);
}
