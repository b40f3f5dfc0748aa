/** The grid "Ranges": the ranges of a target in the order of their bytes, by the window in sight. */
import {
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import type { SourceDetail, SourceRange } from "../../core/sources.ts";
import { useEngine } from "../../store/react.tsx";
import { useAxesByArray, type AxesByArray } from "../../store/use-axes-by-array.ts";
import { formatCount } from "../../widgets/number-format.ts";
import { movedRow } from "../../widgets/roving.ts";
import { ScaledRows, type ScaledRowsHandle } from "../../widgets/ScaledRows.tsx";
import type { RowRange } from "../../widgets/scaled-rows.ts";
import { boxWords } from "./array-words.ts";
import { rangeNotes } from "./source-words.ts";
import styles from "./RangeList.module.css";

export interface RangeListProps {
  readonly set: SetSummary;
  readonly detail: SourceDetail;
  readonly place: number;
  readonly onPlace: (place: number) => void;
  readonly onOpen: (range: SourceRange | undefined) => void;
}

const ROW_HEIGHT = 26;
const HEAD_HEIGHT = 29;
const LEAST_WIDTH = 640;
const STEP = 100;
const COLUMNS = ["Offset", "Length", "Chunk", "Where", "Notes"] as const;

export function RangeList({ set, detail, place, onPlace, onOpen }: RangeListProps) {
  const id = useId();
  const list = useRef<ScaledRowsHandle>(null);
  const { at, want } = useWindow(set.id, detail);
  const onSeen = useInSight(list, place, want);
  const axes = useAxesByArray(
    set.id,
    detail.arrays.map(({ array }) => array),
  );
  const handlers = useHandlers({ detail, place, onPlace, onOpen, at, list });
  return (
    <div className={styles.list}>
      <ScaledRows
        handle={list}
        rows={detail.ranges}
        rowHeight={ROW_HEIGHT}
        headHeight={HEAD_HEIGHT}
        width={LEAST_WIDTH}
        onSeen={onSeen}
        head={<Head />}
        renderRow={(index, top) => (
          <Row key={index} id={`${id}-${index}`} index={index} top={top} selected={index === place}>
            <Cells range={at(index)} nodes={set.nodes} axes={axes} />
          </Row>
        )}
        attributes={{
          role: "grid",
          "aria-label": "Ranges",
          "aria-rowcount": detail.ranges + 1,
          "aria-colcount": COLUMNS.length,
          "aria-activedescendant": `${id}-${place}`,
          tabIndex: 0,
          className: styles.grid,
          ...handlers,
        }}
      />
    </div>
  );
}

interface HandlerInput extends Pick<RangeListProps, "detail" | "place" | "onPlace" | "onOpen"> {
  readonly at: (place: number) => SourceRange | undefined;
  readonly list: RefObject<ScaledRowsHandle | null>;
}

function useHandlers({ detail, place, onPlace, onOpen, at, list }: HandlerInput) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") onOpen(at(place));
    else {
      const press = { key: event.key, ctrl: event.ctrlKey || event.metaKey };
      const to = movedRow(press, place, detail.ranges, list.current?.rowsPerPage() ?? 10);
      if (to === undefined) return;
      onPlace(to);
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const row = (event.target as Element).closest<HTMLElement>("[data-row]")?.dataset["row"];
    if (row === undefined) return;
    onPlace(Number(row));
    onOpen(at(Number(row)));
  };
  return { onKeyDown, onClick };
}

/** Brings the range that one is at into sight: when it is another, and once there is room for rows. */
function useInSight(list: RefObject<ScaledRowsHandle | null>, place: number, want: (seen: RowRange) => void) {
  const [hasRoom, setRoom] = useState(false);
  useEffect(() => {
    if (hasRoom) list.current?.show(place, "nearest");
  }, [list, hasRoom, place]);
  return useCallback(
    (seen: RowRange) => {
      want(seen);
      setRoom(seen.to > seen.from);
    },
    [want],
  );
}

interface RowProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly selected: boolean;
  readonly children: ReactNode;
}

function Row({ id, index, top, selected, children }: RowProps) {
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={styles.row}
      data-row={index}
      style={{ transform: `translateY(${top}px)` }}
    >
      {children}
    </div>
  );
}

function useWindow(set: number, { target }: SourceDetail) {
  const [window, setWindow] = useState({ from: 0, to: STEP });
  const want = useCallback(({ from, to }: RowRange) => {
    const next = { from: Math.floor(from / STEP) * STEP, to: Math.ceil((to + 1) / STEP) * STEP };
    setWindow((now) => (now.from === next.from && now.to === next.to ? now : next));
  }, []);
  const known = useEngine("sources.ranges", { set, target, ...window }, `sources.ranges ${target}`).last?.data;
  const first = known?.ranges[0]?.place ?? 0;
  return { want, at: (place: number): SourceRange | undefined => known?.ranges[place - first] };
}

function Head() {
  return (
    <div role="row" aria-rowindex={1} className={styles.headRow}>
      {COLUMNS.map((name, at) => (
        <div key={name} role="columnheader" aria-colindex={at + 1} className={styles.headCell} data-numeric={at < 2}>
          {name}
        </div>
      ))}
    </div>
  );
}

interface CellsProps {
  readonly range: SourceRange | undefined;
  readonly nodes: readonly NodeSummary[];
  readonly axes: AxesByArray;
}

function Cells({ range, nodes, axes }: CellsProps) {
  const texts = range === undefined ? COLUMNS.map(() => undefined) : textsOf(range, nodes, axes);
  return texts.map((text, at) => (
    <div
      key={COLUMNS[at]}
      role={at === 2 ? "rowheader" : "gridcell"}
      aria-colindex={at + 1}
      className={styles.cell}
      data-numeric={at < 2}
      data-tone={at === 4 && range !== undefined && (range.overlaps || range.pastEnd > 0) ? "bad" : undefined}
      title={text}
    >
      {text === undefined ? <span className={styles.coming} aria-hidden="true" /> : <bdi dir="ltr">{text}</bdi>}
    </div>
  ));
}

function textsOf(range: SourceRange, nodes: readonly NodeSummary[], axes: AxesByArray): readonly string[] {
  const { from, to, key, array = "", coordinates } = range;
  const node = nodes.find(({ path }) => path === array);
  const box = coordinates === undefined ? {} : { box: { from: coordinates, to: coordinates } };
  const where = coordinates === undefined ? "no chunk of a grid" : boxWords(box, node, axes.get(array));
  return [formatCount(from), formatCount(to - from), key, where, rangeNotes(range).join(", ")];
}
