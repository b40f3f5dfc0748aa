/**
 * Repairs of the list of codecs, for chunks that do not decode as declared: what gives exactly the bytes is a
 * candidate.
 */
import type { TrialStep } from "#core/check/lab.ts";
import type { Evidence, DecodingChange } from "#core/repair.ts";
import { proofOf, type Candidate, type Search } from "./candidate.ts";
import { isChecksum, isCompressor, isRequired, recognised } from "./codec-roles.ts";
import { trialCodecs } from "../trial-metadata.ts";
import { bareName } from "#core/metadata/codec-table.ts";
import { CHECKSUMS, findCodec, spelledIn } from "#codecs/find-codec.ts";
import type { ChunkMetadata, CodecConfiguration } from "#core/metadata/array-metadata.ts";
import { writeJson } from "#core/json/parse-json.ts";
import type { JsonObject, JsonValue } from "#core/json/json.ts";

/** Another list of codecs to read with. */
export interface Proposal {
  readonly change: DecodingChange;
  readonly steps: readonly TrialStep[];
  readonly evidence?: Evidence;
  /** Taken from the score: for readings that change more. */
  readonly price: number;
}

/** A compressed chunk is as long as the plain one by a rare chance only, and so is one that begins like an image. */
const PLAIN_SIZE_SCORE = 0.7;
const PLAIN_SIZE: Evidence = { kind: "plain-size" };

/** Tries a list of codecs on the declared range. */
async function tryProposal(search: Search, proposal: Proposal): Promise<Candidate | undefined> {
  const { attempts } = search;
  if (!attempts.mayGoOn()) return undefined;
  const attempt = await attempts.run(trialCodecs(proposal.steps));
  const bytes = attempt.stages.at(-1);
  if (!attempt.fits || bytes === undefined) return undefined;
  const { change, steps, evidence, price } = proposal;
  const proof = proofOf(attempt);
  const isUnproven = change.kind === "codec-not-applied" && proof.evidence.length === 0 && attempts.expected > 0;
  const isPlain = isUnproven && attempt.stages[0]?.length === attempts.expected;
  return {
    change,
    trial: { steps },
    bytes,
    evidence: [...(evidence === undefined ? [] : [evidence]), ...proof.evidence, ...(isPlain ? [PLAIN_SIZE] : [])],
    score: Math.max(proof.score, isPlain || evidence?.kind === "begins-like" ? PLAIN_SIZE_SCORE : 0) - price,
  };
}

async function tryAll(search: Search, proposals: readonly Proposal[]): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const proposal of proposals) {
    const candidate = await tryProposal(search, proposal);
    if (candidate !== undefined) found.push(candidate);
  }
  return found;
}

const PRICE_A_STEP = 0.004;

/** Declared codecs that were not applied to this chunk: HDF5 stores chunks without a filter that did not help. */
export function notApplied(search: Search): Promise<readonly Candidate[]> {
  const { metadata } = search;
  return tryAll(search, switchedOff(declaredSteps(metadata), metadata.zarrFormat).map(leftOut));
}

export function leftOut(steps: readonly TrialStep[]): Proposal {
  const codecs = steps.filter(({ off }) => off === true).map(({ id }) => bareName(id));
  return {
    change: { kind: "codec-not-applied", codecs },
    steps,
    evidence: { kind: "decodes-without", codecs },
    price: PRICE_A_STEP * codecs.length,
  };
}

/** Checksums of 4 bytes that are not declared, beside the bytes of any stage. */
export function undeclaredChecksums(search: Search): Promise<readonly Candidate[]> {
  const { metadata, declared } = search;
  const steps = declaredSteps(metadata);
  const places = bytePlaces(steps, metadata.zarrFormat).filter((at) => at < declared.stages.length);
  const proposals = places.flatMap((at) => {
    const bytes = declared.stages[at] ?? new Uint8Array();
    return checksumsOf(bytes).map(({ id, name, place }): Proposal => ({
      change: { kind: "codec-undeclared", codec: name, detail: { kind: "checksum", place } },
      steps: inserted(steps, at, newStep(id, metadata.zarrFormat)),
      evidence: { kind: "is-checksum", codec: name, place, of: bytes.length - 4 },
      price: 0,
    }));
  });
  return tryAll(search, proposals);
}

