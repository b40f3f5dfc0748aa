import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { Locations } from "#core/byte-source.ts";
import type { SetSummary } from "#core/open-set.ts";
import { useActions, useAppState, useCommand, useEngine, useSend } from "#store/react.tsx";
import type { ProblemCounts } from "#store/state.ts";
import { isOfSet, VIEW_NAMES, VIEWS } from "#store/views.ts";
import { EmptyState } from "#widgets/notes/Notices.tsx";
import { SearchField } from "#widgets/controls/SearchField.tsx";
import { countOf } from "#widgets/number-format.ts";
import { Button, Form } from "#widgets/controls/Button.tsx";
import { Icon } from "#widgets/Icon.tsx";
import styles from "./HierarchyPanel.module.css";
import { carryThumbnails } from "#widgets/values/thumbnails.ts";
import { TreeView } from "./TreeView.tsx";
import {
  ancestorsOf,
  bestMatch,
  buildTree,
  countMatches,
  groupHealth,
  matchingPaths,
  nodeHealth,
  type NodeHealth,
  type Tree,
  type TreeRow,
  visibleRows,
} from "./tree.ts";

/** The set's own views, and its groups and arrays as a tree with a field that filters it. */
export function HierarchyPanel() {
  const set = useAppState((state) => state.set);
  usePicturesCarried(set?.id);
  return (
    <nav className="column low tall surface" aria-label="Hierarchy of groups and arrays">
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

/** The same as a column of signs, for half a window: `onArrays` opens the tree. */
export function HierarchyRail({ onArrays }: { readonly onArrays: () => void }) {
  const set = useAppState((state) => state.set);
  usePicturesCarried(set?.id);
  return (
    <nav className={`column rigid surface ${styles.rail}`} aria-label="Hierarchy of groups and arrays">
      <Button className={styles.view} title="Arrays" aria-haspopup="dialog" onClick={onArrays}>
        <Icon path="M1.5 3h9M1.5 6h9M1.5 9h9" />
        <span className={styles.label}>Arrays</span>
      </Button>
      {set === undefined ? null : <SetViews set={set} />}
      <LocationsButton />
    </nav>
  );
}

/** Pictures stay when a repair is applied or the document is edited. */
function usePicturesCarried(set: number | undefined): void {
  const isEdited = useAppState((state) => state.edit !== undefined);
  const before = useRef(set);
  useEffect(() => {
    if (isEdited && before.current !== undefined && set !== undefined) carryThumbnails(before.current, set);
    before.current = set;
  }, [isEdited, set]);
}

function SetTree({ set }: { readonly set: SetSummary }) {
  const actions = useActions();
  const selected = useAppState((state) => state.node);
  // Not the root beside a view of the set: one of the two is looked at.
  const isShown = useAppState(
    ({ view, node }) => !isOfSet(view, node) || (node !== "" && VIEWS[view].chunk !== "elsewhere"),
  );
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
        onDown={() => treeBox.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus()}
        onEnter={() => {
          const kept = visibleRows(tree, isExpanded, matchingPaths(tree, filter));
          const best = filter.trim() === "" ? undefined : bestMatch(kept, filter);
          if (best !== undefined) actions.selectNode(best);
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
          onSelect={(path) => actions.selectNode(path)}
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
  /** Opens what matches best. */
  readonly onEnter: () => void;
}

function FilterField({ value, onChange, onDown, onEnter }: FilterFieldProps) {
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
          if (event.key !== "ArrowDown" && event.key !== "Enter") return;
          event.preventDefault();
          (event.key === "Enter" ? onEnter : onDown)();
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
    return (
      <EmptyState title="No groups or arrays">This dataset has no Zarr metadata. See Check for details.</EmptyState>
    );
  return (
    <EmptyState title={`No array matches “${filter.trim()}”`}>
      <Button onClick={() => onClear("")}>Clear the filter</Button>
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
    setExpanded: (paths: readonly string[], expanded: boolean) => setSaid(withAll(said, paths, expanded)),
  };
}

const withAll = (said: ReadonlyMap<string, boolean>, paths: readonly string[], expanded: boolean) =>
  new Map([...said, ...paths.map((path) => [path, expanded] as const)]);

// Field for the path of a group or an array, in a store that cannot be listed.

function AskForPath() {
  const actions = useActions();
  const [path, setPath] = useState("");
  const asked = path.trim().replace(/^\/+|\/+$/g, "");
  return (
    <Form
      className={styles.ask}
      onSubmit={() => {
        if (asked !== "") void actions.askForPath(asked);
      }}
    >
      <label htmlFor="ask-path">The server does not list this store. Look for a group or array:</label>
      <div className="flex gap-6">
        <input
          id="ask-path"
          value={path}
          placeholder="group/array"
          spellCheck={false}
          onChange={(event) => setPath(event.target.value)}
        />
        <button type="submit" disabled={asked === ""}>
          Look
        </button>
      </div>
    </Form>
  );
}

/** Mark of a node's chunks on its line, kept up to date while they are read. */
function useNodeHealth(set: SetSummary, tree: Tree): (row: TreeRow) => NodeHealth | undefined {
  const tally = useEngine("chunk.tally", { set: set.id }).last?.data;
  const accepted = useAppState(({ problems }) => problems?.accepted);
  return useMemo(() => {
    const arrays = new Map(tally?.arrays.map((one) => [one.path, one]));
    const below = new Map<string, { failed: number; unreached: number }>();
    for (const { path, failed: all, unreached = 0 } of arrays.values()) {
      const failed = Math.max(0, all - (accepted?.failing.get(path) ?? 0));
      for (const group of failed + unreached === 0 ? [] : ancestorsOf(path, tree.nodes)) {
        const known = below.get(group);
        below.set(group, {
          failed: failed + (known?.failed ?? 0),
          unreached: unreached + (known?.unreached ?? 0),
        });
      }
    }
    return ({ node, expanded }) => {
      if (node.kind === "array") return nodeHealth(node, arrays.get(node.path), accepted);
      const { failed = 0, unreached = 0 } = below.get(node.path) ?? {};
      return expanded ? undefined : groupHealth(failed, unreached);
    };
  }, [tally, tree, accepted]);
}

/** At the foot of the tree: where targets are read from instead of where references say. */
function LocationsButton() {
  const send = useSend();
  const rules = useAppState((state) => rulesOf(state.locations));
  return (
    <div className={styles.foot}>
      <Button
        className={styles.view}
        title="Rewrite rules, credentials and region for source files"
        onClick={() => send({ kind: "show-locations" })}
      >
        <Icon path="M6 11C3.6 8.4 2.5 6.7 2.5 4.9a3.5 3.5 0 0 1 7 0C9.5 6.7 8.4 8.4 6 11zM6 3.7a1.2 1.2 0 1 1 0 2.4a1.2 1.2 0 1 1 0-2.4" />
        <span className={styles.label}>Locations</span>
        <span className={styles.count}>{rules === 0 ? "no rules" : countOf(rules, "rule")}</span>
      </Button>
    </div>
  );
}

/** Each rewrite and credential is one, and so is what is said of null targets and of the region. */
function rulesOf({ rewrites, credentials, target, region }: Locations): number {
  return rewrites.length + credentials.length + Number(target !== undefined) + Number(region !== undefined);
}

// Views of the set as a whole, above its arrays.

function SetViews({ set }: { readonly set: SetSummary }) {
  const actions = useActions();
  const problems = useAppState((state) => state.problems);
  const shown = useAppState(({ view, node }) => (isOfSet(view, node) ? view : undefined));
  return (
    <ul className={styles.views} aria-label="Of the set">
      {VIEW_NAMES.map((id) => {
        const { label, sign, has } = VIEWS[id];
        return sign === undefined || has?.(set) === false ? null : (
          <li key={id}>
            <Button
              className={styles.view}
              title={label}
              aria-current={id === shown ? "page" : undefined}
              onClick={() => actions.showOfSet(id)}
            >
              <Icon path={sign} />
              <span className={styles.label}>{label}</span>
              {id === "check" && problems !== undefined ? <ProblemCount problems={problems} /> : null}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function ProblemCount({ problems: { errors, warnings, notes } }: { readonly problems: ProblemCounts }) {
  const causes = errors + warnings;
  return (
    <span className={styles.count} data-severity={errors > 0 ? "error" : warnings > 0 ? "warning" : "none"}>
      {causes > 0 ? countOf(causes, "problem") : notes > 0 ? countOf(notes, "note") : "no problems so far"}
    </span>
  );
}
