/** Arrays of two sets compared by value: decoded chunk by chunk of A, a random sample or all, whatever chunks B has. */
import type { CallContext } from "#core/byte-source.ts";
import { chunkAt, failure as failureOf, findingOfError, isAbort, RefscopeError } from "#core/findings/finding.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { ArrayMetadata, ArrayNode } from "#core/metadata/array-metadata.ts";
import { cellCount, chunkOf, chunkStart, coordinatesOf, gridOf, insideShape } from "#core/metadata/chunk-grid.ts";
import { meaningOf, sameMeaning } from "#core/metadata/meaning.ts";
import type { DataType } from "#core/metadata/data-type.ts";
import { selectedCount, type Selection, wholeDimension } from "#core/plane/slice.ts";
import { bytesText, numbersOf } from "#core/values/values.ts";
import { sameBytes } from "#core/bytes.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { readSelection, type SelectedElements } from "../many/read-selection.ts";
import { typeText, writtenType } from "#core/values/written-elements.ts";
import { startPace } from "../pace.ts";
import type { Reference } from "#core/table/reference.ts";
import type { ArrayValues, Pair } from "#core/set-differences.ts";
import type { EngineSet } from "../engine-set.ts";
import { eachAtOnce } from "../kept.ts";
import { chunkReferences, sameSource } from "./compare-sets.ts";

export interface ValuesWish {
  readonly sets: Pair<EngineSet>;
  readonly nodes: Pair<ArrayNode>;
  readonly chunks: number | "all";
  readonly decoder: ChunkDecoder;
}

/** Pieces that are read at a time: no more is held. */
const AT_ONCE = 8;

/**
 * Chunks of A that may have other values in B. `bytes`: stored, of both as far as their lengths are known and their grids
 * are the same, and of how many chunks.
 */
export async function comparableChunks({ sets, nodes }: Pick<ValuesWish, "sets" | "nodes">, context: CallContext) {
  const { path, metadata } = nodes.a;
  const kindOf = (array: ArrayMetadata) => `${array.shape.length} ${typeText(writtenType(array))}`;
  if (kindOf(metadata) !== kindOf(nodes.b.metadata)) return undefined;
  const { at, ordinals, grid, isAlike: isOneGrid } = await chunkReferences(sets, path, context);
  const isAlike = decodesAlike(metadata, nodes.b.metadata);
  const isSame = sameSource(sets);
  const isRead = ({ a, b }: ReturnType<typeof at>): boolean => !isAlike || !isSame({ a: a.reference, b: b.reference });
  const pace = startPace(context, `Comparing references of ${path}`, cellCount(grid));
  const counts = { candidates: 0, rest: 0, bytes: 0, sized: 0 };
  for (const ordinal of ordinals()) {
    await pace.yieldIfDue((counts.candidates += 1));
    const { a, b } = at(ordinal);
    if (!isRead({ a, b })) continue;
    counts.rest += 1;
    const sizes = isOneGrid ? [storedSize(a.reference), storedSize(b.reference)] : [undefined];
    if (sizes.includes(undefined)) continue;
    counts.sized += 1;
    for (const size of sizes) counts.bytes += size ?? 0;
  }
  return { ...counts, ordinals, isRead: (ordinal: number) => isRead(at(ordinal)) };
}

/** `undefined`: not known before it is read. */
function storedSize(reference: Reference | undefined): number | undefined {
  if (reference?.kind === "range") return reference.length;
  return reference?.kind === "missing" || reference?.kind === "inline" ? 0 : undefined;
}

export async function compareValues(wish: ValuesWish, context: CallContext): Promise<ArrayValues> {
  const { path } = wish.nodes.a;
  const counts = { candidates: 0, sameSource: 0, compared: 0, different: 0, failed: 0 };
  const found = await comparableChunks(wish, context);
  if (found === undefined) return { path, ...counts, uncompared: "type" };
  const { candidates, rest, ordinals, isRead } = found;
  Object.assign(counts, { candidates, sameSource: candidates - rest });
  const most = wish.chunks === "all" ? rest : Math.min(wish.chunks, rest);
  const met: { first?: Different & { readonly ordinal: number }; failed?: Extract<Compared, { kind: "failed" }> } = {};
  await eachAtOnce(sampled(ordinals(), isRead, rest, most), AT_ONCE, async (ordinal) => {
    const found = await compareChunk(wish, ordinal, context);
    counts[found.kind === "failed" ? "failed" : "compared"] += 1;
    counts.different += Number(found.kind === "different");
    if (found.kind === "failed") met.failed ??= found;
    if (found.kind === "different" && ordinal < (met.first?.ordinal ?? Infinity)) met.first = { ...found, ordinal };
    const done = counts.compared + counts.failed;
    context.report({ label: `Comparing values of ${path}`, done, total: most, unit: "chunks" });
  });
  const isClean = counts.different === 0 && counts.failed === 0 && most < rest;
  return {
    path,
    ...counts,
    ...(isClean && { boundAt95: 1 - 0.05 ** (1 / most) }),
    ...(met.first && { first: await withProvenance(wish, met.first, context) }),
    ...(met.failed && { failure: met.failed.failure, failedIn: met.failed.failedIn }),
  };
}

