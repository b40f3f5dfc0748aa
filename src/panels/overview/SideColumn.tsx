/** Beside the subject: how to open it in Python, what is known of its health, where its bytes are, what was opened. */
import { Fragment, type ReactNode, useState } from "react";
import type { Answer } from "#core/check/check.ts";
import { QUESTIONS } from "#core/check/question.ts";
import { QUESTION_WORDS } from "#core/check/verdict-words.ts";
import type { HostSummary, Overview, SetSummary, TargetSummary } from "#core/open-set.ts";
import type { ContainerSummary, ShownRef } from "#core/repository.ts";
import { type ChunkState, STATES_IN_ORDER } from "#core/table/reference.ts";
import type { ArrayTally } from "#core/values/reading-tally.ts";
import { containerNeeds } from "#core/words/container-words.ts";
import { recognitionWords } from "#core/words/recognition-words.ts";
import { shownTarget } from "#core/words.ts";
import { useActions, useAppState, useEngine, useSend } from "#store/react.tsx";
import type { Actions } from "#store/app-store.ts";
import { isEdited, type ProblemCounts } from "#store/state.ts";
import { Badge, ByteSize, STATE_MEANING, StateMark } from "#widgets/notes/marks.tsx";
import { type Definition, DefinitionList } from "#widgets/DefinitionList.tsx";
import { Unanswered, useMessage } from "#widgets/notes/Notices.tsx";
import { MoreRows, PagesNote } from "#widgets/notes/part-notes.tsx";
import { countOf, formatCount, formatDuration, formatShare } from "#widgets/number-format.ts";
import { Button, CopyButton, LinkButton } from "#widgets/controls/Button.tsx";
import { AfarPart } from "./AfarPart.tsx";
import { HealthMark, type HealthSign, readText, useOutcomes } from "./VariableHealth.tsx";
import styles from "./SideColumn.module.css";
import { Snippet } from "#widgets/Snippet.tsx";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";

const CANCELLED = ["Counting was cancelled", "Count again"] as const;

interface SideColumnProps {
  readonly set: SetSummary;
  readonly path: string;
}

export function SideColumn({ set, path }: SideColumnProps) {
  const answer = useEngine("set.overview", { set: set.id, path });
  const { data, stale } = answer;
  return (
    <div className={styles.side}>
      {data === undefined ? (
        <Unanswered answer={answer} label="Counting references" cancelled={CANCELLED} />
      ) : (
        <>
          <div className={styles.counts} data-stale={stale || data.path !== path}>
            <PythonCard overview={data} />
            <HealthCard set={set} path={path} />
            {set.isFile === true && path === "" ? (
              <Card title="Reading it remotely">
                <AfarPart set={set.id} />
              </Card>
            ) : null}
            <BytesCard overview={data} isFile={set.isFile === true} />
          </div>
          {path === "" ? <SetCard set={set} /> : null}
          {path === "" && set.repository !== undefined ? <ContainersCard set={set.id} /> : null}
        </>
      )}
    </div>
  );
}

const UNEDITED = "# Export first: this opens the dataset without your edits.\n";

function PythonCard({ overview }: { readonly overview: Overview }) {
  const note = useAppState(({ edit }) => (edit !== undefined && isEdited(edit) ? UNEDITED : ""));
  const [python, pythonLong] = [note + overview.python, note + overview.pythonLong];
  return (
    <Card title="Open in Python" aside={<CopyButton text={python} what="snippet" label />}>
      <Snippet label="Python snippet" text={python} />
      {pythonLong === python ? null : (
        <details>
          <summary>Without kerchunk</summary>
          <Snippet label="Longer Python snippet" text={pythonLong} />
        </details>
      )}
    </Card>
  );
}

/** `isFile`: all bytes are in the file itself. */
function BytesCard({ overview, isFile }: { readonly overview: Overview; readonly isFile: boolean }) {
  const { bytes, states, hosts } = overview;
  return (
    <Card
      title="Bytes"
      aside={
        <span>
          <ByteSize bytes={bytes} /> {isFile ? "of chunks" : "referenced"}
          {states.unknown > 0 ? " so far" : ""}
        </span>
      }
    >
      <StatesPart overview={overview} />
      {isFile ? null : (
        <>
          <CardPart title="Sources by host" aside={hosts.length}>
            {hosts.length === 0 ? (
              <p className="quiet">{noHosts(states)}</p>
            ) : (
              <SmallTable columns={HOST_COLUMNS} rows={hosts} />
            )}
          </CardPart>
          <TargetsPart overview={overview} />
        </>
      )}
    </Card>
  );
}

