/** What the map shows, in words, and the choice of what goes down, along and from panel to panel. */
import { SideSelects } from "../../../widgets/cell-map/Dimensions.tsx";
import { slidDimensions } from "../../../widgets/cell-map/plane.ts";
import { dimensionName } from "../../../widgets/dimension-name.ts";
import { Popover } from "../../../widgets/Popover.tsx";
import type { MapProps } from "./map-props.ts";
import { risesNorth } from "./panel-slices.ts";
import styles from "./MapPart.module.css";

interface MapHeadProps extends MapProps {
  /** One slice is shown. */
  readonly single: boolean;
  /** Absent where there is no room for all. */
  readonly onSingle: ((single: boolean) => void) | undefined;
}

export function MapHead(props: MapHeadProps) {
  const { node, grid, state, single, onSingle } = props;
  const words = sidesWords(props);
  const hasSlices = slidDimensions(grid, [state.plane.row, state.plane.column]).length > 0;
  return (
    <div className={styles.head}>
      <h2 className={styles.title}>Map</h2>
      <span className={styles.words} title={words}>
        {words}
      </span>
      {grid.length < 2 ? null : (
        <Popover label="Sides" title="Sides of the map" align="end">
          <div className={styles.sides}>
            <SideSelects
              names={node.dimensionNames}
              counts={grid}
              plane={state.plane}
              onPlane={state.setPlane}
              className={styles.choice}
            />
            {hasSlices ? (
              <label className={styles.single}>
                <input
                  type="checkbox"
                  checked={single}
                  disabled={onSingle === undefined}
                  onChange={({ target }) => onSingle?.(target.checked)}
                />
                One slice at a time
              </label>
            ) : null}
            {onSingle === undefined && hasSlices ? (
              <p className={styles.faint}>There are too many chunks to show all slices at once.</p>
            ) : null}
          </div>
        </Popover>
      )}
    </div>
  );
}

/** `lat up, lon right, a panel a time chunk`. */
function sidesWords({ node, grid, axes, state, single }: MapHeadProps): string {
  const { row, column } = state.plane;
  const name = (dimension: number) => dimensionName(node.dimensionNames, dimension);
  const [through] = slidDimensions(grid, [row, column]);
  const parts: string[] = [];
  if (row !== undefined) parts.push(`${name(row)} ${!single && risesNorth(axes(row)) ? "up" : "down"}`);
  if (column !== undefined) parts.push(`${name(column)} right`);
  if (!single && through !== undefined) parts.push(`a panel a ${name(through)} chunk`);
  if (node.shardShape !== undefined && !single) parts.push("frames are shards");
  return parts.join(", ");
}
