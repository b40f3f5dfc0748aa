/** The view Sources: every source, the references to it, and its bytes. */
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { SetSummary } from "#core/open-set.ts";
import type { SourceDetail, SourcePrefix, SourcesSpec, SourcesTotals } from "#core/check/sources.ts";
import { useActions, useAppState, useEngine } from "#store/react.tsx";
import { useAskTargets } from "#store/hooks/use-check-runs.ts";
import { useAxesByArray } from "#store/hooks/use-axes.ts";
import { EmptyState, ErrorNotice, Unanswered } from "#widgets/notes/Notices.tsx";
import { PagesNote } from "#widgets/notes/part-notes.tsx";
import { PythonRecipe } from "#widgets/PythonRecipe.tsx";
import { SearchField } from "#widgets/controls/SearchField.tsx";
import { TabPanel, Tabs } from "#widgets/controls/Tabs.tsx";
import { countOf, formatBytes, formatCount, formatExactBytes, formatShare } from "#widgets/number-format.ts";
import { actionOfKey } from "#widgets/controls/roving.ts";
import { Button, CopyButton, LinkButton } from "#widgets/controls/Button.tsx";
import { BytesTab } from "./BytesTab.tsx";
import { ReplacePrefix } from "./ReplacePrefix.tsx";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import styles from "./SourcesPanel.module.css";
import { TargetGrid, TargetName, type TargetRows, useTargetRows } from "./TargetGrid.tsx";
import { arrayName, boxWords, detailFacts, elsewhereWords } from "./source-words.ts";

// Below the list: the selected source, and actions on all sources.

const PYTHON_PART_CANCELLED = ["Cancelled", "Try again"] as const;

/** How Python reads the sources of this dataset. */
function PythonPart({ set, asked }: { readonly set: number; readonly asked: number }) {
  const answer = useEngine("sources.access", { set });
  if (answer.data === undefined)
    return <Unanswered answer={answer} label="Resolving sources" cancelled={PYTHON_PART_CANCELLED} />;
  return (
    <div className={styles.python}>
      <PythonRecipe facts={answer.data} asked={asked} />
    </div>
  );
}

const TABS = [
  { id: "bytes", label: "Bytes" },
  { id: "arrays", label: "Arrays" },
  { id: "replace", label: "Replace a prefix" },
  { id: "python", label: "In Python" },
] as const;
type TabId = (typeof TABS)[number]["id"];

interface DockProps {
  readonly set: SetSummary;
  readonly target: string | null;
  /** Place of the selected chunk's range in it; -1 where none is selected. */
  readonly place: number;
  readonly prefix: string;
  readonly asked: number;
}

function Dock({ set, target, place, prefix, asked }: DockProps) {
  const [tab, setTab] = useState<TabId>("bytes");
  return (
    <section className={styles.dock} aria-label="Source">
      <Tabs label="About the source" tabs={TABS} selected={tab} onSelect={setTab} idBase="source" size="small" />
      <TabPanel idBase="source" id={tab} className="column grow low scroll">
        {tab === "python" ? (
          <PythonPart set={set.id} asked={asked} />
        ) : tab === "replace" ? (
          <ReplacePrefix set={set} prefix={prefix === "" ? folderOf(target) : prefix} />
        ) : (
          <OfTarget set={set} target={target} place={place} tab={tab} />
        )}
      </TabPanel>
    </section>
  );
}

/** The prefix most often replaced: the source's folder. */
const folderOf = (target: string | null): string => (target ?? "").slice(0, (target ?? "").lastIndexOf("/") + 1);

const DOCK_CANCELLED = ["Reading about the source was cancelled", "Try again"] as const;

type OfTargetProps = Pick<DockProps, "set" | "target" | "place"> & { readonly tab: "bytes" | "arrays" };

function OfTarget({ set, target, place, tab }: OfTargetProps) {
  const answer = useEngine("sources.target", { set: set.id, target });
  const detail = answer.data;
  if (detail === undefined || detail.target !== target)
    return <Unanswered answer={answer} label="Reading about the source" cancelled={DOCK_CANCELLED} />;
  return (
    <>
      <header className={styles.targetHead}>
        <h3 className="narrow">
          <TargetName target={target} />
        </h3>
        {target === null ? null : <CopyButton text={target} what="source" />}
      </header>
      <ul className={styles.facts} aria-label="About its bytes">
        {detailFacts(detail).map(({ text, title, tone }) => (
          <li key={text} title={title} data-tone={tone}>
            {text}
          </li>
        ))}
      </ul>
      {tab === "arrays" ? (
        <ArraysTab set={set} detail={detail} />
      ) : (
        <BytesTab key={`${target} ${detail.extent}`} set={set} detail={detail} place={place} />
      )}
    </>
  );
}

