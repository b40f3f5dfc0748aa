import { useDeferredValue, useMemo, useRef, useState } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import { useActions, useAppState, useCommand } from "../../store/react.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { SearchField } from "../../widgets/SearchField.tsx";
import { AskForPath } from "./AskForPath.tsx";
import { LocationsButton } from "./LocationsButton.tsx";
import { SetViews } from "./SetViews.tsx";
import { TreeView } from "./TreeView.tsx";
import { useNodeHealth } from "./use-node-health.ts";
import { ancestorsOf, buildTree, countMatches, matchingPaths, visibleRows, type Tree } from "./tree.ts";
import styles from "./HierarchyPanel.module.css";

/** The set's own views, and its groups and arrays as a tree with a field that filters it. */
export function HierarchyPanel() {
  const set = useAppState((state) => state.set);
  return (
    <nav className={styles.panel} aria-label="Hierarchy of groups and arrays">
      {set === undefined ? null : (
        <>
          <SetViews set={set} />
          <SetTree key={set.id} set={set} />
          <LocationsButton />
        </>
      )}
    </nav>
  );
}

function SetTree({ set }: { readonly set: SetSummary }) {
  const actions = useActions();
  const selected = useAppState((state) => state.node);
  const isShown = useAppState(({ view, node }) => view !== "check" && (view !== "overview" || node !== ""));
  const [filter, setFilter] = useState("");
  const shownFilter = useDeferredValue(filter);
  const treeBox = useRef<HTMLDivElement>(null);
  const tree = useMemo(() => buildTree(set.nodes), [set]);
  const healthOf = useNodeHealth(set, tree);
  const { isExpanded, setExpanded } = useExpansion(tree, selected);
  const rows = useMemo(() => {
    const kept = shownFilter.trim() === "" ? undefined : matchingPaths(tree, shownFilter);
    return visibleRows(tree, isExpanded, kept);
  }, [tree, isExpanded, shownFilter]);

  return (
    <>
      <FilterField
        value={filter}
        onChange={setFilter}
        onDown={() => {
          treeBox.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus();
        }}
      />
      {shownFilter.trim() === "" ? null : (
        <p className={styles.matches} aria-live="polite">
          {countOf(countMatches(tree, shownFilter), "match", "matches")}
        </p>
      )}
      {rows.length === 0 ? (
        <NoMatch filter={shownFilter} onClear={setFilter} />
      ) : (
        <TreeView
          ref={treeBox}
          rows={rows}
          healthOf={healthOf}
          selected={selected}
          isShown={isShown}
          highlight={shownFilter.trim()}
          onSelect={(path) => {
            actions.selectNode(path);
          }}
          onExpand={setExpanded}
        />
      )}
      {set.unlisted === true ? <AskForPath /> : null}
    </>
  );
}

interface FilterFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Into the tree. */
  readonly onDown: () => void;
}

function FilterField({ value, onChange, onDown }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useCommand("focus-array-filter", () => field.current?.focus());
  return (
    <div className={styles.search}>
      <SearchField
        label="Filter arrays"
        placeholder="Filter arrays"
        className={styles.field}
        inputRef={field}
        value={value}
        onChange={onChange}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          onDown();
        }}
      />
      {value === "" ? (
        <kbd className={styles.key} aria-hidden="true">
          /
        </kbd>
      ) : null}
    </div>
  );
}

function NoMatch({ filter, onClear }: { readonly filter: string; readonly onClear: (filter: string) => void }) {
  if (filter.trim() === "")
    return <EmptyState title="No groups or arrays">The set holds no Zarr metadata; Check says more.</EmptyState>;
  return (
    <EmptyState title={`No array matches “${filter.trim()}”`}>
      <button
        type="button"
        onClick={() => {
          onClear("");
        }}
      >
        Clear the filter
      </button>
    </EmptyState>
  );
}

/** Sets of up to this many nodes are shown whole at first. */
const WHOLE_BELOW = 300;

/** Which nodes are open: what the user said, else the first levels; whatever leads to the selected node is open. */
function useExpansion(tree: Tree, selected: string) {
  const [said, setSaid] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [revealed, setRevealed] = useState<string>();
  if (revealed !== selected) {
    setRevealed(selected);
    const closed = ancestorsOf(selected, tree.nodes);
    if (closed.length > 0) setSaid(withAll(said, closed, true));
  }
  const isExpanded = useMemo(() => {
    const whole = tree.nodes.size <= WHOLE_BELOW;
    return (path: string, level: number) => said.get(path) ?? (whole || level === 1);
  }, [said, tree]);
  return {
    isExpanded,
    setExpanded: (paths: readonly string[], expanded: boolean) => {
      setSaid(withAll(said, paths, expanded));
    },
  };
}

function withAll(
  said: ReadonlyMap<string, boolean>,
  paths: readonly string[],
  expanded: boolean,
): ReadonlyMap<string, boolean> {
  const changed = new Map(said);
  for (const path of paths) changed.set(path, expanded);
  return changed;
}
