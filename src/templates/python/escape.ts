/** Text made safe for HTML, as MarkupSafe writes it. */
import type { Budget } from "../budget.ts";

const SAFE: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ["'", "&#39;"],
  ['"', "&#34;"],
]);

export function escapeText(text: string, budget: Budget): string {
  const escaped = text.replaceAll(/[&<>'"]/g, (character) => SAFE.get(character) ?? character);
  budget.characters(escaped.length);
  return escaped;
}