function checksumsOf(bytes: Uint8Array): typeof CHECKSUMS {
  if (bytes.length < 5 || bytes.every((byte) => byte === 0)) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return CHECKSUMS.filter(({ place, sum }) => {
    const data = place === "start" ? bytes.subarray(4) : bytes.subarray(0, -4);
    return sum(data) === view.getUint32(place === "start" ? 0 : bytes.length - 4, true);
  });
}

/** Compressors that are not declared, where the stored bytes begin with their signature. */
export function undeclaredCompressors(search: Search): Promise<readonly Candidate[]> {
  const { metadata, declared, attempts } = search;
  const { zarrFormat, dataType } = metadata;
  const steps = declaredSteps(metadata);
  const stored = declared.stages[0] ?? new Uint8Array();
  const names = recognised(stored, attempts.expected).filter((name) => !steps.some(({ id }) => bareName(id) === name));
  const others = steps.filter(({ id }) => !isCompressor(id) && !isChecksum(id));
  const proposals = names.flatMap((name) => {
    const step = newStep(name, zarrFormat, name === "grib" ? gribMembers(search) : new Map());
    const shuffled = others.some(({ id }) => bareName(id) === "shuffle") || dataType.itemSize < 2;
    const bare = others.filter((one) => isRequired(one, zarrFormat));
    const lists = [
      [step, ...steps],
      [step, ...others],
      ...(shuffled ? [[step, ...bare]] : [[step, shuffleStep(dataType.itemSize, zarrFormat), ...others]]),
    ];
    return lists.map((list, at): Proposal => ({
      change: {
        kind: "codec-undeclared",
        codec: name,
        ...(at === 2 && !shuffled ? { detail: { kind: "with-shuffle" } } : {}),
      },
      steps: list,
      evidence: { kind: "begins-like", codec: name },
      price: PRICE_A_STEP * (at + 1),
    }));
  });
  return tryAll(search, proposals);
}

/** Parameters as Kerchunk writes them: coordinates of the grid by name, and all else as values. */
const gribMembers = ({ metadata, name }: Search): JsonObject =>
  new Map<string, JsonValue>([
    ["var", name === "latitude" || name === "longitude" ? name : "values"],
    ["dtype", metadata.dataType.text],
  ]);

export function otherOrders(search: Search): Promise<readonly Candidate[]> {
  return tryAll(search, orderProposals(search, PRICE_A_STEP * 2));
}

export function orderProposals({ metadata }: Search, price: number): readonly Proposal[] {
  return permuted(declaredSteps(metadata)).map((steps) => ({
    change: { kind: "codec-order", codecs: steps.map(({ id }) => bareName(id)) },
    steps,
    evidence: { kind: "decodes-in-order" },
    price,
  }));
}

/** Readings with other element sizes of shuffle, or with one that is not declared. */
export function shuffleProposals({ metadata, attempts }: Pick<Search, "metadata" | "attempts">): readonly Proposal[] {
  const { decoding, dataType, zarrFormat } = metadata;
  const steps = declaredSteps(metadata);
  const sizes = dataType.itemSize < 2 ? [] : elementSizes(dataType.itemSize, attempts.expected);
  const at = decoding.findIndex(({ id }) => bareName(id) === "shuffle");
  const codec = decoding[at];
  const price = (size: number) => (size === dataType.itemSize ? 0 : PRICE_A_STEP);
  if (codec === undefined) {
    return sizes
      .filter((size) => size > 1)
      .map((size) => ({
        change: { kind: "codec-undeclared", codec: "shuffle", detail: { kind: "element-size", size } },
        steps: inserted(steps, shufflePlace(steps), shuffleStep(size, zarrFormat)),
        price: price(size),
      }));
  }
  const declared = elementSizeOf(codec);
  return sizes
    .filter((size) => size !== declared && size > 1)
    .map((size) => ({
      change: { kind: "element-size", size, declared },
      steps: steps.map((step, index) => (index === at ? withElementSize(codec, size) : step)),
      price: price(size),
    }));
}

export function otherElementSizes(search: Search): Promise<readonly Candidate[]> {
  const isDeclared = search.metadata.decoding.some(({ id }) => bareName(id) === "shuffle");
  return isDeclared ? tryAll(search, shuffleProposals(search)) : Promise.resolve([]);
}

