/**
 * The offset of chunks that are stored as they are: any offset decodes. What other references leave for them, and the
 * values, tell.
 */
import { findCodec } from "#codecs/find-codec.ts";
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import type { Evidence } from "#core/repair.ts";
import { decodeValues, float64Of } from "#core/values/values.ts";
import type { Candidate, Search } from "./candidate.ts";
import type { Verdict } from "./compare.ts";
import { evenStep, isTurned, ordersBetter, seamColumn } from "./values-of.ts";
import { neighbourEvidence } from "./find-range.ts";
import { unitReport, unitsOf } from "./order.ts";
import { MAX_SHIFT } from "./window.ts";

export function rawOffsets(search: Search): readonly Candidate[] {
  const { window, declared, metadata, attempts } = search;
  const isProven = declared.verified.length > 0 || declared.sound.length > 0;
  if (!window.movable || isProven || window.length !== attempts.expected) return [];
  const isPlain = metadata.decoding.every(({ id }) => findCodec(id)?.id === "bytes");
  if (!isPlain || metadata.dataType.itemSize === 0) return aligned(search, { isPlain: false });
  const even = evenOffset(search);
  if (even !== undefined) return [even];
  const rotation = turnedBy(search);
  return rotation === undefined ? aligned(search, { isPlain: true }) : misaligned(search, rotation);
}

/** Coordinates and counters: read where they lie, all elements are the same step apart; anywhere else some are not. */
function evenOffset(search: Search): Candidate | undefined {
  const { window, metadata, declared } = search;
  const bytes = declared.stages.at(-1);
  if (bytes === undefined || evenStep(metadata, bytes) !== undefined) return undefined;
  const votes = neighbourVotes(search, 0);
  const [best] = inReach(search)
    .map((shift) => {
      const from = window.start + shift;
      const step = evenStep(metadata, window.bytes.subarray(from, from + window.length)) ?? 0;
      return { shift, size: Math.abs(step), votes: neighbourVotes(search, shift) };
    })
    // A range that overlaps other references is theirs, however even it is.
    .filter((one) => one.size > 0 && one.votes >= votes)
    .toSorted((a, b) => b.votes - a.votes || a.size - b.size || Math.abs(a.shift) - Math.abs(b.shift));
  return best && candidateOf(search, best.shift, [{ kind: "even-steps" }], BESIDE_ITS_NEIGHBOUR);
}

interface Rotation extends Verdict {
  /** Bytes, below the element's size. */
  readonly by: number;
}

/** Elements put together from bytes of two: read some bytes later they look like numbers. */
function turnedBy({ window, metadata, declared }: Search): Rotation | undefined {
  const size = metadata.dataType.itemSize;
  const bytes = declared.stages.at(-1);
  if (bytes === undefined || size < 2 || size > 64 || !isTurned(metadata, bytes)) return undefined;
  let best: (Rotation & { readonly cost: number }) | undefined;
  for (let by = 1; by < size; by++) {
    const from =
      window.start + by <= window.bytes.length - window.length ? window.start + by : window.start + by - size;
    if (from < 0) continue;
    const moved = window.bytes.subarray(from, from + window.length);
    const verdict = ordersBetter({ metadata, bytes }, { metadata, bytes: moved });
    if (verdict === undefined) continue;
    const cost = unitsOf(metadata.dataType).reduce((sum, unit) => sum + unitReport(moved, unit, size).cost, 0);
    if (best === undefined || cost < best.cost) best = { by, ...verdict, cost };
  }
  return best;
}

/** Votes for a shift: evidence for it, less evidence against it. */
interface Vote {
  readonly shift: number;
  readonly votes: number;
}

