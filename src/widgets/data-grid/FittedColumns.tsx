/** Columns that give way before any is cut, and the way to those that did. */
import { useMemo, useState } from "react";
import { LinkButton } from "../controls/Button.tsx";
import { countOf } from "../number-format.ts";
import { fittingColumns, type GridColumn } from "./columns.ts";

type Fitting = Pick<GridColumn<never>, "width" | "rank" | "header">;

export function useFittedColumns<C extends Fitting>(all: readonly C[]) {
  const [room, onRoom] = useState(Infinity);
  const [scrolls, setScrolls] = useState(false);
  const fitted = useMemo(() => fittingColumns(all, room), [all, room]);
  return {
    columns: scrolls ? all : fitted,
    left: all.filter((one) => !fitted.includes(one)),
    onRoom,
    scrolls,
    setScrolls,
  };
}

type FittedColumns = Pick<ReturnType<typeof useFittedColumns>, "left" | "scrolls" | "setScrolls">;

export function MoreColumns({ left, scrolls, setScrolls }: FittedColumns) {
  if (left.length === 0) return null;
  const names = left.map(({ header }) => header).join(", ");
  return (
    <LinkButton
      aria-pressed={scrolls}
      title={scrolls ? "Shows only the columns that fit" : `No room for ${names}. Press to show all columns and scroll`}
      onClick={() => setScrolls(!scrolls)}
    >
      {scrolls ? "Fit columns" : `+${countOf(left.length, "column")}`}
    </LinkButton>
  );
}
