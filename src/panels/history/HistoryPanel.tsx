/** The history of the repository that the open set is a snapshot of (DESIGN "The screen"). */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { operationText } from "../../core/words/operation-words.ts";
import type { OlderOperations, RepositoryHistory, RepositoryUpdate } from "../../core/repository.ts";
import { useHistory } from "../../store/hooks/use-history.ts";
import { useApp, useAppState, useEngine } from "../../store/react.tsx";
import { useTask } from "../../store/hooks/use-task.ts";
import { Badge } from "../../widgets/notes/Badge.tsx";
import { type Definition, DefinitionList } from "../../widgets/DefinitionList.tsx";
import { EmptyState, ErrorNotice, Unanswered } from "../../widgets/notes/Notices.tsx";
import { MoreRows } from "../../widgets/notes/MoreRows.tsx";
import { Section } from "../../widgets/Section.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { Button, Form, QuietButton, TextField } from "../../widgets/controls/Button.tsx";
import { ChainSection } from "./ChainSection.tsx";
import { ChangesSection } from "./ChangesSection.tsx";
import tables from "../../widgets/changes/ChangeTables.module.css";
import styles from "./HistoryPanel.module.css";
import { Head, HeadRow } from "../../widgets/changes/Head.tsx";
import { SnapshotId, SnapshotTime } from "./SnapshotId.tsx";
import { messageLine, refOfShown, refWords, statusWords } from "./history-words.ts";
import { knownRefs, type RefRow, refRows } from "./ref-rows.ts";
import { useOpenRef } from "./use-open-ref.ts";

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
  return (
    <Section title="Branches and tags" aside={countWords(history)}>
      <div className={tables.scroll}>
        <table className={tables.table} aria-label="Branches and tags">
          <HeadRow>
            <Head>Name</Head>
            <Head>Kind</Head>
            <Head look="idCell">Snapshot</Head>
            <Head look="wide">Message</Head>
            <Head look="timeCell">Time</Head>
            <Head look="unseen">Open</Head>
          </HeadRow>
          <tbody>
            {shown.map((row) => (
              <Row key={`${row.kind} ${row.name ?? row.snapshot ?? ""}`} row={row} current={row.ref === shownRef} />
            ))}
          </tbody>
        </table>
      </div>
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

function Row({ row, current }: { readonly row: RefRow; readonly current: boolean }) {
  const { kind, name, ref, snapshot } = row;
  const openRef = useOpenRef();
  const entries = useAppState((state) => state.history.entries);
  const label = name === undefined ? `snapshot ${snapshot ?? ""}` : `${kind} ${name}`;
  const entry = row.entry ?? (snapshot === undefined ? undefined : entries.get(snapshot));
  return (
    <tr aria-current={current ? "true" : undefined}>
      <th scope="row" title={name} data-deleted={kind === "deleted tag"}>
        {name ?? <span className={tables.quiet}>–</span>}
      </th>
      <td>
        <Badge tone={kind === "branch" ? "accent" : kind === "tag" ? "ok" : "plain"}>{kind}</Badge>
      </td>
      <td className={tables.idCell}>{snapshot === undefined ? null : <SnapshotId id={snapshot} />}</td>
      <td className={tables.wide} title={entry?.message}>
        {kind === "deleted tag" ? <span className={tables.quiet}>its name cannot be used again</span> : null}
        {entry === undefined ? null : (
          <>
            {messageLine(entry.message)}
            <span className={styles.under}>
              <SnapshotTime time={entry.time} />
            </span>
          </>
        )}
      </td>
      <td className={tables.timeCell}>{kind === "deleted tag" ? null : <SnapshotTime time={entry?.time} />}</td>
      <td className={tables.does}>
        {current ? <Badge tone="accent">shown</Badge> : null}
        {ref === undefined || current ? null : (
          <QuietButton aria-label={`Open ${label}`} onClick={() => openRef(ref)}>
            Open
          </QuietButton>
        )}
      </td>
    </tr>
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
    <header className={tables.head}>
      <h2 ref={title} className={tables.title} tabIndex={-1}>
        Shown: <span className="strong">{refWords(history.shown)}</span>
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
      <label htmlFor={id}>Branch, tag or snapshot</label>
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
        Log of operations <span className={tables.quiet}>{countOf(entries.length, "entry", "entries")}</span>
      </summary>
      {entries.length === 0 ? <p className={tables.note}>The log is empty.</p> : <LogTable entries={entries} />}
      {next === undefined ? null : (
        <Older set={set} file={next} onOlder={(answer) => setOlder((before) => [...before, answer])} />
      )}
    </details>
  );
}

/** Entries at a time; a log may have a million. */
const STEP = 500;

function LogTable({ entries }: { readonly entries: readonly RepositoryUpdate[] }) {
  const [limit, setLimit] = useState(STEP);
  return (
    <div className={tables.scroll} data-tall="true">
      <table className={tables.table} aria-label="Log of operations">
        <HeadRow>
          <Head>Time</Head>
          <Head look="wide">Operation</Head>
        </HeadRow>
        <tbody>
          {entries.slice(0, limit).map((entry, index) => (
            // The log may have the same operation twice at the same time.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              <td>
                <SnapshotTime time={entry.at} />
              </td>
              <td className={tables.wide} title={operationText(entry)}>
                {operationText(entry)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <MoreRows shown={limit} total={entries.length} step={STEP} onMore={setLimit} />
    </div>
  );
}

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
