import { Activity, Suspense, useState } from "react";
import type { SetSummary } from "../core/open-set.ts";
import { useActions, useAppState, useCommand, usePendingWhileShown } from "../store/react.tsx";
import { Loading } from "../widgets/Loading.tsx";
import { formatShape } from "../widgets/number-format.ts";
import { tabId, TabPanel, Tabs } from "../widgets/Tabs.tsx";
import { CrashBoundary } from "./CrashBoundary.tsx";
import { useViewEntered } from "./view-focus.ts";
import { shownView, useViewsFetched, viewsOf, type View } from "./views.ts";
import styles from "./Views.module.css";

interface ViewsProps {
  readonly set: SetSummary;
  /** Rises when the focus is to go into the view that is shown. */
  readonly entries: number;
}

/** The middle of the screen: one view of the selected group or array. Views once seen keep their state. */
export function Views({ set, entries }: ViewsProps) {
  const actions = useActions();
  const view = useAppState((state) => shownView(state.view, set));
  const [seen, setSeen] = useState<readonly View[]>([view]);
  if (!seen.includes(view)) setSeen([...seen, view]);
  const views = viewsOf(set);
  useViewsFetched(views);
  useViewEntered(view.id, entries);
  useCommand("focus-view-tab", () => document.getElementById(tabId("view", view.id))?.focus());
  return (
    <main className={styles.views}>
      <div className={styles.head}>
        <Tabs
          label="Views"
          tabs={views}
          selected={view.id}
          idBase="view"
          onSelect={(id) => {
            actions.showView(id);
          }}
        />
        <Selected set={set} />
      </div>
      {seen.map(({ id, Panel }) => (
        <Activity key={id} mode={id === view.id ? "visible" : "hidden"}>
          <TabPanel idBase="view" id={id} className={styles.panel}>
            <CrashBoundary what={`the view ${id}`}>
              <Suspense fallback={<ViewUnderWay />}>
                <Panel />
              </Suspense>
            </CrashBoundary>
          </TabPanel>
        </Activity>
      ))}
    </main>
  );
}

/** Shown while a view's code is loading, which counts as pending. */
function ViewUnderWay() {
  usePendingWhileShown("Loading the view");
  return <Loading label="Loading the view" />;
}

/** The selected array in a line. */
function Selected({ set }: { readonly set: SetSummary }) {
  const path = useAppState((state) => state.node);
  const node = set.nodes.find((one) => one.path === path);
  if (node === undefined) return null;
  const facts = [path === "" ? "/" : path];
  if (node.kind === "array") {
    facts.push(node.dtype ?? "", formatShape(node.shape ?? []), `chunks ${formatShape(node.chunks ?? [])}`);
    if (node.shardShape !== undefined) facts.push(`shards ${formatShape(node.shardShape)}`);
  } else facts.push(node.kind);
  const text = facts.join(" · ");
  return (
    <p className={styles.selected} title={text}>
      {text}
    </p>
  );
}
