import { Activity, type MouseEvent, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from "react";
import type { NodeSummary, SetSummary } from "../core/open-set.ts";
import { describedAs } from "../core/values/value-text.ts";
import { typeName } from "../core/metadata/data-type.ts";
import { ProblemsNoted } from "../panels/check/use-findings.ts";
import { ChunkPanel } from "../panels/chunk/ChunkPanel.tsx";
import { HierarchyPanel, HierarchyRail } from "../panels/hierarchy/HierarchyPanel.tsx";
import { Pending, useActions, useAppState, useCommand, useEngine, useSend } from "../store/react.tsx";
import { type ViewName, VIEWS } from "../store/views.ts";
import { Loading } from "../widgets/notes/Notices.tsx";
import { tabId, TabPanel, tabPanelId, Tabs } from "../widgets/controls/Tabs.tsx";
import { countOf, formatChunks, formatShape } from "../widgets/number-format.ts";
import { type BarPart, type BarPlaces, ViewBarPlaces } from "../widgets/view-bar.tsx";
import { QuietButton } from "../widgets/controls/Button.tsx";
import { ChunkSheet } from "./ChunkSheet.tsx";
import { CrashBoundary } from "./CrashBoundary.tsx";
import styles from "./Workspace.module.css";
import type { Ui } from "./ui-state.ts";
import { SMALL, useMediaQuery } from "../widgets/hooks.ts";
import { isOfNode, SHOWN_VIEWS, shownView, tabsBeside, useViewsFetched, type View, viewsOf } from "./views.ts";
import { Columns, Stack, TREE_SHEET } from "./workspace-parts.tsx";

/** The regions of the screen for an open set: three columns; a rail and the views in half a window; the views on a phone. */
export function Workspace({ set, ui }: { readonly set: SetSummary; readonly ui: Ui }) {
  const wide = !useMediaQuery(TREE_SHEET);
  const small = useMediaQuery(SMALL);
  // Renderings of an edited set, and snapshots of a repository, keep the state of the views.
  const opened = useAppState((state) => state.opened);
  // Views of the whole set have the whole width, until a chunk is looked at.
  const hasChunk = useAppState(({ view, chunk }) => chunk !== undefined || VIEWS[view].chunk === undefined);
  const [first] = useState(firstWidths);
  const hierarchy = part("the hierarchy", <HierarchyPanel />);
  const views = part("the views", <Views key={opened} set={set} entries={ui.viewEntries} />);
  const chunk = hasChunk ? part("the chunk", wide ? <ChunkPanel /> : <ChunkSheet />) : undefined;
  return (
    <>
      <ProblemsNoted />
      {wide ? (
        <Columns
          id="workspace"
          first={{ id: "hierarchy", content: hierarchy, width: first.hierarchy, least: 140, isKept: true }}
          border="Width of Hierarchy"
          second={{ id: "views", content: views, least: 320 }}
          chunk={{ content: chunk, width: first.chunk, least: 260 }}
        />
      ) : small ? (
        <>
          <TreeSheet ui={ui} />
          <Stack parts={{ views }} />
          {chunk}
        </>
      ) : (
        <>
          <TreeSheet ui={ui} />
          <div className="flex grow low">
            <HierarchyRail onArrays={() => ui.showTree("tree")} />
            <div className="column grow low narrow">
              <Stack parts={{ views }} />
              {chunk}
            </div>
          </div>
        </>
      )}
    </>
  );
}

const part = (what: string, content: ReactNode): ReactNode => <CrashBoundary what={what}>{content}</CrashBoundary>;

/** Widths to begin with, in pixels, by the room there is. */
function firstWidths() {
  const width = globalThis.innerWidth;
  return {
    hierarchy: width <= 1180 ? 176 : width < 1700 ? 192 : 232,
    chunk: width <= 1180 ? 280 : Math.min(400, Math.round(width * 0.203)),
  };
}

// The tree is a sheet in a narrow window: from below on a phone, else from the left.

function TreeSheet({ ui }: { readonly ui: Ui }) {
  return ui.tree === undefined ? <ForFilter ui={ui} /> : <Sheet ui={ui} filtering={ui.tree === "filter"} />;
}

/** The filter is in the sheet: asked for it, the sheet opens. */
function ForFilter({ ui }: { readonly ui: Ui }) {
  useCommand("focus-array-filter", () => ui.showTree("filter"));
  return null;
}

/** It closes with what is chosen in it. */
function Sheet({ ui, filtering }: { readonly ui: Ui; readonly filtering: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const send = useSend();
  const close = () => ui.showTree(undefined);
  useEffect(() => {
    dialog.current?.showModal();
    if (filtering) send({ kind: "focus-array-filter" });
  }, [filtering, send]);
  const chosen = useAppState(({ node, view }) => `${view} ${node}`);
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current !== chosen) dialog.current?.close();
  }, [chosen]);
  const onClick = ({ target }: MouseEvent) => {
    const isOutside = target === dialog.current;
    const isChoice = target instanceof Element && target.closest('[role="treeitem"], li > button') !== null;
    if (isOutside || isChoice) dialog.current?.close();
  };
  return (
    // Escape is the dialog's own.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-noninteractive-element-interactions
    <dialog ref={dialog} className={styles.sheet} aria-label="Arrays" onClose={close} onClick={onClick}>
      <div className={styles.content}>
        <QuietButton className={styles.close} onClick={() => dialog.current?.close()}>
          Close
        </QuietButton>
        <HierarchyPanel />
      </div>
    </dialog>
  );
}

