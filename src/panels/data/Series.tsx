/** The values at the cursor's place along another dimension, through all its chunks. */
import { useMemo, useState } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import { planeChunks, planeExtent, type Plane } from "../../core/plane.ts";
import { useEngine } from "../../store/react.tsx";
import { lineShape, placeOf } from "../../widgets/line-plot.ts";
import { useElementWidth } from "../../widgets/element-width.ts";
import { isFree } from "../../core/plane-budget.ts";
import { costText } from "./cost-words.ts";
import { countLooks, stepsFor, type ChunkLook, type PlaneValues } from "./plane-values.ts";
import { usePlaneValues, type PlaneRequest } from "./use-plane-values.ts";
import { shortNumber } from "./value-words.ts";
import styles from "./DataPanel.module.css";

interface SeriesProps {
  readonly set: SetSummary;
  readonly request: PlaneRequest;
  /** With the place of the cursor. */
  readonly plane: Plane;
  readonly grid: readonly number[];
  readonly dimension: number;
  readonly name: string;
  readonly onAt: (at: number) => void;
}

export function Series(props: SeriesProps) {
  const [isShown, setShown] = useState(false);
  return isShown ? (
    <ShownSeries {...props} />
  ) : (
    <button type="button" onClick={() => setShown(true)}>
      Series along {props.name}
    </button>
  );
}

function ShownSeries({ set, request, plane, grid, dimension, name, onAt }: SeriesProps) {
  const { array, shape, chunkShape, scaled } = request;
  const at = plane.at.map((one, each) => (each === dimension ? 0 : one)).join(",");
  const along = useMemo(
    (): Plane => ({ row: undefined, column: dimension, at: at.split(",").map(Number) }),
    [dimension, at],
  );
  const cost = useEngine("plane.cost", { set: set.id, array, plane: along }, `${array} series cost`).last?.data;
  const [isAllowed, setAllowed] = useState(false);
  const mayRead = cost !== undefined && (isAllowed || isFree(cost));
  const asked = useMemo((): PlaneRequest => {
    const extent = planeExtent(along, shape);
    const chunks = planeChunks(along, grid, chunkShape);
    return {
      set: set.id,
      array,
      shape,
      chunkShape,
      plane: along,
      extent,
      chunks,
      steps: stepsFor(extent),
      scaled,
      every: 1,
    };
  }, [set.id, array, shape, chunkShape, grid, along, scaled]);
  const { shown, isOld } = usePlaneValues("series", asked, mayRead, () => true);
  if (cost !== undefined && !mayRead) {
    return (
      <p>
        <button type="button" onClick={() => setAllowed(true)}>
          Read the series
        </button>{" "}
        {costText(cost)}
      </p>
    );
  }
  return shown === undefined ? (
    <div className={styles.series} />
  ) : (
    <Line
      values={shown}
      isOld={isOld}
      side={chunkShape[dimension] ?? 1}
      length={shape[dimension] ?? 1}
      cursor={plane.at[dimension] ?? 0}
      name={name}
      onAt={onAt}
    />
  );
}

interface LineProps {
  readonly values: PlaneValues;
  readonly isOld: boolean;
  /** Elements of a chunk. */
  readonly side: number;
  readonly length: number;
  readonly cursor: number;
  readonly name: string;
  readonly onAt: (at: number) => void;
}

const HEIGHT = 62;
const LABELS = 48;

function Line({ values, isOld, side, length, cursor, name, onAt }: LineProps) {
  const [frame, space] = useElementWidth<HTMLDivElement>();
  const width = Math.max(1, space - LABELS);
  const shape = useMemo(() => lineShape(values.values, { width, height: HEIGHT }), [values, width]);
  const x = (element: number) => placeOf(Math.floor(element / values.steps.across), values.columns, width);
  const open = values.looks.flatMap((look, chunk) =>
    look === "read" ? [] : [{ look, from: x(chunk * side), to: x(Math.min(length, (chunk + 1) * side) - 1), chunk }],
  );
  return (
    <div ref={frame} className={styles.series} data-stale={isOld}>
      <span className={styles.ends}>
        <span>{shape.maximum === undefined ? "" : shortNumber(shape.maximum)}</span>
        <span>{shape.minimum === undefined ? "" : shortNumber(shape.minimum)}</span>
      </span>
      {/* The slider above is what the keyboard moves. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- as said */}
      <svg
        role="img"
        aria-label={`Series along ${name}: ${seriesWords(values.looks)}`}
        width={width}
        height={HEIGHT}
        onClick={(event) => {
          const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
          onAt(Math.max(0, Math.min(length - 1, Math.round((left / width) * (length - 1)))));
        }}
      >
        {open.map(({ look, from, to, chunk }) => (
          <rect key={chunk} data-look={look} x={from} width={Math.max(2, to - from)} y={0} height={HEIGHT}>
            <title>{LOOK_WORDS[look]}</title>
          </rect>
        ))}
        <path d={shape.line} />
        <path data-part="cursor" d={`M${x(cursor).toFixed(1)} 0V${HEIGHT}`} />
      </svg>
    </div>
  );
}

const LOOK_WORDS: Readonly<Record<ChunkLook, string>> = {
  unread: "not read",
  read: "read",
  missing: "no reference",
  failed: "failed",
};

function seriesWords(looks: readonly ChunkLook[]): string {
  return (["read", "failed", "missing", "unread"] as const)
    .filter((look) => looks.includes(look))
    .map((look) => `${countLooks(looks, look)} ${LOOK_WORDS[look]}`)
    .join(", ");
}
