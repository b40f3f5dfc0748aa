/**
 * Missing chunks that held data: no stored value is what they read as, and something else says it, too: their shards,
 * arrays of the same grid that have them, or that the fill value is no value that this array has.
 */
import { cellCount, chunkAlong, coordinatesOf, shardsInChunks } from "#core/metadata/chunk-grid.ts";
import { groupedBy } from "#core/basics.ts";
import { scale } from "#core/cf/cf.ts";
import { missingNumber } from "#core/values/fill.ts";
import { Marks } from "#engine/table/marks.ts";
import { startPace } from "#engine/pace.ts";
import { ChunkPlaces } from "#engine/rules/rule.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { isCoordinate, parentOf, parentPath } from "#core/metadata/hierarchy-path.ts";
import { markPresent } from "#engine/rules/missing-chunks.ts";
import { scalingOfNode } from "../note-chunk.ts";
import type { ArrayFacts } from "../value-facts.ts";
import { isDecoded, isOpen, leastOf, mostOf, type ValueRule, type ValuesView } from "../value-rule.ts";

const [MAX_CELLS, LEAST_DECODED, LEAST_ELEMENTS] = [1 << 20, 2, 256];
/** Fewer decoded chunks tell nothing: only other arrays or the fill value itself say that the missing ones held data. */
const MANY_DECODED = 8;
/** How far a fill value is from all that is stored, in ranges of it, to be none of the array's values. */
const FAR = 2;
const MOSTLY = 0.5;
/** Up to this share of a large grid, three arrays or more tell of positions (`rules/coverage.ts`). */
const [FEW, LARGE, SEVERAL] = [0.01, 100, 3];

export const lostChunks: ValueRule = {
  id: "lost-chunks",
  codes: ["chunks-lost"],
  isOfDeclared: true,
  async ofSet(view, sink) {
    const lacking = view.facts.flatMap((facts) => {
      const stored = isOpen(facts) && missingIn(view, facts) > 0 ? storedOf(facts) : undefined;
      return stored === undefined ? [] : [{ facts, stored, marks: new Marks(cellCount(facts.grid), facts.of) }];
    });
    if (lacking.length === 0) return;
    const { index } = view.set;
    const byId = new Map(lacking.map(({ facts, marks }) => [index.arrayIds.get(facts.node.path) ?? -1, marks]));
    await markPresent(index.table, byId, view.context);
    for (const { facts, stored, marks } of lacking) {
      const isMissing = new Uint8Array(cellCount(facts.grid));
      const places = new ChunkPlaces(facts.node);
      const pace = startPace(view.context, "Looking for missing chunks", isMissing.length);
      await marks.eachGap((from, to) => {
        isMissing.fill(1, from, to + 1);
        return places.addRun(from, to);
      }, pace);
      const isScattered = areScattered(facts.grid, isMissing);
      const beside = isScattered ? completeBeside(view, facts) : [];
      const isTold =
        isMissing.length >= LARGE && beside.length + 1 >= SEVERAL && places.count <= isMissing.length * FEW;
      const complete = isTold ? [] : beside;
      const { isFar, zeros, decoded, ...about } = stored;
      const shards = isScattered && decoded >= MANY_DECODED ? shardsWith(facts, isMissing) : undefined;
      const isWitnessed = shards !== undefined || complete.length > 0;
      const wereZeros = about.isMasked && zeros >= MOSTLY && decoded >= MANY_DECODED;
      if (!wereZeros && !isWitnessed && !(isFar && isScattered)) continue;
      const counts = { missing: places.count, chunks: isMissing.length };
      const isSure = isFar && isWitnessed;
      sink(
        places.finding("chunks-lost", { ...counts, ...about, zeros: wereZeros ? zeros : 0, shards, complete, isSure }),
      );
    }
  },
};

/** 0 where it is not known, or too much to look at. */
function missingIn({ set }: ValuesView, facts: ArrayFacts): number {
  const { missing = 0, unknown = 1 } = set.tally.arrays.get(facts.node.path)?.states ?? {};
  return unknown > 0 || isCoordinate(facts.node) || cellCount(facts.grid) > MAX_CELLS ? 0 : missing;
}