interface NodeNameProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  /** The view's one line about the node; the number of its chunks if the view gives none. */
  readonly children: ReactNode;
}

/** The selected array, by its name and what it calls itself. */
function NodeName({ set, node, children }: NodeNameProps) {
  const wanted = node.kind === "array" ? { set: set.id, array: node.path } : undefined;
  const about = useEngine("plane.about", wanted).data;
  const title = describedAs(about?.title, about?.units);
  return (
    <div className={styles.name}>
      <h2 title={[node.path === "" ? "/" : node.path, title].filter(Boolean).join(": ")}>
        {node.path === "" ? "/" : node.name} <small>{title}</small>
      </h2>
      <div className={styles.line}>
        {children}
        <p className={styles.plain}>{chunksText(node)}</p>
      </div>
    </div>
  );
}

/** "6 × 3 × 3 chunks of 4 × 40 × 64 · <i2" */
function chunksText({ kind, grid, chunks, shardShape, dtype }: NodeSummary): string {
  if (kind !== "array" || grid === undefined || chunks === undefined) return "metadata that cannot be understood";
  const count = grid.every((one) => one === 1) ? countOf(1, "chunk") : `${formatShape(grid)} chunks`;
  const shards = shardShape === undefined ? [] : [`shards of ${formatChunks(shardShape)}`];
  return [chunks.length === 0 ? count : `${count} of ${formatChunks(chunks)}`, ...shards, typeName(dtype ?? "")]
    .filter(Boolean)
    .join(" · ");
}

interface ViewsProps {
  readonly set: SetSummary;
  /** Rises when the focus is to go into the view that is shown. */
  readonly entries: number;
}

