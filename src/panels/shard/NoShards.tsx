/** In place of the Shard view, where the selected group or array has no shards: offers the arrays that have. */
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import styles from "./ShardPanel.module.css";

export interface NoShardsProps {
  /** What is the case: "temperature is not sharded." */
  readonly title: string;
  /** Sharded arrays of the set. */
  readonly arrays: readonly { readonly path: string; readonly detail: string }[];
  readonly onArray: (path: string) => void;
}

const MAX_LISTED = 200;

export function NoShards({ title, arrays, onArray }: NoShardsProps) {
  if (arrays.length === 0) {
    return (
      <EmptyState title={title}>
        No array of this set is sharded: a shard holds many inner chunks in one object (Zarr v3, sharding_indexed).
      </EmptyState>
    );
  }
  return (
    <EmptyState title={title}>
      These arrays are sharded:
      <ul className={styles.arrays} aria-label="Sharded arrays">
        {arrays.slice(0, MAX_LISTED).map(({ path, detail }) => (
          <li key={path}>
            <button
              type="button"
              className={styles.array}
              title={path}
              onClick={() => {
                onArray(path);
              }}
            >
              <span className={styles.arrayName}>{path === "" ? "/" : path}</span>
              <span className={styles.faint}>{detail}</span>
            </button>
          </li>
        ))}
      </ul>
      {arrays.length > MAX_LISTED ? (
        <p>
          The first {MAX_LISTED} of {formatCount(arrays.length)} are listed; the hierarchy has all.
        </p>
      ) : null}
    </EmptyState>
  );
}
