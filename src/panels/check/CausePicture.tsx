/** Where in its array a cause lies: over the array's picture, or the map of its chunks' lengths, and along the dimension before. */
import { isNorthLast } from "../../core/axis.ts";
import { startAlong } from "../../core/chunk-edges.ts";
import type { Severity } from "../../core/findings/catalogue/entry.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import type { Axes } from "../../store/use-cheap-axes.ts";
import { ArrayThumbnail } from "../../widgets/ArrayThumbnail.tsx";
import { useThumbnail } from "../../widgets/thumbnails.ts";
import type { CauseReach } from "./cause-reach.ts";
import { LengthMap } from "./LengthMap.tsx";
import styles from "./CausePicture.module.css";

interface CausePictureProps {
  readonly set: number;
  readonly node: NodeSummary | undefined;
  readonly reach: CauseReach | undefined;
  readonly severity: Severity;
  readonly axes: Axes;
}

export function CausePicture({ set, node, reach, severity, axes }: CausePictureProps) {
  const hasPicture = useThumbnail(set, node?.path ?? "") !== undefined;
  if (node?.shape === undefined || node.chunks === undefined || reach === undefined || reach.from.length === 0)
    return <span className={styles.none} data-severity={severity} aria-hidden="true" />;
  const rank = node.shape.length;
  const along = (axis: number) => shareOf(reach, node, axis);
  const across = along(rank - 1);
  const down = rank > 1 ? along(rank - 2) : { at: 0, size: 1 };
  const isTurned = rank > 1 && isNorthLast(axes[rank - 2]);
  const top = isTurned ? 1 - down.at - down.size : down.at;
  const before = rank > 2 ? along(0) : undefined;
  return (
    <span className={styles.picture} data-severity={severity} data-has-bar={before !== undefined} aria-hidden="true">
      {hasPicture ? (
        <ArrayThumbnail set={set} path={node.path} className={styles.thumbnail} />
      ) : (
        <LengthMap set={set} node={node} at={reach.from} isTurned={isTurned} className={styles.map} />
      )}
      <i
        style={{
          left: cssShare(across.at),
          width: cssShare(across.size),
          top: cssShare(top),
          height: cssShare(down.size),
        }}
      />
      {before === undefined ? null : (
        <span className={styles.bar}>
          <i style={{ left: cssShare(before.at), width: cssShare(before.size) }} />
        </span>
      )}
    </span>
  );
}

const cssShare = (share: number): string => `${100 * share}%`;

/** Where the box begins along a dimension, and how much of it it fills. */
function shareOf({ from, to }: CauseReach, { shape = [], chunks = [] }: NodeSummary, axis: number) {
  const length = Math.max(1, shape[axis] ?? 1);
  const edges = chunks[axis] ?? 1;
  const first = Math.min(length, startAlong(edges, from[axis] ?? 0));
  const last = Math.min(length, startAlong(edges, (to[axis] ?? 0) + 1));
  return { at: first / length, size: Math.max(0, last - first) / length };
}
