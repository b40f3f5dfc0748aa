/** Everything about the row that is looked at, written out. */
import { useMessage } from "../../widgets/use-explain.ts";
import type { VersionRow } from "../../core/studio.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { originText } from "../../core/origin-words.ts";
import { READER_MEANING, READER_NAMES, READERS, valueText, type ReaderName } from "./reader-words.ts";
import styles from "./VersionPanel.module.css";

export function RowDetails({ row, onClose }: { readonly row: VersionRow; readonly onClose: () => void }) {
  const value = rowValue(row, useMessage(...row.reasons));
  return (
    <section className={styles.details} aria-label="Selected reference">
      <header className={styles.detailsHead}>
        <code className={styles.detailsKey} title={row.key}>
          {row.key}
        </code>
        <CopyButton text={row.key} what="key" />
        <button type="button" data-kind="quiet" onClick={onClose}>
          Close
        </button>
      </header>
      <dl className={styles.facts}>
        <dt>Version 0</dt>
        <dd>
          <code>{value}</code> <CopyButton text={value} what="reference" />
        </dd>
        <dt>Made by</dt>
        <dd>{originText(row.origin)}</dd>
        {row.before === undefined ? null : (
          <>
            <dt>As opened</dt>
            <dd>
              <code>{row.before}</code>
            </dd>
          </>
        )}
        {READERS.map((reader) => (
          <Reader key={reader} reader={reader} row={row} />
        ))}
      </dl>
    </section>
  );
}

function Reader({ reader, row }: { readonly reader: ReaderName; readonly row: VersionRow }) {
  const value = row[reader];
  return (
    <>
      <dt title={READER_MEANING[reader]}>{READER_NAMES[reader]}</dt>
      <dd data-kind={value.kind}>{value.kind === "other" ? <code>{value.value}</code> : valueText(value)}</dd>
    </>
  );
}

function rowValue({ state, target, offset, length }: VersionRow, reason: string | undefined): string {
  switch (state) {
    case "bad":
      return reason ?? "cannot be understood";
    case "range":
    case "virtual":
      return JSON.stringify([target, offset, length]);
    case "whole":
      return JSON.stringify([target]);
    case "inline":
    case "native":
    case "missing":
    case "unknown":
      return target ?? "null";
  }
}