const MARKS: Readonly<Record<Answer, HealthSign>> = {
  yes: "ok",
  partly: "partly",
  no: "bad",
  "not-checked": "unknown",
};

/** The five answers of Check, and what they stand on. */
function HealthCard({ set, path }: SideColumnProps) {
  const actions = useActions();
  const counts = useAppState((state) => state.problems);
  const outcomes = [...useOutcomes(set.id).values()].filter((one) => isWithin(one.path, path));
  const failed = outcomes.reduce((sum, one) => sum + one.failed, 0);
  const aside = outcomes.reduce((sum, one) => sum + asideOf(one, counts), 0);
  const read = outcomes.reduce((sum, one) => sum + one.ok + one.failed, 0);
  const unreached = outcomes.reduce((sum, one) => sum + (one.unreached ?? 0), 0);
  return (
    <Card title="Health" aside={<LinkButton onClick={() => actions.showView("check")}>Check</LinkButton>}>
      <dl className={styles.answers}>
        {QUESTIONS.map((question) => {
          const { answer = "not-checked", isNeutral = false, text = "" } = counts?.answers?.[question] ?? {};
          return (
            <div key={question} data-answer={answer}>
              <HealthMark sign={isNeutral ? "unknown" : MARKS[answer]} />
              <dt>{QUESTION_WORDS[question]}</dt>
              <dd>{text}</dd>
            </div>
          );
        })}
      </dl>
      <p className={styles.note}>
        {read + unreached === 0
          ? "No chunk has been read yet, so the values are unchecked."
          : readText(read, failed - aside, aside, unreached)}
      </p>
    </Card>
  );
}

const isWithin = (array: string, path: string) => path === "" || array === path || array.startsWith(`${path}/`);

/** Failures that are set aside. */
const asideOf = ({ path, failed }: ArrayTally, counts: ProblemCounts | undefined): number =>
  Math.min(failed, counts?.accepted?.failing.get(path) ?? 0);

const STATE_COLUMNS: readonly SmallColumn<{ state: ChunkState; chunks: number; total: number }>[] = [
  {
    id: "state",
    header: "State",
    names: true,
    room: "rest",
    value: ({ state }) => state,
    cell: ({ state }) => <StateMark state={state} label />,
  },
  { id: "chunks", header: "Chunks", numeric: true, value: ({ chunks }) => chunks },
  {
    id: "share",
    header: "Share",
    numeric: true,
    value: ({ chunks, total }) => chunks / total,
    cell: ({ chunks, total }) => formatShare(chunks, total),
  },
];

/** Chunks by state, and how long those are that have bytes of their own. */
function StatesPart({ overview }: { readonly overview: Overview }) {
  const { states, lengths } = overview;
  const total = STATES_IN_ORDER.reduce((sum, state) => sum + states[state], 0);
  const present = STATES_IN_ORDER.filter((state) => states[state] > 0);
  return (
    <CardPart title="Chunks by state" aside={`${formatCount(total)} in all`}>
      {total === 0 ? (
        <p className="quiet">There is no chunk here.</p>
      ) : (
        // The shares as a bar; the table below has the numbers.
        <div className={styles.bar} aria-hidden="true">
          {present.map((state) => (
            <span key={state} data-state={state} style={{ flexGrow: Math.max(0.006, states[state] / total) }} />
          ))}
        </div>
      )}
      <SmallTable
        columns={STATE_COLUMNS}
        rows={present.map((state) => ({ state, chunks: states[state], total }))}
        look={({ state }) => ({ title: STATE_MEANING[state] })}
      />
      <DefinitionList
        items={[
          {
            term: lengthTerm(states),
            description: lengths === undefined ? noLengths(states) : <Lengths lengths={lengths} />,
          },
        ]}
      />
    </CardPart>
  );
}

const noLengths = ({ unknown }: Overview["states"]): string =>
  unknown > 0 ? "none known yet" : "no reference has one";

/** Virtual chunks and ranges occur together where some arrays of a repository are sharded. */
function lengthTerm({ virtual, range, native }: Overview["states"]): string {
  if (native > 0) return "Length of chunks";
  if (virtual + range === 0) return "Length of inline values";
  if (virtual === 0) return "Length of ranges";
  return range === 0 ? "Length of virtual chunks" : "Length of ranges and virtual chunks";
}

