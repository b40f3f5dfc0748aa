/** The history of the repository that the open set is a snapshot of (DESIGN "The screen"). */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { operationText } from "#core/words/operation-words.ts";
import type { OlderOperations, RepositoryHistory, RepositoryUpdate, SnapshotEntry } from "#core/repository.ts";
import { useHistory } from "#store/hooks/use-history.ts";
import { useApp, useAppState, useEngine } from "#store/react.tsx";
import { useTask } from "#store/hooks/use-task.ts";
import { Badge } from "#widgets/notes/marks.tsx";
import { type Definition, DefinitionList } from "#widgets/DefinitionList.tsx";
import { EmptyState, ErrorNotice, Unanswered } from "#widgets/notes/Notices.tsx";
import { MoreRows } from "#widgets/notes/part-notes.tsx";
import { Section } from "#widgets/Section.tsx";
import { countOf } from "#widgets/number-format.ts";
import { Button, Form, QuietButton, TextField } from "#widgets/controls/Button.tsx";
import { ChainSection } from "./ChainSection.tsx";
import { ChangesSection } from "./ChangesSection.tsx";
import tables from "#widgets/changes/ChangeTables.module.css";
import styles from "./HistoryPanel.module.css";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import { SnapshotId, SnapshotTime, useOpenRef } from "./HistoryParts.tsx";
import { messageLine, refOfShown, refWords, statusWords } from "./history-words.ts";
import { knownRefs, type RefRow, refRows } from "./ref-rows.ts";

// Branches, tags, deleted tags, and snapshots that none of these leads to.

/** Rows at a time. */
const REFS_SECTION_STEP = 100;

function RefsSection({ history }: { readonly history: RepositoryHistory }) {
  const [limit, setLimit] = useState(REFS_SECTION_STEP);
  const rows = refRows(history);
  const shownRef = refOfShown(history.shown);
  // The shown snapshot is always listed.
  const shown = rows.filter(({ ref }, at) => at < limit || ref === shownRef);
  useLearned(history, shown);
  const columns = useRefColumns(shownRef);
  return (
    <Section title="Branches and tags" aside={countWords(history)}>
      <SmallTable
        label="Branches and tags"
        columns={columns}
        rows={shown}
        rowKey={({ kind, name, snapshot }) => `${kind} ${name ?? snapshot ?? ""}`}
        look={({ ref }) => ({ "aria-current": ref === shownRef ? true : undefined })}
        tall
      />
      <MoreRows shown={limit} total={rows.length} step={REFS_SECTION_STEP} onMore={setLimit} />
    </Section>
  );
}

function countWords(history: RepositoryHistory): string {
  const { deletedTags, refsComplete } = history;
  const [branches, tags] = [knownRefs(history, "branch"), knownRefs(history, "tag")];
  const known = refsComplete ? "" : " known";
  const deleted = deletedTags.length === 0 ? "" : `, ${countOf(deletedTags.length, "tag")} deleted`;
  const noTags = refsComplete ? "no tags" : "no tags known";
  const tagWords = tags.length === 0 ? noTags : countOf(tags.length, "tag") + known;
  return `${countOf(branches.length, "branch", "branches")}${known}, ${tagWords}${deleted}`;
}

/** Format 2 has messages and times of all snapshots; format 1 would fetch a file for each. */
function useLearned({ format }: RepositoryHistory, rows: readonly RefRow[]): void {
  const actions = useHistory();
  const entries = useAppState((state) => state.history.entries);
  const unknown = rows.flatMap(({ snapshot }) => (snapshot === undefined || entries.has(snapshot) ? [] : [snapshot]));
  const wanted = format === "1" ? "" : [...new Set(unknown)].join(" ");
  useEffect(() => {
    if (wanted !== "") void actions.learnSnapshots(wanted.split(" "));
  }, [wanted, actions]);
}

