/** Methods of `str` that look for text: find, index, count, startswith, … */
import { type Budget, typeError, valueError } from "../../template-error.ts";
import { PyTuple, typeName, type Value } from "../../value.ts";
import { codePointLength, codePointSlice } from "../text.ts";
import { sliceOf } from "../items.ts";
import { asText } from "../numbers.ts";
import { method, type Method, methods } from "./method.ts";
import { textArgument } from "./text-argument.ts";

type Given = readonly (Value | undefined)[];

/** `text[start:end]`, the bounds being arguments 1 and 2. */
function part(text: string, given: Given, budget: Budget) {
  budget.spend(1 + Math.ceil(text.length / 64));
  if (given[1] === undefined && given[2] === undefined) return { text, start: 0, isBeyond: false };
  const count = codePointLength(text);
  const slice = sliceOf(count, given[1] ?? null, given[2] ?? null, null);
  const start = Number(slice.start);
  const stop = Number(slice.stop);
  const isBeyond = start > stop || isAbove(given[1], count);
  return { text: codePointSlice(text, start, Math.max(stop, start)), start, isBeyond };
}

const isAbove = (bound: Value | undefined, count: number): boolean =>
  (typeof bound === "number" || typeof bound === "bigint") && bound > count;

/** Where, in code points, or -1. */
function find(text: string, given: Given, budget: Budget, fromRight: boolean): number {
  const wanted = textArgument(given[0], "The text to look for");
  const where = part(text, given, budget);
  if (where.isBeyond) return -1;
  const at = fromRight ? where.text.lastIndexOf(wanted) : where.text.indexOf(wanted);
  return at < 0 ? -1 : where.start + codePointLength(where.text.slice(0, at));
}

function finder(fromRight: boolean, mustFind: boolean): Method<string> {
  return method(1, 3, (text, given, budget) => {
    const at = find(text, given, budget, fromRight);
    if (at < 0 && mustFind) throw valueError("substring not found");
    return at;
  });
}

/** How often `wanted` is in a text, without overlap. */
export function occurrences(text: string, wanted: string): number {
  if (wanted === "") return codePointLength(text) + 1;
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count += 1;
  return count;
}

function count(text: string, given: Given, budget: Budget): number {
  const wanted = textArgument(given[0], "The text to count");
  const where = part(text, given, budget);
  budget.spend(Math.ceil(where.text.length / Math.max(wanted.length, 1) / 8));
  return where.isBeyond ? 0 : occurrences(where.text, wanted);
}

function edge(name: "startswith" | "endswith"): Method<string> {
  return method(1, 3, (text, given, budget) => {
    const where = part(text, given, budget);
    const [wanted = null] = given;
    const test = (affix: string): boolean =>
      !where.isBeyond && (name === "startswith" ? where.text.startsWith(affix) : where.text.endsWith(affix));
    if (wanted instanceof PyTuple) return anyAffix(wanted.items, name, test);
    const affix = asText(wanted);
    if (affix !== undefined) return test(affix);
    throw typeError(`${name} first arg must be str or a tuple of str, not ${typeName(wanted)}`);
  });
}

function anyAffix(affixes: readonly Value[], name: string, test: (affix: string) => boolean): boolean {
  for (const item of affixes) {
    const affix = asText(item);
    if (affix === undefined) throw typeError(`tuple for ${name} must only contain str, not ${typeName(item)}`);
    if (test(affix)) return true;
  }
  return false;
}

export const SEARCH_METHODS = methods<string>({
  find: finder(false, false),
  rfind: finder(true, false),
  index: finder(false, true),
  rindex: finder(true, true),
  count: method(1, 3, count),
  startswith: edge("startswith"),
  endswith: edge("endswith"),
});
