/** Filters for HTML and URLs. */
import { bindArguments, bound, positionalOnly } from "../compile/bind-arguments.ts";
import { escape as escaped } from "../markup.ts";
import { escapeText, iterate, quote, SPACES, str, truth } from "../python/index.ts";
import type { Filter, Run } from "../run.ts";
import { TemplateError, typeError, unsupported, valueError } from "../template-error.ts";
import { Markup, PyCallable, PyDict, PyFloat, PyView, Undefined, type Value } from "../value.ts";
import { dictIn } from "./attribute.ts";

export const escape: Filter = (run, value, given) => {
  positionalOnly("escape", 0, 0, given);
  return escaped(value, run.budget);
};

export const forceescape: Filter = bound(
  "do_forceescape()",
  (run, value) => new Markup(escapeText(str(value, run.budget), run.budget)),
);

export const safe: Filter = bound("do_mark_safe()", (run, value) =>
  value instanceof Markup ? value : new Markup(str(value, run.budget)),
);

/** Names of entities that are read back; others are refused. */
const ENTITIES = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
]);

const WHITE_SPACE = new RegExp(`[${SPACES}]+`, "u");

export const striptags: Filter = bound("do_striptags()", (run, value) => {
  const text = str(value, run.budget);
  run.budget.characters(text.length);
  const bare = withoutTags(withoutTags(text, "<!--", "-->"), "<", ">");
  return unescaped(
    bare
      .split(WHITE_SPACE)
      .filter((word) => word !== "")
      .join(" "),
  );
});

/** Cuts out what lies between two marks, the marks too; one that is never closed stays. In linear time. */
function withoutTags(text: string, open: string, close: string): string {
  let rest = "";
  let from = 0;
  for (let at = text.indexOf(open); at !== -1; at = text.indexOf(open, from)) {
    const end = text.indexOf(close, at + open.length);
    if (end === -1) break;
    rest += text.slice(from, at);
    from = end + close.length;
  }
  return rest + text.slice(from);
}

function unescaped(text: string): string {
  return text.replaceAll(/&(#\d+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/gu, (whole, inner: string) => {
    const name = inner.replace(/;$/, "");
    if (!name.startsWith("#")) {
      const known = inner.endsWith(";") ? ENTITIES.get(name) : undefined;
      if (known !== undefined) return known;
      if (/^\p{L}/u.test(name)) throw unsupported(`striptags with the entity ${quote(whole)}`);
      return whole;
    }
    const code = /^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    // Control characters, surrogates and the like have rules of their own in HTML.
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code >= 0xd800)
      throw unsupported(`striptags with ${quote(whole)}`);
    return String.fromCodePoint(code);
  });
}

export const xmlattr: Filter = bound("do_xmlattr(autospace?)", (run, value, [autospace = true]) => {
  const parts: string[] = [];
  for (const { key, value: content } of dictIn(value).entries()) {
    if (content === null || content instanceof Undefined) continue;
    const name = key instanceof Markup ? key.text : key;
    if (typeof name !== "string") throw typeError("expected string or bytes-like object");
    if (/[ \t\n\r\f\v/>=]/.test(name)) throw valueError(`Invalid character in attribute name: ${quote(name)}`);
    parts.push(`${escaped(key, run.budget).text}="${escaped(content, run.budget).text}"`);
  }
  const text = parts.length > 0 && truth(autospace) ? ` ${parts.join(" ")}` : parts.join(" ");
  return run.autoescape ? new Markup(text) : text;
});

export const urlencode: Filter = (run, value, given) => {
  bindArguments("do_urlencode", [], 0, given);
  const isText = typeof value === "string" || value instanceof Markup;
  if (isText || value === null || typeof value !== "object" || value instanceof PyFloat || value instanceof PyCallable)
    return quoted(run, value, false);
  const pairs: string[] = [];
  const source = value instanceof PyDict ? new PyView("items", value) : value;
  for (const pair of iterate(source, run.budget)) {
    const parts = [...iterate(pair, run.budget)];
    if (parts.length !== 2) throw valueError(`a pair was expected, and ${parts.length} values given`);
    pairs.push(parts.map((part) => quoted(run, part, true)).join("="));
  }
  return pairs.join("&");
};

/** `urllib.parse.quote` of the text's UTF-8 bytes. */
function quoted(run: Run, value: Value, inQuery: boolean): string {
  const text = str(value, run.budget);
  run.budget.characters(3 * text.length);
  if (/\p{Surrogate}/u.test(text)) throw new TemplateError("UnicodeError", "surrogates not allowed");
  let result = "";
  for (const byte of new TextEncoder().encode(text)) {
    const character = String.fromCharCode(byte);
    const isPlain = byte < 0x80 && /[\w.~-]/.test(character);
    if (isPlain || (character === "/" && !inQuery)) result += character;
    else if (character === " " && inQuery) result += "+";
    else result += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return result;
}

export const urlize: Filter = () => {
  throw unsupported("The filter urlize");
};