function Lengths({ lengths: { minimum, maximum, median } }: { readonly lengths: NonNullable<Overview["lengths"]> }) {
  return minimum === maximum ? (
    <>
      <ByteSize bytes={minimum} /> each
    </>
  ) : (
    <>
      <ByteSize bytes={minimum} /> to <ByteSize bytes={maximum} />, median <ByteSize bytes={median} />
    </>
  );
}

const REFERENCES_AND_BYTES: readonly SmallColumn<{ readonly references: number; readonly bytes: number }>[] = [
  { id: "references", header: "References", numeric: true, value: ({ references }) => references },
  {
    id: "bytes",
    header: "Bytes",
    numeric: true,
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => <ByteSize bytes={bytes} />,
  },
];

const HOST_COLUMNS: readonly SmallColumn<HostSummary>[] = [
  {
    id: "host",
    header: "Host",
    names: true,
    room: "wrap",
    value: ({ host }) => host,
    cell: ({ host }) => <Host name={host} />,
  },
  { id: "sources", header: "Sources", numeric: true, value: ({ targets }) => targets },
  ...REFERENCES_AND_BYTES,
];

function noHosts({ unknown, native }: Overview["states"]): string {
  if (unknown > 0) return "None known yet.";
  if (native > 0) return "The chunks are objects in the store itself.";
  return "No reference points outside the dataset.";
}

