import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { Diagnostic } from "../../core/studio.ts";
import { movedIndex } from "../../widgets/roving.ts";
import type { NodesByPath } from "./chunk-of-key.ts";
import { FindingItem } from "./FindingItem.tsx";
import type { ListedFinding } from "./findings.ts";
import styles from "./FindingList.module.css";

export interface FindingListProps {
  readonly findings: readonly ListedFinding[];
  readonly nodes: NodesByPath;
  readonly onGo: (listed: ListedFinding) => void;
  /** Told how high the whole list is, in CSS pixels, whenever that changes. */
  readonly onHeight: (pixels: number) => void;
  /** Makes the edit that a finding offers. */
  readonly onFix?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** Shorter lists are drawn whole, so that the browser's own search finds everything in them. */
const WHOLE_BELOW = 200;
const ROW_HEIGHT = 29;

/** The list "Problems"; arrows move between items. */
export function FindingList({ findings, nodes, onGo, onHeight, onFix }: FindingListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [opened, toggle] = useToggles();
  const [active, setActive] = useState(0);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by hand, and no compiler runs
  const virtualizer = useVirtualizer({
    count: findings.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: findings.length <= WHOLE_BELOW ? WHOLE_BELOW : 12,
  });
  const height = virtualizer.getTotalSize();
  useEffect(() => {
    onHeight(height);
  }, [height, onHeight]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = movedIndex(event.key, active, findings.length, "vertical");
    if (to === undefined) return;
    event.preventDefault();
    setActive(to);
    virtualizer.scrollToIndex(to);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-index="${to}"] button`)?.focus());
  };
  return (
    <div ref={box} className={styles.scroll}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move among the buttons in it */}
      <ul aria-label="Problems" className={styles.list} style={{ height }} onKeyDown={onKeyDown}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const listed = findings[index];
          if (listed === undefined) return null;
          return (
            <FindingItem
              key={index}
              measure={virtualizer.measureElement}
              index={index}
              total={findings.length}
              top={start}
              listed={listed}
              nodes={nodes}
              opened={opened.has(index)}
              inTabOrder={index === active}
              onFocus={() => {
                setActive(index);
              }}
              onGo={(place) => {
                onGo({ ...listed, place });
              }}
              onToggle={() => {
                toggle(index);
              }}
              onFix={onFix}
            />
          );
        })}
      </ul>
    </div>
  );
}

/** Which items are opened. */
function useToggles(): readonly [ReadonlySet<number>, (index: number) => void] {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const toggle = (index: number) => {
    const changed = new Set(opened);
    if (!changed.delete(index)) changed.add(index);
    setOpened(changed);
  };
  return [opened, toggle];
}
