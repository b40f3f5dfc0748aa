import type { SourcesSpec } from "../../core/sources.ts";
import { ariaSort, nextSort, TARGET_COLUMNS } from "./target-columns.ts";
import styles from "./TargetGrid.module.css";

const ARROW = { ascending: "↑", descending: "↓", none: "" } as const;

interface TargetHeadProps {
  readonly sort: SourcesSpec["sort"];
  readonly onSort: (sort: SourcesSpec["sort"]) => void;
}

/** Names of the columns; those that sort are buttons. */
export function TargetHead({ sort, onSort }: TargetHeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.headRow}>
      {TARGET_COLUMNS.map(({ id, header, title, numeric, sort: column }, place) => {
        const order = column === undefined ? "none" : ariaSort(sort, column);
        return (
          <div
            key={id}
            role="columnheader"
            aria-colindex={place + 1}
            {...(column === undefined ? {} : { "aria-sort": order })}
            className={styles.headCell}
            data-numeric={numeric}
          >
            {column === undefined ? (
              <span title={title}>{header}</span>
            ) : (
              <button type="button" title={`${title}. Press to sort.`} onClick={() => onSort(nextSort(sort, column))}>
                {header}
                {order === "none" ? null : <span aria-hidden="true"> {ARROW[order]}</span>}
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}
