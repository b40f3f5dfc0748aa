/** The entries around the cursor's chunk, as the file has them one after another. */
import { useMemo } from "react";
import { isDamaged } from "../../../core/table/shard-map.ts";
import { formatCount } from "../../../widgets/number-format.ts";
import { LinkButton } from "../../../widgets/controls/Button.tsx";
import { EntryMark } from "./EntryMark.tsx";
import styles from "./StripPart.module.css";
import { dotted, ratioText } from "./chunk-sentence.ts";
import { type FileOrder, stateOf } from "./file-order.ts";
import { chunkCoordinates, type ShownShard } from "./shard-props.ts";

export interface NearbyEntriesProps extends ShownShard {
  readonly order: FileOrder;
  readonly cursor: number;
  /** The chunk that is marked. */
  readonly current: number | undefined;
  readonly onSelect: (inner: number) => void;
}

const MAX_ROWS = 7;
const COLUMNS = ["Chunk", "Offset", "Bytes", "Ratio", "State"];

export function NearbyEntries(props: NearbyEntriesProps) {
  const { order, cursor } = props;
  const shown = useMemo(() => nearbyEntries(order, cursor, MAX_ROWS), [order, cursor]);
  if (shown.length === 0) return null;
  return (
    <section className={styles.nearby} aria-label="Neighbours in the file">
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>Neighbours in the file</h3>
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            {COLUMNS.map((name, at) => (
              <th key={name} scope="col" data-number={at > 0 && at < 4 ? true : undefined}>
                {name}
              </th>
            ))}
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
        <LinkButton tabIndex={-1} className={styles.chunkLink} title={coordinates} onClick={() => onSelect(inner)}>
          {coordinates}
        </LinkButton>
      </th>
      <td data-number="true">{formatCount(map.offsets[inner] ?? 0)}</td>
      <td data-number="true">{formatCount(length)}</td>
      <td data-number="true">{(isDamaged(state) ? undefined : ratioText(array.chunkBytes, length)) ?? "–"}</td>
      <td>
        <EntryMark state={state} />
      </td>
    </tr>
  );
}

// The chunks before and after one in the file. Pure.

/** Up to `count` ordinals around a chunk; the first ones where it has no place in the file. */
export function nearbyEntries({ ordinals, places }: FileOrder, inner: number, count: number): readonly number[] {
  const place = Math.max(0, places[inner] ?? -1);
  const from = Math.max(0, Math.min(place - Math.floor(count / 2), ordinals.length - count));
  return [...ordinals.subarray(from, from + count)];
}
