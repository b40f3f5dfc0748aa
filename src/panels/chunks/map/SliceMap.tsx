/** One slice of the grid as a picture that is moved in, with a slider for each of the other dimensions. */
import { useMemo, useState } from "react";
import { useActions } from "../../../store/react.tsx";
import { numbered } from "../../../widgets/cell-map/axes.ts";
import { windowSeen, type CellPlace, type SideSpacing } from "../../../widgets/cell-map/camera.ts";
import { CellMap, type CellMapProps } from "../../../widgets/cell-map/CellMap.tsx";
import { DimensionSlider } from "../../../widgets/cell-map/Dimensions.tsx";
import type { Mark } from "../../../widgets/cell-map/draw-map.ts";
import {
  coordinatesAt,
  elementSpan,
  extentOf,
  placeOf,
  slidDimensions,
  withIndex,
  type Plane,
} from "../../../widgets/cell-map/plane.ts";
import { spacingOf } from "../../../widgets/cell-map/spacing.ts";
import { useCellMap } from "../../../widgets/cell-map/use-cell-map.ts";
import { ZoomButtons } from "../../../widgets/cell-map/ZoomButtons.tsx";
import { dimensionName } from "../../../widgets/dimension-name.ts";
import { ErrorNotice } from "../../../widgets/ErrorNotice.tsx";
import { formatCount } from "../../../widgets/number-format.ts";
import { point, usePointed } from "../pointed-chunk.ts";
import { changeWords } from "./change-words.ts";
import { gridPicture } from "./grid-picture.ts";
import { scaleSentence, windowSentence } from "./legend-text.ts";
import { MapFoot } from "./MapFoot.tsx";
import type { MapProps } from "./map-props.ts";
import { useCellChange } from "./use-cell-change.ts";
import { rasterSpec, useFailedPlaces } from "./use-grid.ts";
import { useLooked } from "./use-looked.ts";
import { useRaster } from "./use-raster.ts";
import styles from "./MapPart.module.css";

export function SliceMap(props: MapProps) {
  const { node, grid, colour, state, label } = props;
  const { coloured, cells, facts, spoken, onGoTo } = useSlice(props);
  const { map } = cells;
  const { extent } = map.view;
  const { layer } = coloured;
  const sentence = [
    scaleSentence(layer, colour),
    windowSentence(windowSeen(map.view), extent, node.cells ?? extent.rows * extent.columns),
  ];
  const slid = slidDimensions(grid, [state.plane.row, state.plane.column]);
  return (
    <>
      <div className={styles.line}>
        {slid.map((dimension) => (
          <GridSlider key={dimension} dimension={dimension} {...props} />
        ))}
        <ZoomButtons label="Zoom" all="Show the whole grid" {...map} />
      </div>
      {coloured.error === undefined ? null : <ErrorNotice error={coloured.error} onRetry={coloured.retry} />}
      <CellMap label={label} className={styles.frame} {...cells} />
      <MapFoot
        {...props}
        {...{ facts, spoken }}
        dotted={false}
        minimum={layer?.minimum}
        maximum={layer?.maximum}
        sentence={sentence.filter(Boolean).join(" · ")}
        onGoTo={onGoTo}
      />
    </>
  );
}

