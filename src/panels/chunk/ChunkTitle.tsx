import { chunkName } from "../../core/chunk-grid.ts";
import type { Reading } from "../../core/reading.ts";
import { useActions } from "../../store/react.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { formatCount, formatShape } from "../../widgets/number-format.ts";
import {
  chunkTitle,
  edgeWords,
  isInGrid,
  keyHint,
  movableDimensions,
  neighbour,
  rangeWords,
  type ChunkArray,
} from "./chunk-words.ts";
import { FirstChunkButton } from "./FirstChunkButton.tsx";
import styles from "./ChunkTitle.module.css";

interface ChunkTitleProps {
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
  /** `undefined` until the chunk was read. */
  readonly reading: Reading | undefined;
}

/** Which chunk this is, where it lies in the array, and the way to the chunks beside it. */
export function ChunkTitle({ array, coordinates, reading }: ChunkTitleProps) {
  const title = chunkTitle(array, coordinates);
  const key = reading?.key ?? `${array.path === "" ? "" : `${array.path}/`}${chunkName(coordinates, ".")}`;
  return (
    <header className={styles.title}>
      <div className={styles.line}>
        <h3 title={key}>{title}</h3>
        <CopyButton text={key} what="key" />
      </div>
      {isInGrid(array.grid, coordinates) ? (
        <Place array={array} coordinates={coordinates} />
      ) : (
        <OutsideGrid array={array} />
      )}
    </header>
  );
}

type PlaceProps = Pick<ChunkTitleProps, "array" | "coordinates">;

function Place({ array, coordinates }: PlaceProps) {
  const edge = edgeWords(array, coordinates);
  return (
    <>
      <p className={styles.place}>{rangeWords(array, coordinates)}</p>
      {edge === undefined ? null : (
        <p className={styles.edge} title="The chunk is stored whole; what lies past the array's edge is not shown.">
          past the array’s edge: {edge}
        </p>
      )}
      <Steps array={array} coordinates={coordinates} />
    </>
  );
}

/** Where a link or a key names a chunk that the array does not have. */
function OutsideGrid({ array }: Pick<ChunkTitleProps, "array">) {
  return (
    <>
      <p className={styles.place}>The array has no such chunk: its chunk grid is {formatShape(array.grid)}.</p>
      {array.grid.includes(0) ? null : <FirstChunkButton array={array} className={styles.first} />}
    </>
  );
}

function Steps({ array, coordinates }: PlaceProps) {
  const movable = movableDimensions(array.grid);
  if (movable.length === 0) return <p className={styles.edge}>The only chunk of this array.</p>;
  return (
    <div className={styles.steps}>
      {movable.map((dimension) => (
        <span key={dimension} className={styles.step}>
          <Step array={array} coordinates={coordinates} dimension={dimension} step={-1} />
          <span className={styles.count}>
            {array.dimensions[dimension]}{" "}
            <b>
              {formatCount((coordinates[dimension] ?? 0) + 1)} of {formatCount(array.grid[dimension] ?? 0)}
            </b>
          </span>
          <Step array={array} coordinates={coordinates} dimension={dimension} step={1} />
        </span>
      ))}
    </div>
  );
}

interface StepProps {
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
  readonly dimension: number;
  readonly step: 1 | -1;
}

function Step({ array, coordinates, dimension, step }: StepProps) {
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
      {step === 1 ? "›" : "‹"}
    </button>
  );
}
