/** On the chunks that failed: which, why, and the way to more. As far as there is room. */
import type { Finding } from "../../core/findings/finding.ts";
import { boxOf, type CellView, type Point } from "../../widgets/cell-map/camera.ts";
import { useExplain } from "../../widgets/use-explain.ts";
import { windowOf, type PlaneLook } from "./plane-picture.ts";
import styles from "./DataPanel.module.css";

interface FailedLabelsProps {
  readonly look: PlaneLook;
  readonly view: CellView;
  /** Of the cells in the figure. */
  readonly corner: Point;
  /** By place among the chunks of the plane. */
  readonly onWhy: (at: number) => void;
}

/** More would cover the picture; all are crossed, and named when they are pointed at. */
const MAX_LABELS = 12;
const LEAST_WITH_REASON = 230;
const LEAST = { width: 150, height: 34 };

export function FailedLabels({ look, view, corner, onWhy }: FailedLabelsProps) {
  const { chunks } = look;
  const labels = [...look.plane.failed].flatMap(([at, error]) => {
    const { x, y, width, height } = boxOf(view, windowOf(look, at));
    const left = Math.max(0, x);
    const right = Math.min(view.area.width, x + width);
    const top = Math.max(0, y);
    const bottom = Math.min(view.area.height, y + height);
    const hasRoom = right - left >= LEAST.width && bottom - top >= LEAST.height;
    const place = { left: corner.x + (left + right) / 2, top: corner.y + (top + bottom) / 2 };
    return hasRoom ? [{ at, error, place, width: right - left - 16 }] : [];
  });
  return labels.slice(0, MAX_LABELS).map(({ at, error, place, width }) => (
    <div key={at} className={styles.label} style={{ ...place, maxWidth: width }}>
      <i aria-hidden="true">✕</i>
      <b>{chunks.at(Math.floor(at / chunks.columns), at % chunks.columns).join(".")} failed</b>
      {width >= LEAST_WITH_REASON ? <Reason error={error} /> : null}
      <button type="button" onClick={() => onWhy(at)}>
        Why
      </button>
    </div>
  ));
}

/** In a few words; in full where it is pointed at. */
function Reason({ error }: { readonly error: Finding }) {
  const said = useExplain()?.(error);
  return <span title={said?.message}>{said?.title.replace(/\.$/, "")}</span>;
}
