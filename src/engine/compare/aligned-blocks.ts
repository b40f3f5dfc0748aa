/** A box of an array of A, and what lies there in B: read, decoded, and put into the order of A. */
import type { CallContext } from "#core/byte-source.ts";
import { cfValues } from "#core/cf/cf-values.ts";
import { isoDate } from "#core/cf/cf-time.ts";
import { NOT_A_TIME } from "#core/cf/time-text.ts";
import { chunkAt, failure as failureOf, type Finding, findingOfError, isAbort } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { chunkStart, insideShape } from "#core/metadata/chunk-grid.ts";
import type { ArrayPair, ComparedValue, Pair } from "#core/set-differences.ts";
import { gather, stridesC } from "#core/values/gather.ts";
import { floatText } from "#core/values/number-text.ts";
import { bytesText, decodeValues, type LongArray, type NumberArray } from "#core/values/values.ts";
import { writtenType } from "#core/values/written-elements.ts";
import { readSelection, type SelectedElements } from "../many/read-selection.ts";
import type { ReadOutcome } from "../many/read-chunks.ts";
import { overlap, type PairWish, scalingIn } from "./pair-arrays.ts";

/** Elements of A from `from` on, so many along each dimension. */
export interface ElementBox {
  readonly from: readonly number[];
  readonly count: readonly number[];
}

/** Elements in C order: numbers, dates in nanoseconds; neither where they are texts or bytes. */
export interface Elements {
  readonly numbers?: NumberArray | LongArray;
  readonly valueAt: (at: number) => ComparedValue;
}

/** Elements of a chunk that could not be read, in places of A. */
export interface UnreadBox extends ElementBox {
  readonly failure: Finding;
  readonly failedIn: "a" | "b";
}

export interface AlignedBlock extends Pair<Elements> {
  /** Part of the wanted box into which both arrays reach. */
  readonly box: ElementBox;
  readonly unread: readonly UnreadBox[];
}

/** `undefined`: the arrays do not both reach into the box. Throws when aborted. */
export async function readAligned(
  wish: PairWish,
  pair: ArrayPair,
  wanted: ElementBox,
  { signal }: CallContext,
): Promise<AlignedBlock | undefined> {
  const ends = pair.dimensions.map((along, dimension) => {
    const { a, b } = wish.nodes;
    const [low, high] = overlap(along, a.metadata.shape[dimension] ?? 1, b.metadata.shape[along.of] ?? 1);
    const start = wanted.from[dimension] ?? 0;
    return [Math.max(low, start), Math.min(high, start + (wanted.count[dimension] ?? 0))] as const;
  });
  if (ends.some(([from, to]) => to <= from)) return undefined;
  const box = { from: ends.map(([from]) => from), count: ends.map(([from, to]) => to - from) };
  const unread: UnreadBox[] = [];
  const read = async (side: "a" | "b"): Promise<Elements> => {
    const node = wish.nodes[side];
    const dimensions = side === "b" ? pair.dimensions : box.from.map((_, of) => ({ of, offset: 0, step: 1 }) as const);
    const note = (outcome: ReadOutcome) => {
      const failure = failureIn(outcome, node);
      const { coordinates } = outcome.chunk;
      if (failure !== undefined) unread.push({ ...boxOf(node, coordinates, dimensions), failure, failedIn: side });
    };
    const request = {
      set: wish.sets[side],
      node,
      selection: selectionIn(box, dimensions),
      decoder: wish.decoder,
      note,
    };
    try {
      const found = await readSelection(request, { signal, report: () => undefined });
      return elementsOf(inOrderOfA(found, node, dimensions, box), node, wish, box);
    } catch (error) {
      if (isAbort(error) && signal.aborted) throw error;
      unread.push({ ...box, failure: findingOfError(error, `Comparing ${node.path}`), failedIn: side });
      return { valueAt: () => null };
    }
  };
  const [a, b] = await Promise.all([read("a"), read("b")]);
  return { a, b, box, unread };
}

type Dimensions = ArrayPair["dimensions"];

