import type { DatasetCard } from "../../core/dataset-card.ts";
import { useActions } from "../../store/react.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import styles from "./AttributeList.module.css";

/** The group's attributes, and the way to them as they are stored. */
export function AttributeList({ card: { attributes, attributeCount } }: { readonly card: DatasetCard }) {
  const actions = useActions();
  const rest = attributeCount - attributes.length;
  return (
    <section className={styles.section} aria-label="Attributes">
      <h3 tabIndex={-1}>
        Attributes <span>{formatCount(attributeCount)}</span>
        <button type="button" data-kind="link" onClick={() => actions.showView("metadata")}>
          Raw metadata
        </button>
      </h3>
      {attributeCount === 0 ? <p className={styles.none}>None are stored here.</p> : null}
      <dl className={styles.list}>
        {attributes.map(({ name, text, isCut }) => (
          <div key={name}>
            <dt title={name}>{name}</dt>
            <dd>
              {text}
              {isCut ? "…" : ""}
            </dd>
          </div>
        ))}
      </dl>
      {rest > 0 ? <p className={styles.none}>and {formatCount(rest)} more, in the raw metadata</p> : null}
    </section>
  );
}