/** Which arrays have chunks in the target, and which part of each. */
function ArraysTab({ set, detail }: { readonly set: SetSummary; readonly detail: SourceDetail }) {
  const actions = useActions();
  const { arrays, arrayCount } = detail;
  const axes = useAxesByArray(
    set.id,
    arrays.map(({ array }) => array),
  );
  return (
    <div className={styles.arrays}>
      <SmallTable
        rows={arrays.map((one) => ({ ...one, node: set.nodes.find(({ path }) => path === one.array) }))}
        columns={[
          {
            id: "array",
            header: "Array",
            names: true,
            value: ({ array }) => arrayName(array),
            cell: ({ array, node }) =>
              node === undefined ? (
                arrayName(array)
              ) : (
                <LinkButton onClick={() => actions.selectNode(array)}>{arrayName(array)}</LinkButton>
              ),
          },
          { id: "references", header: "References", numeric: true, value: ({ references }) => references },
          {
            id: "share",
            header: "Of its chunks",
            numeric: true,
            value: ({ references, node }) => (node?.cells === undefined ? undefined : references / node.cells),
            cell: ({ references, node }) => (node?.cells === undefined ? "–" : formatShare(references, node.cells)),
          },
          {
            id: "where",
            header: "Where they lie",
            room: "wrap",
            value: (one) => boxWords(one, one.node, axes.get(one.array)),
          },
        ]}
      />
      {arrayCount > arrays.length ? <p>and {countOf(arrayCount - arrays.length, "more array")}</p> : null}
    </div>
  );
}

export function SourcesPanel() {
  const set = useAppState((state) => state.set);
  return set === undefined ? null : <Sources set={set} />;
}

const FIRST_SPEC: SourcesSpec = { prefix: "", text: "", sort: { column: "bytes", descending: true } };
const CANCELLED = ["Listing the sources was cancelled", "List them again"] as const;

/** An edited dataset replaces the previous one; filters stay. */
function Sources({ set }: { readonly set: SetSummary }) {
  const [spec, setSpec] = useState(FIRST_SPEC);
  const totals = useEngine("sources.totals", { set: set.id });
  const rows = useTargetRows(set.id, spec);
  const { target, place } = useShownTarget(set.id, rows);
  const actions = useActions();
  const hasTree =
    useEngine("sources.prefixes", { set: set.id, prefix: "" }).last?.data.prefixes.some(isTelling) === true;
  const known = useLast(totals.data);
  if (totals.error !== undefined) return <ErrorNotice error={totals.error} onRetry={totals.retry} />;
  if (known === undefined) return <Unanswered answer={totals} label="Listing sources" cancelled={CANCELLED} />;
  if (known.targets === 0) return <NoTargets set={set} totals={known} />;
  return (
    <section className={styles.panel} aria-label="Sources">
      <SourcesHead set={set} totals={known}>
        <SearchField label="Filter sources" value={spec.text} onChange={(text) => setSpec({ ...spec, text })} />
      </SourcesHead>
      <div className={styles.middle} data-tree={hasTree} style={{ maxHeight: heightOf(rows.total, hasTree) }}>
        {hasTree ? (
          <PrefixTree
            key={set.id}
            set={set.id}
            targets={known.targets}
            bytes={known.bytes}
            selected={spec.prefix}
            onSelect={(prefix) => setSpec({ ...spec, prefix })}
          />
        ) : null}
        <div className={styles.body}>
          <TargetGrid
            set={set}
            rows={rows}
            spec={spec}
            onSpec={setSpec}
            allBytes={known.allBytes}
            selected={target}
            onSelect={(to) => actions.showTarget(to)}
          />
          <ListState rows={rows} onAll={() => setSpec({ ...spec, text: "", prefix: "" })} />
        </div>
      </div>
      {target === undefined ? null : (
        <Dock set={set} target={target} place={place} prefix={spec.prefix} asked={known.asked} />
      )}
    </section>
  );
}

