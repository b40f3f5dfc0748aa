/** Parts over a figure or beside it: the cursor, what it or the pointer is on, and tools in the bar of the view. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import { besideText } from "#core/cf/axis.ts";
import { reasonWords } from "#core/findings/explained.ts";
import { chunkOf } from "#core/metadata/chunk-grid.ts";
import { useEngine } from "#store/react.tsx";
import { type Box, cellBox, cellSize, type CellPlace, type Point } from "#widgets/cell-map/camera.ts";
import { cornerOf } from "#widgets/cell-map/draw-map.ts";
import type { CellMapState } from "#widgets/cell-map/use-cell-map.ts";
import { useExplain } from "#widgets/notes/Notices.tsx";
import styles from "./DataPanel.module.css";
import { type ArrayShown, placeAlong, useShown } from "./shown-array.ts";

interface PointTagProps {
  readonly map: CellMapState;
  /** Absent where it was not put anywhere. */
  readonly cursor: CellPlace | undefined;
  /** Under the pointer, else the cursor; absent where nothing is to be said of it. */
  readonly looked: CellPlace | undefined;
  readonly focused: boolean;
  /** Boxes in the figure that it must not cover. */
  readonly avoid: readonly Box[];
  readonly children: ReactNode;
}

/** Pixels of a cell whose frame is seen well enough. */
export const SEEN_CELL = 14;
const AWAY = 16;
const RING = 10;
/** At most. */
const TAG = { width: 296, height: 44 };

/** The cursor as a ring where its cell is too small to be seen, and what is looked at, said beside it. */
export function PointTag({ map, cursor, looked, focused, avoid, children }: PointTagProps) {
  const ring = cursor && middleOf(map, cursor);
  const at = looked && middleOf(map, looked);
  const { width: side, height: other } = cellSize(map.view);
  const isSmall = Math.min(side, other) < SEEN_CELL;
  return (
    <>
      {ring !== undefined && isSmall ? (
        <i className={styles.ring} data-focused={focused} style={insideOf(map, ring)} />
      ) : null}
      <div
        className={styles.tag}
        data-away={at === undefined}
        style={at && { translate: tagPlace(at, roomOf(map), avoid) }}
      >
        {children}
      </div>
    </>
  );
}

/** Without the ticks, which it leaves free. */
const roomOf = ({ size, view, axes }: CellMapState): Box => {
  const { x, y } = cornerOf(axes);
  return { x, y: 0, width: size.width - x, height: y + view.area.height };
};

/** At an edge it moves in, rather than over what is written there. */
function insideOf({ view: { area }, axes }: CellMapState, { x, y }: Point) {
  const corner = cornerOf(axes);
  const kept = (at: number, from: number, room: number) => Math.max(from + RING, Math.min(at, from + room - RING));
  return { left: kept(x, corner.x, area.width), top: kept(y, corner.y, area.height) };
}

/** Beside the point, where it covers nothing that it must not; else above or below. As CSS `translate`: no layout moves. */
export function tagPlace({ x, y }: Point, room: Box, avoid: readonly Box[]) {
  const tag = { width: Math.min(TAG.width, room.width - 8), height: TAG.height };
  const end = { x: room.x + room.width, y: room.y + room.height };
  const beside = Math.max(room.y + 4, Math.min(y - 14, end.y - tag.height - 4));
  const over = Math.max(room.x + 4, Math.min(x - tag.width / 2, end.x - tag.width - 4));
  const right = { x: x + AWAY, y: beside };
  const left = { x: x - AWAY - tag.width, y: beside };
  const places = [right, left, { x: over, y: y - AWAY - tag.height }, { x: over, y: y + AWAY }];
  const isFree = (place: Point) =>
    place.x >= room.x &&
    place.y >= room.y &&
    place.x + tag.width <= end.x &&
    place.y + tag.height <= end.y &&
    avoid.every(
      (box) =>
        place.x > box.x + box.width ||
        place.x + tag.width < box.x ||
        place.y > box.y + box.height ||
        place.y + tag.height < box.y,
    );
  const chosen = places.find(isFree) ?? { x: over, y: beside };
  // It may be narrower than what it may take: at the left it ends beside the point.
  return chosen === left ? `calc(${x - AWAY}px - 100%) ${beside}px` : `${chosen.x}px ${chosen.y}px`;
}

