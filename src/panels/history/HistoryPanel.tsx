/** The history of the repository that the open set is a snapshot of (DESIGN "The screen"). */
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { CommitGraph, CommitRow, RepositoryHistory, RepositorySummary } from "#core/repository.ts";
import { useHistory } from "#store/hooks/use-history.ts";
import { useRowWindows } from "#store/hooks/use-row-windows.ts";
import { useActions, useApp, useAppState, useEngine, useSend } from "#store/react.tsx";
import { EmptyState, ErrorNotice, Loading, Unanswered } from "#widgets/notes/Notices.tsx";
import { countOf } from "#widgets/number-format.ts";
import { Button } from "#widgets/controls/Button.tsx";
import { Choice } from "#widgets/controls/Segmented.tsx";
import { useGridCursor } from "#widgets/data-grid/DataGrid.tsx";
import { Anatomy } from "./anatomy/Anatomy.tsx";
import { ChangesSection } from "./ChangesSection.tsx";
import { changesReader } from "./changes-reader.ts";
import { CommitCard } from "./CommitCard.tsx";
import { COMMITS, CommitGrid, type CommitQuestion, namesBySnapshot } from "./CommitGrid.tsx";
import tables from "#widgets/changes/ChangeTables.module.css";
import styles from "./HistoryPanel.module.css";
import { SnapshotTime, useOpenRef } from "./HistoryParts.tsx";
import { messageLine, refCounts, refWords } from "./history-words.ts";
import { RefChooser } from "./RefChooser.tsx";
import { OperationsLog, RepositoryFacts } from "./RepositoryParts.tsx";
import { WrittenBy } from "./WrittenBy.tsx";
import { chainChoices, refOfShown } from "./ref-rows.ts";

