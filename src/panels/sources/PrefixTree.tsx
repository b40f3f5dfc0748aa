/** Prefixes of the targets as a tree, a level at a time. The selected one filters the list. */
import { useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import type { SourcePrefix } from "../../core/sources.ts";
import { useEngine } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { countOf, formatBytes, formatCount } from "../../widgets/number-format.ts";
import { movedRow, parentIndex } from "../../widgets/roving.ts";
import styles from "./PrefixTree.module.css";

export interface PrefixTreeProps {
  readonly set: number;
  readonly targets: number;
  readonly bytes: number;
  /** `""`: all targets. */
  readonly selected: string;
  readonly onSelect: (prefix: string) => void;
}

export function PrefixTree({ set, targets, bytes, selected, onSelect }: PrefixTreeProps) {
  const tree = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set([""]));
  const [focused, setFocused] = useState("");
  const toggle = (prefix: string, opens: boolean) => {
    const next = new Set(open);
    if (opens) next.add(prefix);
    else next.delete(prefix);
    setOpen(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const items = [...(tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
    const action = treeAction(event.key, items, items.indexOf(event.target as HTMLElement));
    if (action === undefined) return;
    event.preventDefault();
    if ("focus" in action) items[action.focus]?.focus();
    else if ("open" in action) toggle(action.prefix, action.open);
    else onSelect(action.select);
  };
  const onClick = ({ target }: MouseEvent) => {
    const item = (target as Element).closest<HTMLElement>('[role="treeitem"]');
    if (item === null) return;
    item.focus();
    const prefix = item.dataset["prefix"] ?? "";
    const isTwisty = (target as Element).closest('[data-twisty="true"]') !== null;
    if (isTwisty) toggle(prefix, item.getAttribute("aria-expanded") !== "true");
    else onSelect(prefix);
  };
  const root: SourcePrefix = { prefix: "", label: "All targets", targets, references: 0, bytes, isParent: true };
  const shared = { set, open, selected, focused, onFocus: setFocused };
  return (
    <ul ref={tree} role="tree" aria-label="Prefixes" className={styles.tree} onKeyDown={onKeyDown} onClick={onClick}>
      <Branch of={root} level={1} {...shared} />
    </ul>
  );
}

type Action =
  { readonly focus: number } | { readonly prefix: string; readonly open: boolean } | { readonly select: string };

/** As the hierarchy's: WAI-ARIA Authoring Practices, "Tree View". */
function treeAction(key: string, items: readonly HTMLElement[], at: number): Action | undefined {
  const item = items[at];
  if (item === undefined) return undefined;
  const moved = movedRow({ key, ctrl: false }, at, items.length, 10);
  if (moved !== undefined) return { focus: moved };
  const prefix = item.dataset["prefix"] ?? "";
  const expanded = item.getAttribute("aria-expanded");
  if (key === "Enter" || key === " ") return { select: prefix };
  if (key === "ArrowRight" && expanded !== null)
    return expanded === "true" ? { focus: Math.min(at + 1, items.length - 1) } : { prefix, open: true };
  if (key !== "ArrowLeft") return undefined;
  if (expanded === "true") return { prefix, open: false };
  const parent = parentIndex(
    items.map((one) => ({ level: Number(one.getAttribute("aria-level")) })),
    at,
  );
  return parent === undefined ? undefined : { focus: parent };
}

interface BranchProps {
  readonly set: number;
  readonly of: SourcePrefix;
  readonly level: number;
  readonly open: ReadonlySet<string>;
  readonly selected: string;
  readonly focused: string;
  readonly onFocus: (prefix: string) => void;
}

function Branch({ of, level, ...shared }: BranchProps) {
  const { open, selected, focused, onFocus } = shared;
  const { prefix, label, targets, bytes, isParent } = of;
  const isOpen = isParent && open.has(prefix);
  const about = `${prefix === "" ? label : prefix}\n${countOf(targets, "target")}, ${formatBytes(bytes)} referred to`;
  return (
    <>
      <li
        role="treeitem"
        aria-level={level}
        aria-selected={prefix === selected}
        {...(isParent ? { "aria-expanded": isOpen } : {})}
        aria-label={`${label}, ${countOf(targets, "target")}`}
        tabIndex={prefix === focused ? 0 : -1}
        data-prefix={prefix}
        className={styles.item}
        style={{ paddingLeft: 6 + (level - 1) * 14 }}
        title={about}
        onFocus={() => onFocus(prefix)}
      >
        <Twisty isParent={isParent} isOpen={isOpen} />
        <span className={styles.name}>
          <bdi dir="ltr">{label}</bdi>
        </span>
        <span className={styles.count}>{formatCount(targets)}</span>
      </li>
      {isOpen ? <Level of={of} level={level + 1} {...shared} /> : null}
    </>
  );
}

/** For the pointer; keys do the same on the item. */
const Twisty = ({ isParent, isOpen }: { readonly isParent: boolean; readonly isOpen: boolean }) => (
  <span className={styles.twisty} aria-hidden="true" data-twisty={isParent}>
    {isParent ? (
      <svg viewBox="0 0 8 8" data-open={isOpen}>
        <path d="M2.5 1l3 3l-3 3" />
      </svg>
    ) : null}
  </span>
);

function Level({ of: { prefix }, level, ...shared }: BranchProps) {
  const { data, last, error, retry } = useEngine("sources.prefixes", { set: shared.set, prefix });
  const known = data ?? last?.data;
  if (error !== undefined) {
    return (
      <li role="none">
        <ErrorNotice error={error} onRetry={retry} />
      </li>
    );
  }
  return (
    <>
      {known?.prefixes.map((one) => (
        <Branch key={one.prefix} of={one} level={level} {...shared} />
      ))}
      {known === undefined || known.more === 0 ? null : (
        <li role="none" className={styles.more}>
          and {formatCount(known.more)} more: filter by text
        </li>
      )}
    </>
  );
}
