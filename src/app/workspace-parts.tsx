/** What the workspace and the studio lay their regions out with. */
import { useState, type ReactNode } from "react";
import { Panel, Separator } from "react-resizable-panels";
import { useFittedProblems } from "./use-fitted-problems.ts";
import styles from "./Workspace.module.css";

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
