import { Activity, Suspense, useState } from "react";
import type { SetSummary } from "../core/open-set.ts";
import { useActions, useAppState, useCommand } from "../store/react.tsx";
import { formatShape } from "../widgets/number-format.ts";
import { tabId, TabPanel, Tabs } from "../widgets/Tabs.tsx";
import { CrashBoundary } from "./CrashBoundary.tsx";
import { useViewEntered } from "./view-focus.ts";
import { PANELS, useViewsFetched, ViewUnderWay } from "./later-views.tsx";
import { shownView, viewsOf, type ShownView } from "./views.ts";
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
  const [seen, setSeen] = useState<readonly ShownView[]>([view]);
  if (!seen.includes(view)) setSeen([...seen, view]);
  const views = viewsOf(set);
  useViewsFetched(views.map(({ id }) => id).join(" "));
  useViewEntered(view, entries);
  useCommand("focus-view-tab", () => document.getElementById(tabId("view", view))?.focus());
  return (
    <main className={styles.views}>
      <div className={styles.head}>
        <Tabs
          label="Views"
          tabs={views}
          selected={view}
          idBase="view"
          onSelect={(id) => {
            actions.showView(id);
          }}
        />
        <Selected set={set} />
      </div>
      {seen.map((id) => {
        const Panel = PANELS[id];
        return (
          <Activity key={id} mode={id === view ? "visible" : "hidden"}>
            <TabPanel idBase="view" id={id} className={styles.panel}>
              <CrashBoundary what={`the view ${id}`}>
                <Suspense fallback={<ViewUnderWay />}>
                  <Panel />
                </Suspense>
              </CrashBoundary>
            </TabPanel>
          </Activity>
        );
      })}
    </main>
  );
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
