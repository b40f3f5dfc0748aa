/** Repairs of chunks that decode to the right size as declared, but to values that are put together wrongly. */
import type { ByteOrder } from "../../../core/data-type.ts";
import type { Evidence, TrialStep } from "../../../core/lab.ts";
import type { Attempt } from "./attempts.ts";
import type { Candidate, Search } from "./candidate.ts";
import { declaredSteps, switchedOff } from "./chains.ts";
import { isChecksum, isCompressor } from "./codec-roles.ts";
import { bareName } from "../../../codecs/names.ts";
import { lessMixed, type Verdict } from "./compare.ts";
import { flagsTogether } from "./flags.ts";
import { evenStep } from "./even-steps.ts";
import { summedUp } from "./delta-values.ts";
import { leftOut, orderProposals, shuffleProposals, type Proposal } from "./find-codecs.ts";
import { trialCodecs, trialMetadata } from "../trial-metadata.ts";
import { regularity } from "./planes.ts";
import { entropyAs, isTurned, notFinite, ordersBetter } from "./values-of.ts";

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
  const repair = { kind: "byte-order", byteOrder } as const;
  return [{ repair, trial: { byteOrder }, bytes, evidence: [verdict.evidence], score: scoreOf(verdict) }];
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

/** That a checksum held, or a stream decoded, shows that the codec was applied. */
const isProven = (id: string): boolean => isChecksum(id) || isCompressor(id);

async function tryReading(
  search: Search,
  { repair, steps, price }: Proposal,
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
    repair,
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
  const isResized = repair.kind === "element-size";
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