/** `most` of those that are wanted, each set of as many equally likely, in their order (Knuth's algorithm S). */
function* sampled(ordinals: Iterable<number>, isWanted: (ordinal: number) => boolean, wanted: number, most: number) {
  let [left, need] = [wanted, most];
  for (const ordinal of ordinals) {
    if (need === 0) return;
    if (!isWanted(ordinal) || Math.random() * left-- >= need) continue;
    need -= 1;
    yield ordinal;
  }
}

/** The same stored bytes are the same values if both have these. */
const DECODING = [
  "shape",
  "chunks",
  "dtype",
  "byte-order",
  "shards",
  "codecs",
  "scale_factor",
  "add_offset",
  "fill",
] as const;

function decodesAlike(a: ArrayMetadata, b: ArrayMetadata): boolean {
  const meaning = (metadata: ArrayMetadata) => meaningOf({ metadata, attributes: undefined });
  const [one, other] = [meaning(a), meaning(b)];
  const isPackedAlike = one.scale_factor === other.scale_factor && one.add_offset === other.add_offset;
  return isPackedAlike && DECODING.every((member) => sameMeaning(member, one, other));
}

type Compared =
  | { readonly kind: "same" }
  | { readonly kind: "failed"; readonly failure: Finding; readonly failedIn: "a" | "b" }
  | { readonly kind: "different"; readonly element: readonly number[]; readonly values: Pair<string> };

/** Throws only when aborted. */
async function compareChunk(
  { sets, nodes, decoder }: ValuesWish,
  ordinal: number,
  { signal }: CallContext,
): Promise<Compared> {
  const { metadata, path } = nodes.a;
  const coordinates = coordinatesOf(gridOf(metadata.shape, metadata.chunks), ordinal);
  const selection = selectionOf(metadata, nodes.b.metadata.shape, coordinates);
  if (selectedCount(selection) === 0) return { kind: "same" };
  const read = async (side: "a" | "b"): Promise<SelectedElements> => {
    const [set, node] = [sets[side], nodes[side]];
    const found = await readSelection({ set, node, selection, decoder }, { signal, report: () => undefined });
    const [reason] = found.failed.values();
    if (reason !== undefined) throw new RefscopeError(reason);
    if (found.missing === 0 || node.metadata.fillValue !== null) return found;
    throw failureOf("fill-value-undefined", chunkAt(path, coordinates), { chunks: found.missing, hashedAs: undefined });
  };
  let failedIn: "a" | "b" | undefined;
  const noting = (side: "a" | "b") =>
    read(side).catch((error: unknown) => {
      failedIn ??= side;
      throw error;
    });
  try {
    const [a, b] = await Promise.all([noting("a"), noting("b")]);
    const type = writtenType(metadata);
    const at = firstDifference(a, b, type);
    if (at < 0) return { kind: "same" };
    const inside = coordinatesOf(
      selection.map(({ count }) => count),
      at,
    );
    const element = inside.map((one, dimension) => one + (selection[dimension]?.start ?? 0));
    return { kind: "different", element, values: { a: valueAt(a, at, type), b: valueAt(b, at, type) } };
  } catch (error) {
    if (isAbort(error) && signal.aborted) throw error;
    return { kind: "failed", failure: findingOfError(error, `Comparing ${path}`), failedIn: failedIn ?? "a" };
  }
}

/** A chunk, as far as both arrays reach. */
function selectionOf(
  { shape, chunks }: ArrayMetadata,
  other: readonly number[],
  coordinates: readonly number[],
): Selection {
  const starts = chunkStart(coordinates, chunks);
  return insideShape(shape, chunks, coordinates).map((length, at) => {
    const start = starts[at] ?? 0;
    return { ...wholeDimension(Math.max(0, Math.min(length, (other[at] ?? 0) - start))), start };
  });
}

/** The first element that differs, or -1. NaN is NaN whatever its bits, and -0 is 0. */
function firstDifference(a: SelectedElements, b: SelectedElements, type: DataType): number {
  if (a.texts !== undefined) return a.texts.findIndex((text, at) => text !== b.texts?.[at]);
  if (sameBytes(a.bytes, b.bytes)) return -1;
  const [one, other] = [numbersOf(a.bytes, type), numbersOf(b.bytes, type)];
  if (one === undefined || other === undefined)
    return Math.floor(a.bytes.findIndex((byte, at) => byte !== b.bytes[at]) / type.itemSize);
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] !== other[at] && !(Number.isNaN(one[at]) && Number.isNaN(other[at]))) return at;
  }
  return -1;
}

const valueAt = ({ texts, bytes }: SelectedElements, at: number, type: DataType): string =>
  texts?.[at] ?? bytesText(bytes.slice(at * type.itemSize, (at + 1) * type.itemSize), type, true);

type Different = Extract<Compared, { kind: "different" }>;

async function withProvenance({ sets, nodes }: ValuesWish, { element, values }: Different, context: CallContext) {
  const of = async (side: "a" | "b") => {
    const coordinates = chunkOf(element, nodes[side].metadata.chunks);
    const { key, written } = await chunkReference(sets[side], nodes[side], coordinates, context);
    return { key, reference: written };
  };
  return { element, values, chunks: { a: await of("a"), b: await of("b") } };
}