function failureIn(outcome: ReadOutcome, { path, metadata }: ArrayNode): Finding | undefined {
  if (outcome.kind === "failed") return outcome.error;
  if (outcome.kind !== "missing" || metadata.fillValue !== null) return undefined;
  const place = chunkAt(path, outcome.chunk.coordinates);
  return failureOf("fill-value-undefined", place, { chunks: 1, hashedAs: undefined }).finding;
}

/** Elements of a chunk, in places of A. */
function boxOf({ metadata }: ArrayNode, coordinates: readonly number[], dimensions: Dimensions): ElementBox {
  const from = chunkStart(coordinates, metadata.chunks);
  const count = insideShape(metadata.shape, metadata.chunks, coordinates);
  const places = dimensions.map(({ of, offset, step }) => {
    const [start, length] = [from[of] ?? 0, count[of] ?? 1];
    return [step > 0 ? start - offset : offset - (start + length - 1), length] as const;
  });
  return { from: places.map(([start]) => start), count: places.map(([, length]) => length) };
}

/** The elements of a box in one of the sets, in the order of its dimensions. */
function selectionIn({ from, count }: ElementBox, dimensions: Dimensions) {
  return dimensions
    .map(({ of, offset, step }, dimension) => {
      const start = offset + step * (from[dimension] ?? 0);
      return { of, start, step, count: count[dimension] ?? 0, dropped: false };
    })
    .toSorted((one, other) => one.of - other.of);
}

function inOrderOfA(found: SelectedElements, { metadata }: ArrayNode, dimensions: Dimensions, { count }: ElementBox) {
  if (dimensions.every(({ of }, dimension) => of === dimension)) return found;
  const own = stridesC(selectionIn({ from: count, count }, dimensions).map((one) => one.count));
  const strides = dimensions.map(({ of }) => own[of] ?? 0);
  const { texts, bytes } = found;
  if (texts === undefined) return { ...found, bytes: gather(bytes, count, strides, writtenType(metadata).itemSize) };
  const places = Uint32Array.from(texts.keys());
  const turned = new Uint32Array(gather(new Uint8Array(places.buffer), count, strides, 4).buffer);
  return { ...found, texts: Array.from(turned, (at) => texts[at] ?? "") };
}

function elementsOf(
  { bytes, texts }: SelectedElements,
  node: ArrayNode,
  { mode }: PairWish,
  { count }: ElementBox,
): Elements {
  if (texts !== undefined) return { valueAt: (at) => texts[at] ?? null };
  const dataType = writtenType(node.metadata);
  const { kind, itemSize } = dataType;
  const stored = decodeValues(bytes, { dataType, chunks: count, order: "C" });
  const textAt = (at: number) => bytesText(bytes.slice(at * itemSize, (at + 1) * itemSize), dataType, true);
  const scaling = scalingIn(node, mode);
  const { numbers } = stored;
  if (numbers === undefined) return { valueAt: textAt };
  if (scaling === undefined)
    return {
      numbers,
      valueAt: /^(?:datetime|timedelta)$/.test(kind) ? textAt : (at) => plainNumber(numbers[at], itemSize),
    };
  const values = cfValues(stored, scaling);
  if (values.kind === "texts") return { valueAt: (at) => values.texts[at] ?? null };
  if (values.kind === "numbers")
    return {
      numbers: values.numbers,
      valueAt: (at) => plainNumber(values.numbers[at], values.numbers.BYTES_PER_ELEMENT),
    };
  const { nanoseconds } = values;
  const dateAt = (at: number) => (nanoseconds[at] === NOT_A_TIME ? null : isoDate(nanoseconds[at] ?? NOT_A_TIME));
  return { numbers: nanoseconds, valueAt: dateAt };
}

/** A number as its type tells it: 25.69, and not what computing it in binary gave. */
function plainNumber(value: number | bigint | undefined, size: number): ComparedValue {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value === undefined || Number.isNaN(value)) return null;
  if (!Number.isFinite(value)) return String(value);
  return size < 8 ? Number(floatText(value, 4)) : tidy(value);
}

/** Without the last digits, which rounding leaves. */
export const tidy = (value: number): number => Number(value.toPrecision(12));
