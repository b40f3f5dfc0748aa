/**
 * A grid of cells as a picture that is moved in. Whoever shows it says what a cell is: tiles, signs and frames to draw,
 * and what pointing at one, clicking it and the keys mean. `useCellMap` keeps what is seen.
 */
import { useCallback, useMemo, useState } from "react";
import { cellAt, cellBox, cellSize, panned, zoomAt, type CellPlace, type Point } from "./camera.ts";
import { coastDrawing, type Coasts } from "./coast-lines.ts";
import { cornerOf, drawMarks, keptDrawings, type CellPicture, type Mark } from "./draw-map.ts";
import type { Gestures } from "./gestures.ts";
import type { Draw } from "./Layers.tsx";
import { MapFrame, type MapFrameProps } from "./MapFrame.tsx";
import { movedPlace } from "./plane.ts";
import type { CellMapState } from "./use-cell-map.ts";

export interface CellMapActions {
  /** Cell at which keys start. */
  readonly cursor: CellPlace;
  readonly onCursor: (place: CellPlace) => void;
  /** `undefined` when the pointer leaves. */
  readonly onHover: (place: CellPlace | undefined) => void;
  readonly onClick: (place: CellPlace) => void;
  /** Enter on the cursor's cell. */
  readonly onOpen?: ((place: CellPlace) => void) | undefined;
  readonly onFocus: (focused: boolean) => void;
  /** Rows a page key moves; by default, the visible ones. */
  readonly page?: number;
}

export interface CellMapProps
  extends
    CellMapActions,
    Pick<MapFrameProps, "label" | "roleDescription" | "describedBy" | "data" | "className" | "width" | "height"> {
  readonly map: CellMapState;
  /** Drawn whenever it is another object: memoise it. */
  readonly picture: CellPicture;
  /** Likewise. */
  readonly marks: readonly Mark[];
  /** Coasts in cells; likewise. */
  readonly coasts?: Coasts | undefined;
}

export function CellMap({ map, picture, marks, coasts, ...props }: CellMapProps) {
  const { frame, size, view, axes, zoomed } = map;
  const { label, roleDescription, describedBy, data, className, width, height } = props;
  const [drawKept] = useState(keptDrawings);
  const draw = useCallback<Draw>(
    (painter) => drawKept(painter, { view, axes }, picture),
    [drawKept, view, axes, picture],
  );
  const drawFrames = useCallback<Draw>((painter) => drawMarks(painter, { view, axes }, marks), [view, axes, marks]);
  const drawOver = useMemo(
    () => (coasts === undefined ? undefined : coastDrawing(coasts, view, cornerOf(axes))),
    [coasts, view, axes],
  );
  return (
    <MapFrame
      drawOver={drawOver}
      {...{ frame, label, roleDescription, describedBy, data, className, width, height, size, draw, zoomed }}
      drawMarks={drawFrames}
      gestures={cellGestures(map, props)}
    />
  );
}

function cellGestures({ view, axes, look, zoom, fit, zoomed }: CellMapState, actions: CellMapActions): Gestures {
  const { cursor, onCursor, onHover, onClick, onOpen, onFocus } = actions;
  const cell = cellSize(view);
  const page = actions.page ?? Math.floor(view.area.height / cell.height) - 1;
  const corner = cornerOf(axes);
  const inArea = (at: Point) => ({ x: at.x - corner.x, y: at.y - corner.y });
  return {
    onPoint: (at) => onHover(at && cellAt(view, inArea(at))),
    onClick: (at) => {
      const place = cellAt(view, inArea(at));
      if (place !== undefined) onClick(place);
    },
    onGrab:
      () =>
      ({ across, down, factor, at }) =>
        look(panned(zoomAt(view, factor, inArea(at)), -across, -down)),
    onWheel: (across, down) => {
      if (zoomed) look(panned(view, across, down));
      return zoomed;
    },
    onZoom: (factor, at) => {
      const { x, y, width, height } = cellBox(view, cursor);
      zoom(factor, at === undefined ? { x: x + width / 2, y: y + height / 2 } : inArea(at));
    },
    onFit: fit,
    onKey: (press) => {
      const moved = movedPlace(cursor, press, view.extent, page);
      if (moved !== undefined) onCursor(moved);
      return moved !== undefined;
    },
    onOpen: onOpen && (() => onOpen(cursor)),
    onFocus,
  };
}