/** A single folder with all sources offers no choice. */
const isTelling = ({ isParent }: SourcePrefix, _at: number, all: readonly SourcePrefix[]): boolean =>
  isParent || all.length > 1;

/** Height in pixels: with few sources, the part below gets the space. */
const heightOf = (rows: number, hasTree: boolean): number => Math.max(hasTree ? 180 : 108, 31 + rows * 26);

/** Over the list where it has nothing to show. */
function ListState({ rows, onAll }: { readonly rows: TargetRows; readonly onAll: () => void }) {
  if (rows.error !== undefined)
    return (
      <div className={styles.over}>
        <ErrorNotice error={rows.error} onRetry={rows.retry} />
      </div>
    );
  if (rows.shown?.total !== 0) return null;
  return (
    <div className={styles.over}>
      <p>
        No source has this in its URL. <LinkButton onClick={onAll}>Show all sources</LinkButton>
      </p>
    </div>
  );
}

/** Keeps the last value while an edited dataset replaces the previous one. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

/** The selected chunk's source, else the chosen one, else the first in the list. */
function useShownTarget(set: number, rows: TargetRows) {
  const chosen = useAppState((state) => state.target);
  const array = useAppState((state) => state.node);
  const chunk = useAppState((state) => state.chunk);
  const actions = useActions();
  const request = chunk === undefined ? undefined : { set, array, coordinates: chunk };
  const answer = useEngine("sources.ofChunk", request, `sources.ofChunk ${array} ${chunk?.join(".")}`);
  const ofChunk = chunk === undefined ? undefined : answer.data;
  const target = ofChunk?.target;
  useEffect(() => {
    // It stays when the chunk is left.
    if (target !== undefined) actions.noteTarget(target);
  }, [actions, target]);
  const first = useLast(rows.at(0))?.target;
  return {
    target: target === undefined ? (chosen === undefined ? first : chosen) : target,
    place: ofChunk?.place ?? -1,
  };
}

interface SetTotals {
  readonly set: SetSummary;
  readonly totals: SourcesTotals;
}

/** A dataset without sources, or with none known yet. */
function NoTargets({ set, totals }: SetTotals) {
  const actions = useActions();
  return (
    <EmptyState title={isPart(set) ? "No source file known yet" : "No reference points outside the dataset"}>
      <p>{elsewhereWords(totals) || "It has no references to chunks."}</p>
      <RestOfPages set={set} />
      <Button onClick={() => actions.showView("chunks")}>Show the chunks</Button>
    </EmptyState>
  );
}

const isPart = ({ pages }: SetSummary): boolean => pages !== undefined && pages.loaded < pages.count;

function RestOfPages({ set: { pages } }: Pick<SetTotals, "set">) {
  const actions = useActions();
  return pages === undefined ? null : <PagesNote pages={pages} onLoad={() => void actions.loadPages("")} />;
}

// How many sources there are, what was checked, and what lies elsewhere.

function SourcesHead({ set, totals, children }: SetTotals & { readonly children: ReactNode }) {
  const { targets, references, bytes } = totals;
  return (
    <header className={styles.head}>
      <div className={styles.subject}>
        <h2>
          {countOf(targets, "source")}
          {isPart(set) ? " so far" : ""}
        </h2>
        <p>
          {countOf(references, "reference")}{" "}
          {bytes === 0 ? null : <span title={formatExactBytes(bytes)}>to {formatBytes(bytes)}</span>}.{" "}
          {elsewhereWords(totals)} <RestOfPages set={set} />
        </p>
        <div className={styles.filter}>{children}</div>
      </div>
      <Ask set={set} totals={totals} />
    </header>
  );
}

function askedSentence(asked: number, sound: number): string {
  if (asked === 0) return "None checked yet.";
  return `${formatCount(asked)} checked, ${sound === asked ? "all" : formatCount(sound)} as expected.`;
}

