import type { ReactNode } from "react";
import styles from "./DefinitionList.module.css";

export interface Definition {
  readonly term: string;
  /** Absent: the term is left out. */
  readonly description: ReactNode | undefined;
  /** Description in full, if the visible one may be cut. */
  readonly title?: string;
}

export interface DefinitionListProps {
  readonly items: readonly Definition[];
  /** `rows`: terms left of descriptions. `cells`: side by side, terms above, as a strip of figures. */
  readonly layout?: "rows" | "cells";
}

/** Terms and what they are here, as a `<dl>`. */
export function DefinitionList({ items, layout = "rows" }: DefinitionListProps) {
  return (
    <dl className={styles.list} data-layout={layout}>
      {items.map(({ term, description, title }) =>
        description === undefined ? null : (
          <div key={term} className={styles.item} title={title}>
            <dt className="quiet">{term}</dt>
            <dd className="narrow break tabular">{description}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
