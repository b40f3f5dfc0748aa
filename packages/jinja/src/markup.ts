/** Text that is marked safe for HTML, as the markupsafe package makes it. */
import type { Budget } from "./template-error.ts";
import { escapeText, str } from "./python/index.ts";
import { Markup, type Value } from "./value.ts";

/** `markupsafe.escape`: what is marked safe stays as it is. */
export function escape(value: Value, budget: Budget): Markup {
  return value instanceof Markup ? value : new Markup(escapeText(str(value, budget), budget));
}

/** What `{{ value }}` prints. */
export function printed(value: Value, escaping: boolean, budget: Budget): string {
  if (escaping) return escape(value, budget).text;
  if (typeof value === "string") return value;
  return typeof value === "number" ? `${value}` : str(value, budget);
}

/** `a ~ b ~ c`: plain text; while output is escaped, Markup as soon as one part is. */
export function joined(values: readonly Value[], escaping: boolean, budget: Budget): Value {
  if (escaping && values.some((value) => value instanceof Markup)) {
    return new Markup(values.map((value) => escape(value, budget).text).join(""));
  }
  let text = "";
  for (const value of values) text += printed(value, false, budget);
  budget.characters(text.length);
  return text;
}
