import { cut } from "../core/words.ts";
import type { JsonChange } from "../core/json/json-changes.ts";
import styles from "./JsonChanges.module.css";

/** Members that differ, with their values before and after; says what is absent. */
export function JsonChanges({ changes }: { readonly changes: readonly JsonChange[] }) {
  if (changes.length === 0) return <p className={styles.none}>Only whitespace or the order of fields.</p>;
  return (
    <dl className={styles.changes}>
      {changes.map(({ path, before, after }) => (
        <div key={path} className={styles.change}>
          <dt>{path === "" ? "the whole document" : path}</dt>
          <dd>
            <Value text={before} kind="before" /> <span aria-label="becomes">→</span>{" "}
            <Value text={after} kind="after" />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ text, kind }: { readonly text: string | undefined; readonly kind: "before" | "after" }) {
  if (text === undefined) return <em>{kind === "before" ? "not there" : "gone"}</em>;
  return (
    <code data-kind={kind} title={text}>
      {cut(text, MAX_CHARACTERS)}
    </code>
  );
}

const MAX_CHARACTERS = 200;
