/** Going to a view by its key takes the focus to what one works with there: the table, the map, the tree. */
import { useEffect, useRef } from "react";
import { tabId, tabPanelId } from "../widgets/Tabs.tsx";
import type { ViewName } from "../store/address.ts";

/** The first of these that a view has. */
const MAIN = ["grid", "application", "tree"].map((role) => `[role="${role}"]`);

/** `entries` rises when the focus is to go into `view`. */
export function useViewEntered(view: ViewName, entries: number): void {
  const entered = useRef(entries);
  useEffect(() => {
    if (entered.current === entries) return undefined;
    entered.current = entries;
    return enterWhenThere(view);
  }, [view, entries]);
}

/** The view may still be fetched or be asking the engine; a focus moved meanwhile stays. */
function enterWhenThere(view: ViewName): () => void {
  document.getElementById(tabId("view", view))?.focus();
  const panel = document.getElementById(tabPanelId("view", view));
  const start = document.activeElement;
  if (panel === null || focusMain(panel)) return () => undefined;
  const observer = new MutationObserver(() => {
    if (document.activeElement !== start || focusMain(panel)) observer.disconnect();
  });
  observer.observe(panel, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
  };
}

function focusMain(panel: HTMLElement): boolean {
  const main = MAIN.map((role) => panel.querySelector<HTMLElement>(role)).find((found) => found !== null);
  const target = main?.tabIndex === 0 ? main : main?.querySelector<HTMLElement>('[tabindex="0"]');
  target?.focus();
  return target !== undefined && target !== null;
}
