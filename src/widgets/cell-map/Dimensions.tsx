/** Which dimensions a map shows, and where the others stand. */
import { useId } from "react";
import { Choice } from "../controls/Segmented.tsx";
import { PlaceField } from "../controls/PlaceField.tsx";
import { dimensionName } from "../zarr-words.ts";
import { formatCount } from "../number-format.ts";
import { type Plane, withDimension } from "./plane.ts";
import styles from "./MapFrame.module.css";

type Names = readonly (string | undefined)[] | undefined;

export interface DimensionSelectProps {
  readonly label: string;
  readonly names: Names;
  /** Written beside the names. */
  readonly counts?: readonly number[] | undefined;
  readonly value: number | undefined;
  readonly onValue: (dimension: number) => void;
  readonly className?: string | undefined;
}

/** Dimensions by name; two may have the same. */
export function DimensionSelect({ label, names, counts, value, onValue, className }: DimensionSelectProps) {
  const options = Array.from({ length: (counts ?? names)?.length ?? 0 }, (_, dimension) => {
    const count = counts?.[dimension];
    const text = dimensionName(names, dimension) + (count === undefined ? "" : ` (${formatCount(count)})`);
    return { value: String(dimension), text };
  });
  return (
    <Choice
      label={label}
      value={String(value ?? "")}
      options={options}
      className={className ?? `inline-row gap-6 ${styles.choice}`}
      onValue={(chosen) => onValue(Number(chosen))}
    />
  );
}

export interface SideSelectsProps extends Pick<DimensionSelectProps, "names" | "counts" | "className"> {
  readonly plane: Plane;
  readonly onPlane: (plane: Plane) => void;
}

/** Which dimension goes down the rows, and which along the columns. */
export function SideSelects({ plane, onPlane, ...select }: SideSelectsProps) {
  return (["row", "column"] as const).map((side) => (
    <DimensionSelect
      key={side}
      label={side === "row" ? "Rows" : "Columns"}
      value={plane[side]}
      onValue={(dimension) => onPlane(withDimension(plane, side, dimension))}
      {...select}
    />
  ));
}

export interface DimensionSliderProps {
  readonly name: string;
  /** Number of the first of `count` places; 0 if not given. */
  readonly first?: number;
  readonly count: number;
  /** Counted from 0. */
  readonly at: number;
  readonly onAt: (at: number) => void;
  /** Label of a field in which to type where to go; without it the number is only shown. */
  readonly fieldLabel?: string;
  /** Goes to what was typed; returns why it did not. */
  readonly onPlace?: (typed: string) => string | undefined;
  readonly valueText?: string;
  readonly note?: string;
  readonly noteTitle?: string | undefined;
  readonly className?: string | undefined;
}

export function DimensionSlider(props: DimensionSliderProps) {
  const { name, first = 0, count, at, onAt, fieldLabel, onPlace, valueText, note, noteTitle, className } = props;
  const id = useId();
  const last = first + count - 1;
  const go = (next: number) => {
    if (Number.isInteger(next) && next >= 0 && next < count) onAt(next);
  };
  const goTo = (typed: string) => {
    const next = Number(typed) - first;
    if (!(next >= 0 && next < count)) return `Type a number from ${first} to ${formatCount(last)}.`;
    go(next);
    return undefined;
  };
  return (
    <div className={className ?? styles.slider}>
      <label htmlFor={id} title={name}>
        {name}
      </label>
      <input
        id={id}
        type="range"
        aria-valuetext={valueText}
        min={first}
        max={last}
        value={first + at}
        onChange={({ target }) => go(target.valueAsNumber - first)}
      />
      {fieldLabel === undefined ? (
        <output title={`${first} to ${last}`}>{first + at}</output>
      ) : (
        <PlaceField
          aria-label={fieldLabel}
          at={String(first + at)}
          onPlace={onPlace ?? goTo}
          onStep={(by) => go(at + by)}
        />
      )}
      {note === undefined ? null : (
        <span className="one-line quiet tabular" title={noteTitle}>
          {note}
        </span>
      )}
    </div>
  );
}
