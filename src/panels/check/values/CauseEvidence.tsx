/** How the values of an array run, with what a cause is about marked in them. */
import { useMemo } from "react";
import type { Severity } from "#core/findings/catalogue/entry.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { NodeSummary } from "#core/open-set.ts";
import type { ValueProfile } from "#core/values/value-profile.ts";
import { useEngine } from "#store/react.tsx";
import { ProfilePlot } from "#widgets/plot/ProfilePlot.tsx";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import { evidenceOf, markedBins, type CauseEvidence as Evidence } from "./cause-evidence.ts";
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
