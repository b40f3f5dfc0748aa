/** Filters of texts. */
import { bindArguments, bound, positionalOnly } from "../compile/bind-arguments.ts";
import { escape } from "../markup.ts";
import {
  add,
  asInteger,
  callMethod,
  codePointSlice,
  compare,
  definedIndex,
  SPACES,
  length,
  str,
  truth,
  typeName,
  undefinedError,
  modulo,
} from "../python/index.ts";
import { dictOf } from "../json-value.ts";
import type { Filter, Run } from "../run.ts";
import { TemplateError, typeError } from "../template-error.ts";
import { Markup, PyTuple, Undefined, type Arguments, type Value } from "../value.ts";
import { linesOf, softText } from "./attribute.ts";

/** A method of the value as a text. */
function textMethod(run: Run, value: Value, name: string, ...positional: readonly Value[]): Value {
  return callMethod(softText(run, value), name, positional, run.budget);
}

function simple(name: string): Filter {
  return (run, value, given) => {
    bindArguments(`do_${name}`, [], 0, given);
    return textMethod(run, value, name);
  };
}

export const upper = simple("upper");
export const lower = simple("lower");
export const capitalize = simple("capitalize");

export const string: Filter = (run, value, given) => {
  positionalOnly("soft_str", 0, 0, given);
  return softText(run, value);
};

const WORD_BEGINS = new RegExp(`([-${SPACES}({[<]+)`, "u");

/** `str.title` would also break words at apostrophes and digits. */
export const title: Filter = bound("do_title()", (run, value) => {
  const text = softText(run, value);
  const plain = text instanceof Markup ? text.text : text;
  const pieces = plain.split(WORD_BEGINS).filter((piece) => piece !== "");
  return pieces.map((piece) => titled(run, piece)).join("");
});

function titled(run: Run, piece: string): string {
  const first = String.fromCodePoint(piece.codePointAt(0) ?? 0);
  const rest = textMethod(run, piece.slice(first.length), "lower");
  return `${first.toUpperCase()}${typeof rest === "string" ? rest : ""}`;
}

export const trim: Filter = bound("do_trim(chars?)", (run, value, [chars = null]) =>
  textMethod(run, value, "strip", chars),
);

export const center: Filter = bound("do_center(width?)", (run, value, [width = 80]) =>
  textMethod(run, value, "center", width),
);

export const replace: Filter = bound(
  "do_replace(old, new, count?)",
  (run, value, [old = "", fresh = "", count = null]) => {
    const maximum = count ?? -1;
    if (!run.autoescape) {
      const [text, from, to] = [value, old, fresh].map((one) => str(one, run.budget));
      return textMethod(run, text ?? "", "replace", from ?? "", to ?? "", maximum);
    }
    const needsEscape = old instanceof Markup || (fresh instanceof Markup && !(value instanceof Markup));
    const text = needsEscape ? escape(value, run.budget) : softText(run, value);
    return textMethod(run, text, "replace", softText(run, old), softText(run, fresh), maximum);
  },
);

export const wordcount: Filter = bound("do_wordcount()", (run, value) => {
  const text = softText(run, value);
  return ((text instanceof Markup ? text.text : text).match(/[\p{L}\p{N}_]+/gu) ?? []).length;
});

/** `"%s, %s" | format(a, b)` */
export const format: Filter = (run, value, { positional, named }: Arguments) => {
  if (positional.length > 0 && named.size > 0) {
    throw new TemplateError("FilterArgumentError", "can't handle positional and keyword arguments at the same time");
  }
  return modulo(softText(run, value), named.size > 0 ? dictOf(named) : new PyTuple(positional), run.budget);
};

export const indent: Filter = bound(
  "do_indent(width?, first?, blank?)",
  (run, value, [width = 4, first = false, blank = false]) => {
    const isSafe = value instanceof Markup;
    const indention = indentionOf(run, width, isSafe);
    if (value instanceof Undefined) throw undefinedError(value);
    const text = isSafe ? value.text : value;
    if (typeof text !== "string") throw typeError(`unsupported operand type(s) for +=: '${typeName(value)}' and 'str'`);
    const lines = linesOf(run, `${text}\n`);
    run.budget.characters((lines.length + 1) * indention.length);
    const indentLine = (line: string, index: number): string =>
      index > 0 && (truth(blank) || line !== "") ? indention + line : line;
    const result = (truth(first) ? indention : "") + lines.map(indentLine).join("\n");
    return isSafe ? new Markup(result) : result;
  },
);

function indentionOf(run: Run, width: Value, isSafe: boolean): string {
  if (width instanceof Markup) return width.text;
  if (typeof width === "string") return isSafe ? escape(width, run.budget).text : width;
  const count = asInteger(width);
  if (width instanceof Undefined) throw undefinedError(width);
  if (count === undefined) throw typeError(`can't multiply sequence by non-int of type '${typeName(width)}'`);
  if (count > Number.MAX_SAFE_INTEGER)
    throw new TemplateError("OverflowError", "cannot fit 'int' into an index-sized integer");
  const spaces = Math.max(0, Number(count));
  run.budget.characters(spaces);
  return " ".repeat(spaces);
}

export const truncate: Filter = bound(
  "do_truncate(length?, killwords?, end?, leeway?)",
  (run, value, [maximum = 255, killwords = false, end = "...", leeway = null]) => {
    const { budget } = run;
    const spare = leeway ?? 5;
    const endLength = length(end, budget);
    if (!compare(">=", maximum, endLength, budget)) {
      throw new TemplateError("AssertionError", `expected length >= ${endLength}, got ${str(maximum, budget)}`);
    }
    if (!compare(">=", spare, 0, budget)) {
      throw new TemplateError("AssertionError", `expected leeway >= 0, got ${str(spare, budget)}`);
    }
    if (compare("<=", length(value, budget), add(maximum, spare, budget), budget)) return value;
    const text = value instanceof Markup ? value.text : value;
    const tail = end instanceof Markup ? end.text : end;
    if (typeof text !== "string" || typeof tail !== "string") throw typeError("truncate needs a text");
    const kept = codePointSlice(text, 0, Number(definedIndex(maximum)) - endLength, budget);
    budget.characters(kept.length + tail.length);
    const space = kept.lastIndexOf(" ");
    const cut = truth(killwords) || space === -1 ? kept : kept.slice(0, space);
    return add(value instanceof Markup ? new Markup(cut) : cut, end, budget);
  },
);
