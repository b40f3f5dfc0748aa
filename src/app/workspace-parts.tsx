/** What the workspace and the studio lay their regions out with. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import {
  type GroupProps,
  Panel,
  type PanelImperativeHandle,
  Separator,
  useDefaultLayout,
} from "react-resizable-panels";
import styles from "./Workspace.module.css";
import { layoutStorage } from "./layout-storage.ts";

/** A border that can be moved. Its name is its title: what it does is said to the pointer too. */
export function Border({ label }: { readonly label: string }) {
  return <Separator className={styles.border} title={label} />;
}

/** One region below another, where there is no room for columns. */
export function Stack({ parts }: { readonly parts: Readonly<Record<string, ReactNode>> }) {
  return (
    <div className={styles.stack} data-below-sheet>
      {Object.entries(parts).map(([name, content]) => (
        <div key={name} data-part={name}>
          {content}
        </div>
      ))}
    </div>
  );
}

interface ChunkPartProps {
  /** At first, in pixels. */
  readonly width: number;
  readonly least: number;
  readonly children: ReactNode;
}

/** Chunk at the right of all else, its width kept when the window changes. */
export function ChunkPart({ width, least, children }: ChunkPartProps) {
  return (
    <>
      <Border label="Width of Chunk" />
      <Panel
        id="chunk"
        defaultSize={width}
        minSize={least}
        groupResizeBehavior="preserve-pixel-size"
        className={styles.fill}
      >
        {children}
      </Panel>
    </>
  );
}

interface ProblemsPartProps {
  readonly fitted: Pick<ReturnType<typeof useFittedProblems>, "panel" | "least">;
  readonly children: ReactNode;
}

/** Problems below all else, its height kept when the window changes. */
export function ProblemsPart({ fitted: { panel, least }, children }: ProblemsPartProps) {
  return (
    <>
      <Border label="Height of Problems" />
      <Panel
        id="problems"
        panelRef={panel}
        defaultSize={least}
        minSize={least}
        collapsible
        collapsedSize={32}
        groupResizeBehavior="preserve-pixel-size"
        className={styles.fill}
      >
        {children}
      </Panel>
    </>
  );
}

/** Problems at the height of its content, which it gives to `onHeight`. */
export function useProblemsHeight(shown: boolean) {
  const [height, onHeight] = useState(0);
  return { ...useFittedProblems(shown, height), onHeight };
}

// How high the region Problems is.

/** In pixels. Two lines always have room, so that the first findings do not move the rest of the screen. */
const MIN_HEIGHT = 94;
const MAX_HEIGHT = 163;

export function fittedHeight(content: number): number {
  return Math.max(MIN_HEIGHT, Math.min(content, MAX_HEIGHT));
}

/** Problems is as high as its content, within bounds, until the user sizes it; that size is kept and remembered. */
function useFittedProblems(shown: boolean, content: number) {
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
