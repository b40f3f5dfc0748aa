import { Choice } from "./Choice.tsx";
import { firstIndex, type ChunkArray } from "./chunk-words.ts";
import { slidDimensions, withColumn, withCursor, withRow, type ShownDimensions } from "./shown-dimensions.ts";
import styles from "./ChunkPanel.module.css";

interface DimensionChoiceProps {
  readonly array: ChunkArray;
  readonly shown: ShownDimensions;
  readonly onShown: (shown: ShownDimensions) => void;
}

/** Which dimension runs down the rows, and which along the columns. */
export function DimensionChoice({ array, shown, onShown }: DimensionChoiceProps) {
  if (shown.row === undefined) return null;
  return (
    <>
      <DimensionSelect
        label="Rows"
        names={array.dimensions}
        value={shown.row}
        onValue={(dimension) => {
          onShown(withRow(shown, dimension));
        }}
      />
      <DimensionSelect
        label="Columns"
        names={array.dimensions}
        value={shown.column}
        onValue={(dimension) => {
          onShown(withColumn(shown, dimension));
        }}
      />
    </>
  );
}

interface DimensionSelectProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly value: number | undefined;
  readonly onValue: (dimension: number) => void;
}

/** Dimensions by name; two may have the same. */
export function DimensionSelect({ label, names, value, onValue }: DimensionSelectProps) {
  return (
    <Choice
      label={label}
      value={String(value ?? "")}
      options={names.map((text, dimension) => ({ value: String(dimension), text }))}
      onValue={(chosen) => {
        onValue(Number(chosen));
      }}
    />
  );
}

interface DimensionSlidersProps extends DimensionChoiceProps {
  readonly coordinates: readonly number[];
  readonly inside: readonly number[];
  /** Dimensions that need no slider, since they are shown whole. */
  readonly moving: readonly (number | undefined)[];
}

/** Where the dimensions that are not shown stand, as indices of the array. */
export function DimensionSliders({ array, coordinates, inside, moving, shown, onShown }: DimensionSlidersProps) {
  const slid = slidDimensions(moving, inside);
  if (slid.length === 0) return null;
  return (
    <div className={styles.sliders}>
      {slid.map((dimension) => {
        const first = firstIndex(array, coordinates, dimension);
        const last = first + (inside[dimension] ?? 1) - 1;
        const at = first + (shown.cursor[dimension] ?? 0);
        return (
          <div key={dimension} className={styles.slider}>
            <span aria-hidden="true">{array.dimensions[dimension]}</span>
            <input
              type="range"
              aria-label={array.dimensions[dimension]}
              min={first}
              max={last}
              value={at}
              onChange={(event) => {
                onShown(withCursor(shown, dimension, Number(event.target.value) - first));
              }}
            />
            <output title={`${first} to ${last}`}>{at}</output>
          </div>
        );
      })}
    </div>
  );
}
