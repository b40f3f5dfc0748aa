import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { Fragment, useCallback, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, Ref } from "react";
import { levelWords } from "#core/conventions/level-labels.ts";
import type { NodeSummary } from "#core/open-set.ts";
import { typeName } from "#core/metadata/data-type.ts";
import { useAppState } from "#store/react.tsx";
import { ArrayThumbnail } from "#widgets/values/ArrayThumbnail.tsx";
import { completenessSentence } from "#widgets/values/CompletenessBar.tsx";
import { formatShape } from "#widgets/number-format.ts";
import { actionOfKey } from "#widgets/controls/roving.ts";
import { useThumbnail } from "#widgets/values/thumbnails.ts";
import { useMessage } from "#widgets/notes/Notices.tsx";
import { Icon } from "#widgets/Icon.tsx";
import styles from "./TreeView.module.css";
import type { NodeHealth, TreeRow } from "./tree.ts";

/** Above the first node of a section. */
const HEAD_HEIGHT = 26;
const TYPED_TOGETHER_MS = 600;

export interface TreeViewProps {
  readonly rows: readonly TreeRow[];
  readonly healthOf: (row: TreeRow) => NodeHealth | undefined;
  /** Path of the selected node. */
  readonly selected: string;
  /** True if the view is about the node: views of the whole set are about none. */
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
              {row.head === undefined ? null : (
                // Heading of a section. For the eye only: a tree holds nothing but its items.
                <div
                  className={styles.head}
                  aria-hidden="true"
                  style={{ top: start, paddingLeft: indentOf(row.level) }}
                >
                  {row.head}
                </div>
              )}
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

const headHeight = (row: TreeRow | undefined): number => (row?.head === undefined ? 0 : HEAD_HEIGHT);

/** Fingers need higher rows: what the tokens say. */
function treeRowHeight(): number {
  const said = getComputedStyle(document.documentElement).getPropertyValue("--tree-row");
  return Number.parseFloat(said) || 28;
}

type FocusedRow = ReturnType<typeof useFocusedRow>;

/** The row in the tab order: the one last focused, else the selected one, else the first. */
function useFocusedRow(rows: readonly TreeRow[], selected: string) {
  const [state, setState] = useState({ path: selected, selected, moves: 0 });
  if (state.selected !== selected) setState({ ...state, path: selected, selected });
  const places = useMemo(() => new Map(rows.map((row, index) => [row.node.path, index])), [rows]);
  const index = places.get(state.path) ?? places.get(selected) ?? 0;
  return {
    index,
    /** Rises when the focus is to be moved. */
    moves: state.moves,
    /** Notes where focus is. */
    set: (path: string) => {
      if (path !== state.path) setState({ ...state, path });
    },
    /** Notes it and moves the focus there. */
    move: (path: string) => setState({ ...state, path, moves: state.moves + 1 }),
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
    // The element with the focus is gone (the start page): continue here.
    if (document.activeElement !== document.body) return undefined;
    const frame = requestAnimationFrame(() => {
      const item = document.getElementById(`${idBase}-${latest.current}`);
      // Nobody went there: it is marked with the first key.
      item?.setAttribute("data-unasked", "true");
      item?.focus({ preventScroll: true });
      window.addEventListener("keydown", () => item?.removeAttribute("data-unasked"), { once: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [idBase]);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (shown.current === selected) return;
    shown.current = selected;
    virtualizer.scrollToIndex(latest.current);
  }, [selected, virtualizer]);
}

type TreeKeysOptions = Pick<TreeViewProps, "rows" | "onSelect" | "onExpand"> & { readonly focus: FocusedRow };

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

/** The rows in view and the one in the tab order, which must exist wherever the list is scrolled to. */
function rowsToDraw(range: Range, always: number): number[] {
  const rows = defaultRangeExtractor(range);
  if (always >= range.count || rows.includes(always)) return rows;
  return [...rows, always].sort((a, b) => a - b);
}

/** Rows a page key moves by. */
const PAGE = 20;

export const treeAction = (key: string, rows: readonly TreeRow[], index: number) =>
  actionOfKey(key, rows, index, { page: PAGE, pathOf: ({ node }) => node.path });

/**
 * Next row after `index` whose name begins with what was typed, around the end. A first letter moves on, further ones
 * may stay where they are. A slash begins no name but the root's: it is the page's key for the filter.
 */
export function typeAhead(rows: readonly TreeRow[], index: number, typed: string): number | undefined {
  if (typed.startsWith("/")) return undefined;
  const wanted = typed.toLowerCase();
  const start = typed.length === 1 ? index + 1 : index;
  for (let step = 0; step < rows.length; step += 1) {
    const at = (start + step) % rows.length;
    if (rows[at]?.node.name.toLowerCase().startsWith(wanted) === true) return at;
  }
  return undefined;
}

interface TreeItemProps {
  readonly id: string;
  readonly row: TreeRow;
  readonly health: NodeHealth | undefined;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly selected: boolean;
  readonly inTabOrder: boolean;
  readonly highlight: string;
  readonly onFocus: () => void;
  readonly onSelect: () => void;
  readonly onToggle: () => void;
}

/** One group or array. */
function TreeItem({ id, row, health, top, selected, inTabOrder, highlight, ...on }: TreeItemProps) {
  const { node, level, position, siblings, expandable, expanded } = row;
  const reason = useMessage(node.reason);
  return (
    // Keys are handled by the tree around it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      className={styles.item}
      role="treeitem"
      // It is called by its name alone: `title` describes the rest, which is hidden from screen readers where it stands.
      data-path={node.path}
      data-kind={node.kind}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={selected}
      aria-expanded={expandable ? expanded : undefined}
      tabIndex={inTabOrder ? 0 : -1}
      style={{ top, paddingLeft: indentOf(level) }}
      title={titleOf(node, health, reason)}
      onFocus={on.onFocus}
      onClick={on.onSelect}
      onDoubleClick={expandable ? on.onToggle : undefined}
    >
      {expandable ? <Twisty expanded={expanded} onToggle={on.onToggle} /> : null}
      <Picture node={node} />
      <span className={`grow cut ${styles.name}`}>
        <b>
          <Highlighted text={node.name} part={highlight} />
        </b>
        {node.level === undefined ? null : (
          <span className={styles.level} aria-hidden="true">
            {levelWords(node.level)}
          </span>
        )}
        {node.kind === "array" ? (
          <span className={styles.shape} aria-hidden="true">
            {formatShape(node.shape ?? [])}
          </span>
        ) : null}
        {node.dtype === undefined ? null : (
          <span className={styles.dtype} aria-hidden="true">
            {typeName(node.dtype)}
          </span>
        )}
        {node.kind === "broken" ? (
          <span className={styles.reason} aria-hidden="true">
            {reason}
          </span>
        ) : null}
      </span>
      {health === undefined ? null : <HealthMark health={health} />}
    </div>
  );
}

/** Deeper levels are not indented further: a hostile set may nest endlessly. */
const MAX_INDENT = 12;

const indentOf = (level: number): number => 6 + 14 * Math.min(level - 1, MAX_INDENT);

function titleOf(node: NodeSummary, health: NodeHealth | undefined, reason: string | undefined): string {
  const lines = [node.path === "" ? "/ (the root)" : node.path];
  if (node.kind !== "array") lines.push(node.kind);
  else lines.push(`${typeName(node.dtype ?? "")} · ${formatShape(node.shape ?? [])}`);
  if (node.level !== undefined) lines.push(levelWords(node.level));
  if (node.cells !== undefined) lines.push(completenessSentence(node.present ?? 0, node.cells, node.unknown));
  if (health !== undefined && health.kind !== "missing") lines.push(health.sentence);
  if (reason !== undefined) lines.push(reason);
  return lines.join("\n");
}

function Twisty({ expanded, onToggle }: { readonly expanded: boolean; readonly onToggle: () => void }) {
  return (
    // A wider target for the pointer; the keyboard has Left and Right.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-static-element-interactions
    <span
      className={styles.twisty}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <svg viewBox="0 0 8 8" data-expanded={expanded}>
        <path d="M2.5 1l3 3l-3 3" />
      </svg>
    </span>
  );
}

const SIGNS: Readonly<Record<NodeSummary["kind"], string>> = {
  group: "M1 3h4l1.5 1.5h4.5v5.5h-10z",
  array: "M1.5 1.5h9v9h-9zM4.5 1.5v9M7.5 1.5v9M1.5 4.5h9M1.5 7.5h9",
  broken: "M6 1.2l5 9.3h-10zM6 4.6v3M6 8.8v0.6",
};

/** Icon of an array of one dimension: a line. */
const LINE = "M1 10l10-8";

/** The array's own picture once there is one, else what kind of node it is. */
function Picture({ node: { path, kind, shape } }: { readonly node: NodeSummary }) {
  const set = useAppState((state) => state.set?.id);
  const isKnown = useThumbnail(set, path) !== undefined;
  if (isKnown) return <ArrayThumbnail set={set} path={path} className={styles.thumbnail} />;
  return (
    <Icon
      className={styles.sign}
      data-kind={kind}
      data-wide={kind === "array" && (shape?.length ?? 0) > 1}
      path={kind === "array" && shape?.length === 1 ? LINE : SIGNS[kind]}
    />
  );
}

function Highlighted({ text, part }: { readonly text: string; readonly part: string }) {
  const at = part === "" ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark className={styles.mark}>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  );
}

const SHAPES: Readonly<Record<"failed" | "unreached" | "read", string>> = {
  failed: "M3 3l6 6M9 3l-6 6",
  unreached: "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9M3 9l6-6",
  read: "M2.5 6.5l2.5 2.5l4.5-5.5",
};

/** A shape and, where there is one, a count. What it means is in the title of the line. */
function HealthMark({ health }: { readonly health: NodeHealth }) {
  const { kind } = health;
  return (
    <span className={styles.healthMark} data-health={kind} aria-hidden="true">
      {kind === "missing" ? null : (
        <svg viewBox="0 0 12 12">
          {kind === "unread" || kind === "partly" ? (
            <circle cx="6" cy="6" r="4.5" strokeDasharray="2 1.8" />
          ) : (
            <path d={SHAPES[kind]} />
          )}
          {kind === "partly" ? <path className={styles.part} d="M6 3.5a2.5 2.5 0 0 1 0 5z" /> : null}
        </svg>
      )}
      {"text" in health ? health.text : null}
    </span>
  );
}
