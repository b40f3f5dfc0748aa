/** In place of a cause's picture: how the values run, where these show the cause. */
import type { ReactNode } from "react";
import { ProfileSpark } from "../../../widgets/profile-plot/ProfileSpark.tsx";
import { type CauseEvidenceProps, useEvidence } from "./CauseEvidence.tsx";
import { plottedBins } from "./profile-words.ts";
import styles from "./ValuesSection.module.css";

interface EvidencePictureProps extends CauseEvidenceProps {
  /** Where values do not show it, or are not known. */
  readonly otherwise: ReactNode;
}

/** In CSS pixels, as the pictures of causes are; of two lanes the lower is smaller. */
const [WIDTH, HEIGHT, UPPER, LOWER] = [96, 48, 26, 10];

export function EvidencePicture({ severity, otherwise, ...cause }: EvidencePictureProps) {
  const shown = useEvidence(cause);
  if (shown === undefined) return otherwise;
  const { profile, axis, marked, lane } = shown;
  // Where all of it is meant, nothing stands out of the rest: a picture of the data says more.
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
