/** All slices of a grid side by side, a panel each: where they fit. */
import { useCallback, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import { point, usePointed } from "../pointed-chunk.ts";
import { useGestures, type Gestures } from "../../../widgets/cell-map/gestures.ts";
import { Layers, type Draw } from "../../../widgets/cell-map/Layers.tsx";
import { useMeasuring } from "../../../widgets/use-measuring.ts";
import type { Area, Point } from "../../../widgets/cell-map/camera.ts";
import { ErrorNotice } from "../../../widgets/ErrorNotice.tsx";
import { changeOfCode, changeWords, type CellChange } from "./change-words.ts";
import { drawPanelMarks, drawPanels, MARGIN, type PanelMark, type PanelPicture } from "./draw-panels.ts";
import { MapFoot } from "./MapFoot.tsx";
import {
  movedInPanels,
  panelCellAt,
  panelCorner,
  panelLayout,
  type PanelLayout,
  type PanelPlace,
} from "./panel-layout.ts";
import { panelSlices, panelTitle, type PanelSlices } from "./panel-slices.ts";
import type { MapProps } from "./map-props.ts";
import { useLooked } from "./use-looked.ts";
import { usePanels } from "./use-panels.ts";
import styles from "./MapPart.module.css";

export function PanelsMap(props: MapProps) {
  const { set, node, axes, state, colour, pointed, label } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Area & { readonly ratio: number }>();
  useMeasuring(frame, ({ clientWidth, clientHeight }) => {
    setRoom({ width: clientWidth - 2 * MARGIN, height: clientHeight - 2 * MARGIN, ratio: window.devicePixelRatio });
  });
  const slices = useMemo(() => panelSlices(node, state.plane, axes), [node, state.plane, axes]);
  const layout = useMemo(
    () => room && panelLayout({ ...slices, room, title: slices.panels > 1 ? TITLE : 0 }, 0),
    [slices, room],
  );
  const { picture, minimum, maximum, error, retry, stale } = usePanels(set.id, node, slices, colour, layout);
  const [focused, setFocused] = useState(false);
  const at = usePointed(pointed);
  const looked = useLooked(props, { focused, hovered: at });
  const { spoken, select } = looked;
  const change = changeOf(picture, looked.at && slices.placeOf(looked.at));
  const facts = looked.facts && {
    ...looked.facts,
    ...(change && { change: changeWords(change, node.shardShape !== undefined) }),
  };
  const marks = useMarks({ ...props, slices, focused, pointedAt: at });
  const size = useMemo(
    () => ({
      width: (room?.width ?? 0) + 2 * MARGIN,
      height: (room?.height ?? 0) + 2 * MARGIN,
      ratio: room?.ratio ?? 1,
    }),
    [room],
  );
  const draw = useCallback<Draw>((painter) => picture && drawPanels(painter, picture), [picture]);
  const drawMarks = useCallback<Draw>((painter) => layout && drawPanelMarks(painter, layout, marks), [layout, marks]);
  const cursor = slices.placeOf(state.at) ?? { panel: 0, row: 0, column: 0 };
  const gestures = panelGestures(layout, slices, cursor, {
    onCursor: (place) => state.setAt(slices.coordinatesOf(place)),
    onHover: (place) => point(pointed, place && slices.coordinatesOf(place)),
    onOpen: (place) => select(slices.coordinatesOf(place)),
    onFocus: setFocused,
  });
  return (
    <>
      {error === undefined ? null : <ErrorNotice error={error} onRetry={retry} />}
      <PanelsFrame {...{ frame, label, gestures, size, draw, drawMarks }} busy={stale}>
        {layout === undefined ? null : <Titles {...{ layout, slices, axes }} shown={props.chunk} />}
      </PanelsFrame>
      <MapFoot
        {...props}
        {...{ facts, spoken, minimum, maximum }}
        dotted={picture?.dotted === true}
        sentence=""
        onGoTo={(coordinates) => {
          state.goTo(coordinates);
          // By keyboard one goes on from there.
          frame.current?.focus();
        }}
      />
    </>
  );
}

const TITLE = 20;

/** How a cell differs between the snapshots, while that is shown. */
function changeOf(picture: PanelPicture | undefined, place: PanelPlace | undefined): CellChange | undefined {
  if (picture?.by !== "change" || place === undefined) return undefined;
  const { colour } = picture.panels[place.panel] ?? {};
  return colour && changeOfCode(colour.codes[place.row * colour.width + place.column] ?? 0);
}

interface FrameProps {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly gestures: Gestures;
  readonly size: Parameters<typeof Layers>[0]["size"];
  readonly draw: Draw;
  readonly drawMarks: Draw;
  readonly busy: boolean;
  readonly children: ReactNode;
}

function PanelsFrame({ frame, label, gestures, size, draw, drawMarks, busy, children }: FrameProps) {
  return (
    <div
      ref={frame}
      role="application"
      aria-label={label}
      aria-busy={busy}
      tabIndex={0}
      className={styles.panels}
      {...useGestures(frame, gestures)}
    >
      <Layers size={size} draw={draw} drawMarks={drawMarks} />
      {children}
    </div>
  );
}

interface TitlesProps {
  readonly layout: PanelLayout;
  readonly slices: PanelSlices;
  readonly axes: MapProps["axes"];
  /** The selected chunk. */
  readonly shown: readonly number[] | undefined;
}

/** Which part of the dimension each panel is. */
function Titles({ layout, slices, axes, shown }: TitlesProps) {
  if (slices.panels < 2) return null;
  const selected = shown && slices.placeOf(shown)?.panel;
  return Array.from({ length: slices.panels }, (_, panel) => {
    const { x, y } = panelCorner(layout, panel);
    const title = panelTitle(slices, axes, panel);
    return (
      <span
        key={panel}
        className={styles.panelTitle}
        data-selected={panel === selected}
        title={title}
        style={{ left: x + MARGIN, top: y - TITLE + MARGIN, width: layout.panel.width }}
      >
        {title}
      </span>
    );
  });
}

interface Handlers {
  readonly onCursor: (place: PanelPlace) => void;
  readonly onHover: (place: PanelPlace | undefined) => void;
  readonly onOpen: (place: PanelPlace) => void;
  readonly onFocus: (focused: boolean) => void;
}

function panelGestures(
  layout: PanelLayout | undefined,
  { panels }: PanelSlices,
  cursor: PanelPlace,
  { onCursor, onHover, onOpen, onFocus }: Handlers,
): Gestures {
  const placeAt = ({ x, y }: Point) => layout && panelCellAt(layout, panels, { x: x - MARGIN, y: y - MARGIN });
  return {
    onPoint: (at) => onHover(at && placeAt(at)),
    onClick: (at) => {
      const place = placeAt(at);
      if (place !== undefined) onOpen(place);
    },
    // Everything is in sight: there is nothing to move or to magnify.
    onGrab: () => () => undefined,
    onWheel: () => false,
    onZoom: () => undefined,
    onFit: () => undefined,
    onKey: (press) => {
      const moved = layout && movedInPanels(layout, panels, cursor, press);
      if (moved !== undefined) onCursor(moved);
      return moved !== undefined;
    },
    onOpen: () => onOpen(cursor),
    onFocus,
  };
}

interface MarksInput extends MapProps {
  readonly slices: PanelSlices;
  readonly focused: boolean;
  readonly pointedAt: readonly number[] | undefined;
}

function useMarks({ slices, focused, pointedAt, chunk, state }: MarksInput): readonly PanelMark[] {
  const { at: cursor } = state;
  return useMemo(() => {
    const marks: PanelMark[] = [];
    const add = (at: readonly number[] | undefined, mark: Omit<PanelMark, "place">) => {
      const place = at && slices.placeOf(at);
      if (place !== undefined) marks.push({ place, ...mark });
    };
    add(pointedAt, { token: "--ink", thin: true });
    add(chunk, { token: "--ink" });
    if (focused) add(cursor, { token: "--focus" });
    return marks;
  }, [slices, focused, pointedAt, chunk, cursor]);
}

/** Whether all slices fit into about this much room. */
export function fitsAsPanels({ node, state, axes }: Pick<MapProps, "node" | "state" | "axes">, room: Area): boolean {
  const slices = panelSlices(node, state.plane, axes);
  const around = { width: room.width - 2 * MARGIN, height: room.height - 2 * MARGIN };
  return panelLayout({ ...slices, room: around, title: slices.panels > 1 ? TITLE : 0 }) !== undefined;
}
