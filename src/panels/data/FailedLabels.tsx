/** On the chunks that failed: which, why, and the way to more. As far as there is room. */
import type { Finding } from "../../core/findings/finding.ts";
import { boxOf, type CellView } from "../../widgets/cell-map/camera.ts";
import { MARGINS } from "../../widgets/cell-map/axes.ts";
import { useMessage } from "../../widgets/use-explain.ts";
import { windowOf, type PlaneLook } from "./plane-picture.ts";
import styles from "./DataPanel.module.css";

interface FailedLabelsProps {
  readonly look: PlaneLook;
  readonly view: CellView;
  /** By place among the chunks of the plane. */
  readonly onWhy: (at: number) => void;
}

/** More would cover the picture; all are crossed, and named when they are pointed at. */
const MAX_LABELS = 12;
const LEAST = { width: 150, height: 34 };

export function FailedLabels({ look, view, onWhy }: FailedLabelsProps) {
  const { chunks } = look;
  const labels = [...look.plane.failed].flatMap(([at, error]) => {
    const { x, y, width, height } = boxOf(view, windowOf(look, at));
    const left = Math.max(0, x);
    const right = Math.min(view.area.width, x + width);
    const top = Math.max(0, y);
    const bottom = Math.min(view.area.height, y + height);
    const hasRoom = right - left >= LEAST.width && bottom - top >= LEAST.height;
    const place = { left: MARGINS.left + (left + right) / 2, top: MARGINS.top + (top + bottom) / 2 };
    return hasRoom ? [{ at, error, place, width: right - left - 16 }] : [];
  });
  return labels.slice(0, MAX_LABELS).map(({ at, error, place, width }) => (
    <div key={at} className={styles.label} style={{ ...place, maxWidth: width }}>
      <b>{chunks.at(Math.floor(at / chunks.columns), at % chunks.columns).join(".")} failed</b>
      <Reason error={error} />
      <button type="button" onClick={() => onWhy(at)}>
        Why
      </button>
    </div>
  ));
}

function Reason({ error }: { readonly error: Finding }) {
  const message = useMessage(error);
  return <span title={message}>{message}</span>;
}
