/**
 * Elements of a list `[…values, dtype, shape]`, which numcodecs' `json2` and `msgpack2` write, put into an array as NumPy
 * does (`numpy.empty(shape, dtype)[:] = values`): nested lists are dimensions as far as they are even and the shape has
 * some, and what is left over is repeated to the shape.
 */
import type { DataType } from "#core/metadata/data-type.ts";
import { fillBytes } from "#core/values/fill-bytes.ts";
import { failure, findingOfError, RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import { hexBytes } from "#core/bytes.ts";
import type { JsonOddity, JsonValue } from "#core/json/json.ts";
import { toLittleEndianC } from "#core/values/little-endian.ts";
import { parseJson, parseJsonTree } from "#core/json/parse-json.ts";
import { brief, type Bytes, type ChunkOutline, decodeFailed, decodeTooLarge, numpyType } from "../codec.ts";

export interface ListedOptions {
  readonly limit: number;
  /** True if no shape is written: NumPy's `array(values, dtype)` (old versions of the codecs `json` and `msgpack`). */
  readonly withoutShape: boolean;
  /** True if the items may be other than JSON; false if they were made here. */
  readonly unchecked: boolean;
}

const MAX_ELEMENTS = 2 ** 24;
/** NumPy's own limit. */
const MAX_DIMENSIONS = 64;

/** Elements in the layout of core/variable-elements.ts, or plain ones if the type has a size. Throws RefscopeError. */
export function listedElements(codec: string, text: Bytes, array: ChunkOutline, options: ListedOptions): Bytes {
  const listed = readList(codec, text, options);
  const { dataType, shape, values } = listed;
  if ((dataType.kind === "object") !== (array.dataType.kind === "object")) {
    throw decodeFailed(codec, `elements of type ${array.dataType.text.slice(0, 80)}`, `type ${dataType.text} written`);
  }
  const nested =
    shape?.length === 0 ? scalarOf(codec, values, options) : nestedValues(codec, text, values, shape?.length);
  const full = shape ?? nested.shape;
  const elements = full.reduce((product, length) => product * length, 1);
  if (elements !== array.elements) {
    throw decodeFailed(codec, `${array.elements} elements, as the chunk has`, `shape [${full.join(", ")}]`);
  }
  if (elements > MAX_ELEMENTS) throw decodeFailed(codec, `at most ${MAX_ELEMENTS} elements`, `${elements} elements`);
  if (options.unchecked) {
    for (let at = 0; at < nested.leaves.length; at += 2) checkItem(codec, text, ...spanAt(nested.leaves, at));
  }
  const sources = broadcast(codec, nested.shape, full);
  if (dataType.kind !== "object") return numbers(codec, text, nested.leaves, sources, dataType);
  return written(codec, text, nested.leaves, sources, options.limit);
}

function readList(codec: string, text: Bytes, { withoutShape }: ListedOptions) {
  const [from, to] = trimmed(text, 0, text.length);
  const expected = `a list of values and at its end their type${withoutShape ? "" : " and shape"}`;
  if (!isList(text, from, to)) throw decodeFailed(codec, expected, startOf(text));
  const items = splitList(codec, text, from, to);
  const ends = withoutShape ? 2 : 4;
  if (items.length < ends) throw decodeFailed(codec, expected, `a list of ${items.length / 2}`);
  const shape = withoutShape ? undefined : readShape(codec, valueAt(codec, text, items, items.length - 2));
  const dataType = readType(codec, valueAt(codec, text, items, items.length - ends));
  return { dataType, shape, values: items.subarray(0, items.length - ends) };
}

function startOf(text: Bytes): string {
  const shown = hexBytes(text.subarray(0, 12));
  return `${text.length} bytes that begin ${shown === "" ? "with nothing" : shown}`;
}

function valueAt(codec: string, text: Bytes, items: Spans, at: number): JsonValue {
  const [from, to] = spanAt(items, at);
  const written = new TextDecoder().decode(text.subarray(from, to));
  // NumPy takes the name of a type as bytes, too.
  if (written.startsWith('b"')) return atob(written.slice(2, -1));
  checkItem(codec, text, from, to);
  return parseJson(written).value;
}

const spanAt = (spans: Spans, at: number): readonly [from: number, to: number] => [spans[at] ?? 0, spans[at + 1] ?? 0];

function readType(codec: string, value: JsonValue): DataType {
  const type = numpyType(value);
  if (type !== undefined) return type;
  throw decodeFailed(codec, "a type of NumPy before the shape", brief(value));
}

function readShape(codec: string, value: JsonValue): readonly number[] {
  const list = (Array.isArray(value) ? value : [value]) as readonly JsonValue[];
  const isLength = (item: JsonValue): item is number =>
    typeof item === "number" && Number.isSafeInteger(item) && item >= 0;
  if (list.every(isLength) && list.length <= MAX_DIMENSIONS) return list;
  throw decodeFailed(codec, "a shape at the end of the list", brief(value));
}

interface Nested {
  readonly shape: readonly number[];
  readonly leaves: Spans;
}

/** Only numcodecs' JSON reads one value alone; its MsgPack neither writes nor reads such. */
function scalarOf(codec: string, values: Spans, { unchecked }: ListedOptions): Nested {
  if (!unchecked) throw decodeFailed(codec, "a shape of one dimension at least", "shape []");
  if (values.length === 0) throw decodeFailed(codec, "one value, as the shape is []", "none");
  return { shape: [], leaves: values.subarray(0, 2) };
}

/** Lists in lists are dimensions as long as all of a level are lists of one length, and no more than `limit`. */
function nestedValues(codec: string, text: Bytes, values: Spans, limit = MAX_DIMENSIONS): Nested {
  let leaves = values;
  const shape = [values.length / 2];
  while (shape.length < limit && leaves.length > 0) {
    const inner = evenLists(codec, text, leaves);
    if (inner === undefined) break;
    shape.push(inner.length / leaves.length);
    leaves = inner;
  }
  return { shape, leaves };
}

/** The items of all the lists; `undefined` where one is none, or of another length. */
function evenLists(codec: string, text: Bytes, leaves: Spans): Spans | undefined {
  for (let at = 0; at < leaves.length; at += 2) if (!isList(text, ...spanAt(leaves, at))) return undefined;
  const first = splitList(codec, text, ...spanAt(leaves, 0));
  const count = leaves.length / 2;
  if (first.length * count > 2 * MAX_ELEMENTS) throw decodeFailed(codec, `at most ${MAX_ELEMENTS} values`, "more");
  const all = new Uint32Array(first.length * count);
  for (let at = 0; at < count; at++) {
    const items = at === 0 ? first : splitList(codec, text, ...spanAt(leaves, 2 * at));
    if (items.length !== first.length) return undefined;
    all.set(items, at * first.length);
  }
  return all;
}

/** For each element of `shape`, which of the values it is. */
function broadcast(codec: string, from: readonly number[], shape: readonly number[]): Uint32Array {
  const lead = shape.length - from.length;
  const fits = from.every((length, at) => length === 1 || length === shape[lead + at]);
  if (lead < 0 || !fits) {
    throw decodeFailed(codec, `values for shape [${shape.join(", ")}]`, `values of shape [${from.join(", ")}]`);
  }
  let sources = Uint32Array.of(0);
  let count = 1;
  for (const [at, length] of shape.entries()) {
    const given = from[at - lead];
    const next = new Uint32Array(sources.length * length);
    for (let i = 0; i < next.length; i++) {
      const base = sources[Math.floor(i / length)] ?? 0;
      next[i] = given === undefined || given === 1 ? base * (given ?? 1) : base * given + (i % length);
    }
    sources = next;
    count *= length;
  }
  return sources.subarray(0, count);
}

function written(codec: string, text: Bytes, leaves: Spans, sources: Uint32Array, limit: number): Bytes {
  let size = 4;
  for (const source of sources) size += 4 + (leaves[2 * source + 1] as number) - (leaves[2 * source] as number);
  if (size > limit) throw decodeTooLarge(codec, limit, `${size} bytes`);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, sources.length, true);
  let to = 4;
  for (const source of sources) {
    const [start, end] = spanAt(leaves, 2 * source);
    view.setUint32(to, end - start, true);
    bytes.set(text.subarray(start, end), to + 4);
    to += 4 + end - start;
  }
  return bytes;
}

