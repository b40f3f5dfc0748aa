/** Changes of a commit in a row: a bar for each array, as high as its share of the array's chunks, and words. */
import { useEffect, useSyncExternalStore } from "react";
import type { CommitChanges } from "#core/repository.ts";
import { countOf, formatCount } from "#widgets/number-format.ts";
import type { ChangesReader } from "./changes-reader.ts";
import { changesLine } from "./history-words.ts";
import styles from "./HistoryPanel.module.css";

export function useChangesOf(reader: ChangesReader, id: string) {
  useEffect(() => reader.see(id), [reader, id]);
  return useSyncExternalStore(reader.subscribe, () => reader.get(id));
}

export function ChangesCell({ reader, id }: { readonly reader: ChangesReader; readonly id: string }) {
  const changes = useChangesOf(reader, id);
  if (changes === undefined) return null;
  if (changes === "failed") return <span className="faint">transaction log not read</span>;
  const line = changesLine(changes);
  return (
    <span className={styles.changes} title={line}>
      <Bars arrays={changes.arrays} />
      <span className={styles.changeWords}>{line}</span>
    </span>
  );
}

const MAX_BARS = 6;
const HIGHEST = 20;

function Bars({ arrays }: Pick<CommitChanges, "arrays">) {
  if (arrays.length === 0) return null;
  return (
    <span className={styles.bars} aria-hidden="true">
      {arrays.slice(0, MAX_BARS).map(({ path, count, chunks, isNew }, at) => (
        <i
          // The node of an array may be unknown.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${path} ${at}`}
          title={`${path ?? "an array"}: ${countOf(count, "chunk")}${chunks === undefined ? "" : ` of ${formatCount(chunks)}`}`}
          data-new={isNew}
          style={{ height: Math.max(3, Math.round(HIGHEST * Math.min(1, count / (chunks ?? count)))) }}
        />
      ))}
    </span>
  );
}
