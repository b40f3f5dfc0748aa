/** The editor, loaded when it is first shown: with Monaco it weighs more than the rest of the page. */
import { useCallback, useEffect, useState, type ComponentType, type ReactNode } from "react";
import { type Finding, finding, WHOLE_SET } from "../core/findings/finding.ts";
import { ErrorNotice } from "../widgets/notes/Notices.tsx";
import styles from "./LazyReferenceEditor.module.css";
import type { ReferenceEditorProps } from "./props.ts";

type Editor = ComponentType<ReferenceEditorProps>;

type State =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly Editor: Editor }
  | { readonly kind: "failed"; readonly error: Finding };

let loaded: Editor | undefined;

/**
 * Loads the editor before it is shown, for instance when the pointer comes near. Rejects where its files do not come.
 */
async function loadReferenceEditor(): Promise<Editor> {
  loaded ??= (await import("./ReferenceEditor.tsx")).ReferenceEditor;
  return loaded;
}

export interface LazyEditorProps extends ReferenceEditorProps {
  /** Mounted while the editor's code is fetched. */
  readonly underWay?: ReactNode;
}

export function LazyReferenceEditor({ underWay, ...props }: LazyEditorProps) {
  const [state, setState] = useState<State>(() =>
    loaded === undefined ? { kind: "loading" } : { kind: "ready", Editor: loaded },
  );
  const load = useCallback(() => {
    loadReferenceEditor().then(
      (Editor) => setState({ kind: "ready", Editor }),
      (cause: unknown) => setState({ kind: "failed", error: loadError(cause) }),
    );
  }, []);
  useEffect(load, [load]);

  switch (state.kind) {
    case "ready":
      return <state.Editor {...props} />;
    case "failed":
      return (
        <ErrorNotice
          error={state.error}
          onRetry={() => {
            setState({ kind: "loading" });
            load();
          }}
        />
      );
    case "loading":
      return (
        <>
          {underWay}
          <Skeleton text={props.initialText} label={props.label} />
        </>
      );
  }
}

/** Lines of the text as it will be shown, so that nothing jumps. */
function Skeleton({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = text.slice(0, 4000).split("\n", 60);
  return (
    <div className={styles.skeleton} aria-busy="true" aria-label={`Loading the editor: ${label}`} role="status">
      <pre aria-hidden="true">{lines.join("\n")}</pre>
    </div>
  );
}

function loadError(cause: unknown): Finding {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return finding("editor-not-loaded", WHOLE_SET, { reason });
}
