import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import {
  Fragment,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
} from "react";
import { treeAction, typeAhead } from "./tree-keys.ts";
import type { NodeHealth } from "./node-health.ts";
import { indentOf, TreeItem } from "./TreeItem.tsx";
import { rowsToDraw } from "./rows-to-draw.ts";
import type { TreeRow } from "./tree.ts";
import styles from "./TreeView.module.css";

/** Above the first node of a section. */
const HEAD_HEIGHT = 26;
const TYPED_TOGETHER_MS = 600;

export interface TreeViewProps {
  readonly rows: readonly TreeRow[];
  readonly healthOf: (row: TreeRow) => NodeHealth | undefined;
  /** Path of the selected node. */
  readonly selected: string;
  /** Whether what is shown is about it: views of the whole set are about none. */
  readonly isShown: boolean;
  /** Text to mark within names. */
  readonly highlight: string;
  readonly onSelect: (path: string) => void;
  readonly onExpand: (paths: readonly string[], expanded: boolean) => void;
  readonly ref?: Ref<HTMLDivElement>;
}

/** A virtualised tree with one item in the tab order. Selecting is a step of its own: Enter, Space or a click. */
export function TreeView({ rows, healthOf, selected, isShown, highlight, onSelect, onExpand, ref }: TreeViewProps) {
  const box = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => box.current as HTMLDivElement, []);
  const idBase = useId();
  const focus = useFocusedRow(rows, selected);
  const [rowHeight] = useState(treeRowHeight);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by hand, and no compiler runs
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => rowHeight + headHeight(rows[index]),
    // Another function for other rows, so that their heights are asked anew.
    getItemKey: useCallback((index: number) => rows[index]?.node.path ?? index, [rows]),
    overscan: 12,
    rangeExtractor: (range) => rowsToDraw(range, focus.index),
  });
  useFollowFocus(virtualizer, focus, selected, idBase);
  const onKeyDown = useTreeKeys({ rows, focus, onSelect, onExpand });

  return (
    <div ref={box} className={styles.scroll}>
      <div
        className={styles.tree}
        role="tree"
        aria-label="Hierarchy"
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
        tabIndex={-1}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <Fragment key={row.node.path}>
              {row.head === undefined ? null : <Head text={row.head} top={start} level={row.level} />}
              <TreeItem
                id={`${idBase}-${index}`}
                row={row}
                health={healthOf(row)}
                top={start + headHeight(row)}
                selected={isShown && row.node.path === selected}
                inTabOrder={index === focus.index}
                highlight={highlight}
                onFocus={() => focus.set(row.node.path)}
                onSelect={() => onSelect(row.node.path)}
                onToggle={() => onExpand([row.node.path], !row.expanded)}
              />
            </Fragment>
          );
        })}
      </div>
    </div>
  );
}

interface HeadProps {
  readonly text: string;
  readonly top: number;
  readonly level: number;
}

/** Of a section. For the eye: a tree holds nothing but its items. */
function Head({ text, top, level }: HeadProps) {
  return (
    <div className={styles.head} aria-hidden="true" style={{ top, paddingLeft: indentOf(level) }}>
      {text}
    </div>
  );
}

const headHeight = (row: TreeRow | undefined): number => (row?.head === undefined ? 0 : HEAD_HEIGHT);

/** Fingers need higher rows: what the tokens say. */
function treeRowHeight(): number {
  const said = getComputedStyle(document.documentElement).getPropertyValue("--tree-row");
  return Number.parseFloat(said) || 28;
}

interface FocusedRow {
  readonly index: number;
  /** Notes where focus is. */
  set(path: string): void;
  /** Notes it and moves the focus there. */
  move(path: string): void;
  /** Rises when the focus is to be moved. */
  readonly moves: number;
}

/** The row in the tab order: the one last focused, else the selected one, else the first. */
function useFocusedRow(rows: readonly TreeRow[], selected: string): FocusedRow {
  const [state, setState] = useState({ path: selected, selected, moves: 0 });
  if (state.selected !== selected) setState({ ...state, path: selected, selected });
  const places = useMemo(() => new Map(rows.map((row, index) => [row.node.path, index])), [rows]);
  const index = places.get(state.path) ?? places.get(selected) ?? 0;
  return {
    index,
    moves: state.moves,
    set: (path) => {
      if (path !== state.path) setState({ ...state, path });
    },
    move: (path) => setState({ ...state, path, moves: state.moves + 1 }),
  };
}

function useFollowFocus(
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  focus: FocusedRow,
  selected: string,
  idBase: string,
): void {
  const { index, moves } = focus;
  const latest = useRef(index);
  useEffect(() => {
    latest.current = index;
  });
  useEffect(() => {
    if (moves === 0) return;
    virtualizer.scrollToIndex(latest.current);
    document.getElementById(`${idBase}-${latest.current}`)?.focus({ preventScroll: true });
  }, [moves, virtualizer, idBase]);
  useEffect(() => {
    // What had the focus is gone (the start page): go on from here.
    if (document.activeElement !== document.body) return undefined;
    const frame = requestAnimationFrame(() =>
      document.getElementById(`${idBase}-${latest.current}`)?.focus({ preventScroll: true }),
    );
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [idBase]);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (shown.current === selected) return;
    shown.current = selected;
    virtualizer.scrollToIndex(latest.current);
  }, [selected, virtualizer]);
}

interface TreeKeysOptions extends Pick<TreeViewProps, "rows" | "onSelect" | "onExpand"> {
  readonly focus: FocusedRow;
}

function useTreeKeys({ rows, focus, onSelect, onExpand }: TreeKeysOptions) {
  const typed = useRef({ text: "", at: 0 });
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moveTo = (index: number | undefined) => {
      const row = rows[index ?? -1];
      if (row !== undefined) focus.move(row.node.path);
    };
    const action = treeAction(event.key, rows, focus.index);
    if (action === undefined) {
      if (event.key.length !== 1) return;
      const fresh = event.timeStamp - typed.current.at > TYPED_TOGETHER_MS;
      typed.current = { text: (fresh ? "" : typed.current.text) + event.key, at: event.timeStamp };
      const found = typeAhead(rows, focus.index, typed.current.text);
      if (found === undefined) return;
      event.preventDefault();
      moveTo(found);
      return;
    }
    event.preventDefault();
    if (action.kind === "focus") moveTo(action.index);
    else if (action.kind === "expand") onExpand(action.paths, true);
    else if (action.kind === "collapse") onExpand([action.path], false);
    else onSelect(action.path);
  };
}
