/** The text editor for reference sets. Loads Monaco: use `LazyReferenceEditor`. */
import { useEffect, useRef } from "react";
import type { ReferenceEditorProps } from "./props.ts";
import styles from "./ReferenceEditor.module.css";
import { EditorSession } from "./session.ts";

export function ReferenceEditor(props: ReferenceEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const session = useRef<EditorSession>(undefined);

  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    if (session.current === undefined) session.current = new EditorSession(element, props);
    else session.current.update(props);
  }, [props]);

  useEffect(
    () => () => {
      session.current?.dispose();
      session.current = undefined;
    },
    [],
  );

  return <div ref={container} className={styles.editor} data-part="reference-editor" />;
}
