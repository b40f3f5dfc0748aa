import type { ReactNode } from "react";
import type { NodeSummary, SetSummary } from "../core/open-set.ts";
import { describedAs } from "../core/units-text.ts";
import { useEngine } from "../store/react.tsx";
import { countOf, formatChunks, formatShape } from "../widgets/number-format.ts";
import styles from "./Views.module.css";

interface NodeNameProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  /** What the view says of it in a line; where it says nothing, its chunks are. */
  readonly children: ReactNode;
}

/** The selected array, by its name and what it calls itself. */
export function NodeName({ set, node, children }: NodeNameProps) {
  const wanted = node.kind === "array" ? { set: set.id, array: node.path } : undefined;
  const about = useEngine("plane.about", wanted).data;
  const title = describedAs(about?.title, about?.units);
  return (
    <div className={styles.name}>
      <h2 title={[node.path === "" ? "/" : node.path, title].filter(Boolean).join(": ")}>
        {node.path === "" ? "/" : node.name} <small>{title}</small>
      </h2>
      <div className={styles.line}>
        {children}
        <p className={styles.plain}>{chunksText(node)}</p>
      </div>
    </div>
  );
}

/** "6 × 3 × 3 chunks of 4 × 40 × 64 · <i2" */
function chunksText({ kind, grid, chunks, shardShape, dtype }: NodeSummary): string {
  if (kind !== "array" || grid === undefined || chunks === undefined) return "metadata that cannot be understood";
  const count = grid.every((one) => one === 1) ? countOf(1, "chunk") : `${formatShape(grid)} chunks`;
  const shards = shardShape === undefined ? [] : [`shards of ${formatChunks(shardShape)}`];
  return [chunks.length === 0 ? count : `${count} of ${formatChunks(chunks)}`, ...shards, dtype ?? ""]
    .filter(Boolean)
    .join(" · ");
}
