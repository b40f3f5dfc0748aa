/** How high the region Problems is. */
import { useEffect, useRef } from "react";
import { useDefaultLayout, type GroupProps, type PanelImperativeHandle } from "react-resizable-panels";
import { layoutStorage } from "./layout-storage.ts";

/** In pixels. Two lines always have room, so that the first findings do not move the rest of the screen. */
const MIN_HEIGHT = 94;
const MAX_HEIGHT = 163;

export function fittedHeight(content: number): number {
  return Math.max(MIN_HEIGHT, Math.min(content, MAX_HEIGHT));
}

/** Problems is as high as its content, within bounds, until the user sizes it; that size is kept and remembered. */
export function useFittedProblems(shown: boolean, content: number) {
  const layout = useDefaultLayout({
    id: "left",
    panelIds: ["top", "problems"],
    storage: layoutStorage,
    onlySaveAfterUserInteractions: true,
  });
  const panel = useRef<PanelImperativeHandle>(null);
  const sized = useRef(layout.defaultLayout !== undefined);
  useEffect(() => {
    if (shown) panel.current?.expand();
    else panel.current?.collapse();
  }, [shown]);
  useEffect(() => {
    if (shown && !sized.current) panel.current?.resize(fittedHeight(content));
  }, [shown, content]);
  const group: Pick<GroupProps, "defaultLayout" | "onLayoutChanged"> = {
    ...(layout.defaultLayout === undefined ? {} : { defaultLayout: layout.defaultLayout }),
    onLayoutChanged: (sizes, meta) => {
      if (meta.isUserInteraction) sized.current = true;
      layout.onLayoutChanged(sizes, meta);
    },
  };
  return { panel, group, least: MIN_HEIGHT };
}
