/** Repairs of chunks that decode to the right size as declared, but to values that are put together wrongly. */
import { bareName } from "#core/metadata/codec-table.ts";
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import type { ByteOrder } from "#core/metadata/data-type.ts";
import type { TrialStep } from "#core/check/lab.ts";
import type { Evidence } from "#core/repair.ts";
import { decodeValues } from "#core/values/values.ts";
import { trialCodecs, trialMetadata } from "../trial-metadata.ts";
import type { Attempt } from "./attempts.ts";
import type { Candidate, Search } from "./candidate.ts";
import { isChecksum, isCompressor } from "./codec-roles.ts";
import { lessMixed, type Verdict } from "./compare.ts";
import { entropyAs, evenStep, isTurned, notFinite, ordersBetter, rowLength } from "./values-of.ts";
import { declaredSteps, leftOut, orderProposals, type Proposal, shuffleProposals, switchedOff } from "./find-codecs.ts";
import { regularity } from "./planes.ts";

/** Score of a repair that only values support: never as sure as a checksum. */
const scoreOf = ({ weight }: Verdict): number => 0.5 + 0.4 * weight;

type Order = Exclude<ByteOrder, "none">;

/** The elements the other way round. */
export function otherByteOrder({ metadata, declared }: Search): readonly Candidate[] {
  const bytes = declared.stages.at(-1);
  const order = orderIn(metadata.dataType);
  if (bytes === undefined || order === undefined) return [];
  const byteOrder: Order = order === "little" ? "big" : "little";
  const verdict = ordersBetter({ metadata, bytes }, { metadata: trialMetadata(metadata, { byteOrder }), bytes });
  if (verdict === undefined) return [];
  const change = { kind: "byte-order", byteOrder } as const;
  return [{ change, trial: { byteOrder }, bytes, evidence: [verdict.evidence], score: scoreOf(verdict) }];
}

function orderIn(type: Search["metadata"]["dataType"]): Order | undefined {
  if (type.kind === "structured")
    return type.fields.map((field) => orderIn(field.type)).find((order) => order !== undefined);
  return type.byteOrder === "none" ? undefined : type.byteOrder;
}

/**
 * Another shuffle, fewer codecs, or another order: the one that orders the values best, where it is far better.
 * Others that are better than the declared one come near the right one, no more.
 */
export async function otherwiseMixed(search: Search): Promise<readonly Candidate[]> {
  const bytes = search.declared.stages.at(-1);
  if (bytes === undefined) return [];
  const found: Candidate[] = [];
  for (const reading of readingsOf(search)) {
    const candidate = await tryReading(search, reading, bytes);
    if (candidate !== undefined) found.push(candidate);
  }
  return found.toSorted((a, b) => b.score - a.score).slice(0, 1);
}

const PRICE_OF_ORDER = 0.02;

function readingsOf(search: Search): readonly Proposal[] {
  const { metadata } = search;
  const without = switchedOff(declaredSteps(metadata), metadata.zarrFormat)
    .map(leftOut)
    .filter((one) => !one.steps.some(({ id, off }) => off === true && isProven(id)));
  return [...shuffleProposals(search), ...without, ...orderProposals(search, PRICE_OF_ORDER)];
}

/** True for codecs whose success (a checksum, a decoded stream) shows that they were applied. */
const isProven = (id: string): boolean => isChecksum(id) || isCompressor(id);

async function tryReading(
  search: Search,
  { change, steps, price }: Proposal,
  declared: Uint8Array,
): Promise<Candidate | undefined> {
  const { metadata, attempts } = search;
  if (!attempts.mayGoOn()) return undefined;
  const attempt = await attempts.run(trialCodecs(steps));
  const bytes = attempt.stages.at(-1);
  if (!attempt.fits || bytes === undefined) return undefined;
  // Also of chunks too small for their entropy to say anything.
  const isEven = evenStep(metadata, bytes) !== undefined && evenStep(metadata, declared) === undefined;
  const spokenFor = (evidence: Evidence, score: number): Candidate => ({
    change,
    trial: { steps },
    bytes,
    evidence: [evidence],
    score: score - price,
  });
  if (isEven) return spokenFor({ kind: "even-steps" }, SCORE_EVEN);
  const isSummed = steps.some(({ id, off }) => off === true && bareName(id) === "delta");
  const compared = isSummed ? undefined : comparable(search, steps, attempt);
  const after = entropyAs(metadata, compared?.other ?? bytes);
  const before = compared === undefined ? undefined : entropyAs(metadata, compared.declared);
  const isResized = change.kind === "element-size";
  const flags = isResized ? flagsTogether(metadata, declared, bytes) : undefined;
  const verdict = isSummed ? summedUp(metadata, declared, bytes) : (lessMixed(before, after) ?? flags);
  if (verdict === undefined || after === undefined) return undefined;
  if (compared !== undefined && !isResized && !isRegular(metadata.dataType.itemSize, compared)) return undefined;
  if (isTurned(metadata, bytes) && !isTurned(metadata, declared)) return undefined;
  const isFiltered = valueFilters(steps).length > 0;
  if (isFiltered && notFinite(metadata, bytes) > notFinite(metadata, declared) + MORE_NOT_FINITE) return undefined;
  const better = Math.max(0, 8 - after.bits) / 8;
  return spokenFor(verdict.evidence, 0.55 + 0.35 * better);
}

