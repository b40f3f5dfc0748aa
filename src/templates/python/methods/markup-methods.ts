/**
 * Methods of text marked safe (MarkupSafe 2.1): those of `str`, of which many give safe text again and escape the text
 * they are given.
 */
import type { Budget } from "../../budget.ts";
import { unsupported } from "../../template-error.ts";
import { Markup, PyList, PyTuple, type Value } from "../../value.ts";
import { escapeText } from "../escape.ts";
import { listOf } from "../iterate.ts";
import { repr, str } from "../text.ts";
import { builtinText, type Method } from "./method.ts";
import { findTextMethod } from "./text-methods.ts";

const SAFE_RESULT = new Set(
  "capitalize title lower upper replace ljust rjust lstrip rstrip center strip translate expandtabs swapcase zfill".split(
    " ",
  ),
);
const SAFE_PARTS = new Set(["split", "rsplit", "splitlines", "partition", "rpartition"]);
const REFUSED = new Set(["unescape", "striptags", "escape", "format", "format_map"]);

export function findMarkupMethod(name: string): Method<Markup> | undefined {
  if (REFUSED.has(name)) throw unsupported(`Markup.${name}`);
  const plain = findTextMethod(name);
  if (plain === undefined) return undefined;
  if (name === "join") return joining(plain);
  if (SAFE_PARTS.has(name))
    return { ...plain, run: (self, given, budget) => marked(plain.run(self.text, given, budget)) };
  if (!SAFE_RESULT.has(name)) return { ...plain, run: (self, given, budget) => plain.run(self.text, given, budget) };
  return {
    ...plain,
    run: (self, given, budget) => {
      const safe = given.map((value) => (typeof value === "string" ? escapeText(value, budget) : value));
      return marked(plain.run(self.text, safe, budget));
    },
  };
}

/** How a bound method prints: what MarkupSafe wraps are methods of Python's own making. */
export function markupMethodText(name: string, self: Markup, budget: Budget): string {
  const isPart = SAFE_PARTS.has(name) || name === "join";
  if (!isPart && !SAFE_RESULT.has(name)) return builtinText(name, "Markup");
  return `<bound method ${isPart ? "Markup" : "str"}.${name} of ${repr(self, budget)}>`;
}

function marked(value: Value): Value {
  if (typeof value === "string") return new Markup(value);
  if (value instanceof PyList) return new PyList(value.items.map(marked));
  return value instanceof PyTuple ? new PyTuple(value.items.map(marked)) : value;
}

/** Each item becomes text, escaped unless it is safe already. */
function joining(plain: Method<string>): Method<Markup> {
  return {
    ...plain,
    run: (self, [parts = null], budget) => {
      const safe = listOf(parts, budget).map((part) =>
        part instanceof Markup ? part.text : escapeText(str(part, budget), budget),
      );
      return marked(plain.run(self.text, [new PyList(safe)], budget));
    },
  };
}
