/** A template's text as Jinja2 reads it, and the way back to the text as written. */
import { SPACES } from "../python/numbers.ts";

/** Every newline is `\n` and the last one is gone. */
export interface LexerSource {
  readonly text: string;
  /** An offset into `text` as an offset into the template as written. */
  readonly original: (offset: number) => number;
}

/**
 * Turns `\r\n` and `\r` into `\n` and drops one newline at the end (`keep_trailing_newline` is off). Only `\r\n` changes
 * its length, so the way back needs no more than the places of those.
 */
export function readSource(template: string): LexerSource {
  const unix = template.includes("\r") ? template.replaceAll(/\r\n?/g, "\n") : template;
  const text = unix.endsWith("\n") ? unix.slice(0, -1) : unix;
  const pairs = placesOfPairs(template);
  if (pairs.length === 0) return { text, original: (offset) => offset };
  return { text, original: (offset) => offset + countBelow(pairs, offset) };
}

/** Where each `\r\n` lies, in offsets of the text in which it is one character. */
function placesOfPairs(template: string): readonly number[] {
  const places: number[] = [];
  for (let at = template.indexOf("\r\n"); at >= 0; at = template.indexOf("\r\n", at + 2)) {
    places.push(at - places.length);
  }
  return places;
}

/** How many of the ascending `places` are smaller than `offset`. */
function countBelow(places: readonly number[], offset: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

// What Python's `str.isspace` and `\s` take for whitespace; unlike JavaScript's, U+001C to U+001F and U+0085 are.
const SPACE = new RegExp(`[${SPACES}]`);
const SPACE_RUN = new RegExp(`[${SPACES}]*`, "y");

export function skipSpace(text: string, from: number): number {
  SPACE_RUN.lastIndex = from;
  SPACE_RUN.exec(text);
  return SPACE_RUN.lastIndex;
}

/** The end of `text[from:to].rstrip()`. */
export function stripEnd(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && SPACE.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** Whether there is nothing but whitespace. */
export const isBlank = (text: string): boolean => skipSpace(text, 0) === text.length;
