/** The view Check: the verdict, five answers, and the causes, most data affected first. */
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import { isRefused, remediesFor } from "#core/access/finding-remedies.ts";
import type { Remedy } from "#core/access/server-remedies.ts";
import type { Acceptance } from "#core/check/acceptance.ts";
import { outgrownOf } from "#core/check/accepted.ts";
import type { CheckCosts, CheckedChunks } from "#core/check/check.ts";
import { headlineOf, type Judged, lossWords, verdictOf } from "#core/check/verdict-words.ts";
import { type Finding, isAbort } from "#core/findings/finding.ts";
import { listed } from "#core/words.ts";
import type { SaidFinding } from "#core/findings/explained.ts";
import type { SetSummary } from "#core/open-set.ts";
import type { ReaderVerdict } from "#core/readers/verdict.ts";
import { markdownReport } from "#core/report/markdown.ts";
import { readerReport } from "#core/report/readers.ts";
import { type CheckReport, type KnownBeside, mostFirst, reportOf, weighed } from "#core/report/report.ts";
import { sarifReport } from "#core/report/sarif.ts";
import { VERSION } from "#core/version.ts";
import type { App } from "#store/app-store.ts";
import { canUndoApplied } from "#store/apply-edits.ts";
import type { EditState } from "#store/state.ts";
import { type CheckRuns, useCheckRuns } from "#store/hooks/use-check-runs.ts";
import { useExpectation } from "#store/hooks/use-expectation.ts";
import { type ReaderChosen, useReader } from "#store/hooks/use-reader.ts";
import { Pending, useActions, useApp, useAppState, useEngine } from "#store/react.tsx";
import { untilQuiet } from "#store/tasks.ts";
import { Popover } from "#widgets/controls/Popover.tsx";
import { download } from "#widgets/controls/hand-out.ts";
import { useDelayed } from "#widgets/hooks.ts";
import { Loading } from "#widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatCount } from "#widgets/number-format.ts";
import { hasThumbnail, keepPixels } from "#widgets/values/thumbnails.ts";
import { Button, CopyButton, QuietButton } from "#widgets/controls/Button.tsx";
import { Causes } from "./Causes.tsx";
import { CheckActions } from "./CheckActions.tsx";
import styles from "./CheckPanel.module.css";
import { CheckHistory } from "./CheckHistory.tsx";
import { CoverageBars } from "./CoverageBars.tsx";
import { ExpectationSection } from "./ExpectationSection.tsx";
import { nextSteps } from "./NextSteps.tsx";
import { Questions } from "./Questions.tsx";
import readersStyles from "./ReadersTable.module.css";
import reportMenuStyles from "./FindingDetails.module.css";
import { SetAsideList } from "./SetAsideList.tsx";
import { reachOf } from "#core/check/cause-reach.ts";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import { doubtfulArray } from "./doubtful-array.ts";
import type { ListedFinding } from "./findings.ts";
import { type ComparedReaders, useComparedReaders } from "./use-compared-readers.ts";
import { type Findings, useFindings } from "./use-findings.ts";
import { ValuesSection } from "./values/ValuesSection.tsx";

// Pictures of the arrays that the first causes lie in, where they cost little: what they took is told.

/** Causes that are seen at first, and arrays of them: each may take `PICTURE_BUDGET`. */
const [EARLY, MOST_ARRAYS] = [12, 4];

interface PicturesTaken {
  readonly pictures: number;
  readonly bytes: number;
}

/** Pictures taken, by set and array, for as long as the page lives: failed ones are not requested again. */
const TAKEN = new Map<number, Map<string, PicturesTaken>>();

