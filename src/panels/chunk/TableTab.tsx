import { useCallback, useId, useMemo, useState } from "react";
import { useEngine } from "../../store/react.tsx";
import { fieldNames } from "../../core/data-type-fields.ts";
import { shortFloatText } from "../../core/number-text.ts";
import type { SliceSpec } from "../../core/open-set.ts";
import { withIndex } from "../../widgets/cell-map/plane.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import type { RowRange } from "../../widgets/scaled-rows.ts";
import { ValueTable } from "../../widgets/ValueTable.tsx";
import { maxColumns } from "../../widgets/value-table.ts";
import { firstIndex } from "./chunk-words.ts";
import { DimensionChoice, DimensionSliders } from "./DimensionChoice.tsx";
import { cellWidthFor } from "./cell-width.ts";
import { ElementReadout } from "./ElementReadout.tsx";
import { tableSpec } from "./shown-dimensions.ts";
import type { ValueTabProps } from "./value-tab-props.ts";
import { shownUnits } from "./value-words.ts";
import styles from "./ChunkPanel.module.css";

/** Values in rows and columns, asked for by window; floats in short, exact when pointed at or copied. */
export function TableTab(props: ValueTabProps) {
  const { set, array, reading, values, view } = props;
  const { shown, scaled } = view;
  const spec = tableSpec(reading.id, shown, scaled);
  const { rowDimension: row, columnDimension: column } = spec;
  const [fieldCursor, setFieldCursor] = useState(0);
  const fields = column === undefined ? fieldNames(values.dtype) : [];
  const { answer, window, onWindow } = useCells(set, spec, fields.length > 0);
  const lengthOf = (dimension: number | undefined) => (dimension === undefined ? 1 : (values.inside[dimension] ?? 1));
  const cellWidth = cellWidthFor(
    values.dtype,
    scaled ? (values.scaling?.time === undefined ? "numbers" : "dates") : undefined,
  );
  const isNumbers = values.numeric && fields.length === 0;
  const allColumns = fields.length > 0 ? fields.length : lengthOf(column);
  const columns = Math.min(allColumns, maxColumns(cellWidth));
  const header = (dimension: number | undefined) => (index: number) =>
    dimension === undefined ? "" : String(firstIndex(array, reading.coordinates, dimension) + index);
  const at = (dimension: number | undefined) => (dimension === undefined ? 0 : (shown.at[dimension] ?? 0));
  return (
    <div className={styles.stack}>
      {answer.error === undefined ? null : <ErrorNotice error={answer.error} onRetry={answer.retry} />}
      {fields.length > 0 ? null : <CursorReadout {...props} />}
      <ValueTable
        label="Values"
        size={{ rows: lengthOf(row), columns }}
        cellWidth={cellWidth}
        alignment={isNumbers ? "end" : "start"}
        {...(isNumbers ? { shown: shortFloatText } : {})}
        rowHeader={header(row)}
        columnHeader={fields.length > 0 ? (index) => fields[index] ?? "" : header(column)}
        corner={[row, column].flatMap((one) => (one === undefined ? [] : [array.dimensions[one]])).join(" \\ ")}
        window={window}
        onWindow={onWindow}
        cursor={{ row: at(row), column: Math.min(fields.length > 0 ? fieldCursor : at(column), columns - 1) }}
        onCursor={(cell) => {
          setFieldCursor(cell.column);
          view.change({ shown: withIndex(withIndex(shown, row, cell.row), column, cell.column) });
        }}
      />
      {columns < allColumns ? (
        <p className={styles.note}>
          The first {formatCount(columns)} of {formatCount(allColumns)} columns are shown: let the long dimension run
          down the rows to see all.
        </p>
      ) : null}
      <div className={styles.controls}>
        <DimensionChoice array={array} view={view} />
      </div>
      <DimensionSliders {...props} moving={[row, column]} />
    </div>
  );
}

/** Exact, where the table has floats in short. */
function CursorReadout({ set, array, reading, values, view, axes }: ValueTabProps) {
  const id = useId();
  const { shown, scaled } = view;
  const units = scaled ? shownUnits(values.scaling) : undefined;
  return <ElementReadout {...{ id, set, reading, array, scaled, units, axes }} element={shown.at} />;
}

interface Wanted {
  readonly rows: RowRange;
  readonly columns: RowRange;
}

/** Texts of the cells in sight, with where they begin: while others are asked for, those that came stay. */
function useCells(set: number, spec: SliceSpec, fields: boolean) {
  const [wanted, setWanted] = useState<Wanted>();
  const answer = useEngine(
    "chunk.cells",
    wanted === undefined ? undefined : { set, spec: { ...spec, ...wanted, fields } },
    JSON.stringify(spec),
  );
  const { last } = answer;
  const window = useMemo(() => {
    if (last === undefined) return undefined;
    const { rows, columns } = last.request.spec;
    return { ...last.data, rowFrom: rows.from, columnFrom: columns.from };
  }, [last]);
  const onWindow = useCallback((rows: RowRange, columns: RowRange) => {
    setWanted({ rows, columns });
  }, []);
  return { answer, window, onWindow };
}
