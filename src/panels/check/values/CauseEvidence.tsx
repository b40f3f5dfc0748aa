/** How the values of an array run, with what a cause is about marked in them. */
import { useMemo } from "react";
import type { Severity } from "#core/findings/catalogue/entry.ts";
import { chunkIn, type ChunkPlace, type Finding, nodeOf } from "#core/findings/finding.ts";
import type { NodeSummary } from "#core/open-set.ts";
import { type EvidenceLane, valueEvidence } from "#core/values/value-evidence.ts";
import type { ValueProfile } from "#core/values/value-profile.ts";
import { useEngine } from "#store/react.tsx";
import { ProfilePlot } from "#widgets/plot/ProfilePlot.tsx";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import { type AxisWords, binWords, endsText, markedWords, plottedBins } from "./profile-words.ts";
import styles from "./ValuesSection.module.css";

export interface CauseEvidenceProps {
  readonly set: number;
  readonly finding: Finding;
  readonly severity: Severity;
  readonly nodes: NodesByPath;
}

export function CauseEvidence({ severity, ...cause }: CauseEvidenceProps) {
  const shown = useEvidence(cause);
  if (shown === undefined) return null;
  const { evidence, profile, axis, marked, lane } = shown;
  const fact = markedWords(profile, axis, marked, lane);
  const name = profile.array === "" ? "/" : profile.array;
  return (
    <section className={styles.evidence} aria-label="Evidence">
      <h3>
        The values of {name} <span>{aboutLine(profile, evidence)}</span>
      </h3>
      <ProfilePlot
        {...plottedBins(profile, axis, { lane, height: 96, hasTitles: true })}
        label={`Values of ${name}. ${fact}`}
        marked={marked}
        severity={severity}
        ends={endsText(profile, axis)}
        readout={(bin) => binWords(profile, axis, bin)}
        resting={fact}
      />
    </section>
  );
}

/** Evidence of a cause in the values of its array; `undefined` if there is none, or it is not known yet. */
export function useEvidence({ set, finding, nodes }: Omit<CauseEvidenceProps, "severity">) {
  const evidence = useMemo(() => evidenceOf(finding, nodes), [finding, nodes]);
  const profile = useEvidenceProfile(set, evidence);
  if (evidence === undefined || profile === undefined) return undefined;
  const lane = profile.kind === "elements" && evidence.kind === "chunks" ? undefined : evidence.lane;
  const axis = axisWords(profile, nodes.get(profile.array));
  return { evidence, profile, axis, marked: markedBins(finding, profile), lane };
}

/** A bin alone has nothing that it could be compared with. */
const LEAST_BINS = 2;

function useEvidenceProfile(set: number, evidence: Evidence | undefined): ValueProfile | undefined {
  const { kind, array = "", through, around = [] } = evidence ?? {};
  const ofChunks = useEngine(
    "check.profile",
    kind === "chunks" ? { set, array, ...(through === undefined ? {} : { through }) } : undefined,
  ).data;
  const isSingle = ofChunks !== undefined && ofChunks.bins < LEAST_BINS;
  // If a coordinate is in one chunk and all its values are known, they are shown.
  const asksElements = evidence !== undefined && (kind === "coordinate" || isSingle);
  const ofElements = useEngine(
    "check.profile",
    asksElements ? { set, array, around } : undefined,
    "check.profile around",
  ).data;
  const found = asksElements ? ofElements : ofChunks;
  return found !== undefined && found.bins >= LEAST_BINS ? found : undefined;
}

export function axisWords({ axis, kind }: ValueProfile, node: NodeSummary | undefined): AxisWords {
  const { dimensionNames, chunks, shape } = node ?? {};
  const dimension = dimensionNames?.[axis] ?? `dimension ${axis}`;
  return { dimension, edges: kind === "elements" ? 1 : (chunks?.[axis] ?? 1), end: shape?.[axis] ?? Infinity };
}

function aboutLine({ isLine, files, kind, length, bins, perBin }: ValueProfile, evidence: Evidence): string {
  const parts = [
    ...(isLine ? [`the chunks in line with ${evidence.through?.join(".") ?? ""}`] : []),
    ...(kind === "elements" && bins * perBin < length
      ? [`around the marked values; ${length.toLocaleString("en")} in all`]
      : []),
    ...(files.length > 1 ? ["lines where a file begins"] : []),
  ];
  return parts.join(" · ");
}

/** Evidence of a cause in an array's values: the request for it. */
interface Evidence {
  readonly kind: "chunks" | "coordinate";
  readonly array: string;
  readonly lane: EvidenceLane | undefined;
  /** Coordinates of a chunk that stands for all: the others of its place would hide it. */
  readonly through?: readonly number[];
  /** Positions in a coordinate. */
  readonly around: readonly number[];
}

/** `undefined` for causes that values do not show. */
export function evidenceOf(finding: Finding, nodes: NodesByPath): Evidence | undefined {
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
