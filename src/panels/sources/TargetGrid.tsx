/** The grid "Targets": rows as they come into sight. Focus stays on the grid; its head sorts. */
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from "react";
import type { SetSummary } from "../../core/open-set.ts";
import type { SourcesSpec } from "../../core/sources.ts";
import { useEngine } from "../../store/react.tsx";
import { useAxesByArray } from "../../store/use-axes-by-array.ts";
import { movedRow } from "../../widgets/roving.ts";
import { ScaledRows, type ScaledRowsHandle } from "../../widgets/ScaledRows.tsx";
import { TargetHead } from "./TargetHead.tsx";
import { TargetRow } from "./TargetRow.tsx";
import { TARGET_COLUMNS } from "./target-columns.ts";
import type { TargetRows } from "./use-target-rows.ts";
import styles from "./TargetGrid.module.css";

const ROW_HEIGHT = 26;
const HEAD_HEIGHT = 29;
const LEAST_WIDTH = 720;

export interface TargetGridProps {
  readonly set: SetSummary;
  readonly rows: TargetRows;
  readonly spec: SourcesSpec;
  readonly onSpec: (spec: SourcesSpec) => void;
  /** Bytes that the whole set refers to. */
  readonly allBytes: number;
  /** The target that is shown below. */
  readonly selected: string | null | undefined;
  readonly onSelect: (target: string | null) => void;
}

export function TargetGrid({ set, rows, spec, onSpec, allBytes, selected, onSelect }: TargetGridProps) {
  const id = useId();
  const list = useRef<ScaledRowsHandle>(null);
  const total = rows.total ?? 0;
  const [cursor, setCursor] = useState(0);
  const at = Math.max(0, Math.min(cursor, total - 1));
  useSelectedInSight({ set: set.id, spec, selected }, (index) => {
    setCursor(index);
    list.current?.show(index, "centre");
  });
  const axes = useAxesByArray(
    set.id,
    rows.rows.flatMap(({ arrays: [first] }) => (first === undefined ? [] : [first.array])),
  );
  const handlers = useHandlers({ rows, total, at, setCursor, onSelect, list });
  return (
    <ScaledRows
      handle={list}
      rows={total}
      rowHeight={ROW_HEIGHT}
      headHeight={HEAD_HEIGHT}
      width={LEAST_WIDTH}
      onSeen={rows.want}
      head={<TargetHead sort={spec.sort} onSort={(sort) => onSpec({ ...spec, sort })} />}
      renderRow={(index, top) => {
        const row = rows.at(index);
        return (
          <TargetRow
            key={index}
            id={`${id}-${index}`}
            index={index}
            top={top}
            row={row}
            nodes={set.nodes}
            axes={axes}
            allBytes={allBytes}
            selected={row !== undefined && row.target === selected}
            active={index === at}
          />
        );
      }}
      attributes={{
        role: "grid",
        "aria-label": "Targets",
        "aria-rowcount": total + 1,
        "aria-colcount": TARGET_COLUMNS.length,
        "aria-busy": rows.answer.stale,
        "aria-activedescendant": `${id}-${at}`,
        tabIndex: 0,
        className: styles.grid,
        ...handlers,
      }}
    />
  );
}

interface HandlerInput extends Pick<TargetGridProps, "rows" | "onSelect"> {
  readonly total: number;
  /** The row that keys are at. */
  readonly at: number;
  readonly setCursor: (row: number) => void;
  readonly list: RefObject<ScaledRowsHandle | null>;
}

function useHandlers({ rows, total, at, setCursor, onSelect, list }: HandlerInput) {
  const select = (index: number) => {
    const row = rows.at(index);
    if (row !== undefined) onSelect(row.target);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") select(at);
    else {
      const press = { key: event.key, ctrl: event.ctrlKey || event.metaKey };
      const to = movedRow(press, at, total, list.current?.rowsPerPage() ?? 10);
      if (to === undefined) return;
      setCursor(to);
      list.current?.show(to, "nearest");
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const row = (event.target as Element).closest<HTMLElement>("[data-row]")?.dataset["row"];
    if (row === undefined) return;
    setCursor(Number(row));
    select(Number(row));
  };
  return { onKeyDown, onClick };
}

interface InSight {
  readonly set: number;
  readonly spec: SourcesSpec;
  readonly selected: string | null | undefined;
}

/** A target that was selected elsewhere, by a link or a chunk, is brought into sight; once a target and order. */
function useSelectedInSight({ set, spec, selected }: InSight, show: (index: number) => void): void {
  const found = useEngine("sources.find", selected === undefined ? undefined : { set, spec, target: selected });
  const index = found.stale ? undefined : found.last?.data;
  const onFound = useEffectEvent(show);
  useEffect(() => {
    if (index !== undefined && index >= 0) onFound(index);
  }, [index]);
}