/** Middle of the cell in the figure; `undefined` if it is not visible. */
function middleOf({ view, axes }: CellMapState, place: CellPlace) {
  const { x, y, width, height } = cellBox(view, place);
  const [across, down] = [x + width / 2, y + height / 2];
  if (across < 0 || down < 0 || across > view.area.width || down > view.area.height) return undefined;
  const corner = cornerOf(axes);
  return { x: corner.x + across, y: corner.y + down };
}

/** Puts the figure's tools among those of the view. */
export function FigureTools({ children }: { readonly children: ReactNode }) {
  const { tools } = useShown();
  return tools === null ? null : createPortal(children, tools);
}

interface PlaneReadoutProps {
  readonly id: string;
  /** Position in every dimension. */
  readonly element: readonly number[];
  /** Place among the chunks of the plane. */
  readonly chunk: number;
  readonly spoken: boolean;
}

/** Readout of the element under the pointer or the cursor: the value, its place, its chunk and its source. */
export function PlaneReadout({ id, element, chunk, spoken }: PlaneReadoutProps) {
  const shown = useShown();
  const { set, node, about, request, label } = shown;
  const coordinates = chunkOf(element, request.chunkShape);
  const row = useEngine("table.reference", { set: set.id, array: node.path, coordinates }).last?.data;
  const hasBeside = (about?.auxiliaries.length ?? 0) > 0;
  const beside = useEngine("plane.beside", hasBeside ? { set: set.id, array: node.path, element } : undefined);
  const { text, failed } = valueAt(shown, element, chunk);
  const said = useExplain();
  const value = typeof text === "number" ? label(text) : text;
  const place = element.map((at, dimension) => placeAlong(shown, dimension, at));
  return (
    <p id={id} className="clip one-line quiet figures" aria-live={spoken ? "polite" : "off"}>
      <b className="ink strong">{value}</b> <span className={styles.place}>{place.join(" · ")}</span>{" "}
      {beside.stale || beside.data === undefined || beside.data.length === 0 ? null : (
        <b className="ink strong">{beside.data.map(besideText).join(" ")} </b>
      )}
      <span className={styles.from} title={(failed === undefined ? row?.target : said?.(failed).message) ?? undefined}>
        chunk {coordinates.join(".") || "0"}
        {failed === undefined ? from(row?.target, row?.offset) : ` · ${reasonWords(failed, said)}`}
      </span>
    </p>
  );
}

function from(target: string | null | undefined, offset: number | null | undefined): string {
  if (target === undefined || target === null) return "";
  const name =
    target
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1) ?? target;
  return ` · ${name}${offset === undefined || offset === null ? "" : ` at ${offset.toLocaleString("en")}`}`;
}

function valueAt({ request, progress }: ArrayShown, element: readonly number[], chunk: number) {
  const { shown, isOld } = progress;
  const look = isOld ? undefined : shown?.looks[chunk];
  if (shown === undefined || look === undefined || look === "unread") return { text: "not read" } as const;
  if (look === "failed") return { text: "failed", failed: shown.failed.get(chunk) } as const;
  if (look === "unreached") return { text: "out of reach", failed: shown.failed.get(chunk) } as const;
  if (look === "missing") return { text: "missing: reads as the fill value" } as const;
  const { row, column } = request.plane;
  const [down, across] = [row, column].map((one) => (one === undefined ? 0 : (element[one] ?? 0)));
  const { steps, columns } = shown;
  const value = shown.values[Math.floor((down ?? 0) / steps.down) * columns + Math.floor((across ?? 0) / steps.across)];
  return { text: value === undefined || Number.isNaN(value) ? "no data" : value } as const;
}
