import { useEffect, useRef, useState } from "react";
import { type CodeDescription, codesBySubject } from "../core/findings/code-list.ts";
import { DefinitionList } from "../widgets/DefinitionList.tsx";
import { Dialog } from "../widgets/controls/Dialog.tsx";
import { SeverityMark } from "../widgets/notes/marks.tsx";
import styles from "./CodesDialog.module.css";

export interface CodesDialogProps {
  /** The one that is asked about. */
  readonly code: string | undefined;
  readonly onClose: () => void;
}

/** Meanings of the codes of findings and errors, by subject. */
export function CodesDialog({ code, onClose }: CodesDialogProps) {
  return (
    <Dialog title="Codes" size="wide" onClose={onClose}>
      <CodeList code={code} />
    </Dialog>
  );
}

/** All codes; the one asked about is open and in sight. */
export function CodeList({ code }: Pick<CodesDialogProps, "code">) {
  const [wanted, setWanted] = useState("");
  const subjects = codesBySubject().map((subject) => ({
    ...subject,
    codes: subject.codes.filter((one) => isWanted(one, wanted)),
  }));
  const found = subjects.filter(({ codes }) => codes.length > 0);
  return (
    <div className={styles.codes}>
      <input
        type="search"
        aria-label="Find a code"
        placeholder="Search codes and titles"
        data-autofocus={code === undefined ? true : undefined}
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      {found.length === 0 ? <p>There is no such code.</p> : null}
      {found.map(({ subject, title, codes }) => (
        <section key={subject} className={`grid gap-4 ${styles.subject}`} aria-label={title}>
          <h3>{title}</h3>
          {codes.map((one) => (
            <Code key={one.code} described={one} asked={one.code === code} />
          ))}
        </section>
      ))}
    </div>
  );
}

function isWanted({ code, title }: CodeDescription, wanted: string): boolean {
  const words = wanted.toLowerCase().split(/\s+/);
  const text = `${code} ${title}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function Code({ described, asked }: { readonly described: CodeDescription; readonly asked: boolean }) {
  const { code, severity, title, example, remedy, readers } = described;
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asked) element.current?.scrollIntoView({ block: "start" });
  }, [asked]);
  return (
    <details open={asked} data-code={code}>
      <summary ref={element} data-autofocus={asked ? true : undefined}>
        <SeverityMark severity={severity} />
        <code>{code}</code>
        <span>{title}</span>
      </summary>
      <DefinitionList
        items={[
          { term: "Example", description: example.message },
          { term: "Where", description: <code>{example.where}</code> },
          { term: "What to do", description: remedy },
          { term: "Readers", description: readers },
        ]}
      />
    </details>
  );
}
