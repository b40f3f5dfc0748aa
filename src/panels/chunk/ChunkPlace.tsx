import { placeRange } from "../../core/axis-text.ts";
import { useActions } from "../../store/react.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import {
  indexWords,
  indicesAlong,
  keyHint,
  movableDimensions,
  neighbour,
  rangeWords,
  type ChunkArray,
} from "./chunk-words.ts";
import type { Axes } from "../../store/use-cheap-axes.ts";
import styles from "./ChunkHeader.module.css";

interface ChunkPlaceProps {
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
  readonly axes: Axes;
}

/** Where the chunk lies along each dimension, and the way to the chunks beside it. */
export function ChunkPlace(props: ChunkPlaceProps) {
  const { array, coordinates } = props;
  if (array.dimensions.length === 0) return <p className={styles.only}>{rangeWords(array, coordinates)}</p>;
  return (
    <>
      <dl className={styles.place}>
        {array.dimensions.map((name, dimension) => (
          // Dimensions are never reordered, and two may have the same name.
          // oxlint-disable-next-line react/no-array-index-key
          <DimensionPlace key={dimension} {...props} name={name} dimension={dimension} />
        ))}
      </dl>
      {movableDimensions(array.grid).length === 0 ? <p className={styles.only}>The only chunk of this array.</p> : null}
    </>
  );
}

interface DimensionPlaceProps extends ChunkPlaceProps {
  readonly name: string;
  readonly dimension: number;
}

/** In the values of the coordinate array where these cost little to read, else in indices. */
function DimensionPlace({ array, coordinates, axes, name, dimension }: DimensionPlaceProps) {
  const axis = axes[dimension];
  const { from, to } = indicesAlong(array, coordinates, dimension);
  const indices = indexWords(array, coordinates, dimension);
  const place = axis === undefined ? undefined : placeRange(axis, from, to);
  return (
    <div>
      <dt title={name}>{name}</dt>
      <dd title={`${name} ${indices}${place === undefined ? "" : `: ${place}`}`}>
        {place ?? indices}
        {place === undefined ? null : <small> {indices}</small>}
      </dd>
      <dd>{(array.grid[dimension] ?? 0) > 1 ? <Steps {...{ array, coordinates, dimension }} /> : null}</dd>
    </div>
  );
}

type StepsProps = Omit<DimensionPlaceProps, "axes" | "name">;

function Steps({ array, coordinates, dimension }: StepsProps) {
  return (
    <span className={styles.steps}>
      <Step {...{ array, coordinates, dimension }} step={-1} />
      <span className={styles.count}>
        {formatCount((coordinates[dimension] ?? 0) + 1)} of {formatCount(array.grid[dimension] ?? 0)}
      </span>
      <Step {...{ array, coordinates, dimension }} step={1} />
    </span>
  );
}

function Step({ array, coordinates, dimension, step }: StepsProps & { readonly step: 1 | -1 }) {
  const actions = useActions();
  const next = neighbour(array.grid, coordinates, dimension, step);
  const hint = keyHint(array.grid, dimension, step);
  const name = `${step === 1 ? "Next" : "Previous"} chunk along ${array.dimensions[dimension] ?? ""}`;
  return (
    <button
      type="button"
      data-kind="quiet"
      aria-label={name}
      title={hint === "" ? name : `${name} (${hint})`}
      // Not `disabled`: focus stays where it is at the edge of the grid.
      aria-disabled={next === undefined}
      onClick={() => {
        if (next !== undefined) actions.selectChunk(array.path, next);
      }}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={step === 1 ? "m6.5 4 4 4-4 4" : "m9.5 4-4 4 4 4"} />
      </svg>
    </button>
  );
}
