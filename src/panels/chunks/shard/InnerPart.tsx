/** The grid of inner chunks. */
import { coordinatesOf, ordinalOf } from "../../../core/chunk-grid.ts";
import type { CellPlace } from "../../../widgets/cell-map/camera.ts";
import { CellMap } from "../../../widgets/cell-map/CellMap.tsx";
import { DimensionSlider, SideSelects } from "../../../widgets/cell-map/Dimensions.tsx";
import { coordinatesAt, slidDimensions } from "../../../widgets/cell-map/plane.ts";
import { ZoomButtons } from "../../../widgets/cell-map/ZoomButtons.tsx";
import { dimensionName } from "../../../widgets/dimension-name.ts";
import { formatCount, formatShape } from "../../../widgets/number-format.ts";
import type { ShardArray } from "./shard-props.ts";
import type { PartHandlers } from "./StripPart.tsx";
import { useInner, type InnerInput } from "./use-inner.ts";
import styles from "./ShardPanel.module.css";

export type InnerPartProps = InnerInput & PartHandlers & { readonly label: string; readonly array: ShardArray };

export function InnerPart(props: InnerPartProps) {
  const { label, map, array, cursor, onCursor, onHover, onSelect, onOpen, onFocus } = props;
  const { innerGrid } = map;
  const { plane, setPlane, place, cells, raster, picture, frames } = useInner(props);
  const { cellsDown, cellsAlong } = raster;
  const innerAt = (at: CellPlace) => ordinalOf(innerGrid, coordinatesAt(plane, at)) ?? cursor;
  return (
    <div role="group" className={styles.inner} aria-label="Inner chunks">
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>Inner chunks</h3>
        <span className={styles.seen}>
          {formatShape(innerGrid)}
          {cellsDown * cellsAlong > 1 ? ` · 1 pixel = ${cellsDown} × ${cellsAlong}, the worst is shown` : ""}
        </span>
        <ZoomButtons label="Zoom of the inner chunks" all="Show all inner chunks" {...cells} />
      </div>
      {innerGrid.length < 3 ? null : (
        <div className={styles.dimensions}>
          <SideSelects names={array.dimensionNames} counts={innerGrid} plane={plane} onPlane={setPlane} />
          <InnerSliders {...{ array, innerGrid, cursor, onCursor }} shown={[plane.row, plane.column]} />
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
        onOpen={() => onOpen(cursor)}
      />
    </div>
  );
}

interface InnerSlidersProps extends Pick<InnerPartProps, "array" | "cursor" | "onCursor"> {
  readonly innerGrid: readonly number[];
  readonly shown: readonly (number | undefined)[];
}

/** They move the cursor: the slice in sight is its. */
function InnerSliders({ array, innerGrid, cursor, onCursor, shown }: InnerSlidersProps) {
  const coordinates = coordinatesOf(innerGrid, cursor);
  return slidDimensions(innerGrid, shown).map((dimension) => {
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
