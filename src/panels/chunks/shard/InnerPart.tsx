/** The grid of inner chunks. */
import { stridesC } from "#core/values/gather.ts";
import { useMemo, useState } from "react";
import { coordinatesOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import { ENTRY_STATES, type EntryState, isDamaged, type ShardMap } from "#core/table/shard-map.ts";
import { CellMap } from "#widgets/cell-map/CellMap.tsx";
import { DimensionSlider, SideSelects } from "#widgets/cell-map/Dimensions.tsx";
import { ZoomButtons } from "#widgets/cell-map/ZoomButtons.tsx";
import { numbered } from "#widgets/cell-map/axes.ts";
import { cellSize, pixelRoom, windowSeen } from "#widgets/cell-map/camera.ts";
import type { Area, CellPlace, CellWindow, GridExtent } from "#widgets/cell-map/camera.ts";
import { type CellPicture, hasRoomForSigns, type Mark } from "#widgets/cell-map/draw-map.ts";
import type { Palette } from "#widgets/cell-map/palette.ts";
import { coordinatesAt, extentOf, firstPlane, placeOf, sidesOf, slidDimensions } from "#widgets/cell-map/plane.ts";
import type { Plane } from "#widgets/cell-map/plane.ts";
import { CROSS, HOLLOW, type Sign, TWO_BARS } from "#widgets/cell-map/signs.ts";
import type { CellRaster } from "#widgets/cell-map/tile.ts";
import { useCellMap } from "#widgets/cell-map/use-cell-map.ts";
import { dimensionName } from "#widgets/zarr-words.ts";
import { formatCount, formatShape } from "#widgets/number-format.ts";
import styles from "./StripPart.module.css";
import type { PartHandlers, StripInput } from "./StripPart.tsx";
import { ramp } from "../cell-colours.ts";
import { cellPixels, stateOf, type Tints } from "./file-order.ts";
import { markedChunks, type ShardArray } from "./shard-props.ts";

export type InnerPartProps = InnerInput & PartHandlers & { readonly label: string; readonly array: ShardArray };

export function InnerPart(props: InnerPartProps) {
  const { label, map, array, cursor, onCursor, onHover, onSelect, onFocus } = props;
  const { innerGrid } = map;
  const { plane, setPlane, place, cells, raster, picture, frames } = useInner(props);
  const { cellsDown, cellsAlong } = raster;
  const innerAt = (at: CellPlace) => ordinalOf(innerGrid, coordinatesAt(plane, at)) ?? cursor;
  return (
    <div role="group" className="column narrow low" aria-label="Inner chunks">
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>Inner chunks</h3>
        <span className="cut faint size-12 tabular">
          {formatShape(innerGrid)}
          {cellsDown * cellsAlong > 1 ? ` · 1 pixel = ${cellsDown} × ${cellsAlong}, the worst is shown` : ""}
        </span>
        <ZoomButtons label="Zoom of the inner chunks" all="Show all inner chunks" {...cells} />
      </div>
      {innerGrid.length < 3 ? null : (
        <div className={styles.dimensions}>
          <SideSelects names={array.dimensionNames} counts={innerGrid} plane={plane} onPlane={setPlane} />
          <InnerSliders {...props} plane={plane} />
        </div>
      )}
      <CellMap
        {...{ label, picture, onFocus }}
        map={cells}
        marks={frames}
        className={styles.innerFrame}
        cursor={place}
        onCursor={(at) => onCursor(innerAt(at))}
        onHover={(at) => onHover(at && { kind: "chunk", inner: innerAt(at) })}
        onClick={(at) => {
          onCursor(innerAt(at));
          onSelect(innerAt(at));
        }}
        onOpen={() => onSelect(cursor)}
      />
    </div>
  );
}

/** They move the cursor: the slice in sight is its. */
function InnerSliders({ array, map, cursor, onCursor, plane }: InnerPartProps & { readonly plane: Plane }) {
  const { innerGrid } = map;
  const coordinates = coordinatesOf(innerGrid, cursor);
  return slidDimensions(innerGrid, [plane.row, plane.column]).map((dimension) => {
    const name = dimensionName(array.dimensionNames, dimension);
    const count = innerGrid[dimension] ?? 1;
    return (
      <DimensionSlider
        key={dimension}
        {...{ name, count }}
        at={coordinates[dimension] ?? 0}
        fieldLabel={`Inner chunk along ${name}`}
        note={`of ${formatCount(count)}`}
        onAt={(next) => {
          const to = ordinalOf(innerGrid, coordinates.with(dimension, next));
          if (to !== undefined) onCursor(to);
        }}
      />
    );
  });
}

// The grid of inner chunks: which two dimensions are shown, and what the cells are.

interface InnerInput extends Tints, Omit<StripInput, "order" | "array"> {
  /** Inner chunks along each dimension that lie in the array. */
  readonly inside: readonly number[];
}

/** The slice in sight is always that of the chunk under the pointer, or of the cursor. */
function usePlane({ innerGrid }: ShardMap, looked: number) {
  const [sides, setSides] = useState(() => firstPlane(innerGrid));
  const { row, column } = sides.at.length === innerGrid.length ? sides : firstPlane(innerGrid);
  const slice = coordinatesOf(innerGrid, looked).map((at, dimension) =>
    dimension === row || dimension === column ? 0 : at,
  );
  const key = slice.join(".");
  // The same object while the slice is the same, whatever chunk of it is looked at.
  const plane = useMemo<Plane>(
    () => ({ row, column, at: key === "" ? [] : key.split(".").map(Number) }),
    [row, column, key],
  );
  return [plane, setSides] as const;
}

function useInner({ map, shard, steps, colour, cursor, marks, inside }: InnerInput) {
  const { innerGrid } = map;
  const [plane, setPlane] = usePlane(map, marks.hovered ?? cursor);
  const { row, column } = plane;
  const subject = useMemo(() => ({ map, row, column }), [map, row, column]);
  const place = useMemo(
    () => sidesOf({ row, column }, coordinatesOf(innerGrid, cursor)),
    [innerGrid, cursor, row, column],
  );
  const extent = extentOf(innerGrid, plane);
  const axes = useMemo(() => {
    return numbered(sidesOf({ row, column }, shard.first), { columns: extent.columns });
  }, [shard.first, row, column, extent.columns]);
  const cells = useCellMap({ extent, axes, cursor: place, subject });
  const { view, size } = cells;
  const raster = useMemo(() => {
    const seen = windowSeen(view);
    return rasterInner(map, plane, seen, pixelRoom(view, seen, size.ratio));
  }, [map, plane, view, size.ratio]);
  const small = !hasRoomForSigns(cellSize(view));
  const picture = useMemo(
    () => innerPicture(map, raster, { steps, colour }, extentOf(inside, plane), small),
    [map, raster, steps, colour, inside, plane, small],
  );
  const { selected, cursor: focused, hovered } = marks;
  const frames = useMemo<readonly Mark[]>(
    () =>
      markedChunks({ selected, cursor: focused, hovered }).flatMap(({ inner, token }) => {
        const found = placeOf(plane, coordinatesOf(innerGrid, inner));
        return found === undefined ? [] : [{ place: found, token }];
      }),
    [innerGrid, plane, selected, focused, hovered],
  );
  return { plane, setPlane, place, cells, raster, picture, frames };
}

// The cells of a shard: what each inner chunk looks like.

/** `small`: signs have no room, so that damaged chunks are marked beyond their cells. */
function innerPicture(
  map: ShardMap,
  raster: InnerRaster,
  { steps, colour }: Tints,
  inside: GridExtent,
  small: boolean,
): CellPicture {
  const stateAt = (pixel: number) => stateOf(map, raster.owners[pixel] ?? 0);
  return {
    tiles: [
      {
        ...raster,
        pixels: (palette: Palette) => cellPixels(raster.owners, map, steps, ramp(colour, palette), palette),
      },
    ],
    gaps: true,
    signs: [{ raster, signAt: (pixel) => signOf(stateAt(pixel)) }],
    failed: small ? damagedPlaces(raster, stateAt) : [],
    inside,
  };
}

function signOf(state: EntryState): Sign | undefined {
  if (state === "empty") return HOLLOW;
  if (state === "shared") return TWO_BARS;
  return isDamaged(state) ? CROSS : undefined;
}

/** Number of damaged chunks above which their colour suffices without marks. */
const MAX_MARKED = 400;

function damagedPlaces(raster: InnerRaster, stateAt: (pixel: number) => EntryState): readonly CellPlace[] {
  const { rows, columns } = raster.window;
  const places: CellPlace[] = [];
  for (let pixel = 0; pixel < raster.owners.length && places.length <= MAX_MARKED; pixel += 1) {
    if (!isDamaged(stateAt(pixel))) continue;
    const row = rows.from + Math.floor(pixel / raster.width) * raster.cellsDown;
    places.push({ row, column: columns.from + (pixel % raster.width) * raster.cellsAlong });
  }
  return places.length > MAX_MARKED ? [] : places;
}

// Which inner chunk each pixel of the grid shows: the worst where several share one. Pure.

interface InnerRaster extends CellRaster {
  /** Ordinals, row by row. */
  readonly owners: Int32Array<ArrayBuffer>;
}

/** Damaged before present before empty. */
const RANK = ENTRY_STATES.map((state) => (isDamaged(state) ? 2 : state === "empty" ? 0 : 1));

/** At most `limit` pixels of cells each way, for a window of a plane of the inner grid. */
export function rasterInner(map: ShardMap, plane: Plane, window: CellWindow, limit: Area): InnerRaster {
  const { rows, columns } = window;
  const cellsDown = Math.max(1, Math.ceil((rows.to - rows.from) / Math.max(1, limit.height)));
  const cellsAlong = Math.max(1, Math.ceil((columns.to - columns.from) / Math.max(1, limit.width)));
  const height = Math.ceil((rows.to - rows.from) / cellsDown);
  const width = Math.ceil((columns.to - columns.from) / cellsAlong);
  const strides = stridesC(map.innerGrid);
  const down = plane.row === undefined ? 0 : (strides[plane.row] ?? 0);
  const along = plane.column === undefined ? 0 : (strides[plane.column] ?? 0);
  const base = plane.at.reduce(
    (sum, at, dimension) =>
      dimension === plane.row || dimension === plane.column ? sum : sum + at * (strides[dimension] ?? 0),
    0,
  );
  const owners = new Int32Array(width * height).fill(-1);
  for (let row = rows.from; row < rows.to; row += 1) {
    const line = Math.floor((row - rows.from) / cellsDown) * width;
    for (let column = columns.from; column < columns.to; column += 1) {
      const at = line + Math.floor((column - columns.from) / cellsAlong);
      const inner = base + row * down + column * along;
      const now = owners[at] ?? -1;
      if (now < 0 || rankOf(map, inner) > rankOf(map, now)) owners[at] = inner;
    }
  }
  return { width, height, cellsDown, cellsAlong, window, owners };
}

const rankOf = (map: ShardMap, inner: number) => RANK[map.codes[inner] ?? 0] ?? 0;
