/**
 * Strict JSON (RFC 8259) over bytes: finds where a string or a value ends without making one. Accepted beyond the
 * standard, and noted: NaN, Infinity, -Infinity and commas before a closing bracket.
 */

/** The bytes end before the value does. */
export const INCOMPLETE = -1;

/** Deepest nesting, equal to that of core's JSON reader; Python gives up at about a thousand. */
const MAX_DEPTH = 512;

/** Oddities that RFC 8259 forbids, counted by the caller. */
export interface JsonNotes {
  notFinite: number;
  trailingCommas: number;
}

/** Not JSON. `at` is an index into the bytes given; the messages are parts of "expected …, found …". */
export class JsonFault extends Error {
  readonly at: number;
  readonly expected: string;

  constructor(at: number, expected: string) {
    super(`expected ${expected}`);
    this.name = "JsonFault";
    this.at = at;
    this.expected = expected;
  }
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;

export const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** Index of the first byte that is not JSON white space, `end` where there is none. */
export function skipSpace(bytes: Uint8Array, at: number, end: number): number {
  let q = at;
  while (q < end && isSpace(bytes[q])) q += 1;
  return q;
}

/** Index after the closing quote of a string whose opening quote is at `at`, or `INCOMPLETE`. */
export function skipString(bytes: Uint8Array, at: number, end: number): number {
  for (let q = at + 1; q < end; q += 1) {
    const c = bytes[q] ?? 0;
    if (c === QUOTE) return q + 1;
    if (c < 32) throw new JsonFault(q, 'no control character inside a string (it must be written as "\\u00…")');
    if (c === BACKSLASH) {
      const next = skipEscape(bytes, q, end);
      if (next === INCOMPLETE) return INCOMPLETE;
      q = next - 1;
    }
  }
  return INCOMPLETE;
}

/** Index after the escape that starts at `at`. */
function skipEscape(bytes: Uint8Array, at: number, end: number): number {
  if (at + 1 >= end) return INCOMPLETE;
  const letter = bytes[at + 1] ?? 0;
  if (letter !== 117) {
    if (!'"\\/bfnrt'.includes(String.fromCharCode(letter)))
      throw new JsonFault(at, "a JSON escape after the backslash");
    return at + 2;
  }
  for (let q = at + 2; q < at + 6; q += 1) {
    if (q >= end) return INCOMPLETE;
    if (!isHex(bytes[q] ?? 0)) throw new JsonFault(q, "four hexadecimal digits after \\u");
  }
  return at + 6;
}

const isHex = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 65 && c <= 70) || (c >= 97 && c <= 102);

/**
 * Index after the value that starts at `at` (no white space before it), or `INCOMPLETE`: also for a number or word that
 * runs up to `end`, since it may go on. Throws `JsonFault`.
 */
export function skipValue(bytes: Uint8Array, at: number, end: number, notes: JsonNotes, depth = 0): number {
  if (at >= end) return INCOMPLETE;
  const c = bytes[at] ?? 0;
  if (c === QUOTE) return skipString(bytes, at, end);
  if (c === 123 || c === 91) {
    if (depth >= MAX_DEPTH) throw new JsonFault(at, `at most ${MAX_DEPTH} levels of nesting`);
    return skipContainer(bytes, at, end, notes, depth);
  }
  return skipScalar(bytes, at, end, notes);
}

function skipContainer(bytes: Uint8Array, at: number, end: number, notes: JsonNotes, depth: number): number {
  const isObject = bytes[at] === 123;
  const close = isObject ? 125 : 93;
  let first = true;
  for (let q = at + 1; ; first = false) {
    q = skipSpace(bytes, q, end);
    if (!first && q < end && bytes[q] !== close) {
      if (bytes[q] !== COMMA) throw new JsonFault(q, isObject ? 'a comma or "}"' : 'a comma or "]"');
      q = skipSpace(bytes, q + 1, end);
      if (q < end && bytes[q] === close) notes.trailingCommas += 1;
    }
    if (q >= end) return INCOMPLETE;
    if (bytes[q] === close) return q + 1;
    if (isObject) q = skipKey(bytes, q, end);
    if (q === INCOMPLETE) return INCOMPLETE;
    q = skipValue(bytes, q, end, notes, depth + 1);
    if (q === INCOMPLETE) return INCOMPLETE;
  }
}

