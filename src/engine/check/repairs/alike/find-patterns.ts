/** Patterns that some of a cause's chunks show, the likeliest first. */
import { hasRegularChunks } from "../../../../core/array-metadata.ts";
import { chunkBytes } from "../../../../core/chunk-bytes.ts";
import type { CallContext } from "../../../../core/byte-source.ts";
import { suggestRepairs } from "../../../lab/suggest.ts";
import { storedShape } from "../../../lab/suggest/find-range.ts";
import type { EngineSet } from "../../../engine-set.ts";
import { meantUrls } from "../../urls/meant-url.ts";
import { searchRanges } from "../chunk-search.ts";
import { rangeOffers } from "../range-offers.ts";
import { rangeReader } from "../range-reader.ts";
import type { ToldChunk } from "./members.ts";
import { patternOf, prefixBetween, type Pattern, type TargetRange } from "./pattern.ts";

/** `set` reads within a budget. */
export async function* patternsIn(
  set: EngineSet,
  told: readonly ToldChunk[],
  context: CallContext,
): AsyncGenerator<Pattern> {
  const [first] = told;
  if (first === undefined) return;
  const { node, reference } = first.chunk;
  const { metadata } = node;
  // Unequal chunks have no length in common.
  const { size } = hasRegularChunks(metadata) ? storedShape(metadata, chunkBytes(metadata)) : {};
  if (reference.kind === "range" && size !== undefined && reference.length !== size) yield { kind: "size", size };
  const own = reference.kind === "range" || reference.kind === "whole" ? reference : undefined;
  yield* ofAddress(set, own?.target, context);
  yield* ofFirst(set, first, own ?? {}, size, context);
  if (reference.kind === "range") yield* movesOfAll(set, spread(told), context);
}

/** Where the target is not read: the address that is probably meant. */
async function* ofAddress(
  set: EngineSet,
  target: string | null | undefined,
  context: CallContext,
): AsyncGenerator<Pattern> {
  const meant = typeof target === "string" ? meantUrls(target) : [];
  if (typeof target !== "string" || meant.length === 0) return;
  if ((await rangeReader(set, context).probe(target)).isRead) return;
  for (const one of meant) yield prefixBetween(target, one);
}

/** The repair of the first chunk alone. */
async function* ofFirst(
  set: EngineSet,
  { chunk }: ToldChunk,
  own: Partial<TargetRange>,
  size: number | undefined,
  context: CallContext,
): AsyncGenerator<Pattern> {
  const found = await searchRanges(set, chunk, context);
  const offers = found === undefined ? [] : await rangeOffers(set, chunk, found, context);
  for (const { change } of offers) {
    const pattern = patternOf(change, own, size);
    if (pattern !== undefined) yield pattern;
  }
}

/** Moves of the range by which each of them decodes: where all are wrong, one alone seems to have bytes of the next. */
async function* movesOfAll(set: EngineSet, told: readonly ToldChunk[], context: CallContext): AsyncGenerator<Pattern> {
  let common: ReadonlyMap<string, Pattern> | undefined;
  for (const { chunk } of told) {
    const { suggestions } = await suggestRepairs(set, chunk.node.path, chunk.coordinates, context);
    const own = new Map<string, Pattern>();
    for (const { trial } of suggestions) {
      const { shift = 0, lengthen = 0, steps, byteOrder } = trial;
      if (steps !== undefined || byteOrder !== undefined || (shift === 0 && lengthen === 0)) continue;
      own.set(`${shift} ${lengthen}`, { kind: "move", shift, lengthen });
    }
    const before: ReadonlyMap<string, Pattern> = common ?? own;
    common = new Map([...before].filter(([key]) => own.has(key)));
    if (common.size === 0) return;
  }
  yield* common?.values() ?? [];
}

/** The first, one in the middle, and the last. */
function spread(told: readonly ToldChunk[]): readonly ToldChunk[] {
  const places = [0, Math.floor(told.length / 2), told.length - 1];
  return [...new Set(places)].flatMap((at) => told[at] ?? []);
}
