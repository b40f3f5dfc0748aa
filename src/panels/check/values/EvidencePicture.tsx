/** In place of a cause's picture: how the values run, where these show the cause. */
import { useMemo, type ReactNode } from "react";
import type { Severity } from "../../../core/findings/catalogue/entry.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import { ProfileSpark } from "../../../widgets/profile-plot/ProfileSpark.tsx";
import type { NodesByPath } from "../../../core/metadata/chunk-of-key.ts";
import { evidenceOf, markedBins } from "./cause-evidence.ts";
import { axisWords, useEvidenceProfile } from "./CauseEvidence.tsx";
import { plottedBins } from "./profile-lanes.ts";
import styles from "./Values.module.css";

interface EvidencePictureProps {
  readonly set: number;
  readonly finding: Finding;
  readonly severity: Severity;
  readonly nodes: NodesByPath;
  /** Where values do not show it, or are not known. */
  readonly otherwise: ReactNode;
}

/** In CSS pixels, as the pictures of causes are; of two lanes the lower is smaller. */
const [WIDTH, HEIGHT, UPPER, LOWER] = [96, 48, 26, 10];

export function EvidencePicture({ set, finding, severity, nodes, otherwise }: EvidencePictureProps) {
  const evidence = useMemo(() => evidenceOf(finding, nodes), [finding, nodes]);
  const profile = useEvidenceProfile(set, evidence);
  if (evidence === undefined || profile === undefined) return otherwise;
  const marked = markedBins(finding, profile);
  // Where all of it is meant, nothing stands out of the rest: a picture of the data says more.
  if (marked.size === 0 || marked.size === profile.bins) return otherwise;
  const axis = axisWords(profile, nodes.get(profile.array));
  const lane = profile.kind === "elements" && evidence.kind === "chunks" ? undefined : evidence.lane;
  const plotted = plottedBins(profile, axis, { lane, height: UPPER, hasTitles: false });
  const [upper, lower] = plotted.lanes;
  if (upper === undefined) return otherwise;
  const lanes = lower === undefined ? [{ ...upper, height: HEIGHT - 6 }] : [upper, { ...lower, height: LOWER }];
  return (
    <span className={styles.spark}>
      <ProfileSpark {...plotted} lanes={lanes} marked={marked} severity={severity} width={WIDTH} />
    </span>
  );
}