/** From a member's opening quote to the first byte of its value. */
export function skipKey(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] !== QUOTE) throw new JsonFault(at, "a key in double quotes");
  const after = skipString(bytes, at, end);
  if (after === INCOMPLETE) return INCOMPLETE;
  const colon = skipSpace(bytes, after, end);
  if (colon >= end) return INCOMPLETE;
  if (bytes[colon] !== COLON) throw new JsonFault(colon, "a colon after the key");
  const value = skipSpace(bytes, colon + 1, end);
  return value >= end ? INCOMPLETE : value;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS = new Set(["true", "false", "null"]);
const NOT_FINITE = new Set(["NaN", "Infinity", "-Infinity"]);
/** Python refuses to make an integer of more digits than this. */
const LONGEST_SCALAR = 4400;

function skipScalar(bytes: Uint8Array, at: number, end: number, notes: JsonNotes): number {
  let q = at;
  while (q < end && isScalarByte(bytes[q] ?? 0)) q += 1;
  if (q - at > LONGEST_SCALAR) throw new JsonFault(at, "a number of reasonable length");
  const text = asciiText(bytes, at, q);
  if (q >= end && /^[-+.\w]*$/.test(text)) return INCOMPLETE;
  if (NOT_FINITE.has(text)) notes.notFinite += 1;
  else if (!WORDS.has(text) && !NUMBER.test(text)) throw new JsonFault(at, "a JSON value");
  return q;
}

function isScalarByte(c: number): boolean {
  return (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 43 || c === 45 || c === 46;
}

/** Bytes known to be ASCII as text. */
export function asciiText(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at += 1) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** UTF-8 as text; `valid` is false where it was not UTF-8 and U+FFFD replaces what could not be read. */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly valid: boolean } {
  try {
    return { text: strict.decode(bytes), valid: true };
  } catch {
    return { text: lenient.decode(bytes), valid: false };
  }
}

/** Text of a JSON string from its bytes without the quotes, escapes undone. The bytes have passed `skipString`. */
export function decodeString(raw: Uint8Array): { readonly text: string; readonly valid: boolean } {
  const { text, valid } = decodeText(raw);
  return { text: text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text, valid };
}

/** Slices of the items of an array whose "[" is at `at`; the bytes have passed `skipValue`. */
export function itemsOf(bytes: Uint8Array, at: number, end: number): readonly (readonly [from: number, to: number])[] {
  const items: (readonly [number, number])[] = [];
  const notes = { notFinite: 0, trailingCommas: 0 };
  for (let q = skipSpace(bytes, at + 1, end); q < end && bytes[q] !== 93;) {
    const to = skipValue(bytes, q, end, notes);
    if (to === INCOMPLETE) break;
    items.push([q, to]);
    q = skipSpace(bytes, to, end);
    if (bytes[q] === COMMA) q = skipSpace(bytes, q + 1, end);
  }
  return items;
}

/** JSON texts of the items of a whole list; none of other JSON. */
export function itemTexts(written: string): readonly string[] {
  if (!written.startsWith("[")) return [];
  const bytes = new TextEncoder().encode(written);
  return itemsOf(bytes, 0, bytes.length).map(([from, to]) => decodeText(bytes.subarray(from, to)).text);
}

/** Key slices (with quotes) and value slices of an object whose "{" is at `at`; the bytes have passed `skipValue`. */
export function membersOf(bytes: Uint8Array, at: number, end: number) {
  const members: { key: string; from: number; to: number }[] = [];
  const notes = { notFinite: 0, trailingCommas: 0 };
  for (let q = skipSpace(bytes, at + 1, end); q < end && bytes[q] === QUOTE;) {
    const keyEnd = skipString(bytes, q, end);
    const from = skipKey(bytes, q, end);
    const to = skipValue(bytes, from, end, notes);
    if (keyEnd === INCOMPLETE || from === INCOMPLETE || to === INCOMPLETE) break;
    members.push({ key: decodeString(bytes.subarray(q + 1, keyEnd - 1)).text, from, to });
    q = skipSpace(bytes, to, end);
    if (bytes[q] === COMMA) q = skipSpace(bytes, q + 1, end);
  }
  return members;
}
