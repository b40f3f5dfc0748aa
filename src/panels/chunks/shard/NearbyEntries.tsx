/** The entries around the cursor's chunk, as the file has them one after another. */
import { useMemo } from "react";
import { type EntryState, isDamaged } from "#core/table/shard-map.ts";
import { LinkButton } from "#widgets/controls/Button.tsx";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import styles from "./StripPart.module.css";
import { dotted, ratioText, STATE_MEANING, STATE_WORDS } from "./chunk-sentence.ts";
import { type FileOrder, stateOf } from "./file-order.ts";
import { chunkCoordinates, type ShownShard } from "./shard-props.ts";
import { Icon } from "#widgets/Icon.tsx";

export interface NearbyEntriesProps extends ShownShard {
  readonly order: FileOrder;
  readonly cursor: number;
  /** The chunk that is marked. */
  readonly current: number | undefined;
  readonly onSelect: (inner: number) => void;
}

const MAX_ROWS = 7;

export function NearbyEntries(props: NearbyEntriesProps) {
  const { order, cursor, current } = props;
  const shown = useMemo(() => nearbyEntries(order, cursor, MAX_ROWS), [order, cursor]);
  const columns = entryColumns(props);
  if (shown.length === 0) return null;
  return (
    <section className={styles.nearby} aria-label="Neighbours in the file">
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>Neighbours in the file</h3>
      </div>
      <SmallTable
        columns={columns}
        rows={shown.map((inner) => ({ inner }))}
        look={({ inner }) => ({ "aria-current": inner === current })}
      />
    </section>
  );
}

function entryColumns({ map, array, shard, onSelect }: NearbyEntriesProps): readonly SmallColumn<{ inner: number }>[] {
  const nameOf = (inner: number) => dotted(chunkCoordinates(shard, map.innerGrid, inner));
  const lengthOf = (inner: number) => map.lengths[inner] ?? 0;
  return [
    {
      id: "chunk",
      header: "Chunk",
      names: true,
      value: ({ inner }) => nameOf(inner),
      // Out of the tab order: keys walk along the file on the strip.
      cell: ({ inner }) => (
        <LinkButton tabIndex={-1} className={styles.chunkLink} title={nameOf(inner)} onClick={() => onSelect(inner)}>
          {nameOf(inner)}
        </LinkButton>
      ),
    },
    { id: "offset", header: "Offset", numeric: true, value: ({ inner }) => map.offsets[inner] ?? 0 },
    { id: "bytes", header: "Bytes", numeric: true, value: ({ inner }) => lengthOf(inner) },
    {
      id: "ratio",
      header: "Ratio",
      numeric: true,
      value: ({ inner }) => (isDamaged(stateOf(map, inner)) ? undefined : ratioText(array.chunkBytes, lengthOf(inner))),
    },
    {
      id: "state",
      header: "State",
      value: ({ inner }) => stateOf(map, inner),
      cell: ({ inner }) => <EntryMark state={stateOf(map, inner)} />,
    },
  ];
}

// The chunks before and after one in the file. Pure.

/** Up to `count` ordinals around a chunk; the first ones where it has no place in the file. */
export function nearbyEntries({ ordinals, places }: FileOrder, inner: number, count: number): readonly number[] {
  const place = Math.max(0, places[inner] ?? -1);
  const from = Math.max(0, Math.min(place - Math.floor(count / 2), ordinals.length - count));
  return [...ordinals.subarray(from, from + count)];
}

/** The same shapes as in the grid: full, hollow, two bars, a cross. Drawn in a box of 10 by 10. */
function shapeOf(state: EntryState): string {
  if (state === "empty") return "M1 1h8v8h-8z";
  if (state === "shared") return "M0 1.5h10v2.6h-10zM0 5.9h10v2.6h-10z";
  return isDamaged(state)
    ? "M1.9 0.5l3.1 3.1l3.1-3.1l1.4 1.4l-3.1 3.1l3.1 3.1l-1.4 1.4l-3.1-3.1l-3.1 3.1l-1.4-1.4l3.1-3.1l-3.1-3.1z"
    : "M0.5 0.5h9v9h-9z";
}

/** With the state beside it. */
export function EntryMark({ state }: { readonly state: EntryState }) {
  const kind = isDamaged(state) ? "damaged" : state;
  return (
    <span className="inline-row gap-6 rigid" title={STATE_MEANING[state]}>
      <Icon className={styles.mark} data-state={kind} side={10} path={shapeOf(state)} />
      {STATE_WORDS[state]}
    </span>
  );
}
