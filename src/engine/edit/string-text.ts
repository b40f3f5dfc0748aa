/** JSON strings in a text: where they end, what they mean, and which character of the text made which of the value. */
import { ESCAPES } from "#core/json/parse-json.ts";

const UNICODE = /^u[0-9a-fA-F]{4}/;

export interface StringEnd {
  /** After the closing quote; where there is none, the end of the line. */
  readonly end: number;
  /** Before the closing quote. */
  readonly contentEnd: number;
}

/** `start` is at the opening quote. A string that is not closed ends with its line. */
export function stringEnd(text: string, start: number): StringEnd {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { end: at + 1, contentEnd: at };
    if (code === 0x0a || code === 0x0d) return { end: at, contentEnd: at };
    if (code === 0x5c && at + 1 < text.length && text.charCodeAt(at + 1) !== 0x0a) at += 1;
  }
  return { end: text.length, contentEnd: text.length };
}

/** Length in the text of what makes one UTF-16 unit of the value. */
function unitLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x5c) return 1;
  return UNICODE.test(text.slice(at + 1, at + 6)) ? 6 : 2;
}

/** The value of a string's text without quotes; an invalid escape gives the character after the backslash. */
export function decodeRaw(raw: string): string {
  if (!raw.includes("\\")) return raw;
  let value = "";
  for (let at = 0; at < raw.length;) {
    const length = unitLength(raw, at);
    const letter = raw.charAt(at + 1);
    if (length === 1) value += raw.charAt(at);
    else if (length === 6) value += String.fromCharCode(Number.parseInt(raw.slice(at + 2, at + 6), 16));
    else value += ESCAPES.get(letter) ?? letter;
    at += length;
  }
  return value;
}

/** Offset in the text of the value's unit `index`. `start` is at the opening quote. */
export function rawOffset(text: string, start: number, index: number): number {
  const plain = start + 1 + index;
  const backslash = text.indexOf("\\", start + 1);
  if (backslash < 0 || backslash >= plain) return plain;
  const { contentEnd } = stringEnd(text, start);
  let at = backslash;
  for (let left = index - (backslash - start - 1); left > 0 && at < contentEnd; left -= 1) at += unitLength(text, at);
  return Math.min(at, contentEnd);
}

/** The value's unit that the text's `offset` is in or before. */
export function valueIndex(text: string, start: number, offset: number): number {
  let index = 0;
  let at = start + 1;
  while (at < offset) {
    const length = unitLength(text, at);
    if (at + length > offset) break;
    at += length;
    index += 1;
  }
  return index;
}

/** A string as JSON writes it, without its quotes. */
export const encodeRaw = (value: string): string => JSON.stringify(value).slice(1, -1);
