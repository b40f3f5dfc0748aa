/** Lists of codecs near the declared one: some switched off, in another order, with one more, with another element size. */
import type { ChunkMetadata, CodecConfiguration } from "../../../core/metadata/array-metadata.ts";
import { writeJson } from "../../../core/json/json-write.ts";
import type { TrialStep } from "../../../core/check/lab.ts";
import type { JsonObject, JsonValue } from "../../../core/json/json.ts";
import { isChecksum, isCompressor, isRequired } from "./codec-roles.ts";
import { findCodec, spelledIn } from "../../../codecs/find-codec.ts";

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

/** Places where a codec that works on bytes may be put in; in Zarr v3 only before the one that makes an array of them. */
export function bytePlaces(steps: readonly TrialStep[], zarrFormat: 2 | 3): readonly number[] {
  const end = zarrFormat === 2 ? steps.length : steps.findIndex(({ id }) => findCodec(id)?.kind === "array-bytes");
  return Array.from({ length: (end < 0 ? steps.length : end) + 1 }, (_, at) => at);
}

export function inserted(steps: readonly TrialStep[], at: number, step: TrialStep): readonly TrialStep[] {
  return [...steps.slice(0, at), step, ...steps.slice(at)];
}

/** Where bytes that were shuffled are shuffled back: after the last compressor or checksum. */
export function shufflePlace(steps: readonly TrialStep[]): number {
  return steps.findLastIndex(({ id }) => isCompressor(id) || isChecksum(id)) + 1;
}

export function newStep(name: string, zarrFormat: 2 | 3, configuration: JsonObject = new Map()): TrialStep {
  return { id: spelledIn(zarrFormat, name), configuration: writeJson(configuration) };
}

export const shuffleStep = (size: number, zarrFormat: 2 | 3): TrialStep =>
  newStep("shuffle", zarrFormat, new Map<string, JsonValue>([["elementsize", size]]));

const USUAL_SIZES = [2, 4, 8, 16, 1, 3, 6, 12] as const;
const LARGEST_SIZE = 255;

/** Element sizes worth trying for a shuffle: the item's own first, then those usual, then all small ones that divide. */
export function elementSizes(itemSize: number, chunkBytes: number): readonly number[] {
  const odd = Array.from({ length: 32 }, (_, at) => at + 1).filter((size) => itemSize % size === 0);
  return [...new Set([itemSize, ...USUAL_SIZES, ...odd])].filter(
    (size) => size >= 1 && size <= LARGEST_SIZE && chunkBytes % size === 0,
  );
}

export function elementSizeOf({ configuration }: CodecConfiguration): number {
  const size = configuration.get("elementsize");
  return typeof size === "number" ? size : 4;
}

/** The step with another element size, everything else kept. */
export function withElementSize(codec: CodecConfiguration, size: number): TrialStep {
  return stepOf({ ...codec, configuration: new Map([...codec.configuration, ["elementsize", size]]) });
}
