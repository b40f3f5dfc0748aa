import { useState, type ReactNode } from "react";
import { Group, Panel, useDefaultLayout } from "react-resizable-panels";
import type { SetSummary } from "../core/open-set.ts";
import { ChunkPanel } from "../panels/chunk/ChunkPanel.tsx";
import { HierarchyPanel } from "../panels/hierarchy/HierarchyPanel.tsx";
import { ProblemsPanel } from "../panels/problems/ProblemsPanel.tsx";
import { useAppState } from "../store/react.tsx";
import { ChunkSheet } from "./ChunkSheet.tsx";
import { CrashBoundary } from "./CrashBoundary.tsx";
import { layoutStorage } from "./layout-storage.ts";
import type { Ui } from "./ui-state.ts";
import { useFittedProblems } from "./use-fitted-problems.ts";
import { TreeSheet } from "./TreeSheet.tsx";
import { SMALL, useMediaQuery } from "./use-media-query.ts";
import { Views } from "./Views.tsx";
import { Border, ProblemsPart, Stack } from "./workspace-parts.tsx";
import styles from "./Workspace.module.css";

interface WorkspaceProps {
  readonly set: SetSummary;
  readonly ui: Ui;
}

/** The regions of the screen for an open set: three columns, or one below another where there is no room. */
export function Workspace({ set, ui }: WorkspaceProps) {
  const wide = useMediaQuery("(min-width: 1000px)");
  const small = useMediaQuery(SMALL);
  const [problemsHeight, setProblemsHeight] = useState(0);
  // Renderings of an edited set, and snapshots of a repository, keep the state of the views.
  const opened = useAppState((state) => state.opened);
  const parts = {
    hierarchy: part("the hierarchy", <HierarchyPanel />),
    views: part("the views", <Views key={opened} set={set} entries={ui.viewEntries} />),
    chunk: part("the chunk", small ? <ChunkSheet /> : <ChunkPanel />),
    problems: part(
      "the problems",
      <ProblemsPanel collapsed={!ui.problemsShown} onToggle={ui.toggleProblems} onHeight={setProblemsHeight} />,
    ),
  };
  if (wide) return <Columns {...parts} problemsShown={ui.problemsShown} problemsHeight={problemsHeight} />;
  if (!small) return <Stack parts={parts} />;
  const { hierarchy: _, chunk, ...rest } = parts;
  return (
    <>
      <TreeSheet ui={ui} />
      <Stack parts={rest} />
      {chunk}
    </>
  );
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

/** Sizes to begin with, in pixels, by the room there is. */
function firstSizes() {
  const width = globalThis.innerWidth;
  return {
    hierarchy: width <= 1180 ? 176 : width < 1700 ? 200 : 232,
    chunk: width < 1250 ? 320 : Math.min(460, Math.round(width * 0.24)),
  };
}

interface ColumnsProps extends Parts {
  readonly problemsShown: boolean;
  /** What Problems would need to show everything, in pixels. */
  readonly problemsHeight: number;
}

function Columns({ chunk, ...left }: ColumnsProps) {
  const columns = useDefaultLayout({ id: "columns", panelIds: ["left", "chunk"], storage: layoutStorage });
  return (
    <Group className={styles.columns} {...columns}>
      <Panel id="left" minSize={520} className={styles.fill}>
        <LeftColumns {...left} />
      </Panel>
      <Border label="Width of Chunk" />
      <Panel
        id="chunk"
        defaultSize={firstSizes().chunk}
        minSize={300}
        groupResizeBehavior="preserve-pixel-size"
        className={styles.fill}
      >
        {chunk}
      </Panel>
    </Group>
  );
}

/** All but Chunk: Hierarchy beside the views, Problems below both. */
function LeftColumns({ hierarchy, views, problems, problemsShown, problemsHeight }: Omit<ColumnsProps, "chunk">) {
  const top = useDefaultLayout({ id: "top", panelIds: ["hierarchy", "views"], storage: layoutStorage });
  const fitted = useFittedProblems(problemsShown, problemsHeight);
  return (
    <Group orientation="vertical" {...fitted.group}>
      <Panel id="top" minSize={160} className={styles.fill}>
        <Group {...top}>
          <Panel
            id="hierarchy"
            defaultSize={firstSizes().hierarchy}
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
      <ProblemsPart fitted={fitted}>{problems}</ProblemsPart>
    </Group>
  );
}
