/** What is wrong with the shard's entries; arrows move between items, a click selects the chunk. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState, type KeyboardEvent } from "react";
import type { ShardFault, ShardMap } from "../../core/shard-map.ts";
import { formatCount } from "../../widgets/number-format.ts";
import { movedIndex } from "../../widgets/roving.ts";
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
/** Shorter lists are drawn whole, so that the browser's own search finds everything in them. */
const WHOLE_BELOW = 100;

export function FaultList({ map, shard, selected, onSelect }: FaultListProps) {
  const { faults, faultCount } = map;
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by hand, and no compiler runs
  const virtualizer = useVirtualizer({
    count: faults.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: faults.length <= WHOLE_BELOW ? WHOLE_BELOW : 12,
  });
  const current = Math.min(active, faults.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = movedIndex(event.key, current, faults.length, "vertical");
    if (to === undefined) return;
    event.preventDefault();
    setActive(to);
    virtualizer.scrollToIndex(to);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-index="${to}"] button`)?.focus());
  };
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
              inTabOrder={index === current}
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
