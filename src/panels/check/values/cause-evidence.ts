/** Evidence of a cause in an array's values: the request for it, and the bins to mark. */
import { chunkIn, type ChunkPlace, type Finding, nodeOf } from "#core/findings/finding.ts";
import { valueEvidence, type EvidenceLane } from "#core/values/value-evidence.ts";
import type { ValueProfile } from "#core/values/value-profile.ts";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";

export interface CauseEvidence {
  readonly kind: "chunks" | "coordinate";
  readonly array: string;
  readonly lane: EvidenceLane | undefined;
  /** Coordinates of a chunk that stands for all: the others of its place would hide it. */
  readonly through?: readonly number[];
  /** Positions in a coordinate. */
  readonly around: readonly number[];
}

/** `undefined` for causes that values do not show. */
export function evidenceOf(finding: Finding, nodes: NodesByPath): CauseEvidence | undefined {
  const known = valueEvidence(finding.code);
  const [chunk] = chunksOf(finding);
  const array = chunk?.array ?? nodeOf(finding.place);
  if (known === undefined || array === undefined || nodes.get(array)?.shape === undefined) return undefined;
  const around = positionsOf(finding);
  const isPart = chunk !== undefined && known.kind === "chunks" && isPartOfPlaces(finding, array, nodes);
  return { kind: known.kind, array, lane: known.lane, around, ...(isPart ? { through: chunk.coordinates } : {}) };
}

const chunksOf = ({ place, places = [] }: Finding): readonly ChunkPlace[] =>
  [place, ...places].flatMap((one) => chunkIn(one) ?? []);

function positionsOf({ facts: { positions } }: Finding): readonly number[] {
  return Array.isArray(positions) ? positions.filter((at): at is number => typeof at === "number") : [];
}

/** True if it fills less than all along several dimensions: the axis is one of them. */
function isPartOfPlaces(finding: Finding, array: string, nodes: NodesByPath): boolean {
  const { grid = [] } = nodes.get(array) ?? {};
  const box = boxOf(finding, array);
  if (box === undefined) return false;
  const partial = grid.filter((count, at) => (box.to[at] ?? 0) - (box.from[at] ?? 0) + 1 < count);
  return partial.length > 1;
}

const boxOf = ({ extent }: Finding, array: string) => extent?.arrays.find((one) => one.array === array);

/** Bins of a profile that the cause is about. */
export function markedBins(finding: Finding, profile: ValueProfile): ReadonlySet<number> {
  return profile.kind === "elements" ? markedElements(finding, profile) : markedChunks(finding, profile);
}

function markedChunks(finding: Finding, profile: ValueProfile): ReadonlySet<number> {
  const { array, axis, perBin, bins } = profile;
  if (axis < 0) return new Set();
  const box = boxOf(finding, array);
  const chunks = chunksOf(finding).filter((one) => one.array === array);
  const places = chunks.map(({ coordinates }) => coordinates[axis] ?? 0);
  const isAll = box !== undefined && box.chunks > new Set(chunks.map(({ coordinates }) => coordinates.join())).size;
  const [from, to] = [box?.from[axis] ?? 0, box?.to[axis] ?? Infinity];
  // Beyond its box lie chunks that are named for comparison; of more chunks than are named it is the whole box.
  const meant = isAll ? rangeOf(from, Math.min(to, bins * perBin)) : places.filter((at) => at >= from && at <= to);
  return new Set(meant.map((at) => Math.floor(at / perBin)).filter((bin) => bin < bins));
}

const rangeOf = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Codes about files, whose positions are the beginnings of files. */
const OF_FILES: ReadonlySet<string> = new Set([
  "coordinate-files-unordered",
  "file-repeated",
  "coordinate-unit-changes",
]);

function markedElements(finding: Finding, profile: ValueProfile): ReadonlySet<number> {
  const { first, perBin, bins, columns } = profile;
  const isInside = (bin: number) => bin >= 0 && bin < bins;
  const at = positionsOf(finding).map((position) => Math.floor((position - first) / perBin));
  if (at.length === 0) return new Set([...columns.missing.keys()].filter((bin) => (columns.missing[bin] ?? 0) > 0));
  // The value before a file that counts otherwise is right.
  const meant = finding.code === "coordinate-unit-changes" ? at.slice(1) : at;
  const all = OF_FILES.has(finding.code) ? meant.flatMap((bin) => rangeOf(bin, endOfFile(profile, bin))) : meant;
  return new Set(all.filter(isInside));
}

/** The last bin of the file that begins there. */
function endOfFile({ files, bins }: ValueProfile, bin: number): number {
  const isKnown = files.some((file) => file.bin === bin);
  const next = files.find((file) => file.bin > bin)?.bin;
  return isKnown ? (next ?? bins) - 1 : bin;
}