const SCORE_EVEN = 0.92;

/** Not less than as declared that elements follow elements, and not planes planes. */
function isRegular(width: number, { declared, other }: { readonly declared: Uint8Array; readonly other: Uint8Array }) {
  return regularity(other, width) >= regularity(declared, width) - REGULARITY_SLACK;
}

const REGULARITY_SLACK = 0.01;

/** A filter that sums floats up turns what was not a number into NaN: ordered, but of no use. */
const MORE_NOT_FINITE = 0.05;

/**
 * Bytes of two readings to compare: where the same filters on values (delta, fixedscaleoffset, …) come last in both, those
 * before them, since such filters make something orderly of anything.
 */
function comparable({ metadata, declared, attempts }: Search, steps: readonly TrialStep[], other: Attempt) {
  const [one, two] = [valueFilters(declaredSteps(metadata)), valueFilters(steps)];
  const before = declared.stages.at(-1 - one.length);
  const after = other.stages.at(-1 - two.length);
  const isSame = JSON.stringify(one) === JSON.stringify(two);
  const fits = before?.length === attempts.expected && after?.length === attempts.expected;
  if (isSame && fits) return { declared: before, other: after };
  return { declared: declared.stages.at(-1) ?? new Uint8Array(), other: other.stages.at(-1) ?? new Uint8Array() };
}

/** The filters on values at the end of a list, in Zarr v3 with the codec that makes an array of bytes before them. */
function valueFilters(steps: readonly TrialStep[]): readonly TrialStep[] {
  const on = steps.filter(({ off }) => off !== true);
  return on.slice(on.findLastIndex(({ id }) => movesBytes(id)) + 1);
}

const movesBytes = (id: string): boolean => isProven(id) || bareName(id).endsWith("shuffle");

// Masks and flags: integers so small that only their lowest byte is used. Their entropy is too small to tell readings
// apart.

const GREATEST_FLAG = 16;
const LEAST_FLAGGED = 32;

/** True if another shuffle leaves flags in the lowest bytes alone, while the declared one spreads them over several. */
export function flagsTogether(
  { dataType }: ChunkMetadata,
  declared: Uint8Array,
  other: Uint8Array,
): Verdict | undefined {
  const { kind, itemSize, byteOrder } = dataType;
  if ((kind !== "int" && kind !== "uint") || itemSize < 2 || other.some((byte) => byte > GREATEST_FLAG))
    return undefined;
  const [before, after] = [usedPlaces(declared, itemSize), usedPlaces(other, itemSize)];
  const lowest = byteOrder === "big" ? itemSize - 1 : 0;
  const flagged = after[lowest] ?? 0;
  if (flagged < LEAST_FLAGGED || after.some((count, place) => place !== lowest && count > 0)) return undefined;
  const places = before.filter((count) => count > 0).length;
  if (places < 2) return undefined;
  return { evidence: { kind: "flags", greatest: GREATEST_FLAG, places }, weight: 0.6 };
}

/** For each byte of an element, in how many elements it is not 0. */
function usedPlaces(bytes: Uint8Array, size: number): readonly number[] {
  const counts = Array.from({ length: size }, () => 0);
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) counts[at % size] = (counts[at % size] as number) + 1;
  }
  return counts;
}

// Tests if a declared `delta` was not applied: decoding then sums up values that are not differences.

const MAX_VALUES = 65_536;
const LEAST_VALUES = 32;
const LEAST_ROW = 8;
const LEAST_ROWS = 4;

/**
 * Sums betray themselves by wrapping round, always the same way, or, in an array of rows, by growing a whole row's worth
 * from row to row while the values themselves do not. A declared delta that was applied gives neither.
 */
function summedUp(metadata: ChunkMetadata, summed: Uint8Array, plain: Uint8Array): Verdict | undefined {
  const [sums, values] = [numbersIn(metadata, summed), numbersIn(metadata, plain)];
  if (sums === undefined || values === undefined || sums.length < LEAST_VALUES || !isTypical(values)) return undefined;
  if (!isVaried(values)) return undefined;
  const evidence =
    fillLost(metadata, sums, values) ??
    poisoned(sums, values) ??
    wraps(metadata, sums, values) ??
    growsByRow(sums, values, rowLength(metadata));
  return evidence === undefined ? undefined : { evidence, weight: 0.8 };
}

