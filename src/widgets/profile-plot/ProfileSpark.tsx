import { Lanes, lanesHeight, type PlottedBins } from "./Lanes.tsx";
import styles from "./ProfilePlot.module.css";

/** A profile as small as a picture in a list, without scale and words: what stands beside it says what it shows. */
export function ProfileSpark({ width, ...plotted }: PlottedBins & { readonly width: number }) {
  return (
    <svg className={styles.spark} width={width} height={lanesHeight(plotted.lanes)} aria-hidden="true">
      <Lanes {...plotted} gutter={0} width={width} cursor={undefined} />
    </svg>
  );
}