/** Stored values beside what missing chunks read as; `undefined` where that is stored, too, or too little is known. */
function storedOf(facts: ArrayFacts) {
  const { columns, node, ordinals } = facts;
  const slots = [...ordinals.keys()].filter((slot) => isDecoded(facts, slot));
  const sum = (column: Float64Array) => slots.reduce((total, slot) => total + (column[slot] as number), 0);
  const [elements, fill, scaling] = [sum(columns.count), missingNumber(node.metadata), scalingOfNode(node)];
  if (slots.length < LEAST_DECODED || elements < LEAST_ELEMENTS || fill === undefined) return undefined;
  const [least, most] = [leastOf(columns.minimum, slots), mostOf(columns.maximum, slots)];
  const isMasked = Number.isNaN(fill) || scaling?.fillValues.some((text) => equalRounded(Number(text), fill)) === true;
  const [zeros, missing] = [sum(columns.zeros), sum(columns.missing)];
  const isOutside = fill < least || fill > most;
  const isStored = isMasked ? missing > 0 : !isOutside && (fill !== 0 || zeros > 0);
  if (isStored || !(most > least)) return undefined;
  const shown = (raw: number) => (scaling === undefined ? raw : scale(raw, scaling));
  return {
    fill: shown(fill),
    isMasked,
    range: [shown(least), shown(most)].toSorted((a, b) => a - b),
    isFar: !isMasked && scaling?.readAs === undefined && Math.max(least - fill, fill - most) > (most - least) * FAR,
    zeros: zeros / elements,
    decoded: slots.length,
  };
}

const equalRounded = (one: number, other: number): boolean => one === other || Math.fround(one) === other;

/** Neither steps that are missing, nor a part of each step: along each dimension, most have one that is there. */
function areScattered(grid: readonly number[], isMissing: Uint8Array): boolean {
  const missing = isMissing.reduce((sum, one) => sum + one, 0);
  let [stride, axes] = [1, 0];
  for (const length of grid.toReversed()) {
    const own = stride;
    stride *= length;
    if (length < 2) continue;
    axes += 1;
    const lines = new Uint32Array(isMissing.length / length);
    const lineOf = (at: number) => Math.floor(at / (own * length)) * own + (at % own);
    for (const [at, one] of isMissing.entries()) (lines[lineOf(at)] as number) += one;
    const beside = lines.reduce((sum, one) => sum + (one < length ? one : 0), 0);
    if (beside < missing * MOSTLY) return false;
  }
  return axes > 1;
}

/**
 * Nearly every shard is there and lacks some of its chunks, hardly two of them the same: writers overwrote each other.
 */
function shardsWith({ node, grid }: ArrayFacts, isMissing: Uint8Array) {
  const { sharding, chunks } = node.metadata;
  if (sharding === undefined) return undefined;
  const edges = shardsInChunks(sharding.shape, chunks);
  const shards = groupedBy(isMissing.keys(), (ordinal) =>
    coordinatesOf(grid, ordinal)
      .map((at, axis) => chunkAlong(edges[axis] ?? 1, at))
      .join("."),
  );
  const patterns = [...shards.values()].map((own) => own.map((ordinal) => isMissing[ordinal]).join(""));
  const partly = patterns.filter((one) => one.includes("0") && one.includes("1"));
  const isRace = partly.length > 2 && partly.length >= patterns.length * 0.75;
  return isRace && new Set(partly).size >= partly.length * MOSTLY
    ? { of: patterns.length, partly: partly.length }
    : undefined;
}

/** Arrays of the same group and dimensions, in the same chunks, or coarser levels of the array, that have all chunks. */
function completeBeside({ facts: all, set }: ValuesView, { node, grid }: ArrayFacts): readonly string[] {
  const isBeside = (one: ArrayFacts) =>
    JSON.stringify(one.node.metadata.dimensionNames) === JSON.stringify(node.metadata.dimensionNames) &&
    ((parentOf(one.node) === parentOf(node) && one.grid.join() === grid.join()) || isCoarser(one.node, node));
  const isComplete = (one: ArrayFacts) => set.tally.arrays.get(one.node.path)?.states.missing === 0;
  return all.filter((one) => one.node !== node && isBeside(one) && isComplete(one)).map((one) => one.node.path);
}

/** A level of the same pyramid: of the same name in the next group, or numbered in the same; a power of 2 smaller. */
function isCoarser(one: ArrayNode, of: ArrayNode): boolean {
  const isNumbered = [one, of].every(({ name }) => /^\d+$/.test(name)) && parentOf(one) === parentOf(of);
  const isNamed = one.name === of.name && parentPath(parentOf(one)) === parentPath(parentOf(of));
  const { shape, dataType } = one.metadata;
  if (!(isNumbered || isNamed) || dataType.text !== of.metadata.dataType.text) return false;
  const steps = shape.map((length, axis) => Math.log2((of.metadata.shape[axis] ?? 0) / length));
  const isPower = (step: number) => step >= -NEAR && Math.abs(step - Math.round(step)) < NEAR;
  return shape.length === of.metadata.shape.length && steps.every(isPower) && steps.some((step) => step > NEAR);
}

/** Levels of odd lengths are rounded up or down. */
const NEAR = 0.1;
