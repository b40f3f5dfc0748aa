/** In place of the Shard view, where the selected group or array has no shards: offers the arrays that have. */
import { ArrayList, MAX_LISTED_ARRAYS } from "../../widgets/ArrayList.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { formatCount } from "../../widgets/number-format.ts";

export interface NoShardsProps {
  /** What is the case: "temperature is not sharded." */
  readonly title: string;
  /** Sharded arrays of the set. */
  readonly arrays: readonly { readonly path: string; readonly detail: string }[];
  readonly onArray: (path: string) => void;
}

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
      <ArrayList
        label="Sharded arrays"
        arrays={arrays.map(({ path, detail }) => ({ path, name: path === "" ? "/" : path, detail }))}
        onArray={onArray}
      />
      {arrays.length > MAX_LISTED_ARRAYS ? (
        <p>
          The first {MAX_LISTED_ARRAYS} of {formatCount(arrays.length)} are listed; the hierarchy has all.
        </p>
      ) : null}
    </EmptyState>
  );
}
