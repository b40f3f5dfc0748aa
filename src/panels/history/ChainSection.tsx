/** The chain of snapshots behind a branch, tag or snapshot, and the choice of two to compare. */
import { useEffect, useId } from "react";
import { groupedBy } from "#core/basics.ts";
import type { Ancestry, RepositoryHistory, SnapshotEntry } from "#core/repository.ts";
import { FOLLOWING } from "#store/history-actions.ts";
import { useHistory } from "#store/hooks/use-history.ts";
import { useAppState } from "#store/react.tsx";
import { Badge } from "#widgets/notes/marks.tsx";
import { type Definition, DefinitionList } from "#widgets/DefinitionList.tsx";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { Section } from "#widgets/Section.tsx";
import { countOf } from "#widgets/number-format.ts";
import { Button, CopyButton, LinkButton, QuietButton } from "#widgets/controls/Button.tsx";
import tables from "#widgets/changes/ChangeTables.module.css";
import styles from "./HistoryPanel.module.css";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import { useToggles } from "#widgets/hooks.ts";
import { SnapshotId, SnapshotTime, TaskLoading, useOpenRef } from "./HistoryParts.tsx";
import { chosenElsewhere, endSentence, messageLine, refOfShown, shortId } from "./history-words.ts";
import { chainChoices, refRows } from "./ref-rows.ts";

export function ChainSection({ history }: { readonly history: RepositoryHistory }) {
  const actions = useHistory();
  const { chainOf, chain } = useAppState((state) => state.history);
  const choices = chainChoices(history);
  const chosen = choices.find(([ref]) => ref === chainOf) ?? choices.find(([ref]) => ref === refOfShown(history.shown));
  const start = chosen?.[2] ?? history.shown.snapshot;
  useEffect(() => void actions.followChain(start), [actions, start]);
  const here = chain?.of === start ? chain : undefined;
  const aside =
    here === undefined || here.entries.length === 0
      ? undefined
      : `${countOf(here.entries.length, "snapshot")}${here.end === "limit" ? " so far" : ""}`;
  return (
    <Section title="Snapshots" aside={aside}>
      <ChainControls history={history} choices={choices} chosen={chosen?.[0]} />
      <ChainTable history={history} chainOf={chosen?.[0]} entries={here?.entries ?? []} end={here?.end ?? "limit"} />
      <ChainEnd />
    </Section>
  );
}

interface ChainControlsProps {
  readonly history: RepositoryHistory;
  readonly choices: ReturnType<typeof chainChoices>;
  readonly chosen: string | undefined;
}

function ChainControls({ history, choices, chosen }: ChainControlsProps) {
  const actions = useHistory();
  const id = useId();
  const { from, to } = useCompared(history);
  return (
    <div className={styles.controls}>
      <label htmlFor={id}>Branch</label>
      <select id={id} value={chosen} onChange={(event) => actions.chooseHistory({ chainOf: event.target.value })}>
        {choices.map(([ref, words]) => (
          <option key={ref} value={ref}>
            {words}
          </option>
        ))}
      </select>
      <Button
        className="aside"
        disabled={from === undefined || to === undefined || from === to}
        title={from === to ? "Choose two different snapshots." : undefined}
        onClick={() => {
          if (from !== undefined && to !== undefined) void actions.compareSnapshots({ from, to, method: "auto" });
        }}
      >
        Compare {from === undefined ? "…" : shortId(from)} with {to === undefined ? "…" : shortId(to)}
      </Button>
      <ChosenElsewhere />
    </div>
  );
}

/** Snapshots of two chains may be compared: those chosen that have no row here are named. */
function ChosenElsewhere() {
  const actions = useHistory();
  const { from, to, chain, entries } = useAppState((state) => state.history);
  if (chain === undefined || chain.entries.length === 0) return null;
  const elsewhere = chosenElsewhere({ from, to }, chain.entries, entries);
  if (elsewhere === undefined) return null;
  return (
    <p className={`${tables.note} ${styles.elsewhere}`}>
      {elsewhere}{" "}
      <LinkButton onClick={() => actions.chooseHistory({ from: undefined, to: undefined })}>Choose again</LinkButton>
    </p>
  );
}