/** `isReady`: what matters more has come. */
function useCausePictures(
  set: number,
  findings: readonly ListedFinding[],
  nodes: NodesByPath,
  isReady: boolean,
): PicturesTaken {
  const app = useApp();
  const [, setCount] = useState(0);
  const wanted = JSON.stringify(isReady ? earlyArrays(findings, nodes) : []);
  const taken = TAKEN.get(set) ?? new Map<string, PicturesTaken>();
  TAKEN.set(set, taken);
  useEffect(() => {
    const controller = new AbortController();
    const read = { app, set, nodes, signal: controller.signal };
    const all = async () => {
      for (const path of JSON.parse(wanted) as readonly string[]) {
        if (taken.has(path) || taken.size >= MOST_ARRAYS || hasThumbnail(set, path)) continue;
        taken.set(path, await picture(read, path));
        setCount((count) => count + 1);
      }
    };
    // The map of lengths stays; why something cannot be read is told where it is read by hand.
    all().catch((error: unknown) => {
      if (!isAbort(error)) setCount((count) => count + 1);
    });
    return () => {
      controller.abort(new DOMException("The problems are no longer shown.", "AbortError"));
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the names of the arrays are what it depends on
  }, [app, set, wanted]);
  const sum = (of: (one: PicturesTaken) => number) => [...taken.values()].reduce((total, one) => total + of(one), 0);
  return { pictures: sum(({ pictures }) => pictures), bytes: sum(({ bytes }) => bytes) };
}

function earlyArrays(findings: readonly ListedFinding[], nodes: NodesByPath): readonly string[] {
  const causes = findings.filter(({ said }) => said.severity !== "info").slice(0, EARLY);
  return [...new Set(causes.flatMap((one) => reachOf(one, nodes)?.array ?? []))].slice(0, MOST_ARRAYS);
}

interface Reading {
  readonly app: App;
  readonly set: number;
  readonly nodes: NodesByPath;
  readonly signal: AbortSignal;
}

/** Milliseconds after which it is said that something is under way. */
const SHOW_AFTER = 300;

async function picture({ app, set, nodes, signal }: Reading, path: string): Promise<PicturesTaken> {
  const node = nodes.get(path);
  if (node === undefined) return NO_PICTURES;
  await untilQuiet(app, signal);
  const of = { set, node, nodes: [...nodes.values()] };
  const read = await app.tasks.run(
    "check-picture",
    `Reading a picture of ${path}`,
    async (options) => {
      const { readPicture } = await import("./array-picture.ts");
      return readPicture(app.engine, of, AbortSignal.any([signal, options.signal]));
    },
    SHOW_AFTER,
  );
  if (read?.pixels !== undefined) keepPixels(set, path, read.pixels);
  return read === undefined ? NO_PICTURES : { pictures: 1, bytes: read.bytes };
}

const NO_PICTURES: PicturesTaken = { pictures: 0, bytes: 0 };

// The five answers for the open set, from all that is known of it by now.

type KnownVerdict = NonNullable<ReturnType<typeof useVerdict>>;

/** `undefined` until it is known. */
function useVerdict(set: SetSummary, { state, findings, aside }: Findings) {
  return useMemo(() => {
    if (state === undefined || findings === undefined) return undefined;
    const judged: Judged = {
      set: judgedSet(set),
      findings,
      checked: state,
      accepted: aside?.accepted.map(({ acceptance: { code } }) => code) ?? [],
      aside: aside?.accepted.map(({ one }) => one) ?? [],
    };
    return {
      verdict: verdictOf(judged),
      headline: headlineOf(judged),
      checked: state,
      /** Rules over references were not run: there are very many, and nobody asked. */
      isUnchecked: state.isUnchecked,
      /** Accepted findings, as reports have them. */
      known: (aside?.accepted ?? []).map(({ found, acceptance: { reason, date } }) => ({ ...found, reason, date })),
    };
  }, [set, findings, state, aside]);
}

function judgedSet({ format, references, states, nodes, isFile }: SetSummary): NonNullable<Judged["set"]> {
  return { format, references, states, isFile, cells: nodes.reduce((sum, { cells = 0 }) => sum + cells, 0) };
}

// The report, to take along: for an issue, for another tool.

interface ReportMenuProps extends ReportedFindings {
  readonly set: SetSummary;
}

function ReportMenu({ set, ...reported }: ReportMenuProps) {
  const { headline } = reported.known;
  const isRefusing = reported.findings.some(({ found }) => isRefused(found));
  const access = useEngine("sources.access", isRefusing ? { set: set.id } : undefined).data;
  const report = () => setReport({ ...reported, remediesOf: (found) => remediesFor(found, location.origin, access) });
  const name = set.url ?? set.name;
  const save = (text: string, ending: string) =>
    download(new Blob([text], { type: "application/json" }), `${set.name.replaceAll(/[^\w.-]+/g, "_")}.${ending}`);
  return (
    <Popover label="Report" title="Report" align="end">
      <div className={reportMenuStyles.choices}>
        <CopyButton what="as Markdown" label text={() => markdownReport(name, headline, report())} />
        <Button onClick={() => save(reportText(report()), "check.json")}>Save as JSON</Button>
        <Button onClick={() => save(reportText(sarifReport([{ name, report: report() }], VERSION)), "sarif")}>
          Save as SARIF
        </Button>
      </div>
    </Popover>
  );
}

const reportText = (value: object): string =>
  `${JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one), 1)}\n`;

// Facts of the set that a report contains.

interface ReportedFindings {
  readonly known: KnownVerdict;
  readonly findings: readonly ListedFinding[];
  readonly nodes: NodesByPath;
  /** Findings that reach further than their acceptance. */
  readonly outgrown: ReadonlyMap<SaidFinding, Acceptance> | undefined;
  /** All, where they were compared. */
  readonly readers: readonly ReaderVerdict[];
  /** Remedies offered beside a finding. Absent: none. */
  readonly remediesOf?: (found: Finding) => readonly Remedy[];
}

export function setReport({ known, findings, nodes, outgrown, readers, remediesOf }: ReportedFindings): CheckReport {
  const { verdict, checked, known: accepted } = known;
  const beside = (one: SaidFinding): KnownBeside => {
    const acceptance = outgrown?.get(one);
    const remedies = remediesOf?.(one.found) ?? [];
    return {
      ...(remedies.length === 0 ? {} : { remedies }),
      ...(acceptance === undefined ? {} : { outgrown: outgrownOf(acceptance) }),
    };
  };
  const keysOf = (array: string) => nodes.get(array)?.keys;
  const told = { verdict, checked, accepted, readers: readers.map(readerReport) };
  const sizesOf = (array: string) => nodes.get(array);
  return reportOf(told, findings, keysOf, { beside, sizesOf });
}

// Says that a repair was applied, what reading its chunks then gave, and how to take it back.

function AppliedRepair() {
  const actions = useActions();
  const edit = useAppState((state) => state.edit);
  if (edit?.applied === undefined) return null;
  const { again } = edit.applied;
  const isBad = edit.error !== undefined || (again?.kind === "read" && again.result.wrong.length > 0);
  return (
    <div className={styles.notice} role="status" aria-label="Applied fix" data-bad={isBad}>
      <p>
        Applied: <b>{edit.applied.label}</b>. {outcomeWords(edit)}
      </p>
      <span className="small-buttons">
        {canUndoApplied(edit) ? <Button onClick={actions.undoApplied}>Undo</Button> : null}
        <Button onClick={() => actions.showView("edit")}>Show in Edit</Button>
        <QuietButton onClick={actions.dismissApplied}>Dismiss</QuietButton>
      </span>
    </div>
  );
}

/** Good is only what was read again in the edited set. */
function outcomeWords({ rendering, error, applied }: EditState): string {
  const again = applied?.again;
  if (error !== undefined) return "The edited document is invalid. Showing the dataset before the edit.";
  if (rendering || again === undefined || again.kind === "reading") return "Reading again…";
  if (again.kind === "not-read") return "Not read again.";
  const { read, wrong } = again.result;
  if (wrong.length > 0)
    return `Read again: ${formatCount(wrong.length)} of ${countOf(read, "chunk")} do not read as expected.`;
  if (read === 0) return "Showing the edited dataset.";
  return `Read again: ${read === 1 ? "the chunk decodes" : `all ${formatCount(read)} chunks decode`}. Showing the edited dataset.`;
}

/** Chunks that could be decoded, and were not. */
const unread = ({ of, decoded, failed, unbuilt = 0 }: CheckedChunks): number =>
  Math.max(0, of - decoded - failed - unbuilt);

export function CheckPanel() {
  const set = useAppState((state) => state.set);
  return set === undefined ? null : <Check key={set.id} set={set} />;
}

function Check({ set }: { readonly set: SetSummary }) {
  const { findings, ...found } = useWhatIsKnown(set);
  const { nodes, aside, ordered, known, runs, reader, costs, arrays, pictures, expectation, compared } = found;
  const [array, setArray] = useState<string>();
  const [isExpecting, setExpecting] = useState(false);
  if (findings === undefined || known === undefined) return <Loading label="Checking references" />;
  const { verdict, headline, checked } = known;
  const reported = { known, nodes, findings: ordered, outgrown: aside?.outgrown, readers: compared.verdicts };
  const shows = {
    onCompareReaders: () => {
      compared.show(true);
      document.getElementById(READERS_ID)?.focus();
    },
    onExpect: () => setExpecting(true),
  };
  return (
    <section className={styles.panel} aria-label="Check">
      <div className={styles.page}>
        <header className={styles.head}>
          <div className={`grow narrow ${styles.subject}`}>
            <h2>{headline}</h2>
            <p>{lossWords(ordered, (path) => nodes.get(path))}</p>
            <p className={styles.quiet}>{glanceWords(runs, pictures)}</p>
            <Restored />
          </div>
          <div className={styles.side}>
            <div className={styles.buttons}>
              <ReportMenu set={set} {...reported} />
              <CheckHistory set={set.id} />
              <CheckActions
                set={set.id}
                costs={costs}
                runs={runs}
                chunks={checked.chunks.of + set.states.unknown}
                rest={unread(checked.chunks) + set.states.unknown}
                array={doubtfulArray(ordered, nodes, arrays, array)}
              />
            </div>
            <CoverageBars set={set} {...known} />
          </div>
        </header>
        <Questions verdict={verdict} next={nextSteps({ set, checked, costs, runs, reader, expectation, ...shows })} />
        <AppliedRepair />
        <WhenSettled subject={ordered} isUnderWay={runs.glance?.running !== false}>
          <Causes {...{ nodes, array }} set={set.id} findings={ordered} outgrown={aside?.outgrown} onArray={setArray} />
          <SetAsideList set={set} aside={aside} />
          <ValuesSection set={set.id} nodes={nodes} />
          <Readers set={set} chosen={reader} compared={compared} />
          <ExpectationSection
            set={set}
            run={expectation}
            checked={checked.expectation}
            asked={isExpecting}
            onShown={() => setExpecting(false)}
          />
        </WhenSettled>
      </div>
    </section>
  );
}

const GLANCING = "Checking suspicious chunks";
/** Milliseconds without a change after which rows are shown, and those after which they are shown all the same. */
const [QUIET, LONGEST] = [300, 2000];

interface WhenSettledProps {
  readonly subject: unknown;
  readonly isUnderWay: boolean;
  readonly children: ReactNode;
}

/** Shown once what is found unasked has come, so that rows do not move under the pointer. */
function WhenSettled({ subject, isUnderWay, children }: WhenSettledProps) {
  const [isSettled, setSettled] = useState(false);
  const settle = () => setSettled(true);
  useDelayed(subject, isSettled || isUnderWay ? undefined : QUIET, settle);
  useDelayed(GLANCING, isSettled ? undefined : LONGEST, settle);
  if (isSettled) return children;
  return (
    <Pending label={GLANCING}>
      <Loading label={GLANCING} />
    </Pending>
  );
}

/** All that the parts of the view are made of. */
function useWhatIsKnown(set: SetSummary) {
  const found = useFindings();
  const { findings, nodes } = found;
  const ordered = useMemo(() => byWeight(findings ?? [], nodes), [findings, nodes]);
  const runs = useCheckRuns(set.id);
  const reader = useReader(set.id);
  return {
    ...found,
    ordered,
    runs,
    reader,
    known: useVerdict(set, found),
    costs: useCheckCosts(set.id, reader),
    arrays: useEngine("chunk.tally", { set: set.id }).last?.data.arrays ?? [],
    pictures: useCausePictures(set.id, ordered, nodes, runs.glance?.running === false),
    expectation: useExpectation(set.id),
    compared: useComparedReaders(set.id),
  };
}

/** Costs of checking all targets and chunks; if zarrita is the reader, with the sample that it reads too. */
function useCheckCosts(set: number, { reader }: ReaderChosen): CheckCosts | undefined {
  const costs = useEngine("check.costs", { set }).last?.data;
  const sample = useEngine("check.readerCost", reader === "zarrita" ? { set } : undefined).data;
  if (costs === undefined || sample === undefined) return costs;
  return { ...costs, values: { ...costs.values, bytes: costs.values.bytes + sample.bytes } };
}

/** Notice that files of an earlier visit count in the results above. */
function Restored() {
  const { restored, expectation, accepted } = useAppState(({ owner }) => owner);
  if (!restored) return null;
  const parts = [
    ...(expectation === undefined ? [] : [`the expectations ${expectation.name}`]),
    ...(accepted.length === 0 ? [] : [`${countOf(accepted.length, "problem")} accepted`]),
  ];
  return <p className={styles.quiet}>Remembered from an earlier visit: {parts.join(", and ")}.</p>;
}

/** Words for what was checked unasked, and its cost. */
function glanceWords({ glance }: CheckRuns, { pictures, bytes: pictured }: PicturesTaken): string {
  if (glance?.running === true) return `${GLANCING}…`;
  const { requests = 0, targets = 0, chunks = 0, bytes = 0 } = glance?.found ?? {};
  const parts = [
    ...(requests > 0 ? [`looked up references with ${countOf(requests, "request")}`] : []),
    ...(targets > 0 ? [`checked ${countOf(targets, "source")}`] : []),
    ...(chunks > 0 ? [`read ${countOf(chunks, "suspicious chunk")} (${formatBytes(bytes)})`] : []),
  ];
  const unasked = "Done automatically, as it costs little: ";
  const taken = `${countOf(pictures, "picture")} took ${formatBytes(pictured)}.`;
  if (parts.length === 0) return pictured === 0 ? "" : `${unasked}${taken}`;
  return `${unasked}${listed(parts)}.${pictured === 0 ? "" : ` ${taken}`}`;
}

// Order of causes

/** Sorts as reports do. */
function byWeight(findings: readonly ListedFinding[], nodes: NodesByPath): readonly ListedFinding[] {
  const keysOf = (array: string) => nodes.get(array)?.keys;
  return findings
    .map((listed) => ({ listed, ...weighed(listed, keysOf, (array) => nodes.get(array)) }))
    .toSorted(mostFirst)
    .map(({ listed }) => listed);
}

// The section "Readers": what other software makes of the set; compared when asked for.

const ReadersTable = lazy(async () => {
  const { ReadersTable } = await import("./ReadersTable.tsx");
  return { default: ReadersTable };
});

const READERS_ID = "check-readers";
const LOADING = "Loading the readers";

interface ReadersProps {
  readonly set: SetSummary;
  readonly chosen: ReaderChosen;
  readonly compared: ComparedReaders;
}

function Readers({ set, chosen, compared: { opened, show, answer } }: ReadersProps) {
  return (
    <section aria-labelledby={READERS_ID}>
      <div className={readersStyles.head}>
        <h3 className="ink subject" id={READERS_ID} tabIndex={-1}>
          Readers
        </h3>
        <span>how other software reads this dataset</span>
        <Button aria-expanded={opened} onClick={() => show(!opened)}>
          {opened ? "Hide the comparison" : "Compare readers"}
        </Button>
      </div>
      {opened ? (
        <Suspense
          fallback={
            <Pending label={LOADING}>
              <Loading label={LOADING} />
            </Pending>
          }
        >
          <ReadersTable set={set} chosen={chosen} answer={answer} />
        </Suspense>
      ) : null}
    </section>
  );
}
