import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { movedIndex } from "./roving.ts";
import { Button } from "./Button.tsx";
import styles from "./Tabs.module.css";

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** Beside the label: a count. */
  readonly badge?: string;
}

export interface TabsProps<Id extends string> {
  /** Name of the tablist. */
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** Begins the ids of tabs and panels; the same goes to `TabPanel`. */
  readonly idBase: string;
  /** Smaller, for tabs within a panel. */
  readonly size?: "normal" | "small";
  /** Look as a row of buttons, for tabs beside a name. */
  readonly look?: "underlined" | "pills";
}

/** A tablist: arrows, Home and End move and select at once, only the selected tab is in the tab order, and none if it is alone. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, selected, onSelect, idBase, size = "normal", look = "underlined" } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey) return;
    const from = tabs.findIndex((tab) => tab.id === selected);
    const to = tabs[movedIndex(event.key, from, tabs.length, "horizontal") ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    onSelect(to.id);
    document.getElementById(tabId(idBase, to.id))?.focus();
  };
  const list = useRef<HTMLDivElement>(null);
  // If there is no room for all of them, the selected one is scrolled into sight.
  useEffect(() => {
    const { current } = list;
    if (current === null || current.scrollWidth <= current.clientWidth) return;
    document.getElementById(tabId(idBase, selected))?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [idBase, selected]);
  return (
    <div
      ref={list}
      className={styles.tabs}
      role="tablist"
      aria-label={label}
      data-size={size}
      data-look={look}
      onKeyDown={onKeyDown}
      tabIndex={-1}
    >
      {tabs.map((tab) => (
        <Button
          key={tab.id}

          role="tab"
          id={tabId(idBase, tab.id)}
          className={styles.tab}
          aria-selected={tab.id === selected}
          aria-controls={tab.id === selected ? tabPanelId(idBase, tab.id) : undefined}
          tabIndex={tab.id === selected && tabs.length > 1 ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
          {tab.badge === undefined ? null : <span className={styles.badge}>{tab.badge}</span>}
        </Button>
      ))}
    </div>
  );
}

export interface TabPanelProps {
  readonly idBase: string;
  readonly id: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** Contents of the selected tab. */
export function TabPanel({ idBase, id, children, className }: TabPanelProps) {
  return (
    <div
      role="tabpanel"
      id={tabPanelId(idBase, id)}
      aria-labelledby={tabId(idBase, id)}
      className={className}
      tabIndex={-1}
    >
      {children}
    </div>
  );
}

export const tabId = (idBase: string, id: string): string => `${idBase}-tab-${id}`;

export const tabPanelId = (idBase: string, id: string): string => `${idBase}-panel-${id}`;
