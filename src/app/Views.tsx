import { Activity, Suspense, useCallback, useState } from "react";
import type { SetSummary } from "../core/open-set.ts";
import { useActions, useAppState, useCommand, usePendingWhileShown } from "../store/react.tsx";
import { Loading } from "../widgets/Loading.tsx";
import { tabId, TabPanel, Tabs } from "../widgets/Tabs.tsx";
import { ViewBarPlaces, type BarPart, type BarPlaces } from "../widgets/view-bar.tsx";
import { CrashBoundary } from "./CrashBoundary.tsx";
import { NodeName } from "./NodeName.tsx";
import { useViewEntered } from "./view-focus.ts";
import { isOfNode, shownView, tabsBeside, useViewsFetched, viewsOf, type View } from "./views.ts";
import styles from "./Views.module.css";

interface ViewsProps {
  readonly set: SetSummary;
  /** Rises when the focus is to go into the view that is shown. */
  readonly entries: number;
}

/** The middle of the screen: a view of the set, or of the selected group or array. Views once seen keep their state. */
export function Views({ set, entries }: ViewsProps) {
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
  return (
    <main className={styles.views}>
      <div className={styles.head} data-named={named !== undefined}>
        {named === undefined ? null : (
          <NodeName key={named.path} set={set} node={named}>
            <Slots seen={seen} shown={view} part="facts" onPlace={setPlace} />
          </NodeName>
        )}
        <Tabs
          label="Views"
          look="pills"
          tabs={tabsBeside(view, set, path)}
          selected={view.id}
          idBase="view"
          onSelect={(id) => {
            actions.showView(id);
          }}
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
                <Suspense fallback={<ViewUnderWay />}>
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

const NOWHERE: BarPlaces = { facts: null, tools: null };

type SetPlace = (view: string, part: BarPart, place: HTMLElement | null) => void;

/** By view: hidden ones keep their parts, so that nothing is drawn twice when they are shown again. */
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
  return seen.map(({ id }) => <Slot key={id} id={id} hidden={id !== shown.id} part={part} onPlace={onPlace} />);
}

interface SlotProps {
  readonly id: string;
  readonly hidden: boolean;
  readonly part: BarPart;
  readonly onPlace: SetPlace;
}

function Slot({ id, hidden, part, onPlace }: SlotProps) {
  const ref = useCallback(
    (place: HTMLElement | null) => {
      onPlace(id, part, place);
    },
    [id, part, onPlace],
  );
  return <div ref={ref} hidden={hidden} className={styles[part]} />;
}

/** Shown while a view's code is loading, which counts as pending. */
function ViewUnderWay() {
  usePendingWhileShown("Loading the view");
  return <Loading label="Loading the view" />;
}
