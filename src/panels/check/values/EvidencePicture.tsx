/** A plot of the values in place of a cause's picture, if they show the cause. */
import type { ReactNode } from "react";
import { ProfileSpark } from "#widgets/plot/ProfilePlot.tsx";
import { type CauseEvidenceProps, useEvidence } from "./CauseEvidence.tsx";
import { plottedBins } from "./profile-words.ts";
import styles from "./ValuesSection.module.css";

interface EvidencePictureProps extends CauseEvidenceProps {
  /** Picture to show if the values do not show the cause, or are not known. */
  readonly otherwise: ReactNode;
}

/** Sizes in CSS pixels, equal to those of causes' pictures; the lower of two lanes is smaller. */
const [WIDTH, HEIGHT, UPPER, LOWER] = [96, 48, 26, 10];

export function EvidencePicture({ severity, otherwise, ...cause }: EvidencePictureProps) {
  const shown = useEvidence(cause);
  if (shown === undefined) return otherwise;
  const { profile, axis, marked, lane } = shown;
  // If all bins are marked, nothing stands out: a picture of the data says more.
  if (marked.size === 0 || marked.size === profile.bins) return otherwise;
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