/** The middle of the screen: a view of the set, or of the selected group or array. Views once seen keep their state. */
function Views({ set, entries }: ViewsProps) {
  const actions = useActions();
  const path = useAppState((state) => state.node);
  const view = useAppState((state) => shownView(state.view, set));
  const [seen, setSeen] = useState<readonly View[]>([view]);
  if (!seen.includes(view)) setSeen([...seen, view]);
  const [places, setPlace] = useBarPlaces();
  useViewsFetched(viewsOf(set));
  useViewEntered(view.id, entries);
  useCommand("focus-view-tab", () => document.getElementById(tabId("view", view.id))?.focus());
  const node = set.nodes.find((one) => one.path === path);
  const named = isOfNode(view, node?.kind) ? node : undefined;
  const tabs = tabsBeside(view, set, path, !useMediaQuery(SMALL));
  return (
    <main className={styles.views}>
      <div className={styles.head} data-named={named !== undefined} data-alone={tabs.length === 1}>
        {named === undefined ? null : (
          <NodeName key={named.path} set={set} node={named}>
            <Slots seen={seen} shown={view} part="facts" onPlace={setPlace} />
          </NodeName>
        )}
        <Tabs
          label="Views"
          look="pills"
          tabs={tabs}
          selected={view.id}
          idBase="view"
          onSelect={(id) => actions.showView(id)}
        />
        <div className={styles.tools}>
          <Slots seen={seen} shown={view} part="tools" onPlace={setPlace} />
        </div>
      </div>
      {seen.map(({ id, Panel }) => (
        <Activity key={id} mode={id === view.id ? "visible" : "hidden"}>
          <TabPanel idBase="view" id={id} className={styles.panel}>
            <ViewBarPlaces value={places.get(id) ?? NOWHERE}>
              <CrashBoundary what={`the view ${id}`}>
                <Suspense
                  fallback={
                    <Pending label={LOADING}>
                      <Loading label={LOADING} />
                    </Pending>
                  }
                >
                  <Panel />
                </Suspense>
              </CrashBoundary>
            </ViewBarPlaces>
          </TabPanel>
        </Activity>
      ))}
    </main>
  );
}

const LOADING = "Loading the view";
const NOWHERE: BarPlaces = { facts: null, tools: null };

type SetPlace = (view: string, part: BarPart, place: HTMLElement | null) => void;

/** Places by view: hidden views keep their parts, so that nothing is drawn twice when they are shown again. */
function useBarPlaces(): readonly [ReadonlyMap<string, BarPlaces>, SetPlace] {
  const [places, setPlaces] = useState<ReadonlyMap<string, BarPlaces>>(new Map());
  const setPlace = useCallback<SetPlace>((view, part, place) => {
    setPlaces((before) => new Map(before).set(view, { ...(before.get(view) ?? NOWHERE), [part]: place }));
  }, []);
  return [places, setPlace];
}

interface SlotsProps {
  readonly seen: readonly View[];
  readonly shown: View;
  readonly part: BarPart;
  readonly onPlace: SetPlace;
}

function Slots({ seen, shown, part, onPlace }: SlotsProps) {
  // Made once: a ref that is another function is called again.
  const [refs] = useState(
    () => new Map(SHOWN_VIEWS.map(({ id }) => [id, (place: HTMLElement | null) => onPlace(id, part, place)])),
  );
  return seen.map(({ id }) => <div key={id} ref={refs.get(id)} hidden={id !== shown.id} className={styles[part]} />);
}

// Going to a view by its key takes the focus to what one works with there: the table, the map, the tree.

/** The first of these that a view has. */
const MAIN = ["grid", "application", "tree"].map((role) => `[role="${role}"]`);

/** `entries` rises when the focus is to go into `view`. */
function useViewEntered(view: ViewName, entries: number): void {
  const entered = useRef(entries);
  useEffect(() => {
    if (entered.current === entries) return undefined;
    entered.current = entries;
    return enterWhenThere(view);
  }, [view, entries]);
}

/** The view may still be fetched or be asking the engine; a focus moved meanwhile stays. */
function enterWhenThere(view: ViewName): () => void {
  const panel = document.getElementById(tabPanelId("view", view));
  const tab = document.getElementById(tabId("view", view));
  (tab?.tabIndex === 0 ? tab : panel)?.focus();
  const start = document.activeElement;
  if (panel === null || focusMain(panel)) return () => undefined;
  const observer = new MutationObserver(() => {
    if (document.activeElement !== start || focusMain(panel)) observer.disconnect();
  });
  observer.observe(panel, { childList: true, subtree: true });
  return () => observer.disconnect();
}

function focusMain(panel: HTMLElement): boolean {
  const main = MAIN.map((role) => panel.querySelector<HTMLElement>(role)).find((found) => found !== null);
  const target = main?.tabIndex === 0 ? main : main?.querySelector<HTMLElement>('[tabindex="0"]');
  target?.focus();
  return target !== undefined && target !== null;
}