function numbersIn(metadata: ChunkMetadata, bytes: Uint8Array): Float64Array | undefined {
  if (metadata.dataType.kind === "structured" || metadata.dataType.kind === "object") return undefined;
  const { numbers } = decodeValues(new Uint8Array(bytes), metadata);
  return numbers === undefined
    ? undefined
    : Float64Array.from(numbers.subarray(0, MAX_VALUES) as Iterable<number>, Number);
}

/** Differences begin with the first value itself, which is seldom like the differences after it. */
function isTypical(values: Float64Array): boolean {
  const first = values[0] ?? 0;
  const [least, most] = extent(values.subarray(1).filter(Number.isFinite));
  return first >= least - (most - least) / 2 && first <= most + (most - least) / 2;
}

function extent(values: Float64Array): readonly [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

function isVaried(values: Float64Array): boolean {
  let changes = 0;
  for (let i = 2; i < values.length; i++) if (values[i] !== values[i - 1]) changes += 1;
  return changes > values.length / 10;
}

const LEAST_FILLS = 0.01;

/** Fill values are among the values as they are stored, and not among their sums. */
function fillLost({ fillValue }: ChunkMetadata, sums: Float64Array, values: Float64Array): Evidence | undefined {
  const fill = typeof fillValue === "bigint" ? Number(fillValue) : fillValue;
  if (typeof fill !== "number" || fill === 0 || !Number.isFinite(fill)) return undefined;
  const [stored, summed] = [values, sums].map((list) => list.filter((one) => one === fill).length) as [number, number];
  if (stored < Math.max(4, values.length * LEAST_FILLS) || summed * 10 > stored) return undefined;
  return { kind: "fill-lost", fill, stored, summed };
}

/** A NaN makes all sums after it NaN; between values as they are stored it stands alone. */
function poisoned(sums: Float64Array, values: Float64Array): Evidence | undefined {
  const first = values.findIndex(Number.isNaN);
  if (first < 0 || sums.subarray(first).some(Number.isFinite)) return undefined;
  const later = values.subarray(first).filter(Number.isFinite);
  if (later.length < values.length * LEAST_FINITE || later.length < LEAST_VALUES) return undefined;
  const mean = Math.abs(later.reduce((sum, one) => sum + one, 0) / later.length);
  if (!(mean > 2 * stepsAt(later, 1).mean)) return undefined;
  return { kind: "nan-spreads" };
}

const LEAST_FINITE = 0.05;

const LEAST_WRAPS = 3;

function wraps({ dataType }: ChunkMetadata, sums: Float64Array, values: Float64Array): Evidence | undefined {
  if (dataType.kind !== "int" && dataType.kind !== "uint") return undefined;
  const range = 2 ** (8 * dataType.itemSize);
  let [up, down] = [0, 0];
  for (let i = 1; i < sums.length; i++) {
    const step = (sums[i] as number) - (sums[i - 1] as number);
    if (Math.abs(step) <= range / 2) continue;
    if (step > 0) up += 1;
    else down += 1;
  }
  const count = up + down;
  const isOneWay = Math.abs(up - down) >= 0.8 * count;
  if (count < LEAST_WRAPS || !isOneWay || roughness(values, 1) + 1 > meanBits(values)) return undefined;
  return { kind: "sums-wrap", count };
}

function growsByRow(sums: Float64Array, values: Float64Array, row: number): Evidence | undefined {
  if (row < LEAST_ROW || sums.length < LEAST_ROWS * row) return undefined;
  const [sumRow, sumNext] = [stepsAt(sums, row), stepsAt(sums, 1)];
  const [row1, next] = [stepsAt(values, row), stepsAt(values, 1)];
  const growth = sumRow.mean / sumNext.mean;
  const isUsual = row1.mean < MAX_USUAL * next.mean && row1.median < MAX_USUAL * next.median;
  if (!(growth > row / 2) || !isUsual) return undefined;
  return { kind: "sums-grow" };
}

/** Usual ratio of steps: in real fields a step to the next row is about as large as one to the next column. */
const MAX_USUAL = 4;

/** Mean of the differences, and median of those that are not zero: means may be ruled by single jumps. */
function stepsAt(values: Float64Array, lag: number): { readonly mean: number; readonly median: number } {
  const steps = new Float64Array(values.length - lag);
  for (let i = lag; i < values.length; i++) {
    const step = Math.abs((values[i] as number) - (values[i - lag] as number));
    steps[i - lag] = Number.isFinite(step) ? step : 0;
  }
  const mean = steps.reduce((sum, one) => sum + one, 0) / steps.length;
  const changed = steps.filter((step) => step > 0).sort();
  return { mean, median: changed[changed.length >> 1] ?? 0 };
}

/** Mean bits of differences, and of the values themselves. */
function roughness(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < values.length; i++) {
    sum += Math.log2(1 + Math.abs((values[i] as number) - (values[i - lag] as number)));
  }
  return sum / (values.length - lag);
}

function meanBits(values: Float64Array): number {
  return values.reduce((sum, one) => sum + Math.log2(1 + Math.abs(one)), 0) / values.length;
}
