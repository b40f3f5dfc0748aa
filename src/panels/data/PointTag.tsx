/** What stands over a figure or beside it: the cursor with what is said of it, and tools in the bar of the view. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import { cellBox, cellSize, type CellPlace } from "../../widgets/cell-map/camera.ts";
import { cornerOf } from "../../widgets/cell-map/draw-map.ts";
import type { CellMapState } from "../../widgets/cell-map/use-cell-map.ts";
import styles from "./DataPanel.module.css";
import { useShown } from "./shown-array.ts";

interface PointTagProps {
  readonly map: CellMapState;
  readonly cursor: CellPlace;
  /** Under the pointer, else the cursor. */
  readonly looked: CellPlace;
  readonly focused: boolean;
  readonly children: ReactNode;
}

/** Pixels of a cell whose frame is seen well enough. */
export const SEEN_CELL = 14;
const AWAY = 16;

/** The cursor as a ring where its cell is too small to be seen, and what is looked at, said beside it. */
export function PointTag({ map, cursor, looked, focused, children }: PointTagProps) {
  const ring = middleOf(map, cursor);
  const at = middleOf(map, looked);
  const { width, height } = map.size;
  const { width: side, height: other } = cellSize(map.view);
  const isSmall = Math.min(side, other) < SEEN_CELL;
  const { left, top } = at === undefined ? { left: 60, top: height - 80 } : { left: at.x, top: at.y };
  const across =
    left < width * 0.6
      ? { left: left + AWAY, maxWidth: width - left - 2 * AWAY }
      : { right: width - left + AWAY, maxWidth: left - 2 * AWAY };
  return (
    <>
      {ring !== undefined && isSmall ? (
        <i className={styles.ring} data-focused={focused} style={{ left: ring.x, top: ring.y }} />
      ) : null}
      <div
        className={styles.tag}
        data-away={at === undefined}
        style={{ ...across, top: Math.max(4, Math.min(height - 66, top - 14)) }}
      >
        {children}
      </div>
    </>
  );
}

/** In the figure; `undefined` where it is not seen. */
function middleOf({ view, axes }: CellMapState, place: CellPlace) {
  const { x, y, width, height } = cellBox(view, place);
  const [across, down] = [x + width / 2, y + height / 2];
  if (across < 0 || down < 0 || across > view.area.width || down > view.area.height) return undefined;
  const corner = cornerOf(axes);
  return { x: corner.x + across, y: corner.y + down };
}

/** What belongs to the figure, among the tools of the view. */
export function FigureTools({ children }: { readonly children: ReactNode }) {
  const { tools } = useShown();
  return tools === null ? null : createPortal(children, tools);
}
