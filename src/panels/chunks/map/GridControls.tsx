/** What the grid shows: colours, the two dimensions, where the others stand, and zoom. */
import type { ArrayDetail, NodeSummary, RasterColour } from "../../../core/open-set.ts";
import { DimensionSlider, SideSelects } from "../../../widgets/cell-map/Dimensions.tsx";
import { elementSpan, slidDimensions, withIndex, type Plane } from "../../../widgets/cell-map/plane.ts";
import { ZoomButtons, type ZoomButtonsProps } from "../../../widgets/cell-map/ZoomButtons.tsx";
import { Choice } from "../../../widgets/Choice.tsx";
import { dimensionName } from "../../../widgets/dimension-name.ts";
import { formatCount } from "../../../widgets/number-format.ts";
import styles from "./MapPart.module.css";

const COLOURS: readonly { readonly value: RasterColour; readonly text: string }[] = [
  { value: "state", text: "state" },
  { value: "target", text: "target" },
  { value: "length", text: "length" },
  { value: "reading", text: "reading result" },
];
const CHANGE_COLOUR = { value: "change", text: "change between snapshots" } as const;

export interface GridControlsProps {
  readonly node: NodeSummary;
  readonly grid: readonly number[];
  readonly array: ArrayDetail | undefined;
  readonly plane: Plane;
  readonly onPlane: (plane: Plane) => void;
  readonly colour: RasterColour;
  readonly onColour: (colour: RasterColour) => void;
  /** Whether two snapshots were compared that differ in this array. */
  readonly compared: boolean;
  readonly map: Pick<ZoomButtonsProps, "zoomed" | "zoom" | "fit">;
}

export function GridControls(props: GridControlsProps) {
  const { node, grid, plane, onPlane, colour, onColour, compared, map } = props;
  const { zoomed, zoom, fit } = map;
  const slid = slidDimensions(grid, [plane.row, plane.column]);
  const colours = compared ? [...COLOURS, CHANGE_COLOUR] : COLOURS;
  return (
    <div className={styles.controls}>
      <div className={styles.line}>
        <Choice
          label="Colour by"
          value={colour}
          options={colours}
          className={styles.choice}
          onValue={(chosen) => onColour(colours.find(({ value }) => value === chosen)?.value ?? "state")}
        />
        {grid.length < 2 ? null : (
          <SideSelects names={node.dimensionNames} counts={grid} {...{ plane, onPlane }} className={styles.choice} />
        )}
        <ZoomButtons label="Zoom" all="Show the whole grid" magnifiable {...{ zoomed, zoom, fit }} />
      </div>
      {slid.length === 0 ? null : (
        <div className={styles.line}>
          {slid.map((dimension) => (
            <GridSlider key={dimension} dimension={dimension} {...props} />
          ))}
        </div>
      )}
    </div>
  );
}

function GridSlider({
  node,
  grid,
  array,
  plane,
  onPlane,
  dimension,
}: GridControlsProps & { readonly dimension: number }) {
  const count = grid[dimension] ?? 1;
  const at = plane.at[dimension] ?? 0;
  const length = node.shape?.[dimension] ?? count;
  const span = elementSpan(length, node.chunks?.[dimension] ?? 1, at);
  const name = dimensionName(node.dimensionNames, dimension);
  return (
    <DimensionSlider
      {...{ name, count, at }}
      fieldLabel={`Chunk along ${name}`}
      valueText={`chunk ${at}, elements ${span}`}
      note={`${span.includes("–") ? "elements" : "element"} ${span} of ${formatCount(length)}`}
      noteTitle={coordinateRange(array?.dimensions[dimension])}
      onAt={(next) => onPlane(withIndex(plane, dimension, next))}
    />
  );
}

function coordinateRange(summary: ArrayDetail["dimensions"][number] | undefined): string | undefined {
  if (summary?.first === undefined || summary.last === undefined) return undefined;
  return `Coordinates from ${summary.first} to ${summary.last}`;
}
