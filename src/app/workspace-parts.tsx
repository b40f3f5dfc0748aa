/** Parts with which the workspace and the studio lay their regions out. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import type { GroupProps, PanelImperativeHandle } from "react-resizable-panels";
import styles from "./workspace-parts.module.css";
import { storageAt } from "../store/browser-storage.ts";

/** Media query for windows without room for three columns: the tree and the chunk are sheets there. */
export const TREE_SHEET = "(max-width: 999px)";

/** Storage for the sizes of regions. */
const layoutStorage = storageAt("refscope.layout.1.");

/** A border that can be moved. Its name is its title: what it does is said to the pointer too. */
function Border({ label }: { readonly label: string }) {
  return <Separator className={styles.border} title={label} />;
}

/** One region below another, where there is no room for columns. */
export function Stack({ parts }: { readonly parts: Readonly<Record<string, ReactNode>> }) {
  return (
    <div className={`grow low scroll ${styles.stack}`} data-below-sheet>
      {Object.entries(parts).map(([name, content]) => (
        <div key={name} data-part={name}>
          {content}
        </div>
      ))}
    </div>
  );
}

interface Column {
  readonly content: ReactNode;
  /** At first: in pixels, or as a share; absent: what is left. */
  readonly width?: number | string;
  readonly least: number;
}

interface ColumnsProps {
  /** Key under which the widths are remembered. */
  readonly id: string;
  /** `isKept`: its width is, when the window changes. */
  readonly first: Column & { readonly id: string; readonly isKept: boolean };
  /** Label of the border after it. */
  readonly border: string;
  readonly second: Column & { readonly id: string };
  /** At the right of all else, its width kept when the window changes; without content it is not there. */
  readonly chunk: Column;
}

export function Columns({ id, first, border, second, chunk }: ColumnsProps) {
  const hasChunk = chunk.content !== undefined;
  const panelIds = [first.id, second.id, ...(hasChunk ? ["chunk"] : [])];
  const layout = useDefaultLayout({ id, panelIds, storage: layoutStorage });
  const column = (name: string, { content, width, least }: Column, isKept: boolean) => (
    <Panel
      id={name}
      {...(width === undefined ? {} : { defaultSize: width })}
      minSize={least}
      {...(isKept ? { groupResizeBehavior: "preserve-pixel-size" as const } : {})}
      className="low tall clip"
    >
      {content}
    </Panel>
  );
  return (
    <Group className="grow low" {...layout}>
      {column(first.id, first, first.isKept)}
      <Border label={border} />
      {column(second.id, second, false)}
      {hasChunk ? <Border label="Width of Chunk" /> : null}
      {hasChunk ? column("chunk", chunk, true) : null}
    </Group>
  );
}

interface ProblemsPartProps {
  readonly fitted: Pick<ReturnType<typeof useProblemsHeight>, "panel" | "least">;
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
        className="low tall clip"
      >
        {children}
      </Panel>
    </>
  );
}

// How high the region Problems is.

/** Heights in pixels. Two lines always have room, so that the first findings do not move the rest of the screen. */
const MIN_HEIGHT = 94;
const MAX_HEIGHT = 163;

export const fittedHeight = (content: number): number => Math.max(MIN_HEIGHT, Math.min(content, MAX_HEIGHT));

/** Problems is as high as its content, within bounds, until the user sizes it; that size is kept and remembered. */
export function useProblemsHeight(shown: boolean) {
  const [content, onHeight] = useState(0);
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
  /** `onHeight` receives the height of the content. */
  return { panel, group, least: MIN_HEIGHT, onHeight };
}