// Lists of codecs near the declared one: some switched off, in another order, with one more, with another element size.

export function stepOf({ id, configuration }: CodecConfiguration): TrialStep {
  return { id, configuration: writeJson(configuration) };
}

export const declaredSteps = ({ decoding }: ChunkMetadata): readonly TrialStep[] => decoding.map(stepOf);

const MAX_SUBSET_STEPS = 5;

/** Every choice of steps to switch off, the smallest first; only single ones and pairs of long lists. */
export function switchedOff(steps: readonly TrialStep[], zarrFormat: 2 | 3): readonly (readonly TrialStep[])[] {
  const free = steps.flatMap((step, at) => (isRequired(step, zarrFormat) ? [] : [at]));
  const limit = free.length <= MAX_SUBSET_STEPS ? free.length : 2;
  const subsets = subsetsOf(free, limit).filter((subset) => subset.length > 0);
  return subsets
    .toSorted((a, b) => a.length - b.length)
    .map((subset) => steps.map((step, at) => (subset.includes(at) ? { ...step, off: true } : step)));
}

function subsetsOf(items: readonly number[], limit: number): readonly (readonly number[])[] {
  return items.reduce<readonly (readonly number[])[]>(
    (found, item) => [...found, ...found.filter((one) => one.length < limit).map((one) => [...one, item])],
    [[]],
  );
}

const MAX_PERMUTED = 4;

/** Other orders of a short list. */
export function permuted(steps: readonly TrialStep[]): readonly (readonly TrialStep[])[] {
  if (steps.length < 2 || steps.length > MAX_PERMUTED) return [];
  const declared = JSON.stringify(steps);
  return permutations(steps).filter((one) => JSON.stringify(one) !== declared);
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, at) =>
    permutations(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
  );
}

/**
 * Places where a codec that works on bytes may be put in; in Zarr v3 only before the one that makes an array of them.
 */
function bytePlaces(steps: readonly TrialStep[], zarrFormat: 2 | 3): readonly number[] {
  const end = zarrFormat === 2 ? steps.length : steps.findIndex(({ id }) => findCodec(id)?.kind === "array-bytes");
  return Array.from({ length: (end < 0 ? steps.length : end) + 1 }, (_, at) => at);
}

export function inserted(steps: readonly TrialStep[], at: number, step: TrialStep): readonly TrialStep[] {
  return [...steps.slice(0, at), step, ...steps.slice(at)];
}

/** Place among the steps at which bytes are unshuffled: after the last compressor or checksum. */
function shufflePlace(steps: readonly TrialStep[]): number {
  return steps.findLastIndex(({ id }) => isCompressor(id) || isChecksum(id)) + 1;
}

export function newStep(name: string, zarrFormat: 2 | 3, configuration: JsonObject = new Map()): TrialStep {
  return { id: spelledIn(zarrFormat, name), configuration: writeJson(configuration) };
}

const shuffleStep = (size: number, zarrFormat: 2 | 3): TrialStep =>
  newStep("shuffle", zarrFormat, new Map<string, JsonValue>([["elementsize", size]]));

const USUAL_SIZES = [2, 4, 8, 16, 1, 3, 6, 12] as const;
const LARGEST_SIZE = 255;

/**
 * Element sizes worth trying for a shuffle: the item's own first, then those usual, then all small ones that divide.
 */
function elementSizes(itemSize: number, chunkBytes: number): readonly number[] {
  const odd = Array.from({ length: 32 }, (_, at) => at + 1).filter((size) => itemSize % size === 0);
  return [...new Set([itemSize, ...USUAL_SIZES, ...odd])].filter(
    (size) => size >= 1 && size <= LARGEST_SIZE && chunkBytes % size === 0,
  );
}

function elementSizeOf({ configuration }: CodecConfiguration): number {
  const size = configuration.get("elementsize");
  return typeof size === "number" ? size : 4;
}

/** The step with another element size, everything else kept. */
function withElementSize(codec: CodecConfiguration, size: number): TrialStep {
  return stepOf({ ...codec, configuration: new Map([...codec.configuration, ["elementsize", size]]) });
}
