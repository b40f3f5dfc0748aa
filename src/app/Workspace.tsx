import { useEffect, useRef, type ReactNode } from "react";
import { Group, Panel, Separator, useDefaultLayout, type PanelImperativeHandle } from "react-resizable-panels";
import type { SetSummary } from "../core/open-set.ts";
import { ChunkPanel } from "../panels/chunk/ChunkPanel.tsx";
import { HierarchyPanel } from "../panels/hierarchy/HierarchyPanel.tsx";
import { ProblemsPanel } from "../panels/problems/ProblemsPanel.tsx";
import { CrashBoundary } from "./CrashBoundary.tsx";
import { layoutStorage } from "./layout-storage.ts";
import type { Ui } from "./ui-state.ts";
import { useMediaQuery } from "./use-media-query.ts";
import { Views } from "./Views.tsx";
import styles from "./Workspace.module.css";

interface WorkspaceProps {
  readonly set: SetSummary;
  readonly ui: Ui;
}

/** The regions of the screen for an open set: three columns, or one below another where there is no room. */
export function Workspace({ set, ui }: WorkspaceProps) {
  const wide = useMediaQuery("(min-width: 1000px)");
  const parts = {
    hierarchy: part("the hierarchy", <HierarchyPanel />),
    views: part("the views", <Views key={set.id} set={set} />),
    chunk: part("the chunk", <ChunkPanel />),
    problems: part(
      "the problems",
      <ProblemsPanel
        collapsed={!ui.problemsShown}
        onToggle={ui.toggleProblems}
        onLocations={() => {
          ui.show("locations");
        }}
      />,
    ),
  };
  return wide ? <Columns {...parts} problemsShown={ui.problemsShown} /> : <Stack {...parts} />;
}

function part(what: string, content: ReactNode): ReactNode {
  return <CrashBoundary what={what}>{content}</CrashBoundary>;
}

interface Parts {
  readonly hierarchy: ReactNode;
  readonly views: ReactNode;
  readonly chunk: ReactNode;
  readonly problems: ReactNode;
}

function Stack({ hierarchy, views, chunk, problems }: Parts) {
  return (
    <div className={styles.stack}>
      <div data-part="hierarchy">{hierarchy}</div>
      <div data-part="views">{views}</div>
      <div data-part="chunk">{chunk}</div>
      <div data-part="problems">{problems}</div>
    </div>
  );
}

/** Sizes to begin with, in pixels, by the room there is. */
function firstSizes() {
  const width = globalThis.innerWidth;
  return { hierarchy: width < 1250 ? 210 : 264, chunk: width < 1250 ? 320 : Math.min(560, Math.round(width * 0.28)) };
}

interface ColumnsProps extends Parts {
  readonly problemsShown: boolean;
}

function Columns({ hierarchy, views, chunk, problems, problemsShown }: ColumnsProps) {
  const sizes = firstSizes();
  const columns = useDefaultLayout({ id: "columns", panelIds: ["left", "chunk"], storage: layoutStorage });
  const left = useDefaultLayout({ id: "left", panelIds: ["top", "problems"], storage: layoutStorage });
  const top = useDefaultLayout({ id: "top", panelIds: ["hierarchy", "views"], storage: layoutStorage });
  const problemsPanel = useCollapsed(!problemsShown);
  return (
    <Group className={styles.columns} {...columns}>
      <Panel id="left" minSize={520} className={styles.fill}>
        <Group orientation="vertical" {...left}>
          <Panel id="top" minSize={160} className={styles.fill}>
            <Group {...top}>
              <Panel
                id="hierarchy"
                defaultSize={sizes.hierarchy}
                minSize={150}
                groupResizeBehavior="preserve-pixel-size"
                className={styles.fill}
              >
                {hierarchy}
              </Panel>
              <Border label="Width of Hierarchy" />
              <Panel id="views" minSize={320} className={styles.fill}>
                {views}
              </Panel>
            </Group>
          </Panel>
          <Border label="Height of Problems" />
          <Panel
            id="problems"
            panelRef={problemsPanel}
            defaultSize={150}
            minSize={90}
            collapsible
            collapsedSize={32}
            groupResizeBehavior="preserve-pixel-size"
            className={styles.fill}
          >
            {problems}
          </Panel>
        </Group>
      </Panel>
      <Border label="Width of Chunk" />
      <Panel
        id="chunk"
        defaultSize={sizes.chunk}
        minSize={300}
        groupResizeBehavior="preserve-pixel-size"
        className={styles.fill}
      >
        {chunk}
      </Panel>
    </Group>
  );
}

function useCollapsed(collapsed: boolean) {
  const panel = useRef<PanelImperativeHandle>(null);
  useEffect(() => {
    if (collapsed) panel.current?.collapse();
    else panel.current?.expand();
  }, [collapsed]);
  return panel;
}

function Border({ label }: { readonly label: string }) {
  return <Separator className={styles.border} aria-label={label} />;
}