/** Checking costs requests; their number is shown first. */
function Ask({ set: { id: set }, totals: { targets, asked, sound } }: SetTotals) {
  const { begun, ask, cancel } = useAskTargets(set);
  const cost = useEngine("check.costs", { set }).last?.data.sources;
  const isAsking = begun?.running === true;
  const price =
    cost === undefined ? "" : ` · ${cost.isAbout === true ? "about " : ""}${countOf(cost.requests, "request")}`;
  const which = cost === undefined || cost.asked >= cost.targets ? "the sources" : `${formatCount(cost.asked)} of them`;
  return (
    <div className={`row gap-12 ${styles.ask}`}>
      <p>{askedSentence(asked, sound)}</p>
      {isAsking ? (
        <Button onClick={cancel}>Stop</Button>
      ) : (
        <Button
          onClick={() => ask()}
          title={`Sends two small requests to each source to check its existence, size and last change${cost?.isAbout === true ? ", and reads what HDF5 files say of their chunks" : ""}${cost === undefined ? "" : `: about ${formatBytes(cost.bytes)}`}`}
        >
          {asked >= targets ? "Check again" : `Check ${which}`}
          {price}
        </Button>
      )}
    </div>
  );
}

// Prefixes of the targets as a tree, a level at a time. The selected one filters the list.

interface PrefixTreeProps {
  readonly set: number;
  readonly targets: number;
  readonly bytes: number;
  /** `""`: all targets. */
  readonly selected: string;
  readonly onSelect: (prefix: string) => void;
}

function PrefixTree({ set, targets, bytes, selected, onSelect }: PrefixTreeProps) {
  const tree = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set([""]));
  const [focused, setFocused] = useState("");
  const toggle = (prefix: string, opens: boolean) =>
    setOpen(opens ? new Set([...open, prefix]) : new Set([...open].filter((one) => one !== prefix)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const items = [...(tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
    const at = items.indexOf(event.target as HTMLElement);
    const action = actionOfKey(event.key, items.map(rowOfItem), at, { page: 10, pathOf: ({ prefix }) => prefix });
    if (action === undefined) return;
    event.preventDefault();
    if (action.kind === "focus") items[action.index]?.focus();
    else if (action.kind === "expand") setOpen(new Set([...open, ...action.paths]));
    else if (action.kind === "collapse") toggle(action.path, false);
    else onSelect(action.path);
  };
  const onClick = ({ target }: MouseEvent) => {
    const item = (target as Element).closest<HTMLElement>('[role="treeitem"]');
    if (item === null) return;
    item.focus();
    const { prefix, expanded } = rowOfItem(item);
    const isTwisty = (target as Element).closest('[data-twisty="true"]') !== null;
    if (isTwisty) toggle(prefix, !expanded);
    else onSelect(prefix);
  };
  const root: SourcePrefix = { prefix: "", label: "All sources", targets, references: 0, bytes, isParent: true };
  const shared = { set, open, selected, focused, onFocus: setFocused };
  return (
    <ul ref={tree} role="tree" aria-label="Prefixes" className={styles.tree} onKeyDown={onKeyDown} onClick={onClick}>
      <Branch of={root} level={1} {...shared} />
    </ul>
  );
}

const rowOfItem = (item: HTMLElement) => ({
  prefix: item.dataset["prefix"] ?? "",
  level: Number(item.getAttribute("aria-level")),
  expandable: item.hasAttribute("aria-expanded"),
  expanded: item.getAttribute("aria-expanded") === "true",
});

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
  const about = `${prefix === "" ? label : prefix}\n${countOf(targets, "source")}, ${formatBytes(bytes)} referred to`;
  return (
    <>
      <li
        role="treeitem"
        aria-level={level}
        aria-selected={prefix === selected}
        {...(isParent ? { "aria-expanded": isOpen } : {})}
        aria-label={`${label}, ${countOf(targets, "source")}`}
        tabIndex={prefix === focused ? 0 : -1}
        data-prefix={prefix}
        className={styles.item}
        style={{ paddingLeft: 6 + (level - 1) * 14 }}
        title={about}
        onFocus={() => onFocus(prefix)}
      >
        {/* For the pointer; keys do the same on the item. */}
        <span className={styles.twisty} aria-hidden="true" data-twisty={isParent}>
          {isParent ? (
            <svg viewBox="0 0 8 8" data-open={isOpen}>
              <path d="M2.5 1l3 3l-3 3" />
            </svg>
          ) : null}
        </span>
        <span className={styles.name}>
          <bdi dir="ltr">{label}</bdi>
        </span>
        <span className={`rigid faint figures ${styles.count}`}>{formatCount(targets)}</span>
      </li>
      {isOpen ? <Level of={of} level={level + 1} {...shared} /> : null}
    </>
  );
}

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
