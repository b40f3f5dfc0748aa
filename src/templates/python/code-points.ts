/**
 * Text by code points, as Python counts it. Text without astral characters takes the short way. Long texts cost steps
 * of the budget, where one is given: a loop could look at the same text over and over.
 */
import type { Budget } from "../budget.ts";

/** Characters of text that cost one step to look through. */
const CHARACTERS_A_STEP = 64;

/** Before looking through all of a text. Short ones are free. */
export function spendOnText(text: string, budget: Budget | undefined): void {
  if (text.length > 256) budget?.spend(Math.ceil(text.length / CHARACTERS_A_STEP));
}

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

/** Whether code units and code points are the same thing in a text. */
export function isPlain(text: string, budget?: Budget): boolean {
  spendOnText(text, budget);
  return !PAIR.test(text);
}

export function codePointLength(text: string, budget?: Budget): number {
  if (isPlain(text, budget)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** `text[from:to]` for 0 ≤ from ≤ to ≤ length, in code points. */
export function codePointSlice(text: string, from: number, to: number, budget?: Budget): string {
  if (isPlain(text, budget)) return text.slice(from, to);
  const start = unitOffset(text, from, 0);
  return text.slice(start, unitOffset(text, to - from, start));
}

/** The first `count` code points; all of a shorter text. */
export function textStart(text: string, count: number, budget: Budget): string {
  if (text.length <= count) return text;
  return codePointSlice(text, 0, Math.min(count, codePointLength(text, budget)), budget);
}

/** Where, in code units, the code point `count` after the one at `start` begins. */
function unitOffset(text: string, count: number, start: number): number {
  let offset = start;
  for (let i = 0; i < count && offset < text.length; i += 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
