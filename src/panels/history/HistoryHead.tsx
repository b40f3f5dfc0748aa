/** What of the repository is shown, and the way to another branch, tag or snapshot. */
import { useEffect, useId, useRef, useState } from "react";
import type { RepositoryHistory } from "../../core/repository.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { DefinitionList, type Definition } from "../../widgets/DefinitionList.tsx";
import { refWords, statusWords } from "./history-words.ts";
import { SnapshotId } from "./SnapshotId.tsx";
import { useOpenRef } from "./use-open-ref.ts";
import styles from "./HistoryPanel.module.css";

export function HistoryHead({ history }: { readonly history: RepositoryHistory }) {
  const title = useRefocused();
  return (
    <header className={styles.head}>
      <h2 ref={title} className={styles.title} tabIndex={-1}>
        Shown: <span className={styles.name}>{refWords(history.shown)}</span>
      </h2>
      <DefinitionList layout="cells" items={facts(history)} />
      <OpenRefForm history={history} />
    </header>
  );
}

/** The focus goes on from the region to its title, once that is there. */
function useRefocused() {
  const title = useRef<HTMLHeadingElement>(null);
  const actions = useActions();
  const refocus = useAppState((state) => state.history.refocus);
  useEffect(() => {
    if (!refocus) return;
    actions.chooseHistory({ refocus: false });
    const { activeElement } = document;
    if (activeElement?.contains(title.current) === true) title.current?.focus({ preventScroll: true });
  }, [refocus, actions]);
  return title;
}

function facts({ shown, format, writer, status }: RepositoryHistory): readonly Definition[] {
  return [
    { term: "Snapshot", description: <SnapshotId id={shown.snapshot} /> },
    { term: "Icechunk format", description: format },
    ...(writer === undefined ? [] : [{ term: "Written by", description: writer }]),
    ...(status === undefined
      ? []
      : [
          {
            term: "Status",
            description: statusWords(status),
            ...(status.since === undefined ? {} : { title: `since ${status.since}` }),
          },
        ]),
  ];
}

/** Opens by name or id; `history` is unknown where it could not be read. */
export function OpenRefForm({ history }: { readonly history: RepositoryHistory | undefined }) {
  const id = useId();
  const openRef = useOpenRef();
  const [text, setText] = useState("");
  const wanted = text.trim();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== "") openRef(wanted);
      }}
    >
      <label htmlFor={id}>Branch, tag or snapshot</label>
      <input
        id={id}
        value={text}
        placeholder="a name, or the id of a snapshot"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-describedby={history?.refsComplete === false ? `${id}-why` : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" disabled={wanted === ""}>
        Open ref
      </button>
      {history?.refsComplete === false ? (
        <p id={`${id}-why`} className={styles.note}>
          Branches and tags of a repository of format 1 cannot be listed over HTTP: main is known, others open by name.
        </p>
      ) : null}
    </form>
  );
}