function useSlice(props: MapProps) {
  const { set, node, grid, colour, state, chunk, pointed } = props;
  const actions = useActions();
  const { plane, cursor } = state;
  const extent = extentOf(grid, plane);
  const axes = useMemo(() => numbered({ row: 0, column: 0 }, { columns: extent.columns }), [extent.columns]);
  const spacing = useSpacing(node, plane);
  const map = useCellMap({ extent, axes, spacing, cursor, subject: `${plane.row} ${plane.column}` });
  const [focused, setFocused] = useState(false);
  const spec = rasterSpec(node.path, plane, map, colour);
  const coloured = useRaster(set.id, spec);
  // The shapes in the cells are those of the states, whatever the colours say.
  const hasStates = colour !== "state" && colour !== "change";
  const stated = useRaster(set.id, hasStates && spec !== undefined ? { ...spec, colour: "state" } : undefined);
  const failed = useFailedPlaces(set.id, node, plane);
  const selected = useMemo(() => (chunk === undefined ? undefined : placeOf(plane, chunk)), [plane, chunk]);
  const pointedAt = usePointed(pointed);
  const hovered = useMemo(() => pointedAt && placeOf(plane, pointedAt), [plane, pointedAt]);
  const looked = useLooked(props, { focused, hovered: pointedAt });
  const place = hovered ?? (focused ? cursor : selected);
  const change = useCellChange(set.id, spec, place, coloured.layer);
  const facts = looked.facts && {
    ...looked.facts,
    ...(change && { change: changeWords(change, node.shardShape !== undefined) }),
  };
  const { layer } = coloured;
  const states = colour === "state" ? layer : stated.layer;
  const select = (at: CellPlace) => {
    state.setCursor(at);
    actions.selectChunk(node.path, coordinatesAt(plane, at));
  };
  const cells: Omit<CellMapProps, "label"> = {
    map,
    picture: useMemo(() => gridPicture(colour, layer, states, failed), [colour, layer, states, failed]),
    marks: useMarks(selected, focused ? cursor : undefined, hovered),
    cursor,
    onCursor: state.setCursor,
    onHover: (at) => point(pointed, at && coordinatesAt(plane, at)),
    onFocus: setFocused,
    onClick: select,
    onOpen: select,
  };
  const onGoTo = (coordinates: readonly number[]) => {
    state.goTo(coordinates);
    // By keyboard one goes on from there.
    map.frame.current?.focus();
  };
  return { coloured, cells, facts, spoken: looked.spoken, onGoTo };
}

/** Unequal chunks are drawn to scale. */
function useSpacing({ shape, chunks }: MapProps["node"], { row, column }: Plane): SideSpacing | undefined {
  return useMemo(() => {
    const along = (dimension: number | undefined) =>
      dimension === undefined ? undefined : spacingOf(shape?.[dimension] ?? 0, chunks?.[dimension] ?? 1);
    const spacing = { rows: along(row), columns: along(column) };
    return spacing.rows === undefined && spacing.columns === undefined ? undefined : spacing;
  }, [shape, chunks, row, column]);
}

function useMarks(
  selected: CellPlace | undefined,
  cursor: CellPlace | undefined,
  hovered: CellPlace | undefined,
): readonly Mark[] {
  return useMemo(
    () => [
      ...(hovered === undefined ? [] : [{ place: hovered, token: "--ink", thin: true } as const]),
      ...(selected === undefined ? [] : [{ place: selected, token: "--ink" } as const]),
      ...(cursor === undefined ? [] : [{ place: cursor, token: "--focus" } as const]),
    ],
    [selected, cursor, hovered],
  );
}

function GridSlider({ node, grid, array, state, dimension }: MapProps & { readonly dimension: number }) {
  const { plane, setPlane } = state;
  const count = grid[dimension] ?? 1;
  const at = plane.at[dimension] ?? 0;
  const length = node.shape?.[dimension] ?? count;
  const span = elementSpan(length, node.chunks?.[dimension] ?? 1, at);
  const name = dimensionName(node.dimensionNames, dimension);
  const { first, last } = array?.dimensions[dimension] ?? {};
  return (
    <DimensionSlider
      {...{ name, count, at }}
      className={styles.slider}
      fieldLabel={`Chunk along ${name}`}
      valueText={`chunk ${at}, elements ${span}`}
      note={`${span} of ${formatCount(length)}`}
      noteTitle={first === undefined || last === undefined ? undefined : `Coordinates from ${first} to ${last}`}
      onAt={(next) => setPlane(withIndex(plane, dimension, next))}
    />
  );
}
