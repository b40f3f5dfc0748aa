import type { SnapshotEntry } from "../../core/repository.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { DefinitionList, type Definition } from "../../widgets/DefinitionList.tsx";
import styles from "./HistoryPanel.module.css";

interface SnapshotDetailsProps {
  readonly entry: SnapshotEntry;
  readonly names: readonly string[];
}

/** Everything that is known of a snapshot, in full. */
export function SnapshotDetails({ entry, names }: SnapshotDetailsProps) {
  const { id, parent, time, message, author, metadata } = entry;
  const items: readonly Definition[] = [
    { term: "Snapshot", description: <Exact text={id} what="snapshot id" /> },
    { term: "Parent", description: parent === undefined ? "none" : <Exact text={parent} what="id of the parent" /> },
    { term: "Time", description: time ?? "not recorded" },
    { term: "Message", description: message === "" ? "none" : <span className={styles.free}>{message}</span> },
    ...(author === undefined ? [] : [{ term: "Author", description: author }]),
    ...(names.length === 0 ? [] : [{ term: "Pointed to by", description: names.join(", ") }]),
  ];
  return (
    <div className={styles.details}>
      <DefinitionList items={items} />
      {metadata.length === 0 ? (
        <p className={styles.note}>It was written without metadata.</p>
      ) : (
        <table className={styles.table} aria-label="Metadata of the snapshot">
          <thead>
            <tr>
              <th scope="col">Metadata</th>
              <th scope="col" className={styles.wide}>
                Value, as JSON
              </th>
            </tr>
          </thead>
          <tbody>
            {metadata.map(([name, json]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className={styles.wide}>
                  <Exact text={json} what={`value of ${name}`} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function Exact({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className={styles.id}>
      <code className={styles.free}>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