export function HistoryPanel() {
  const set = useAppState((state) => state.set);
  const opened = useAppState((state) => state.opened);
  const region = useRefocused();
  if (set?.repository === undefined)
    return <EmptyState title="No history">Only Icechunk repositories have a history.</EmptyState>;
  return (
    <section ref={region} aria-label="History" className={`${tables.panel} ${styles.panel}`} tabIndex={-1}>
      <Asked key={opened} set={set.id} {...set.repository} />
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

function Asked({ set, shown, format }: RepositorySummary & { readonly set: number }) {
  const [only, setOnly] = useState(ALL_REFS);
  const asked = useEngine("repository.history", { set });
  const held = useHeld(asked.data);
  // The set knows first which snapshot is shown: the focus must not be lost when the answer comes.
  const history = useMemo(() => held && { ...held, shown }, [held, shown]);
  const of = only === ALL_REFS ? undefined : history && chainChoices(history).find(([ref]) => ref === only)?.[2];
  const { answer, graph, limit, onMore } = useGraph(set, of, format === "1");
  if (history === undefined || graph === undefined)
    return (
      <>
        <Unanswered
          answer={asked.error === undefined ? answer : asked}
          label="Reading the history"
          cancelled={CANCELLED}
        />
        {asked.error === undefined && answer.error === undefined ? null : <RefChooser history={history} heads={[]} />}
      </>
    );
  return (
    <>
      <HistoryHead history={history} graph={graph} below={<Anatomy set={set} />}>
        <Choice
          label="Show"
          value={only}
          options={[
            { value: ALL_REFS, text: "all branches and tags" },
            ...chainChoices(history).map(([value, text]) => ({ value, text })),
          ]}
          className={`inline-row gap-6 quiet ${styles.choice}`}
          onValue={setOnly}
        />
      </HistoryHead>
      <Commits
        question={{ set, limit, known: graph.total, ...(of === undefined ? {} : { of }) }}
        history={history}
        graph={graph}
      >
        <More answer={answer} graph={graph} onMore={onMore} />
      </Commits>
      <ChangesSection set={set} />
      <RepositoryFacts history={history} />
      <OperationsLog history={history} set={set} />
    </>
  );
}

const ALL_REFS = "all";

/** Keeps the last value while a newer one is under way. */
function useHeld<T>(value: T | undefined): T | undefined {
  const [held, setHeld] = useState(value);
  if (value !== undefined && value !== held) setHeld(value);
  return value ?? held;
}

/** Format 1 fetches a file a snapshot: they are shown as they come, and more only when asked for. */
const STEPS = { first: 10, most: 100 } as const;
/** Snapshots of format 2 are all here. */
const NO_LIMIT = 1_000_000_000;

function useGraph(set: number, of: string | undefined, isFormat1: boolean) {
  const [most, setMost] = useState<number>(STEPS.most);
  const [fetched, setFetched] = useState<number>(STEPS.first);
  const limit = isFormat1 ? Math.min(fetched, most) : NO_LIMIT;
  const answer = useEngine("repository.graph", { set, limit, from: 0, to: 0, ...(of === undefined ? {} : { of }) });
  const graph = useHeld(answer.last?.data);
  const isDone = !answer.stale && !answer.cancelled && answer.data?.hasMore === true;
  if (isDone && limit < most) setFetched(Math.min(most, limit * 3));
  const onMore = () => {
    if (answer.cancelled || answer.error !== undefined) answer.retry();
    else setMost(most + STEPS.most);
  };
  return {
    answer,
    graph,
    limit: graph?.total === 0 ? limit : Math.min(limit, answer.last?.request.limit ?? limit),
    onMore,
  };
}

interface MoreProps {
  readonly answer: ReturnType<typeof useGraph>["answer"];
  readonly graph: CommitGraph;
  readonly onMore: () => void;
}

/** How the list goes on, and what of it could not be read. */
function More({ answer, graph, onMore }: MoreProps) {
  const [first] = graph.failed;
  const isStopped = answer.cancelled || answer.error !== undefined;
  return (
    <>
      {answer.stale && !isStopped ? (
        <Loading label="Reading snapshots" progress={answer.progress} onCancel={answer.cancel} />
      ) : null}
      {answer.error === undefined ? null : <ErrorNotice error={answer.error} onRetry={onMore} />}
      {first === undefined ? null : <ErrorNotice error={first} onRetry={answer.retry} />}
      {(graph.hasMore && !answer.stale) || answer.cancelled ? (
        <p className={tables.note}>
          {answer.cancelled ? "Fetching more was cancelled. " : ""}
          <Button onClick={onMore}>Show 100 more</Button>
        </p>
      ) : null}
    </>
  );
}

interface CommitsProps {
  readonly question: CommitQuestion;
  readonly history: RepositoryHistory;
  readonly graph: CommitGraph;
  readonly children: ReactNode;
}

function Commits({ question, history, graph, children }: CommitsProps) {
  const { engine, store } = useApp();
  const rows = useRowWindows(COMMITS, question);
  const cursor = useGridCursor();
  const openRef = useOpenRef();
  const [changes] = useState(() => changesReader(engine, () => store.getState().set?.id));
  const { goTo } = cursor;
  const start = graph.shown?.row;
  const shownAt = start === undefined ? undefined : `${start} ${question.of ?? ""}`;
  useEffect(() => {
    if (shownAt !== undefined) goTo(Number.parseInt(shownAt, 10));
  }, [shownAt, goTo]);
  const commit = useHeld(rows.at(Math.min(cursor.at.row, rows.total - 1)));
  const open = ({ id }: Pick<CommitRow, "id">) => openRef(`snapshot:${id}`);
  return (
    <div className={styles.both}>
      <div className="stack gap-8 narrow topmost">
        {rows.error === undefined ? null : <ErrorNotice error={rows.error} onRetry={rows.retry} />}
        <CommitGrid {...{ history, graph, rows, cursor, changes }} onOpen={open} />
        {children}
      </div>
      {commit === undefined ? null : (
        <div className="stack gap-12">
          <CommitCard
            commit={commit}
            names={namesBySnapshot(history).get(commit.id) ?? []}
            isShown={commit.id === history.shown.snapshot}
            changes={changes}
            onOpen={open}
            onGo={goTo}
          />
          <WrittenBy set={question.set} commits={graph.shown?.commits ?? graph.total} />
        </div>
      )}
    </div>
  );
}

// Heading: what is open, its latest commit, and the way to another branch, tag or snapshot.

interface HeadProps {
  readonly history: RepositoryHistory;
  readonly graph: CommitGraph;
  readonly below: ReactNode;
  readonly children: ReactNode;
}

function HistoryHead({ history, graph: { shown, total, heads, hasMore, failed }, below, children }: HeadProps) {
  const title = useRefocusedTitle();
  const name = history.shown.kind === "branch" ? history.shown.name : refWords(history.shown);
  const { commits, entry } = shown ?? {};
  const soFar = hasMore || failed.length > 0 ? " so far" : "";
  return (
    <header className={styles.head}>
      <h2 ref={title} className={styles.title} tabIndex={-1}>
        {name}
        {commits === undefined ? "" : `, ${countOf(commits, "commit")}${soFar}`}
      </h2>
      {entry === undefined ? null : (
        <span className={styles.latest}>
          latest “{messageLine(entry.message)}”, <SnapshotTime time={entry.time} />
        </span>
      )}
      <span className={styles.actions}>
        {children}
        <RefChooser key={refOfShown(history.shown)} history={history} heads={heads} />
        <SinceWhen />
      </span>
      <p className={`quiet ${styles.counts}`}>
        {countOf(total, "snapshot")}
        {soFar} · {refCounts(history)}
      </p>
      {below}
    </header>
  );
}

/** Leads to the worst problem of Check, whose first commit can be searched for. */
function SinceWhen() {
  const send = useSend();
  const { showOfSet } = useActions();
  const isWrong = useAppState(({ problems }) => problems !== undefined && problems.errors + problems.warnings > 0);
  return (
    <Button
      disabled={!isWrong}
      title={isWrong ? "Search for the first commit with the worst problem" : NO_PROBLEM}
      onClick={() => {
        send({ kind: "since-when" });
        showOfSet("check");
      }}
    >
      Since when is it wrong?
    </Button>
  );
}

const NO_PROBLEM =
  "There is no problem to search for. In a terminal, refscope bisect also searches for values and unmet expectations.";

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
