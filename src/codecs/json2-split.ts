/**
 * Lists of JSON taken apart without a tree: where each item begins and ends, so that a chunk of a million objects costs
 * eight bytes an object. Items are checked on their own.
 */
import { RefscopeError } from "../core/errors.ts";
import { failure, findingOfError } from "../core/findings/failure.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import type { JsonOddity } from "../core/json.ts";
import { parseJsonTree } from "../core/parse-json.ts";
import { decodeFailed } from "./failure.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Beginnings and ends (excluded) of values in a text, flat. */
export type Spans = Uint32Array<ArrayBuffer>;

/** Most items of one list. */
const MAX_ITEMS = 2 ** 24;
const [QUOTE, BACKSLASH, COMMA, SPACE] = [0x22, 0x5c, 0x2c, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Without white space around. */
export function trimmed(bytes: Bytes, from: number, to: number): readonly [from: number, to: number] {
  let [start, end] = [from, to];
  while (start < end && isSpace(bytes[start])) start++;
  while (end > start && isSpace(bytes[end - 1])) end--;
  return [start, end];
}

export function isList(bytes: Bytes, from: number, to: number): boolean {
  return to - from >= 2 && bytes[from] === OPEN_LIST && bytes[to - 1] === CLOSE_LIST;
}

/** Items of the list that stands from `from` to `to`. Throws `decode-failed`. */
export function splitList(codec: string, bytes: Bytes, from: number, to: number): Spans {
  const spans = new GrowingSpans(codec);
  let [depth, start] = [0, from + 1];
  for (let at = from + 1; at < to - 1; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at, to - 1);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === COMMA && depth === 0) {
      spans.add(trimmed(bytes, start, at));
      start = at + 1;
    }
    if (depth < 0) throw decodeFailed(codec, "one list in JSON", `its end at byte ${at}, and more after it`);
  }
  const last = trimmed(bytes, start, to - 1);
  if (spans.length > 0 || last[1] > last[0]) spans.add(last);
  return spans.finish();
}

/** Place of the closing quote; the end where there is none, which the check of the item finds. */
function endOfString(bytes: Bytes, opening: number, end: number): number {
  for (let at = opening + 1; at < end; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return end;
}

class GrowingSpans {
  length = 0;
  readonly #codec: string;
  #spans: Spans = new Uint32Array(64);

  constructor(codec: string) {
    this.#codec = codec;
  }

  add([from, to]: readonly [number, number]): void {
    if (this.length === this.#spans.length) this.#grow();
    this.#spans[this.length++] = from;
    this.#spans[this.length++] = to;
  }

  #grow(): void {
    if (this.length >= 2 * MAX_ITEMS) throw decodeFailed(this.#codec, `at most ${MAX_ITEMS} items`, "more");
    const grown = new Uint32Array(2 * this.length);
    grown.set(this.#spans);
    this.#spans = grown;
  }

  finish(): Spans {
    return this.#spans.slice(0, this.length);
  }
}

const TEXT = new TextDecoder("utf-8", { ignoreBOM: true });

/** Throws `decode-failed` where the value is none that Python's `json.loads` reads. */
export function checkItem(codec: string, bytes: Bytes, from: number, to: number): void {
  if (isPlainString(bytes, from, to) || isPlainInteger(bytes, from, to)) return;
  const expected = "JSON as Python's json.loads reads it";
  let oddities: readonly JsonOddity[];
  try {
    ({ oddities } = parseJsonTree(TEXT.decode(bytes.subarray(from, to))));
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    const facts = { codec, expected, found: `another text in the value at byte ${from}`, cause: findingOfError(error) };
    throw failure("decode-failed", WHOLE_SET, facts, { cause: error });
  }
  const refused = oddities.map(({ code }) => REFUSED[code]).find((found) => found !== undefined);
  if (refused !== undefined) throw decodeFailed(codec, expected, `${refused} in the value at byte ${from}`);
}

/** What is read over elsewhere. */
const REFUSED: { readonly [code in JsonOddity["code"]]?: string } = {
  "byte-order-mark": "a byte order mark",
  "trailing-comma": "a comma before a closing bracket",
};

function isPlainString(bytes: Bytes, from: number, to: number): boolean {
  if (to - from < 2 || bytes[from] !== QUOTE || bytes[to - 1] !== QUOTE) return false;
  for (let at = from + 1; at < to - 1; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE || byte === BACKSLASH || byte < SPACE) return false;
  }
  return true;
}

/** Digits without a sign, no zero before them. */
function isPlainInteger(bytes: Bytes, from: number, to: number): boolean {
  if (to === from || to - from > 1000 || (bytes[from] === 0x30 && to - from > 1)) return false;
  for (let at = from; at < to; at++) if ((bytes[at] as number) < 0x30 || (bytes[at] as number) > 0x39) return false;
  return true;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
