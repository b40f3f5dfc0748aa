/** What the workspace and the studio lay their regions out with. */
import { useState, type ReactNode } from "react";
import { Separator } from "react-resizable-panels";
import { useFittedProblems } from "./use-fitted-problems.ts";
import styles from "./Workspace.module.css";

/** A border that can be moved. */
export function Border({ label }: { readonly label: string }) {
  return <Separator className={styles.border} aria-label={label} />;
}

/** One region below another, where there is no room for columns. */
export function Stack({ parts }: { readonly parts: Readonly<Record<string, ReactNode>> }) {
  return (
    <div className={styles.stack}>
      {Object.entries(parts).map(([name, content]) => (
        <div key={name} data-part={name}>
          {content}
        </div>
      ))}
    </div>
  );
}

/** Problems at the height of its content; tell `onHeight` what it needs. */
export function useProblemsHeight(shown: boolean) {
  const [height, onHeight] = useState(0);
  return { ...useFittedProblems(shown, height), onHeight };
}
