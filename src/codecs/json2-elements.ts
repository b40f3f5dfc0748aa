/**
 * Elements of a list `[…values, dtype, shape]`, which numcodecs' `json2` and `msgpack2` write, put into an array as NumPy
 * does (`numpy.empty(shape, dtype)[:] = values`): nested lists are dimensions as far as they are even and the shape has
 * some, and what is left over is repeated to the shape.
 */
import { hexBytes } from "../core/hex-bytes.ts";
import type { DataType } from "../core/data-type.ts";
import { RefscopeError } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import { parseDataTypeV2 } from "../core/parse-data-type.ts";
import { parseJson } from "../core/parse-json.ts";
import type { ChunkOutline } from "./codec.ts";
import { brief } from "./configuration.ts";
import { decodeFailed, decodeTooLarge } from "./failure.ts";
import { itemBytes } from "./json2-numbers.ts";
import { checkItem, isList, splitList, trimmed, type Spans } from "./json2-split.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface ListedOptions {
  readonly limit: number;
  /** Whether no shape is written: NumPy's `array(values, dtype)` (codecs `json` and `msgpack` of old). */
  readonly withoutShape: boolean;
  /** Whether the items may be other than JSON. Not so where they were made here. */
  readonly unchecked: boolean;
}

const MAX_ELEMENTS = 2 ** 24;
/** NumPy's own limit. */
const MAX_DIMENSIONS = 64;

/** In the layout of core/variable-elements.ts, or plain where the list is of a type with a size. Throws RefscopeError. */
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

interface Listed {
  readonly dataType: DataType;
  readonly shape: readonly number[] | undefined;
  readonly values: Spans;
}

function readList(codec: string, text: Bytes, { withoutShape }: ListedOptions): Listed {
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

function spanAt(spans: Spans, at: number): readonly [from: number, to: number] {
  return [spans[at] ?? 0, spans[at + 1] ?? 0];
}

function readType(codec: string, value: JsonValue): DataType {
  try {
    return parseDataTypeV2(value);
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    throw decodeFailed(codec, "a type of NumPy before the shape", brief(value));
  }
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
