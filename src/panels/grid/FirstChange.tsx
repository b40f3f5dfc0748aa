/** The way to the first chunk that changed, which may be in another slice than the one in sight. */
import { chunkToSelect } from "../../core/changed-chunk.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";
import styles from "./GridPanel.module.css";

/** Logs may name chunks outside of the array's grid: the first of so many that is inside. */
const LOOKED_AT = 200;

interface FirstChangeProps {
  readonly set: number;
  readonly node: NodeSummary;
  readonly onGoTo: (coordinates: readonly number[]) => void;
}

/** For one comparison: it has a key of its own. */
export function FirstChange({ set, node, onGoTo }: FirstChangeProps) {
  const { data } = useEngine("changedChunks", { set, path: node.path, from: 0, to: LOOKED_AT });
  const first = data?.chunks
    .map(({ coordinates }) => chunkToSelect(node, coordinates))
    .find((coordinates) => coordinates !== undefined);
  if (first === undefined) return null;
  return (
    <li className={styles.entry}>
      <button type="button" data-kind="link" onClick={() => onGoTo(first)}>
        First changed chunk
      </button>
    </li>
  );
}
