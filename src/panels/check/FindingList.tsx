import { useEffect, useState, type ComponentType } from "react";
import type { Diagnostic } from "../../core/studio.ts";
import { useRovingList } from "../../widgets/use-roving-list.ts";
import type { NodesByPath } from "./chunk-of-key.ts";
import type { FindingItemProps } from "./FindingItem.tsx";
import type { ListedFinding } from "./findings.ts";
import styles from "./FindingList.module.css";

export interface FindingListProps {
  readonly findings: readonly ListedFinding[];
  readonly nodes: NodesByPath;
  readonly onGo: (listed: ListedFinding) => void;
  readonly Item: ComponentType<FindingItemProps>;
  /** About, in CSS pixels, while it is closed. */
  readonly rowHeight: number;
  /** Told how high the whole list is, in CSS pixels, whenever that changes. */
  readonly onHeight?: (pixels: number) => void;
  /** Makes the edit that a finding offers. */
  readonly onFix?: ((diagnostic: Diagnostic) => void) | undefined;
}

const WHOLE_BELOW = 200;

/** The list "Problems"; arrows move between items. */
export function FindingList({ findings, nodes, Item, rowHeight, onGo, onHeight, onFix }: FindingListProps) {
  const [opened, toggle] = useToggles();
  const { box, virtualizer, active, setActive, onKeyDown } = useRovingList({
    count: findings.length,
    rowHeight,
    wholeBelow: WHOLE_BELOW,
  });
  const height = virtualizer.getTotalSize();
  useEffect(() => {
    onHeight?.(height);
  }, [height, onHeight]);
  return (
    <div ref={box} className={styles.scroll}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move among the buttons in it */}
      <ul aria-label="Problems" className={styles.list} style={{ height }} onKeyDown={onKeyDown}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const listed = findings[index];
          if (listed === undefined) return null;
          return (
            <Item
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
