/** The picture with its controls above and its legend below. */
import { useMemo, useState } from "react";
import type { NodeSummary, RasterColour, SetSummary } from "../../../core/open-set.ts";
import { useActions, useAppState, useEngine } from "../../../store/react.tsx";
import { numbered } from "../../../widgets/cell-map/axes.ts";
import { windowSeen, type CellPlace } from "../../../widgets/cell-map/camera.ts";
import { CellMap, type CellMapProps } from "../../../widgets/cell-map/CellMap.tsx";
import type { Mark } from "../../../widgets/cell-map/draw-map.ts";
import { coordinatesAt, extentOf, placeOf } from "../../../widgets/cell-map/plane.ts";
import { useCellMap } from "../../../widgets/cell-map/use-cell-map.ts";
import { EmptyState } from "../../../widgets/EmptyState.tsx";
import { ErrorNotice } from "../../../widgets/ErrorNotice.tsx";
import type { PointedChunk } from "../pointed-chunk.ts";
import { CellLine } from "./CellLine.tsx";
import { changeWords } from "./change-words.ts";
import { gridPicture } from "./grid-picture.ts";
import { GridControls } from "./GridControls.tsx";
import { GridLegend } from "./GridLegend.tsx";
import { useCellChange } from "./use-cell-change.ts";
import type { Compared } from "./use-compared.ts";
import { rasterSpec, useCellFacts, useFailedPlaces, useGridState } from "./use-grid.ts";
import { useRaster } from "./use-raster.ts";
import styles from "./MapPart.module.css";

export interface ArrayGridProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly grid: readonly number[];
  readonly colour: RasterColour;
  readonly onColour: (colour: RasterColour) => void;
  /** What is known of the changes of this array; absent while no comparison covers it. */
  readonly compared: Compared | undefined;
  /** Shared with the table. */
  readonly pointed: PointedChunk;
}

export function ArrayGrid(props: ArrayGridProps) {
  const { set, node, grid, colour, onColour, compared } = props;
  const { state, array, facts, coloured, spoken, cells } = useArrayGrid(props);
  const { map } = cells;
  const { extent } = map.view;
  if (extent.rows * extent.columns === 0) {
    return <EmptyState title="This array has no chunks.">One of its dimensions has length 0.</EmptyState>;
  }
  return (
    <div role="group" className={styles.panel} aria-label="Chunk grid" aria-busy={coloured.stale}>
      <GridControls
        {...{ node, grid, array, colour, onColour, map }}
        plane={state.plane}
        onPlane={state.setPlane}
        compared={compared !== undefined}
      />
      {coloured.error === undefined ? null : <ErrorNotice error={coloured.error} onRetry={coloured.retry} />}
      <CellMap label={gridLabel(node, extent)} className={styles.frame} {...cells} />
      <CellLine facts={facts} array={array} spoken={spoken} />
      <GridLegend
        {...{ set, node, colour, compared, extent }}
        layer={coloured.layer}
        lookedTarget={facts?.row?.targetId}
        window={windowSeen(map.view)}
        onGoTo={(coordinates) => {
          state.goTo(coordinates);
          // By keyboard one goes on from there.
          map.frame.current?.focus();
        }}
      />
    </div>
  );
}

function useArrayGrid({ set, node, grid, colour }: ArrayGridProps) {
  const actions = useActions();
  const chunk = useAppState((state) => state.chunk);
  const state = useGridState(node.path, grid);
  const { plane, cursor } = state;
  const extent = extentOf(grid, plane);
  const axes = useMemo(() => numbered({ row: 0, column: 0 }, { columns: extent.columns }), [extent.columns]);
  const map = useCellMap({ extent, axes, cursor, subject: `${plane.row} ${plane.column}` });
  const [hovered, setHovered] = useState<CellPlace>();
  const [focused, setFocused] = useState(false);

  const detail = useEngine("set.node", { set: set.id, path: node.path }).data;
  const array = detail?.path === node.path ? detail.array : undefined;
  const spec = rasterSpec(node.path, plane, map, colour);
  const coloured = useRaster(set.id, spec);
  // The shapes in the cells are those of the states, whatever the colours say.
  const hasStates = colour !== "state" && colour !== "change";
  const stated = useRaster(set.id, hasStates && spec !== undefined ? { ...spec, colour: "state" } : undefined);
  const failed = useFailedPlaces(set.id, node, plane);
  const selected = useMemo(() => (chunk === undefined ? undefined : placeOf(plane, chunk)), [plane, chunk]);
  const looked = hovered ?? (focused ? cursor : selected);
  const known = useCellFacts(set, node, array, looked && coordinatesAt(plane, looked));
  const change = useCellChange(set.id, spec, looked, coloured.layer);
  const facts = known && { ...known, ...(change && { change: changeWords(change, node.shardShape !== undefined) }) };
  const { layer } = coloured;
  const states = colour === "state" ? layer : stated.layer;
  const select = (place: CellPlace) => {
    state.setCursor(place);
    actions.selectChunk(node.path, coordinatesAt(plane, place));
  };
  const cells: Omit<CellMapProps, "label"> = {
    map,
    picture: useMemo(() => gridPicture(colour, layer, states, failed), [colour, layer, states, failed]),
    marks: useMarks(selected, focused ? cursor : undefined),
    cursor,
    onCursor: state.setCursor,
    onHover: setHovered,
    onFocus: setFocused,
    onClick: select,
    onOpen: select,
  };
  return { state, array, facts, coloured, cells, spoken: focused && hovered === undefined };
}

function useMarks(selected: CellPlace | undefined, cursor: CellPlace | undefined): readonly Mark[] {
  return useMemo(
    () => [
      ...(selected === undefined ? [] : [{ place: selected, token: "--ink" } as const]),
      ...(cursor === undefined ? [] : [{ place: cursor, token: "--focus" } as const]),
    ],
    [selected, cursor],
  );
}

function gridLabel(node: NodeSummary, extent: { readonly rows: number; readonly columns: number }): string {
  const name = node.path === "" ? "the root array" : node.path;
  return `Chunk grid of ${name}, ${extent.rows} by ${extent.columns} chunks. Arrow keys move, Enter selects, plus and minus zoom.`;
}