/** How the chain ends, or how it goes on. */
function ChainEnd() {
  const actions = useHistory();
  const chain = useAppState((state) => state.history.chain);
  if (chain === undefined) return null;
  const more = () => void actions.followFurther();
  if (chain.following) return <TaskLoading label={FOLLOWING} />;
  if (chain.error !== undefined) return <ErrorNotice error={chain.error} onRetry={more} />;
  if (chain.end === "limit")
    return (
      <p className={tables.note}>
        {chain.cancelled === true ? "Fetching more was cancelled. " : ""}
        <Button onClick={more}>Show 100 more</Button>
      </p>
    );
  return <p className={tables.note}>{endSentence(chain.end, chain.entries.length)}</p>;
}

interface ChainTableProps extends Pick<Ancestry, "entries" | "end"> {
  readonly history: RepositoryHistory;
  readonly chainOf: string | undefined;
}

const SNAPSHOT: SmallColumn<SnapshotEntry> = {
  id: "snapshot",
  header: "Snapshot",
  rank: 1,
  value: ({ id }) => id,
  cell: ({ id }) => <SnapshotId id={id} />,
};

const TIME: SmallColumn<SnapshotEntry> = {
  id: "time",
  header: "Time",
  rank: 1,
  value: ({ time }) => time,
  cell: ({ time }) => <SnapshotTime time={time} />,
};

const AUTHOR: SmallColumn<SnapshotEntry> = {
  id: "author",
  header: "Author",
  rank: 2,
  value: ({ author }) => author,
  cell: ({ author }) => (
    <span className={styles.author} title={author}>
      {author ?? "–"}
    </span>
  ),
};

/** Snapshots, newest first; two columns choose which two are compared. */
function ChainTable({ history, chainOf, entries, end }: ChainTableProps) {
  const compared = useCompared(history);
  const group = useId();
  const [opened, toggle] = useToggles<string>();
  const names = namesBySnapshot(history);
  const namesOf = ({ id }: SnapshotEntry) => names.get(id) ?? [];
  if (entries.length === 0) return null;
  const columns: readonly SmallColumn<SnapshotEntry>[] = [
    choiceColumn("from", group, compared),
    choiceColumn("to", group, compared),
    SNAPSHOT,
    {
      id: "message",
      header: "Message",
      names: true,
      room: "rest",
      value: ({ message }) => message,
      cell: (entry) => <Message entry={entry} names={namesOf(entry)} />,
    },
    TIME,
    ...(entries.some(({ author }) => author !== undefined) ? [AUTHOR] : []),
    {
      id: "does",
      header: "Open, compare, details",
      unseen: true,
      cell: (entry) => (
        <Does
          entry={entry}
          shown={entry.id === history.shown.snapshot}
          chainOf={chainOf}
          hasParent={entry.parent !== undefined && !(end === "missing" && entry === entries.at(-1))}
          opened={opened.has(entry.id)}
          onToggle={() => toggle(entry.id)}
        />
      ),
    },
  ];
  return (
    <SmallTable
      label="Snapshots"
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
      look={({ id }) => ({
        "aria-current": id === history.shown.snapshot ? true : undefined,
        "data-chosen": id === compared.from || id === compared.to,
      })}
      details={(entry) => (opened.has(entry.id) ? <SnapshotDetails entry={entry} names={namesOf(entry)} /> : undefined)}
      tall
    />
  );
}

/** `branch main`, `tag v1`, by the snapshot they point to, `main` first. */
function namesBySnapshot(history: RepositoryHistory): ReadonlyMap<string | undefined, readonly string[]> {
  const named = refRows(history).filter(({ name }) => name !== undefined);
  const bySnapshot = groupedBy(named, ({ snapshot }) => snapshot);
  return new Map(
    [...bySnapshot].map(([snapshot, rows]) => [snapshot, rows.map(({ kind, name }) => `${kind} ${name}`)]),
  );
}

/** The two snapshots to compare: those chosen, or what is shown (else the newest of the chain) and its parent. */
function useCompared({ shown }: RepositoryHistory) {
  const { from, to, chain } = useAppState((state) => state.history);
  const entries = chain?.entries ?? [];
  const newest = entries.find(({ id }) => id === shown.snapshot) ?? entries[0];
  const later = to ?? newest?.id;
  return { from: from ?? entries.find(({ id }) => id === later)?.parent, to: later };
}

/** Maximum number of names in a tooltip; More lists all. */
const MAX_LISTED = 30;

const choiceColumn = (
  side: "from" | "to",
  group: string,
  compared: ReturnType<typeof useCompared>,
): SmallColumn<SnapshotEntry> => ({
  id: side,
  header: side === "from" ? "From" : "To",
  title: `Compare ${side} this snapshot`,
  cell: ({ id }) => <Choice id={id} side={side} group={group} compared={compared} />,
});

