import { useState } from "react";
import type { NodeChange, NodeMembers } from "../../core/repository.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { JsonChanges } from "../../widgets/JsonChanges.tsx";
import { MoreRows } from "../../widgets/MoreRows.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { NODE_SIGNS } from "./history-words.ts";
import { ChangeMark } from "./SnapshotId.tsx";
import styles from "./HistoryPanel.module.css";

/** Rows at a time. */
const STEP = 200;

/** Groups and arrays that were added, removed, moved, or whose metadata changed. */
export function NodeChangesTable({ nodes }: { readonly nodes: readonly NodeChange[] }) {
  const [limit, setLimit] = useState(STEP);
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table} aria-label="Groups and arrays that differ">
          <thead>
            <tr>
              <th scope="col">Change</th>
              <th scope="col">Kind</th>
              <th scope="col" className={styles.wide}>
                Group or array
              </th>
            </tr>
          </thead>
          <tbody>
            {nodes.slice(0, limit).map((change) => (
              <tr key={`${change.kind} ${change.path}`}>
                <td>
                  <ChangeMark {...NODE_SIGNS[change.kind]} />
                </td>
                <td>{change.node}</td>
                <td className={styles.wide}>
                  <NodeLink path={change.path} />
                  {change.before === undefined ? null : (
                    <>
                      <span className={styles.quiet}> was </span>
                      <NodeLink path={change.before} />
                    </>
                  )}
                  {change.members === undefined ? null : <Members members={change.members} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <MoreRows shown={limit} total={nodes.length} step={STEP} onMore={setLimit} />
    </>
  );
}

/** What of the metadata differs; by logs a node may be named although nothing does in the end. */
function Members({ members: { changes, count } }: { readonly members: NodeMembers }) {
  if (count === 0) return <p className={styles.quiet}>changed, and changed back</p>;
  return (
    <>
      <JsonChanges changes={changes} />
      {count > changes.length ? (
        <p className={styles.quiet}>and {countOf(count - changes.length, "more member")}</p>
      ) : null}
    </>
  );
}

/** A path; where the open set has the node, a click selects it. */
export function NodeLink({ path }: { readonly path: string }) {
  const actions = useActions();
  const isThere = useAppState((state) => state.set?.nodes.some((node) => node.path === path) === true);
  const text = path === "" ? "/" : path;
  if (!isThere)
    return (
      <code className={styles.path} title={`${text}: not in the snapshot that is shown`}>
        {text}
      </code>
    );
  return (
    <button
      type="button"
      data-kind="link"
      className={styles.path}
      title={`Select ${text}`}
      onClick={() => actions.selectNode(path)}
    >
      {text}
    </button>
  );
}
