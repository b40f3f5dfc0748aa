/** An array of text, structures or other things that are no numbers, and a single value: as a table. */
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { placeText } from "./axis-words.ts";
import type { Axes } from "./use-axes.ts";
import type { SliceView } from "./use-slice-view.ts";
import styles from "./DataPanel.module.css";

interface TextFigureProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly shape: readonly number[];
  readonly view: SliceView;
  readonly axes: Axes;
}

/** Rows and columns that are shown; the rest is one step away in the terminal. */
const MAX_ROWS = 500;
const MAX_COLUMNS = 20;

export function TextFigure({ set, node, shape, view, axes }: TextFigureProps) {
  const { plane, scaled } = view;
  const select = shape
    .map((_, dimension) => {
      if (dimension === plane.column && plane.row === undefined) return `:${MAX_ROWS}`;
      if (dimension === plane.row) return `:${MAX_ROWS}`;
      return dimension === plane.column ? `:${MAX_COLUMNS}` : String(plane.at[dimension] ?? 0);
    })
    .join(",");
  const answer = useEngine("plane.table", { set: set.id, array: node.path, select, scaled });
  const { data } = answer;
  if (data === undefined) return <Unanswered answer={answer} label="Reading values" />;
  const width = plane.row === undefined ? 1 : (data.shape.at(-1) ?? 1);
  const rows = Math.ceil(data.texts.length / Math.max(1, width));
  const along = plane.row ?? plane.column;
  const length = along === undefined ? 1 : (shape[along] ?? 1);
  return (
    <div
      className={styles.texts}
      role="img"
      aria-label="Data"
      data-failed={data.failed.length}
      data-missing={data.missing}
    >
      {data.failed.map(([chunk, error]) => (
        <ErrorNotice key={chunk} error={error} />
      ))}
      {data.failed.length > 0 ? null : (
        <table>
          <tbody>
            {Array.from({ length: rows }, (_, row) => (
              // oxlint-disable-next-line react/no-array-index-key -- a row is its place
              <tr key={row}>
                {along === undefined ? null : <th scope="row">{placeText(axes(along), row)}</th>}
                {data.texts.slice(row * width, (row + 1) * width).map((text, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a column is its place
                  <td key={column} title={text}>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {length > rows ? (
        <p>
          The first {countOf(rows, "row")} of {length.toLocaleString("en")}.
        </p>
      ) : null}
    </div>
  );
}
