/** The commit at the cursor, in full, and its actions. */
import type { CommitRow } from "#core/repository.ts";
import { useHistory } from "#store/hooks/use-history.ts";
import type { HistoryState, PickedSnapshot } from "#store/state.ts";
import { useAppState } from "#store/react.tsx";
import { Badge } from "#widgets/notes/marks.tsx";
import { DefinitionList } from "#widgets/DefinitionList.tsx";
import { Button, CopyButton, LinkButton } from "#widgets/controls/Button.tsx";
import { useChangesOf } from "./ChangesCell.tsx";
import type { ChangesReader } from "./changes-reader.ts";
import styles from "./HistoryPanel.module.css";
import { SnapshotId } from "./HistoryParts.tsx";
import { changeWords, endWords, messageLine, shortId } from "./history-words.ts";

interface CommitCardProps {
  readonly commit: CommitRow;
  readonly names: readonly { readonly kind: string; readonly name: string }[];
  readonly isShown: boolean;
  readonly changes: ChangesReader;
  readonly onOpen: (commit: CommitRow) => void;
  readonly onGo: (row: number) => void;
}

export function CommitCard({ commit, names, isShown, changes, onOpen, onGo }: CommitCardProps) {
  const { id, message, parent, parentRow, end, time, author, metadata } = commit;
  const changed = useChangesOf(changes, id);
  const words = changed === undefined || changed === "failed" ? [] : changeWords(changed);
  return (
    <section aria-label="Commit" className={styles.card}>
      <h3 className={styles.cardTitle}>{message === "" ? "no message" : message}</h3>
      <Actions commit={commit} isShown={isShown} onOpen={onOpen} />
      <DefinitionList
        items={[
          { term: "Snapshot", description: <SnapshotId id={id} /> },
          {
            term: "Parent",
            description:
              parentRow === undefined || parent === undefined ? (
                endWords(end)
              ) : (
                <LinkButton title={parent} onClick={() => onGo(parentRow)}>
                  {shortId(parent)}
                </LinkButton>
              ),
          },
          { term: "Time", description: time ?? "not recorded" },
          { term: "Author", description: author },
          {
            term: "Refs",
            description: names.length === 0 ? undefined : names.map(({ kind, name }) => `${kind} ${name}`).join(", "),
          },
          { term: "Changed", description: words.length === 0 ? undefined : <Changed words={words} /> },
          ...metadata.map(([term, json]) => ({ term, description: <Exact text={json} what={`value of ${term}`} /> })),
        ]}
      />
    </section>
  );
}

const Changed = ({ words }: { readonly words: readonly string[] }) => (
  <ul className={styles.list}>
    {words.map((one) => (
      <li key={one}>{one}</li>
    ))}
  </ul>
);

function Actions({ commit, isShown, onOpen }: Pick<CommitCardProps, "commit" | "isShown" | "onOpen">) {
  const { id, parent, parentRow } = commit;
  const actions = useHistory();
  const { from, to } = useAppState((state) => state.history);
  const short = shortId(id);
  const isThere = parent !== undefined && parentRow !== undefined;
  const compare = (from: string, to: string) => void actions.compareSnapshots({ from, to, method: "auto" });
  const choice = (side: "from" | "to", picked: PickedSnapshot | undefined) => (
    <Button
      aria-label={`Compare ${side} ${short}`}
      aria-pressed={picked?.id === id}
      onClick={() => actions.chooseHistory({ [side]: picked?.id === id ? undefined : { id, message: commit.message } })}
    >
      {side === "from" ? "Compare from" : "Compare to"}
    </Button>
  );
  return (
    <>
      <div className="wrap gap-6">
        {isShown ? (
          <Badge tone="accent">shown</Badge>
        ) : (
          <Button aria-label={`Open ${short}`} data-kind="primary" onClick={() => onOpen(commit)}>
            Open
          </Button>
        )}
        <Button
          aria-label={`Changes of ${short}`}
          disabled={!isThere}
          title={isThere ? "Compare it with its parent" : "Its parent is not in the repository."}
          onClick={() => {
            if (parent === undefined) return;
            actions.chooseHistory({ from: undefined, to: undefined });
            compare(parent, id);
          }}
        >
          Changes
        </Button>
        {choice("from", from)}
        {choice("to", to)}
      </div>
      {from === undefined && to === undefined ? null : <Pair from={from} to={to} onCompare={compare} />}
    </>
  );
}

interface PairProps extends Pick<HistoryState, "from" | "to"> {
  readonly onCompare: (from: string, to: string) => void;
}

/** The two chosen snapshots, which may be far apart in the list. */
function Pair({ from, to, onCompare }: PairProps) {
  const actions = useHistory();
  return (
    <p className="wrap gap-6">
      <Button
        disabled={from === undefined || to === undefined || from.id === to.id}
        title={from?.id === to?.id ? "Choose two different snapshots." : undefined}
        onClick={() => {
          if (from !== undefined && to !== undefined) onCompare(from.id, to.id);
        }}
      >
        Compare {shortOf(from)} with {shortOf(to)}
      </Button>
      <span className="quiet">
        {[from, to].map((one) => (one === undefined ? "…" : messageLine(one.message))).join(" → ")}
      </span>
      <LinkButton onClick={() => actions.chooseHistory({ from: undefined, to: undefined })}>Choose again</LinkButton>
    </p>
  );
}

const shortOf = (picked: PickedSnapshot | undefined) => (picked === undefined ? "…" : shortId(picked.id));

function Exact({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className={`inline-row gap-2 narrow ${styles.id}`}>
      <code className={styles.free}>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
