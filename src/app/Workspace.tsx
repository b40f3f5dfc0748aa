import { useState, type ReactNode } from "react";
import { Group, Panel, useDefaultLayout } from "react-resizable-panels";
import type { SetSummary } from "../core/open-set.ts";
import { ProblemsNoted } from "../panels/check/ProblemsNoted.tsx";
import { ChunkPanel } from "../panels/chunk/ChunkPanel.tsx";
import { HierarchyPanel } from "../panels/hierarchy/HierarchyPanel.tsx";
import { useAppState } from "../store/react.tsx";
import { isOfWhole } from "../store/view-of-node.ts";
import { ChunkSheet } from "./ChunkSheet.tsx";
import { CrashBoundary } from "./CrashBoundary.tsx";
import { layoutStorage } from "./layout-storage.ts";
import type { Ui } from "./ui-state.ts";
import { TreeSheet } from "./TreeSheet.tsx";
import { SMALL, useMediaQuery } from "./use-media-query.ts";
import { Views } from "./Views.tsx";
import { Border, ChunkPart, Stack } from "./workspace-parts.tsx";
import styles from "./Workspace.module.css";

interface WorkspaceProps {
  readonly set: SetSummary;
  readonly ui: Ui;
}

/** The regions of the screen for an open set: three columns, or one below another where there is no room. */
export function Workspace({ set, ui }: WorkspaceProps) {
  const wide = useMediaQuery("(min-width: 1000px)");
  const small = useMediaQuery(SMALL);
  // Renderings of an edited set, and snapshots of a repository, keep the state of the views.
  const opened = useAppState((state) => state.opened);
  // What is about the whole set has the whole width, until a chunk is looked at.
  const hasChunk = useAppState(({ view, chunk }) => chunk !== undefined || !isOfWhole(view));
  const hierarchy = part("the hierarchy", <HierarchyPanel />);
  const views = part("the views", <Views key={opened} set={set} entries={ui.viewEntries} />);
  const chunk = hasChunk ? part("the chunk", small ? <ChunkSheet /> : <ChunkPanel />) : undefined;
  return (
    <>
      <ProblemsNoted />
      {wide ? (
        <Columns hierarchy={hierarchy} views={views} chunk={chunk} />
      ) : small ? (
        <>
          <TreeSheet ui={ui} />
          <Stack parts={{ views }} />
          {chunk}
        </>
      ) : (
        <Stack parts={{ hierarchy, views, ...(chunk === undefined ? {} : { chunk }) }} />
      )}
    </>
  );
}

function part(what: string, content: ReactNode): ReactNode {
  return <CrashBoundary what={what}>{content}</CrashBoundary>;
}

interface ColumnsProps {
  readonly hierarchy: ReactNode;
  readonly views: ReactNode;
  readonly chunk: ReactNode | undefined;
}

/** Widths to begin with, in pixels, by the room there is. */
function firstWidths() {
  const width = globalThis.innerWidth;
  return {
    hierarchy: width <= 1180 ? 160 : width < 1700 ? 192 : 232,
    chunk: width <= 1180 ? 280 : Math.min(400, Math.round(width * 0.203)),
  };
}

function Columns({ hierarchy, views, chunk }: ColumnsProps) {
  const [first] = useState(firstWidths);
  const panelIds = chunk === undefined ? ["hierarchy", "views"] : ["hierarchy", "views", "chunk"];
  const layout = useDefaultLayout({ id: "workspace", panelIds, storage: layoutStorage });
  return (
    <Group className={styles.columns} {...layout}>
      <Panel
        id="hierarchy"
        defaultSize={first.hierarchy}
        minSize={140}
        groupResizeBehavior="preserve-pixel-size"
        className={styles.fill}
      >
        {hierarchy}
      </Panel>
      <Border label="Width of Hierarchy" />
      <Panel id="views" minSize={320} className={styles.fill}>
        {views}
      </Panel>
      {chunk === undefined ? null : (
        <ChunkPart width={first.chunk} least={260}>
          {chunk}
        </ChunkPart>
      )}
    </Group>
  );
}
