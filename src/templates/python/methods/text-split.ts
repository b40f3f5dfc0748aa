/** Methods of `str` that cut text into parts, and the one that joins them. */
import type { Budget } from "../../budget.ts";
import { typeError, valueError } from "../../template-error.ts";
import { PyList, PyTuple, type Value } from "../../value.ts";
import { iterate } from "../iterate.ts";
import { asText, SPACES } from "../numbers.ts";
import { typeName } from "../type-name.ts";
import { method, namedMethod, type Method, type Methods } from "./method.ts";
import { countArgument, flagArgument, optionalText, textArgument } from "./text-argument.ts";

const WORDS = new RegExp(`[^${SPACES}]+`, "g");
const SPACES_BEFORE = new RegExp(`^[${SPACES}]+`);
const SPACES_BEHIND = new RegExp(`[${SPACES}]+$`);
/** What `splitlines` takes for the end of a line. */
const LINE_ENDS = "\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029";
const LINE = new RegExp(`[^${LINE_ENDS}]*(?:\\r\\n|[${LINE_ENDS}]|$)`, "g");
const LINE_END = new RegExp(`(?:\\r\\n|[${LINE_ENDS}])$`);

type Cut = (text: string, limit: number, budget: Budget) => string[];

function splitter(atSpaces: Cut, at: (separator: string) => Cut): Method<string> {
  return namedMethod(0, ["sep", "maxsplit"], (text, given, budget) => {
    const separator = optionalText(given[0], "The separator");
    const asked = countArgument(given[1], -1);
    if (separator === "") throw valueError("empty separator");
    const limit = asked < 0 ? Infinity : asked;
    budget.spend(Math.ceil(text.length / 16) + 1);
    return new PyList(separator === undefined ? atSpaces(text, limit, budget) : at(separator)(text, limit, budget));
  });
}

const splitAtSpaces: Cut = (text, limit, budget) => {
  const parts: string[] = [];
  for (const word of text.matchAll(WORDS)) {
    budget.spend(1);
    if (parts.length === limit) {
      parts.push(text.slice(word.index));
      break;
    }
    parts.push(word[0]);
  }
  return parts;
};

const rightSplitAtSpaces: Cut = (text, limit, budget) => {
  if (limit === Infinity) return splitAtSpaces(text, limit, budget);
  const words: { readonly start: number; readonly end: number }[] = [];
  for (const word of text.matchAll(WORDS)) {
    budget.spend(1);
    words.push({ start: word.index, end: word.index + word[0].length });
  }
  const kept = words.slice(Math.max(words.length - limit, 0));
  const parts = kept.map(({ start, end }) => text.slice(start, end));
  const last = words[words.length - kept.length - 1];
  if (last !== undefined) parts.unshift(text.slice(0, last.end));
  return parts;
};

const splitAt =
  (separator: string): Cut =>
  (text, limit, budget) => {
    const parts: string[] = [];
    let from = 0;
    for (let at = text.indexOf(separator); at >= 0 && parts.length < limit; at = text.indexOf(separator, from)) {
      budget.spend(1);
      parts.push(text.slice(from, at));
      from = at + separator.length;
    }
    parts.push(text.slice(from));
    return parts;
  };

const rightSplitAt =
  (separator: string): Cut =>
  (text, limit, budget) => {
    const parts: string[] = [];
    let to = text.length;
    while (parts.length < limit && to >= separator.length) {
      const at = text.lastIndexOf(separator, to - separator.length);
      if (at < 0) break;
      budget.spend(1);
      parts.push(text.slice(at + separator.length, to));
      to = at;
    }
    parts.push(text.slice(0, to));
    return parts.toReversed();
  };

function splitLines(text: string, given: readonly (Value | undefined)[], budget: Budget): Value {
  const keepEnds = flagArgument(given[0]);
  const lines: string[] = [];
  for (const [line] of text.matchAll(LINE)) {
    budget.spend(1);
    if (line !== "") lines.push(keepEnds ? line : line.replace(LINE_END, ""));
  }
  return new PyList(lines);
}

function parting(fromRight: boolean): Method<string> {
  return method(1, 1, (text, given, budget) => {
    const separator = textArgument(given[0], "The separator");
    if (separator === "") throw valueError("empty separator");
    budget.spend(1 + Math.ceil(text.length / 64));
    const at = fromRight ? text.lastIndexOf(separator) : text.indexOf(separator);
    if (at < 0) return new PyTuple(fromRight ? ["", "", text] : [text, "", ""]);
    return new PyTuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
  });
}

function join(separator: string, given: readonly (Value | undefined)[], budget: Budget): Value {
  const parts: string[] = [];
  for (const item of iterate(given[0] ?? null, budget)) {
    const part = asText(item);
    if (part === undefined) {
      throw typeError(`sequence item ${parts.length}: expected str instance, ${typeName(item)} found`);
    }
    budget.characters(part.length + separator.length);
    parts.push(part);
  }
  return parts.join(separator);
}

/** `strip` and its kind: spaces, or any of the given characters. */
function stripper(left: boolean, right: boolean): Method<string> {
  return method(0, 1, (text, given, budget) => {
    budget.spend(1 + Math.ceil(text.length / 64));
    const characters = optionalText(given[0], "strip arg");
    return characters === undefined ? stripSpaces(text, left, right) : stripAny(text, characters, left, right);
  });
}

function stripSpaces(text: string, left: boolean, right: boolean): string {
  const rest = left ? text.replace(SPACES_BEFORE, "") : text;
  return right ? stripEnd(rest) : rest;
}

/** A regular expression anchored at the end alone tries every run of spaces: a loop does not. */
function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && SPACES_BEHIND.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function stripAny(text: string, characters: string, left: boolean, right: boolean): string {
  const unwanted = new Set(characters);
  const all = Array.from(text);
  let from = 0;
  let to = all.length;
  if (left) while (from < to && unwanted.has(all[from] ?? "")) from += 1;
  if (right) while (to > from && unwanted.has(all[to - 1] ?? "")) to -= 1;
  return all.slice(from, to).join("");
}

export const SPLIT_METHODS: Methods<string> = new Map<string, Method<string>>([
  ["split", splitter(splitAtSpaces, splitAt)],
  ["rsplit", splitter(rightSplitAtSpaces, rightSplitAt)],
  ["splitlines", namedMethod(0, ["keepends"], splitLines)],
  ["partition", parting(false)],
  ["rpartition", parting(true)],
  ["join", method(1, 1, join)],
  ["strip", stripper(true, true)],
  ["lstrip", stripper(true, false)],
  ["rstrip", stripper(false, true)],
]);