function useRefColumns(shownRef: string | undefined): readonly SmallColumn<RefRow>[] {
  const openRef = useOpenRef();
  const entries = useAppState((state) => state.history.entries);
  const entryOf = ({ entry, snapshot }: RefRow) =>
    entry ?? (snapshot === undefined ? undefined : entries.get(snapshot));
  return [
    {
      id: "name",
      header: "Name",
      names: true,
      value: ({ name }) => name,
      cell: ({ name, kind }) => (
        <span className={styles.ref} title={name} data-deleted={kind === "deleted tag"}>
          {name ?? "–"}
        </span>
      ),
    },
    {
      id: "kind",
      header: "Kind",
      value: ({ kind }) => kind,
      cell: ({ kind }) => <Badge tone={kind === "branch" ? "accent" : kind === "tag" ? "ok" : "plain"}>{kind}</Badge>,
    },
    {
      id: "snapshot",
      header: "Snapshot",
      rank: 1,
      value: ({ snapshot }) => snapshot,
      cell: ({ snapshot }) => (snapshot === undefined ? null : <SnapshotId id={snapshot} />),
    },
    {
      id: "message",
      header: "Message",
      room: "rest",
      value: (row) => entryOf(row)?.message,
      cell: (row) => <RefMessage isDeleted={row.kind === "deleted tag"} entry={entryOf(row)} />,
    },
    {
      id: "time",
      header: "Time",
      rank: 1,
      value: (row) => entryOf(row)?.time,
      cell: (row) => (row.kind === "deleted tag" ? null : <SnapshotTime time={entryOf(row)?.time} />),
    },
    {
      id: "open",
      header: "Open",
      unseen: true,
      cell: (row) => <OpenRef row={row} isShown={row.ref === shownRef} onOpen={openRef} />,
    },
  ];
}

function RefMessage({ isDeleted, entry }: { readonly isDeleted: boolean; readonly entry: SnapshotEntry | undefined }) {
  return (
    <>
      {isDeleted ? <span className="faint">its name cannot be used again</span> : null}
      {entry === undefined ? null : (
        <span title={entry.message}>
          {messageLine(entry.message)}
          <span className={styles.under}>
            <SnapshotTime time={entry.time} />
          </span>
        </span>
      )}
    </>
  );
}

interface OpenRefProps {
  readonly row: RefRow;
  readonly isShown: boolean;
  readonly onOpen: (ref: string) => void;
}

function OpenRef({ row: { kind, name, ref, snapshot }, isShown, onOpen }: OpenRefProps) {
  if (ref === undefined) return null;
  if (isShown) return <Badge tone="accent">shown</Badge>;
  return (
    <QuietButton
      aria-label={`Open ${name === undefined ? `snapshot ${snapshot ?? ""}` : `${kind} ${name}`}`}
      onClick={() => onOpen(ref)}
    >
      Open
    </QuietButton>
  );
}

export function HistoryPanel() {
  const set = useAppState((state) => state.set);
  const region = useRefocused();
  if (set?.repository === undefined)
    return <EmptyState title="No history">Only Icechunk repositories have a history.</EmptyState>;
  return (
    <section ref={region} aria-label="History" className={tables.panel} tabIndex={-1}>
      <Asked key={set.id} set={set.id} />
    </section>
  );
}

/**
 * Keeps the focus in the region after another snapshot was opened from it, since the pressed element is gone. Before
 * effects run, since the hierarchy takes a focus that is lost.
 */
function useRefocused() {
  const region = useRef<HTMLElement>(null);
  const refocus = useAppState((state) => state.history.refocus);
  useLayoutEffect(() => {
    if (refocus && (document.activeElement ?? document.body) === document.body) region.current?.focus();
  }, [refocus]);
  return region;
}

const CANCELLED = ["Reading the history was cancelled", "Read it"] as const;

function Asked({ set }: { readonly set: number }) {
  const answer = useEngine("repository.history", { set });
  const { data, error } = answer;
  if (data === undefined)
    return (
      <>
        <Unanswered answer={answer} label="Reading the history" cancelled={CANCELLED} />
        {error === undefined ? null : <OpenRefForm history={undefined} />}
      </>
    );
  return (
    <>
      <HistoryHead history={data} />
      <RefsSection history={data} />
      <ChainSection history={data} />
      <ChangesSection set={set} />
      <OperationsLog history={data} set={set} />
    </>
  );
}

// Heading with the shown part of the repository, and the way to another branch, tag or snapshot.