function numbers(
  codec: string,
  text: Bytes,
  leaves: Spans,
  sources: Uint32Array,
  type: Exclude<DataType, { kind: "object" }>,
) {
  const bytes = new Uint8Array(sources.length * type.itemSize);
  const decoder = new TextDecoder();
  sources.forEach((source, at) => {
    const [from, to] = spanAt(leaves, 2 * source);
    bytes.set(itemBytes(codec, decoder.decode(text.subarray(from, to)), type), at * type.itemSize);
  });
  return bytes;
}

// Values of a JSON list as elements of a type with a size, which NumPy casts to it.

/**
 * Bytes of an item in the type's byte order. Takes only what NumPy converts without loss: integers in range, booleans,
 * numbers, text; refuses what NumPy would cut or parse. Throws `decode-failed`.
 */
function itemBytes(codec: string, text: string, type: Exclude<DataType, { kind: "object" }>): Uint8Array {
  const little = littleBytes(text, type);
  if (little === undefined) {
    const written = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    throw decodeFailed(codec, `values of type ${type.text.slice(0, 80)}`, written);
  }
  // Turning little-endian bytes round is what turning them to little-endian is.
  return toLittleEndianC(little, { dataType: type, chunks: [], order: "C" });
}

function littleBytes(text: string, type: Exclude<DataType, { kind: "object" }>) {
  // MessagePack read as bytes, which NumPy takes for text in ASCII.
  const value = text.startsWith('b"') ? atob(text.slice(2, -1)) : parseJson(text).value;
  switch (type.kind) {
    case "float":
      if (value === null) return fillBytes(Number.NaN, type);
      return typeof value === "number" || typeof value === "bigint" ? fillBytes(value, type) : undefined;
    case "int":
    case "uint":
      return fillBytes(typeof value === "boolean" ? Number(value) : value, type);
    case "bool":
      return fillBytes(value, type);
    case "unicode":
      return typeof value === "string" && isFit(text, value) ? fillBytes(value, type) : undefined;
    case "datetime":
    case "timedelta":
      return typeof value === "string" ? undefined : fillBytes(value, type);
    case "bytes": {
      if (typeof value !== "string" || !isAscii(value)) return undefined;
      const bytes = new Uint8Array(type.itemSize);
      bytes.set(new TextEncoder().encode(value).subarray(0, type.itemSize));
      return bytes;
    }
    case "complex":
    case "void":
    case "narrow":
    case "structured":
      return undefined;
  }
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

const isFit = (written: string, value: string): boolean => !written.startsWith('b"') || isAscii(value);

// Lists of JSON taken apart without a tree: where each item begins and ends, so that a chunk of a million objects costs
// eight bytes an object. Items are checked on their own.

/** Beginnings and ends (excluded) of values in a text, flat. */
type Spans = Uint32Array<ArrayBuffer>;

/** Most items of one list. */
const MAX_ITEMS = 2 ** 24;
const [QUOTE, BACKSLASH, COMMA, SPACE] = [0x22, 0x5c, 0x2c, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Without white space around. */
function trimmed(bytes: Bytes, from: number, to: number): readonly [from: number, to: number] {
  let [start, end] = [from, to];
  while (start < end && isSpace(bytes[start])) start++;
  while (end > start && isSpace(bytes[end - 1])) end--;
  return [start, end];
}

function isList(bytes: Bytes, from: number, to: number): boolean {
  return to - from >= 2 && bytes[from] === OPEN_LIST && bytes[to - 1] === CLOSE_LIST;
}

/** Items of the list from `from` to `to`. Throws `decode-failed`. */
function splitList(codec: string, bytes: Bytes, from: number, to: number): Spans {
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
function checkItem(codec: string, bytes: Bytes, from: number, to: number): void {
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

/** Oddities of JSON that other places ignore and this one refuses. */
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