function misaligned(search: Search, rotation: Rotation): readonly Candidate[] {
  const size = search.metadata.dataType.itemSize;
  const family = familyIn(search, rotation.by, true);
  const shifts = inReach(search).filter((shift) => (((shift - rotation.by) % size) + size) % size === 0);
  const [best] = shifts
    .map((shift): Vote => ({
      shift,
      votes: neighbourVotes(search, shift) + familyVotes(family, shift, rotation.by, size),
    }))
    .toSorted((a, b) => b.votes - a.votes || Math.abs(a.shift) - Math.abs(b.shift));
  if (best === undefined) return [];
  const isFit = neighbourVotes(search, best.shift) > Math.max(0, neighbourVotes(search, 0));
  const score = isFit ? BESIDE_ITS_NEIGHBOUR : 0.5 + 0.35 * rotation.weight;
  return [candidateOf(search, best.shift, [rotation.evidence], score)];
}

/**
 * More than the values alone say for another byte order, which a rotation by one byte less than an element resembles.
 */
const BESIDE_ITS_NEIGHBOUR = 0.93;

/** Votes by which a shift of whole elements must beat the declared offset. */
const CLEAR_MAJORITY = 4;

function aligned(search: Search, { isPlain }: { readonly isPlain: boolean }): readonly Candidate[] {
  const size = isPlain ? search.metadata.dataType.itemSize : 1;
  const family = isPlain ? familyIn(search, 0, false) : undefined;
  const seam = isPlain ? seamShift(search) : undefined;
  const voteFor = (shift: number): Vote => {
    const values = familyVotes(family, shift, 0, size) + (seam?.includes(shift) === true ? 2 : 0);
    return { shift, votes: neighbourVotes(search, shift) + values };
  };
  const declared = voteFor(0);
  const [best, second] = inReach(search)
    .filter((shift) => shift !== 0)
    .map(voteFor)
    .toSorted((a, b) => b.votes - a.votes || Math.abs(a.shift) - Math.abs(b.shift));
  if (best === undefined || best.votes - declared.votes < CLEAR_MAJORITY) return [];
  if (second !== undefined && second.votes === best.votes && best.votes < 3) return [];
  if (neighbourVotes(search, best.shift) <= 0 && seam === undefined && best.shift % size !== 0) return [];
  const evidence: readonly Evidence[] = seam?.includes(best.shift) === true ? [{ kind: "rows-end" }] : [];
  return [candidateOf(search, best.shift, evidence, Math.min(0.9, 0.6 + 0.04 * (best.votes - declared.votes)))];
}

function inReach({ window }: Search): readonly number[] {
  return Array.from({ length: 2 * MAX_SHIFT + 1 }, (_, at) => at - MAX_SHIFT).filter(
    (shift) => window.start + shift >= 0 && window.start + shift + window.length <= window.bytes.length,
  );
}

const FIT = 3;

/**
 * References beside the chunk: one that ends where it begins, or begins where it ends, is for it; an overlap is
 * against it.
 */
function neighbourVotes({ neighbours: { before, after }, range }: Search, shift: number): number {
  if (range === undefined) return 0;
  const gapBefore = before === undefined ? Infinity : range.offset + shift - before.end;
  const gapAfter = after === undefined ? Infinity : after.start - range.offset - range.length - shift;
  const weigh = (gap: number, isSettled: boolean | undefined) => {
    const weight = isSettled === true ? FIT : FIT / 2;
    return gap === 0 ? weight : gap < 0 ? -weight : 0;
  };
  return weigh(gapBefore, before?.isSettled) + weigh(gapAfter, after?.isSettled);
}

/** Elements of a chunk and around it that belong together, when its elements begin `by` bytes later. */
function familyIn({ metadata, window, attempts }: Search, by: number, byRange: boolean): Family | undefined {
  const size = metadata.dataType.itemSize;
  const from = (window.start + by) % size;
  const head = Math.min(MAX_SHIFT, window.start);
  const start = Math.max(from, window.start - head);
  const lattice = start + ((((window.start + by - start) % size) + size) % size);
  const end = Math.min(window.bytes.length, window.start + window.length + MAX_SHIFT + size);
  const count = attempts.expected / size;
  const first = Math.round((window.start + by - lattice) / size);
  return familyOf(metadata, window.bytes.subarray(lattice, end), { from: first, count, byRange });
}

