/** What the grid shows: colours, the two dimensions, where the others stand, and zoom. */
import { useId } from "react";
import type { ArrayDetail, NodeSummary, RasterColour } from "../../core/open-set.ts";
import { dimensionName } from "../../widgets/dimension-name.ts";
import { formatCount } from "../../widgets/number-format.ts";
import { SideSelect } from "../../widgets/SideSelect.tsx";
import { ZoomButtons } from "../../widgets/ZoomButtons.tsx";
import { elementSpan, slidDimensions, withFixed, type GridPlane } from "../../widgets/grid-plane.ts";
import styles from "./GridPanel.module.css";

const COLOURS: readonly { readonly value: RasterColour; readonly label: string }[] = [
  { value: "state", label: "state" },
  { value: "target", label: "target" },
  { value: "length", label: "length" },
  { value: "reading", label: "reading result" },
];
const CHANGE_COLOUR = { value: "change", label: "change between snapshots" } as const;

export interface GridControlsProps {
  readonly node: NodeSummary;
  readonly grid: readonly number[];
  readonly array: ArrayDetail | undefined;
  readonly plane: GridPlane;
  readonly onPlane: (plane: GridPlane) => void;
  readonly colour: RasterColour;
  readonly onColour: (colour: RasterColour) => void;
  /** Whether two snapshots were compared that differ in this array. */
  readonly compared: boolean;
  readonly zoomed: boolean;
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
}

export function GridControls(props: GridControlsProps) {
  const { node, grid, plane, onPlane, colour, onColour, compared, zoomed, onZoom, onFit } = props;
  const id = useId();
  const slid = slidDimensions(grid, plane);
  const colours = compared ? [...COLOURS, CHANGE_COLOUR] : COLOURS;
  return (
    <div className={styles.controls}>
      <div className={styles.line}>
        <label htmlFor={id}>Colour by</label>
        <select
          id={id}
          className={styles.colour}
          value={colour}
          onChange={(event) => {
            onColour(colours.find(({ value }) => value === event.target.value)?.value ?? "state");
          }}
        >
          {colours.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {grid.length < 2
          ? null
          : (["row", "column"] as const).map((side) => (
              <SideSelect
                key={side}
                side={side}
                names={node.dimensionNames}
                grid={grid}
                plane={plane}
                onPlane={onPlane}
                className={styles.dimension}
              />
            ))}
        <ZoomButtons
          label="Zoom"
          all="Show the whole grid"
          magnifiable
          className={styles.zoom}
          {...{ zoomed, onZoom, onFit }}
        />
      </div>
      {slid.length === 0 ? null : (
        <div className={styles.line}>
          {slid.map((dimension) => (
            <DimensionSlider key={dimension} dimension={dimension} {...props} />
          ))}
        </div>
      )}
    </div>
  );
}

function DimensionSlider(props: GridControlsProps & { readonly dimension: number }) {
  const { node, grid, array, plane, onPlane, dimension } = props;
  const id = useId();
  const count = grid[dimension] ?? 1;
  const at = plane.fixed[dimension] ?? 0;
  const summary = array?.dimensions[dimension];
  const length = node.shape?.[dimension] ?? count;
  const span = elementSpan(length, node.chunks?.[dimension] ?? 1, at);
  const set = (next: number) => {
    if (Number.isInteger(next) && next >= 0 && next < count) onPlane(withFixed(plane, dimension, next));
  };
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>{dimensionName(node.dimensionNames, dimension)}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={count - 1}
        value={at}
        aria-valuetext={`chunk ${at}, elements ${span}`}
        onChange={(event) => {
          set(event.target.valueAsNumber);
        }}
      />
      <input
        type="number"
        aria-label={`Chunk along ${dimensionName(node.dimensionNames, dimension)}`}
        min={0}
        max={count - 1}
        value={at}
        onChange={(event) => {
          set(event.target.valueAsNumber);
        }}
      />
      <span className={styles.span} title={coordinateRange(summary)}>
        {span.includes("–") ? "elements" : "element"} {span} of {formatCount(length)}
      </span>
    </div>
  );
}

function coordinateRange(summary: ArrayDetail["dimensions"][number] | undefined): string | undefined {
  if (summary?.first === undefined || summary.last === undefined) return undefined;
  return `Coordinates from ${summary.first} to ${summary.last}`;
}
