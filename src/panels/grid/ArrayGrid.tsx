/** The picture with its controls above and its legend below. */
import { useRef, useState, type RefObject } from "react";
import type { NodeSummary, RasterColour, SetSummary } from "../../core/open-set.ts";
import { useActions, useAppState, useEngine } from "../../store/react.tsx";
import { useCanvasSize } from "../../widgets/canvas-size.ts";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { clampCamera, windowSeen, type CellPlace } from "../../widgets/cell-camera.ts";
import { CellLine } from "./CellLine.tsx";
import { GridCanvas, type GridCanvasProps } from "./GridCanvas.tsx";
import { GridControls } from "./GridControls.tsx";
import { GridLegend } from "./GridLegend.tsx";
import { coordinatesAt, extentOf, placeOf } from "../../widgets/grid-plane.ts";
import { changeWords } from "./change-words.ts";
import { useCellChange } from "./use-cell-change.ts";
import type { Compared } from "./use-compared.ts";
import { areaOf, rasterSpec, useCellFacts, useFailedPlaces, useGridMoves, useGridState } from "./use-grid.ts";
import { useRaster } from "./use-raster.ts";
import styles from "./GridPanel.module.css";

export interface ArrayGridProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly grid: readonly number[];
  readonly colour: RasterColour;
  readonly onColour: (colour: RasterColour) => void;
  /** What is known of the changes of this array; absent while no comparison tells of it. */
  readonly compared: Compared | undefined;
}

export function ArrayGrid(props: ArrayGridProps) {
  const { set, node, grid, colour, onColour, compared } = props;
  const frame = useRef<HTMLDivElement>(null);
  const shown = useArrayGrid(props, frame);
  const { state, does, camera, extent, array, facts, coloured } = shown;
  if (extent.rows * extent.columns === 0) {
    return <EmptyState title="This array has no chunks.">One of its dimensions has length 0.</EmptyState>;
  }
  return (
    <div role="group" className={styles.panel} aria-label="Chunk grid" aria-busy={coloured.stale}>
      <GridControls
        node={node}
        grid={grid}
        array={array}
        plane={state.plane}
        onPlane={does.setPlane}
        colour={colour}
        onColour={onColour}
        compared={compared !== undefined}
        zoomed={camera.zoom > 1}
        onZoom={does.zoom}
        onFit={does.fit}
      />
      {coloured.error === undefined ? null : <ErrorNotice error={coloured.error} onRetry={coloured.retry} />}
      <div ref={frame} className={styles.frame}>
        <GridCanvas label={gridLabel(node, extent)} {...shown.canvas} />
      </div>
      <CellLine facts={facts} array={array} spoken={shown.spoken} />
      <GridLegend
        set={set}
        node={node}
        colour={colour}
        compared={compared}
        layer={coloured.layer}
        lookedTarget={facts?.row?.targetId}
        window={windowSeen(camera, extent, shown.area)}
        extent={extent}
        onGoTo={(coordinates) => {
          does.goTo(coordinates);
          // By keyboard one goes on from there.
          frame.current?.querySelector<HTMLElement>("[tabindex]")?.focus();
        }}
      />
    </div>
  );
}

function useArrayGrid({ set, node, grid, colour }: ArrayGridProps, frame: RefObject<HTMLDivElement | null>) {
  const actions = useActions();
  const chunk = useAppState((state) => state.chunk);
  const size = useCanvasSize(frame);
  const area = areaOf(size);
  const [state, setState] = useGridState(grid, area);
  const does = useGridMoves(state, setState, grid, area);
  const [hovered, setHovered] = useState<CellPlace>();
  const [focused, setFocused] = useState(false);

  const detail = useEngine("set.node", { set: set.id, path: node.path }).data;
  const array = detail?.path === node.path ? detail.array : undefined;
  const extent = extentOf(grid, state.plane);
  const camera = clampCamera(state.camera, extent, area);
  const shot = { array: node.path, grid, state, area, ratio: size.ratio };
  const coloured = useRaster(set.id, rasterSpec(shot, colour));
  // The shapes in the cells are those of the states, whatever the colours say.
  const hasStates = colour !== "state" && colour !== "change";
  const stated = useRaster(set.id, hasStates ? rasterSpec(shot, "state") : undefined);
  const failed = useFailedPlaces(node, state.plane, array?.separator ?? ".");
  const selected = chunk === undefined ? undefined : placeOf(state.plane, chunk);
  const looked = hovered ?? (focused ? state.cursor : selected);
  const known = useCellFacts(set, node, array, looked && coordinatesAt(state.plane, looked));
  const change = useCellChange(set.id, rasterSpec(shot, colour), looked, coloured.layer);
  const facts = known && { ...known, ...(change && { change: changeWords(change, node.shardShape !== undefined) }) };
  const canvas: Omit<GridCanvasProps, "label"> = {
    picture: { size, area, extent, camera, failed, selected, cursor: focused ? state.cursor : undefined },
    colour,
    layer: coloured.layer,
    states: colour === "state" ? coloured.layer : stated.layer,
    cursor: state.cursor,
    onCursor: does.setCursor,
    onCamera: does.setCamera,
    onZoom: does.zoom,
    onFit: does.fit,
    onHover: setHovered,
    onFocus: setFocused,
    onSelect: (place) => {
      does.setCursor(place);
      actions.selectChunk(node.path, coordinatesAt(state.plane, place));
    },
  };
  return {
    area,
    state,
    does,
    array,
    extent,
    camera,
    coloured,
    facts,
    canvas,
    spoken: focused && hovered === undefined,
  };
}

function gridLabel(node: NodeSummary, extent: { readonly rows: number; readonly columns: number }): string {
  const name = node.path === "" ? "the root array" : node.path;
  return `Chunk grid of ${name}, ${extent.rows} by ${extent.columns} chunks. Arrow keys move, Enter selects, plus and minus zoom.`;
}
