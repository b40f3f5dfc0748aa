import { useVirtualizer } from "@tanstack/react-virtual";
import { useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { movedIndex } from "./roving.ts";
import styles from "./PickList.module.css";
import { TextField } from "./Button.tsx";

export interface PickItem {
  readonly id: string;
  readonly label: string;
  /** Beside or below the label. */
  readonly detail?: string;
  /** Key to press instead, shown at the right edge. */
  readonly keys?: string;
}

export interface PickListProps {
  /** Name of the field and of the list. */
  readonly label: string;
  readonly placeholder: string;
  /** Items for a query, best first. */
  readonly itemsFor: (query: string) => readonly PickItem[];
  readonly onPick: (id: string, query: string) => void;
  /** Text shown if nothing matches. */
  readonly nothing: ReactNode | ((query: string) => ReactNode);
}

/** At least; where a control is larger, for fingers, a row is as large. */
const ROW_HEIGHT = 34;

function rowHeight(): number {
  const control = getComputedStyle(document.documentElement).getPropertyValue("--control");
  return Math.max(ROW_HEIGHT, Number.parseInt(control, 10) || 0);
}

/** A field with a list below it: typing filters, arrows move, Enter picks (combobox with listbox). */
export function PickList({ label, placeholder, itemsFor, onPick, nothing }: PickListProps) {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const idBase = useId();
  const list = useRef<ListHandle>(null);
  const items = itemsFor(query);
  const onKeyDown = (event: KeyboardEvent) => {
    const moves = event.key === "ArrowDown" || event.key === "ArrowUp";
    const to = moves ? movedIndex(event.key, active, items.length, "vertical") : undefined;
    const item = items[active];
    if (to !== undefined) {
      setActive(to);
      list.current?.show(to);
    } else if (event.key === "Enter" && item !== undefined) onPick(item.id, query);
    else return;
    event.preventDefault();
  };
  return (
    <div className="column low">
      <TextField
        className={styles.field}
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${idBase}-list`}
        aria-autocomplete="list"
        aria-activedescendant={items.length === 0 ? undefined : `${idBase}-${active}`}
        placeholder={placeholder}
        value={query}
        data-autofocus
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
          list.current?.show(0);
        }}
      />
      <Options
        idBase={idBase}
        label={label}
        items={items}
        active={active}
        handle={list}
        onPick={(id) => onPick(id, query)}
      />
      {items.length === 0 ? (
        <div className={styles.nothing}>{typeof nothing === "function" ? nothing(query) : nothing}</div>
      ) : null}
    </div>
  );
}

interface ListHandle {
  readonly show: (index: number) => void;
}

interface OptionsProps {
  readonly idBase: string;
  readonly label: string;
  readonly items: readonly PickItem[];
  readonly active: number;
  readonly handle: RefObject<ListHandle | null>;
  readonly onPick: (id: string) => void;
}

function Options({ idBase, label, items, active, handle, onPick }: OptionsProps) {
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by hand, and no compiler runs
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: rowHeight,
    overscan: 8,
  });
  const register = (element: HTMLDivElement | null) => {
    box.current = element;
    handle.current = {
      show: (index) => virtualizer.scrollToIndex(index),
    };
  };
  return (
    <div
      ref={register}
      id={`${idBase}-list`}
      className={styles.scroll}
      role="listbox"
      aria-label={label}
      data-empty={items.length === 0}
    >
      <div className="relative" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            // The keyboard works from the field.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/interactive-supports-focus
            <div
              key={item.id}
              id={`${idBase}-${index}`}
              className={styles.option}
              role="option"
              aria-selected={index === active}
              aria-posinset={index + 1}
              aria-setsize={items.length}
              style={{ top: start, height: size }}
              // Focus stays in the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(item.id)}
            >
              <span className={styles.label} title={item.label}>
                {item.label}
              </span>
              {item.detail === undefined ? null : (
                <span className={styles.detail} title={item.detail}>
                  {item.detail}
                </span>
              )}
              {item.keys === undefined ? null : <kbd className={styles.keys}>{item.keys}</kbd>}
            </div>
          );
        })}
      </div>
    </div>
  );
}