function familyVotes(family: Family | undefined, shift: number, by: number, size: number): number {
  if (family === undefined) return 0;
  const elements = (shift - by) / size;
  if (!Number.isInteger(elements)) return -FIT;
  if (elements < family.least || elements > family.most) return -FIT;
  return family.least === family.most ? FIT - 1 : 0.5;
}

function seamShift({ metadata, declared }: Search): readonly number[] | undefined {
  const bytes = declared.stages.at(-1);
  const column = bytes === undefined ? undefined : seamColumn(metadata, bytes);
  if (column === undefined) return undefined;
  const row = (metadata.order === "F" ? metadata.chunks[0] : metadata.chunks.at(-1)) ?? 1;
  const size = metadata.dataType.itemSize;
  return [column * size, (column - row) * size];
}

function candidateOf(search: Search, shift: number, evidence: readonly Evidence[], score: number): Candidate {
  const { window } = search;
  const from = window.start + shift;
  return {
    change: { kind: "move", shift, lengthen: 0 },
    trial: { shift },
    bytes: window.bytes.subarray(from, from + window.length),
    evidence: [...evidence, ...neighbourEvidence(search, { shift, lengthen: 0 })],
    score,
  };
}

// Which elements around a chunk may belong to it: those like the ones in its middle.

interface Family {
  /** Shifts in elements at which all elements of the chunk belong together: from `least` to `most`. */
  readonly least: number;
  readonly most: number;
}

/** A number beyond this, or nearer to zero, is not a measurement; fill values of netCDF and NaN are. */
const GREATEST = 1e37;
const SMALLEST = 1e-30;

/**
 * @param bytes whole elements, of which the chunk's are `count` from `from` on
 * @param byRange whether values far outside those in the middle are strangers; else only absurd floats are
 * @returns `undefined` where there is nothing to go by
 */
function familyOf(
  metadata: ChunkMetadata,
  bytes: Uint8Array,
  { from, count, byRange }: { readonly from: number; readonly count: number; readonly byRange: boolean },
): Family | undefined {
  const elements = Math.floor(bytes.length / metadata.dataType.itemSize);
  const layout = { dataType: metadata.dataType, chunks: [elements], order: "C" } as const;
  const { numbers } = decodeValues(new Uint8Array(bytes.subarray(0, elements * metadata.dataType.itemSize)), layout);
  if (numbers === undefined) return undefined;
  const values = float64Of(numbers);
  const isFloat = metadata.dataType.kind === "float";
  const margin = Math.min(Math.floor(count / 4), from);
  const [low, high] = byRange ? widened(values.subarray(from + margin, from + count - margin)) : [-Infinity, Infinity];
  const isStranger = (at: number) => {
    const value = values[at] as number;
    if (isFloat && isAbsurd(value)) return true;
    return Number.isFinite(value) && (value < low || value > high);
  };
  return runAround(isStranger, elements, from, count);
}

function isAbsurd(value: number): boolean {
  const size = Math.abs(value);
  return value !== 0 && Number.isFinite(value) && (size > GREATEST || size < SMALLEST);
}

function widened(values: Float64Array): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value) || isAbsurd(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const half = (high - low) / 2;
  return low > high ? [-Infinity, Infinity] : [low - half, high + half];
}

/** The run without strangers around the chunk's middle, as shifts; `undefined` where it is shorter than the chunk. */
function runAround(
  isStranger: (at: number) => boolean,
  elements: number,
  from: number,
  count: number,
): Family | undefined {
  const middle = from + Math.floor(count / 2);
  let [first, end] = [middle, middle];
  while (first > 0 && !isStranger(first - 1)) first -= 1;
  while (end < elements && !isStranger(end)) end += 1;
  if (end - first < count) return undefined;
  return { least: first - from, most: end - count - from };
}