/** May break before a dot or a colon, where one reads on. */
function Host({ name }: { readonly name: string }) {
  return name.split(/(?=[.:])/).map((part, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts may repeat, positions may not
    <Fragment key={at}>
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}

const TARGET_COLUMNS: readonly SmallColumn<TargetSummary>[] = [
  {
    id: "source",
    header: "Source, as written",
    names: true,
    room: "rest",
    value: ({ url }) => url,
    cell: ({ url }) => (
      <span className={`row gap-4 narrow ${styles.target}`}>
        <code title={shownTarget(url)}>
          <bdi dir="ltr">{shownTarget(url)}</bdi>
        </code>
        <CopyButton text={url} what="source" />
      </span>
    ),
  },
  ...REFERENCES_AND_BYTES,
];

/** Files that most references point into. */
function TargetsPart({ overview: { targets, targetCount: count } }: { readonly overview: Overview }) {
  if (count === 0) return null;
  const aside =
    count > targets.length ? `the first ${formatCount(targets.length)} of ${formatCount(count)}` : formatCount(count);
  return (
    <CardPart title="Sources with the most references" aside={aside}>
      <SmallTable label="Sources" columns={TARGET_COLUMNS} rows={targets} tall />
    </CardPart>
  );
}

/** Containers at a time. */
const STEP = 20;

/** The places that virtual chunks of a repository may be in, and what reading from each needs. */
function ContainersCard({ set }: { readonly set: number }) {
  const answer = useEngine("repository.history", { set });
  const [limit, setLimit] = useState(STEP);
  const all = answer.data?.containers;
  return (
    <Card title="Virtual chunk containers" aside={all && <span>{formatCount(all.length)}</span>}>
      {all === undefined ? <Unanswered answer={answer} label="Reading the configuration" /> : null}
      {all?.length === 0 ? <p className="quiet">The repository’s configuration lists none.</p> : null}
      {all === undefined || all.length === 0 ? null : (
        <>
          <ul className="grid" aria-label="Virtual chunk containers">
            {all.slice(0, limit).map((container) => (
              <Container key={`${container.name ?? ""} ${container.prefix}`} container={container} />
            ))}
          </ul>
          <MoreRows shown={limit} total={all.length} step={STEP} onMore={setLimit} />
        </>
      )}
    </Card>
  );
}

function Container({ container }: { readonly container: ContainerSummary }) {
  const send = useSend();
  const { prefix, ignored } = container;
  const whyIgnored = useMessage(ignored);
  return (
    <li className={styles.container} data-ignored={ignored !== undefined}>
      <div className={styles.containerHead}>
        <CodeToCopy text={prefix} what={`prefix ${prefix}`} />
        {ignored === undefined ? null : <Badge tone="warn">ignored</Badge>}
        <Button
          className="aside"
          aria-label={`Locations for this prefix… ${prefix}`}
          onClick={() => send({ kind: "show-locations", prefix })}
        >
          Locations for this prefix…
        </Button>
      </div>
      <DefinitionList items={facts(container, whyIgnored)} />
    </li>
  );
}

function facts(container: ContainerSummary, ignored: string | undefined): readonly Definition[] {
  const { name, store, options } = container;
  return [
    { term: "Name", description: name ?? "not recorded" },
    { term: "Store", description: store },
    {
      term: "Options",
      description:
        options.length === 0 ? undefined : (
          <span className={styles.options}>
            {options.map(([term, value]) => (
              <span key={term}>
                {term}: <code>{value}</code>
              </span>
            ))}
          </span>
        ),
    },
    { term: "To read from it", description: containerNeeds(container) },
    { term: "Ignored", description: ignored },
  ];
}

/** Source of the dataset. */
function SetCard({ set }: { readonly set: SetSummary }) {
  return (
    <Card title="Dataset">
      <div className={styles.facts}>
        <DefinitionList items={setFacts(set, useActions())} />
      </div>
    </Card>
  );
}

function setFacts(set: SetSummary, actions: Actions): readonly Definition[] {
  const { pages, url } = set;
  const isComplete = pages === undefined || pages.loaded === pages.count;
  const soFar = isComplete ? "" : " so far";
  return [
    { term: "Name", description: set.name, title: set.name },
    {
      term: "Opened from",
      description: url && (
        <span className={styles.address} title={url}>
          <CodeToCopy text={url} what="URL" />
        </span>
      ),
    },
    { term: "Format", description: set.format },
    {
      term: "Detected from",
      description: (
        <>
          {recognitionWords(set.recognised)}{" "}
          <LinkButton onClick={() => void actions.openOtherwise()}>Open as something else…</LinkButton>
        </>
      ),
    },
    { term: "Snapshot shown", description: set.repository && <ShownSnapshot shown={set.repository.shown} /> },
    {
      term: "Known so far",
      description:
        pages &&
        (isComplete ? "all references" : <PagesNote pages={pages} onLoad={() => void actions.loadPages("")} />),
    },
    { term: set.words.heading, description: keyWords(set, soFar) },
    { term: "Hierarchy", description: `${countOf(set.arrays, "array")} in ${countOf(set.groups, "group")}` },
    {
      term: set.isFile === true ? "Bytes of chunks" : "Bytes referenced",
      description: (
        <>
          <ByteSize bytes={set.bytesReferenced} />
          {set.targets === 0 || set.isFile === true ? "" : ` in ${countOf(set.targets, "source")}`}
          {soFar}
        </>
      ),
    },
    { term: set.words.source, description: <DocumentSize set={set} /> },
    {
      term: "Opening",
      description: (
        <>
          took {formatDuration(set.openMilliseconds)}; {set.isFile === true ? "its index uses" : "the references use"}{" "}
          <ByteSize bytes={set.tableBytes} /> of memory
        </>
      ),
    },
  ];
}

function keyWords(set: SetSummary, soFar: string): string {
  const { references, chunkReferences, metadataKeys, words } = set;
  if (set.isFile === true) return formatCount(chunkReferences);
  if (!words.countsMetadata)
    return `${formatCount(chunkReferences)} there${soFar}, ${countOf(metadataKeys, "metadata key")}`;
  const parts = `${formatCount(chunkReferences)} of chunks, ${formatCount(metadataKeys)} of metadata`;
  return `${countOf(references, "key")}: ${parts}`;
}

/** Which snapshot of the repository, and the way to the others. */
function ShownSnapshot({ shown }: { readonly shown: ShownRef }) {
  const actions = useActions();
  return (
    <span className={styles.snapshot}>
      {shown.kind === "snapshot" ? "" : `${shown.kind} ${shown.name}, `}
      <CodeToCopy text={shown.snapshot} what="snapshot id" />
      <LinkButton onClick={() => actions.showView("history")}>Branches, tags and history</LinkButton>
    </span>
  );
}

function CodeToCopy({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <>
      <code className="break">{text}</code>
      <CopyButton text={text} what={what} />
    </>
  );
}

function DocumentSize({ set }: { readonly set: SetSummary }) {
  if (set.bytesReceived === set.documentBytes) return <ByteSize bytes={set.documentBytes} />;
  return (
    <>
      <ByteSize bytes={set.documentBytes} />, received as <ByteSize bytes={set.bytesReceived} />
    </>
  );
}

interface CardProps {
  readonly title: string;
  /** At the right end of the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part beside the subject, a step of background apart. Its title can be given the focus. */
function Card({ title, aside, children }: CardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <header className={styles.head}>
        <h3 tabIndex={-1}>{title}</h3>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A part of a card, with a smaller title. */
function CardPart({ title, aside, children }: CardProps) {
  return (
    <div className={styles.part}>
      <header className={styles.partHead}>
        <h4>{title}</h4>
        {aside === undefined ? null : <span className="quiet fine">{aside}</span>}
      </header>
      {children}
    </div>
  );
}
