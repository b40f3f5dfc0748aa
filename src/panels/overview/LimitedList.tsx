import { useState, type ReactNode } from "react";
import { formatCount } from "../../widgets/number-format.ts";
import styles from "./LimitedList.module.css";

interface LimitedListProps<Item> {
  readonly title: string;
  readonly note?: string;
  readonly items: readonly Item[];
  readonly row: (item: Item) => ReactNode;
}

const FIRST = 50;
const MORE = 200;

/** A titled list of its first rows, with the way to the rest; nothing where there is none. */
export function LimitedList<Item>({ title, note, items, row }: LimitedListProps<Item>) {
  const [limit, setLimit] = useState(FIRST);
  if (items.length === 0) return null;
  const rest = items.length - limit;
  return (
    <section className={styles.section}>
      <h3 tabIndex={-1}>
        {title}{" "}
        <span>
          {formatCount(items.length)}
          {note === undefined ? "" : `, ${note}`}
        </span>
      </h3>
      <ul aria-label={title}>{items.slice(0, limit).map((item) => row(item))}</ul>
      {rest <= 0 ? null : (
        <button type="button" data-kind="link" className={styles.more} onClick={() => setLimit(limit + MORE)}>
          and {formatCount(rest)} more
        </button>
      )}
    </section>
  );
}
