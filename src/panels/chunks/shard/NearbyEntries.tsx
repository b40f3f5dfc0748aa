/** The entries around the cursor's chunk, as the file has them one after another. */
import { useMemo } from "react";
import { isDamaged, type ShardMap } from "../../../core/shard-map.ts";
import { formatCount } from "../../../widgets/number-format.ts";
import { dotted, ratioText } from "./chunk-sentence.ts";
import { EntryMark } from "./EntryMark.tsx";
import { stateOf, type FileOrder } from "./file-order.ts";
import { nearbyEntries } from "./nearby.ts";
import { chunkCoordinates, type ShardArray, type ShardPlace } from "./shard-props.ts";
import styles from "./ShardPanel.module.css";

export interface NearbyEntriesProps {
  readonly map: ShardMap;
  readonly array: ShardArray;
  readonly shard: ShardPlace;
  readonly order: FileOrder;
  readonly cursor: number;
  /** The chunk that is marked. */
  readonly current: number | undefined;
  /** Rows at most. */
  readonly count: number;
  readonly onSelect: (inner: number) => void;
}

export function NearbyEntries(props: NearbyEntriesProps) {
  const { order, cursor, count } = props;
  const shown = useMemo(() => nearbyEntries(order, cursor, count), [order, cursor, count]);
  if (shown.length === 0) return null;
  return (
    <section className={styles.nearby} aria-label="Neighbours in the file">
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>Neighbours in the file</h3>
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Chunk</th>
            <th scope="col" data-number="true">
              Offset
            </th>
            <th scope="col" data-number="true">
              Bytes
            </th>
            <th scope="col" data-number="true">
              Ratio
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((inner) => (
            <EntryRow key={inner} {...props} inner={inner} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function EntryRow({ map, array, shard, current, inner, onSelect }: NearbyEntriesProps & { readonly inner: number }) {
  const state = stateOf(map, inner);
  const coordinates = dotted(chunkCoordinates(shard, map.innerGrid, inner));
  const length = map.lengths[inner] ?? 0;
  return (
    <tr aria-current={inner === current}>
      <th scope="row">
        {/* Out of the tab order: keys walk along the file on the strip. */}
        <button
          type="button"
          data-kind="link"
          tabIndex={-1}
          className={styles.chunkLink}
          title={coordinates}
          onClick={() => onSelect(inner)}
        >
          {coordinates}
        </button>
      </th>
      <td data-number="true">{formatCount(map.offsets[inner] ?? 0)}</td>
      <td data-number="true">{formatCount(length)}</td>
      <td data-number="true">{(isDamaged(state) ? undefined : ratioText(array.chunkBytes, length)) ?? "–"}</td>
      <td>
        <EntryMark state={state} label />
      </td>
    </tr>
  );
}
