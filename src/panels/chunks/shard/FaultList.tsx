/** What is wrong with the shard's entries; arrows move between items, a click selects the chunk. */
import type { ShardFault, ShardMap } from "../../../core/shard-map.ts";
import { formatCount } from "../../../widgets/number-format.ts";
import { useRovingList } from "../../../widgets/use-roving-list.ts";
import { STATE_WORDS, dotted, faultSentence } from "./chunk-sentence.ts";
import { chunkCoordinates, type ShardPlace } from "./shard-props.ts";
import styles from "./ShardPanel.module.css";

export interface FaultListProps {
  readonly map: ShardMap;
  readonly shard: ShardPlace;
  readonly selected: number | undefined;
  readonly onSelect: (inner: number) => void;
}

/** About: the sentences wrap. */
const ROW_HEIGHT = 48;
const BORDERS = 2;
/** Height of the heading, and what is kept of the list where there is little room. */
const HEAD_HEIGHT = 28;
const LEAST_HEIGHT = 130;
const WHOLE_BELOW = 100;

export function FaultList({ map, shard, selected, onSelect }: FaultListProps) {
  const { faults, faultCount } = map;
  const { box, virtualizer, active, setActive, onKeyDown } = useRovingList({
    count: faults.length,
    rowHeight: ROW_HEIGHT,
    wholeBelow: WHOLE_BELOW,
  });
  return (
    <section
      className={styles.faults}
      aria-label="Faults of the shard"
      style={{ minHeight: Math.min(LEAST_HEIGHT, HEAD_HEIGHT + BORDERS + virtualizer.getTotalSize()) }}
    >
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>Faults</h3>
        <span className={styles.seen}>
          {formatCount(faultCount)}
          {faultCount > faults.length ? `, the first ${formatCount(faults.length)} are listed` : ""}
        </span>
      </div>
      <div ref={box} className={styles.faultBox} style={{ height: virtualizer.getTotalSize() + BORDERS }}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move among the buttons in it */}
        <ul
          aria-label="Faults"
          className={styles.faultList}
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={onKeyDown}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <FaultItem
              key={index}
              {...{ map, shard, index, onSelect }}
              fault={faults[index]}
              measure={virtualizer.measureElement}
              top={start}
              selected={faults[index]?.inner === selected}
              inTabOrder={index === active}
              onFocus={() => setActive(index)}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}

interface FaultItemProps extends Pick<FaultListProps, "map" | "shard" | "onSelect"> {
  readonly fault: ShardFault | undefined;
  readonly index: number;
  readonly measure: (element: HTMLElement | null) => void;
  readonly top: number;
  readonly selected: boolean;
  readonly inTabOrder: boolean;
  readonly onFocus: () => void;
}

function FaultItem(props: FaultItemProps) {
  const { map, shard, fault, index, measure, top, selected, inTabOrder, onSelect, onFocus } = props;
  if (fault === undefined) return null;
  const sentence = faultSentence(map, shard, fault);
  const coordinates = dotted(chunkCoordinates(shard, map.innerGrid, fault.inner));
  return (
    <li
      className={styles.fault}
      ref={measure}
      style={{ top }}
      data-index={index}
      data-code={`shard-${fault.fault}`}
      aria-posinset={index + 1}
      aria-setsize={map.faults.length}
    >
      <button
        type="button"
        className={styles.faultButton}
        aria-current={selected}
        tabIndex={inTabOrder ? 0 : -1}
        onFocus={onFocus}
        onClick={() => onSelect(fault.inner)}
      >
        <span className={styles.faultSign} aria-hidden="true">
          ✕
        </span>
        <code className={styles.chunkName}>{coordinates}</code>
        <span className={styles.faultKind}>{STATE_WORDS[fault.fault]}</span>
        <span className={styles.faultText}>{sentence}</span>
      </button>
    </li>
  );
}