function HistoryHead({ history }: { readonly history: RepositoryHistory }) {
  const title = useRefocusedTitle();
  return (
    <header className="grid gap-10">
      <h2 ref={title} className={tables.title} tabIndex={-1}>
        Viewing <span className="strong">{refWords(history.shown)}</span>
      </h2>
      <DefinitionList layout="cells" items={facts(history)} />
      <OpenRefForm history={history} />
    </header>
  );
}

/** The focus goes on from the region to its title, once that is there. */
function useRefocusedTitle() {
  const title = useRef<HTMLHeadingElement>(null);
  const actions = useHistory();
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
    { term: "Written by", description: writer },
    {
      term: "Status",
      description: status && statusWords(status),
      ...(status?.since === undefined ? {} : { title: `since ${status.since}` }),
    },
  ];
}

/** Opens by name or id; `history` is unknown where it could not be read. */
function OpenRefForm({ history }: { readonly history: RepositoryHistory | undefined }) {
  const id = useId();
  const openRef = useOpenRef();
  const [text, setText] = useState("");
  const wanted = text.trim();
  return (
    <Form
      className={tables.form}
      onSubmit={() => {
        if (wanted !== "") openRef(wanted);
      }}
    >
      <label className="quiet" htmlFor={id}>
        Branch, tag or snapshot
      </label>
      <TextField
        id={id}
        value={text}
        placeholder="a name, or the id of a snapshot"
        aria-describedby={history?.refsComplete === false ? `${id}-why` : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" disabled={wanted === ""}>
        Open ref
      </button>
      {history?.refsComplete === false ? (
        <p id={`${id}-why`} className={tables.note}>
          Branches and tags of a format 1 repository cannot be listed over HTTP. main is known; open others by name.
        </p>
      ) : null}
    </Form>
  );
}

// The log of operations of a repository of format 2.

/** Older entries come by files; nothing is shown for format 1, which has no log. */
function OperationsLog({ history, set }: { readonly history: RepositoryHistory; readonly set: number }) {
  const [older, setOlder] = useState<readonly OlderOperations[]>([]);
  if (history.format === "1") return null;
  const entries = [...history.updates, ...older.flatMap(({ updates }) => updates)];
  const next = older.length === 0 ? history.updatesContinueIn : older.at(-1)?.updatesContinueIn;
  return (
    <details className={styles.log}>
      <summary>
        Log of operations <span className="faint">{countOf(entries.length, "entry", "entries")}</span>
      </summary>
      {entries.length === 0 ? (
        <p className={tables.note}>The log is empty.</p>
      ) : (
        <SmallTable label="Log of operations" columns={LOG_COLUMNS} rows={entries} step={STEP} tall />
      )}
      {next === undefined ? null : (
        <Older set={set} file={next} onOlder={(answer) => setOlder((before) => [...before, answer])} />
      )}
    </details>
  );
}

/** Entries at a time; a log may have a million. */
const STEP = 500;

const LOG_COLUMNS: readonly SmallColumn<RepositoryUpdate>[] = [
  { id: "time", header: "Time", value: ({ at }) => at, cell: ({ at }) => <SnapshotTime time={at} /> },
  {
    id: "operation",
    header: "Operation",
    room: "rest",
    value: operationText,
    cell: (entry) => <span title={operationText(entry)}>{operationText(entry)}</span>,
  },
];

interface OlderProps {
  readonly set: number;
  readonly file: string;
  readonly onOlder: (answer: OlderOperations) => void;
}

function Older({ set, file, onOlder }: OlderProps) {
  const { engine } = useApp();
  const { begun, begin } = useTask<void>("history-log", "Reading older operations", JSON.stringify([set, file]));
  const asking = begun?.running === true;
  const ask = () =>
    begin(async (options) => onOlder(await engine.call("repository.olderOperations", { set, file }, options)));
  if (begun?.error !== undefined) return <ErrorNotice error={begun.error} onRetry={ask} />;
  return (
    <p>
      <Button aria-disabled={asking} onClick={() => (asking ? undefined : ask())}>
        Older operations
      </Button>
    </p>
  );
}