interface ChoiceProps {
  readonly id: string;
  readonly side: "from" | "to";
  /** Begins the names of the two groups of radio buttons. */
  readonly group: string;
  readonly compared: ReturnType<typeof useCompared>;
}

function Choice({ id, side, group, compared }: ChoiceProps) {
  const actions = useHistory();
  return (
    <input
      type="radio"
      name={`${group}-${side}`}
      aria-label={`Compare ${side} ${shortId(id)}`}
      checked={id === compared[side]}
      onChange={() => actions.chooseHistory({ ...compared, [side]: id })}
    />
  );
}

interface SnapshotProps {
  readonly entry: SnapshotEntry;
  /** Branches and tags that point to it. */
  readonly names: readonly string[];
}

const Message = ({ entry: { message, time }, names }: SnapshotProps) => (
  <>
    <span className={`row gap-6 narrow ${styles.message}`} title={message}>
      <Names names={names} />
      <span className={styles.cut}>{messageLine(message)}</span>
    </span>
    <span className={styles.under}>
      <SnapshotTime time={time} />
    </span>
  </>
);

/** One name and how many more: badges for all would push the message out of sight. */
function Names({ names: [first, ...rest] }: Pick<SnapshotProps, "names">) {
  if (first === undefined) return null;
  const listed = [...rest.slice(0, MAX_LISTED), ...(rest.length > MAX_LISTED ? ["…"] : [])];
  return (
    <span className={styles.names}>
      <Badge tone={first.startsWith("branch") ? "accent" : "ok"} title={first}>
        {first}
      </Badge>
      {rest.length === 0 ? null : <Badge title={listed.join("\n")}>+{rest.length}</Badge>}
    </span>
  );
}

interface DoesProps extends Pick<SnapshotProps, "entry"> {
  readonly shown: boolean;
  readonly chainOf: string | undefined;
  readonly hasParent: boolean;
  readonly opened: boolean;
  readonly onToggle: () => void;
}

function Does({ entry, shown, chainOf, hasParent, opened, onToggle }: DoesProps) {
  const { id, parent } = entry;
  const actions = useHistory();
  const openRef = useOpenRef();
  const short = shortId(id);
  return (
    <>
      {shown ? (
        <Badge tone="accent">shown</Badge>
      ) : (
        <QuietButton aria-label={`Open ${short}`} onClick={() => openRef(`snapshot:${id}`, chainOf)}>
          Open
        </QuietButton>
      )}
      <QuietButton
        aria-label={`Changes of ${short}`}
        disabled={!hasParent}
        title={hasParent ? "Compare it with its parent" : "Its parent is not in the repository."}
        onClick={() => {
          if (parent === undefined) return;
          actions.chooseHistory({ from: parent, to: id });
          void actions.compareSnapshots({ from: parent, to: id, method: "auto" });
        }}
      >
        Changes
      </QuietButton>
      <QuietButton aria-label={`${opened ? "Less" : "More"} about ${short}`} aria-expanded={opened} onClick={onToggle}>
        {opened ? "Less" : "More"}
      </QuietButton>
    </>
  );
}

/** Everything that is known of a snapshot, in full. */
function SnapshotDetails({ entry, names }: SnapshotProps) {
  const { id, parent, time, message, author, metadata } = entry;
  const items: readonly Definition[] = [
    { term: "Snapshot", description: <Exact text={id} what="snapshot id" /> },
    { term: "Parent", description: parent === undefined ? "none" : <Exact text={parent} what="id of the parent" /> },
    { term: "Time", description: time ?? "not recorded" },
    { term: "Message", description: message === "" ? "none" : <span className={styles.free}>{message}</span> },
    { term: "Author", description: author },
    { term: "Pointed to by", description: names.length === 0 ? undefined : names.join(", ") },
  ];
  return (
    <div className="grid gap-10">
      <DefinitionList items={items} />
      {metadata.length === 0 ? (
        <p className={tables.note}>It was written without metadata.</p>
      ) : (
        <section aria-label="Metadata of the snapshot">
          <DefinitionList
            items={metadata.map(([term, json]) => ({
              term,
              description: <Exact text={json} what={`value of ${term}`} />,
            }))}
          />
        </section>
      )}
    </div>
  );
}

function Exact({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className={`inline-row gap-2 narrow ${styles.id}`}>
      <code className={styles.free}>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
