import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Explain } from "#core/findings/explained.ts";
import type { Reading } from "#core/reading.ts";
import type { ChunkTab } from "#store/address.ts";
import { canUndoApplied } from "#store/apply-edits.ts";
import type { EditState } from "#store/state.ts";
import { useActions, useApp, useAppState, useCommand, useEngine } from "#store/react.tsx";
import { useCheapAxes } from "#store/hooks/use-axes.ts";
import { ErrorNotice, Loading, useExplain } from "#widgets/notes/Notices.tsx";
import { HexView } from "#widgets/values/HexView.tsx";
import { Segmented } from "#widgets/controls/Segmented.tsx";
import { TabPanel, Tabs } from "#widgets/controls/Tabs.tsx";
import { formatCount } from "#widgets/number-format.ts";
import { Button, QuietButton } from "#widgets/controls/Button.tsx";
import styles from "./ChunkReadingView.module.css";
import { ChunkHeader } from "./ChunkHeader.tsx";
import shared from "./ChunkPanel.module.css";
import { DecodeTab } from "./DecodeTab.tsx";
import { RequestTab } from "./RequestTab.tsx";
import { ValuesTab, type ValuesTabProps } from "./values/ValuesTab.tsx";
import { CHUNK_TABS, openingTab, REPOSITORY_TABS, rememberedTab, shownStage } from "./tabs.ts";
import type { ChunkArray } from "./chunk-words.ts";
import { rangeOf } from "./curl-command.ts";
import { againWords, wrongWords } from "./trial/RepairButtons.tsx";
import { signatureMark } from "./stage-words.ts";
import { trialWords } from "./trial/trial-draft.ts";
import { useKnownRepair } from "./trial/use-repair.ts";
import { type Lab, useLab } from "./use-lab.ts";
import { type ChunkReading, useReading, useZarrita } from "./use-reading.ts";
import { LifeTab } from "./LifeTab.tsx";
import { useValueView } from "./values/use-value-view.ts";

interface ChunkReadingViewProps {
  readonly set: number;
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
}

/**
 * A chunk of one array and what reading it gave. What the user chose (tab, scale, stage, trial) stays from chunk to
 * chunk.
 */
export function ChunkReadingView({ set, array, coordinates }: ChunkReadingViewProps) {
  const id = useId();
  const actions = useActions();
  const chunk = useReading(set, array.path, coordinates);
  const { pending } = chunk;
  // One that was not read at all leaves that of the chunk before.
  const reading = chunk.error === undefined && !chunk.cancelled ? chunk.reading : undefined;
  const opening = openingTab(reading);
  const isRepository = useAppState((state) => state.set?.repository !== undefined);
  const wanted = useAppState((state) => (state.tab === "history" && !isRepository ? undefined : state.tab));
  const tab = wanted ?? opening;
  const axes = useCheapAxes(set, array, reading !== undefined);
  const detail = useEngine("set.node", { set, path: array.path }).data?.array;
  const isShown = tab === "decode";
  const tools = useLab({ set, array, coordinates, detail, isShown, show: () => actions.showTab("decode") });
  const { trial } = tools;
  const known = useKnownRepair(set, pending ? undefined : reading);
  const sections = useShownWhy(pending ? undefined : reading);
  const zarrita = useZarrita({ set, array: array.path, coordinates });
  const view = useValueView(trial.shown === "trial" ? (trial.reading.reading ?? reading) : reading, array, coordinates);
  const onTab = (next: ChunkTab) => {
    tools.goByHand();
    actions.showTab(rememberedTab(next, opening));
  };
  return (
    <>
      <ChunkHeader {...{ array, coordinates, reading, pending, axes }} fill={detail} />
      <div className={shared.tabs}>
        <Tabs
          label="About the chunk"
          idBase={id}
          tabs={isRepository ? REPOSITORY_TABS : CHUNK_TABS}
          selected={tab}
          onSelect={onTab}
        />
      </div>
      <TabPanel key={tab} idBase={id} id={tab} className={shared.body}>
        <Progress chunk={chunk} />
        {reading === undefined ? null : (
          <div ref={sections} className={shared.sections} aria-busy={pending}>
            <AppliedNotice array={array.path} />
            <OneTab
              tab={tab}
              lab={{ ...tools, known, declared: reading }}
              {...{ view, axes, zarrita }}
              onRetry={chunk.retry}
            />
          </div>
        )}
      </TabPanel>
    </>
  );
}

/** Why the chunk failed, when that is asked for: brought into sight and focused, also where it is shown already. */
function useShownWhy(reading: Reading | undefined) {
  const actions = useActions();
  const sections = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState(0);
  const shown = useRef(0);
  useCommand("show-why", () => {
    setAsked((count) => count + 1);
    actions.showTab(undefined);
  });
  useEffect(() => {
    if (shown.current === asked || reading === undefined) return;
    const [first, ...others] = sections.current?.querySelectorAll<HTMLElement>(WHY) ?? [];
    if (first === undefined) return;
    shown.current = asked;
    first.scrollIntoView({ block: "nearest" });
    const reason = others.at(-1) ?? first;
    reason.tabIndex = -1;
    reason.focus({ preventScroll: true });
    for (const part of [first, reason]) part.animate(FLASH, { duration: 1500 });
  });
  return sections;
}

const WHY = '[data-outcome="failed"], [role="alert"]';
const FLASH = [{ boxShadow: "0 0 0 3px var(--bad)" }, { boxShadow: "0 0 0 3px transparent" }];

function Progress({ chunk }: { readonly chunk: ChunkReading }) {
  const { reading, pending, progress, error, cancelled, cancel, retry } = chunk;
  if (error !== undefined)
    // A chunk that the grid does not have will not be there the next time.
    return <ErrorNotice error={error} onRetry={retry} />;
  if (cancelled) {
    return (
      <p className={shared.cancelled}>
        Reading cancelled
        <Button onClick={retry}>Read again</Button>
      </p>
    );
  }
  if (!pending) return null;
  return (
    <div className={shared.loading} data-over={reading !== undefined}>
      <Loading label="Reading the chunk" progress={progress} onCancel={cancel} />
    </div>
  );
}

interface OneTabProps extends Omit<ValuesTabProps, "reading"> {
  readonly tab: ChunkTab;
  readonly onRetry: () => void;
}

function OneTab({ tab, lab, view, axes, zarrita, onRetry }: OneTabProps) {
  const { declared, array, detail, trial, set } = lab;
  const isTrial = trial.shown === "trial";
  const reading = isTrial ? (trial.reading.reading ?? declared) : declared;
  const stage = shownStage(reading, view.stage);
  const onStage = (index: number) => view.change({ stage: index });
  if (tab === "history") return <LifeTab set={set} array={array} view={view} coordinates={declared.coordinates} />;
  if (tab === "request")
    return <RequestTab array={array} reading={declared} fill={detail} known={lab.known} onRetry={onRetry} />;
  return (
    <>
      <TrialBanner lab={lab} />
      {tab === "decode" ? (
        <DecodeTab lab={lab} reading={reading} selected={stage} onSelect={onStage} onRetry={onRetry} />
      ) : (
        // With a mark beside what is a trial only.
        <div className={shared.shown} data-trial={isTrial} aria-busy={isTrial && trial.reading.pending}>
          {tab === "values" ? (
            <ValuesTab {...{ lab, reading, view, axes, zarrita }} />
          ) : (
            <HexTab set={set} reading={reading} stage={stage} onStage={onStage} />
          )}
        </div>
      )}
    </>
  );
}

const OPTIONS = [
  { value: "declared", text: "As declared" },
  { value: "trial", text: "Trial" },
] as const;

/** Above the values while a trial is on: which of the two readings they are of. */
function TrialBanner({ lab }: { readonly lab: Lab }) {
  const { trial, codecs } = lab;
  if (trial.trial === undefined) return null;
  const isTrial = trial.shown === "trial";
  return (
    <div className={styles.banner} data-trial={isTrial}>
      <Segmented label="Reading shown" value={trial.shown} options={OPTIONS} onValue={trial.show} />
      <p>
        {isTrial ? <b>Trial</b> : "As declared"}
        {isTrial
          ? `: ${trialWords(trial.trial, codecs)}. Python does not read it this way.`
          : "; the trial is shown above."}
      </p>
    </div>
  );
}

const MAX_WRONG = 5;

/** Good is what was read again in the edited set, nothing else. */
function outcomeOf(edit: EditState, explain: Explain | undefined): readonly ["under-way" | "good" | "bad", string] {
  const { rendering, error, answer, applied } = edit;
  const again = applied?.again;
  if (rendering) return ["under-way", ""];
  if (error !== undefined || answer?.set === undefined) {
    return ["bad", "The edited document is invalid. Showing the dataset before the edit."];
  }
  if (again?.kind === "read") {
    const text = `${againWords(again.result)} You are viewing the edited dataset.`;
    return [again.result.wrong.length === 0 ? "good" : "bad", text];
  }
  if (again?.kind === "not-read") return ["bad", `Not read again. ${explain?.(again.error).message ?? ""}`];
  if (!canUndoApplied(edit)) return ["bad", "The document was edited again before the chunks were re-read."];
  return ["under-way", "Reading again…"];
}

/** Says that a repair was applied, and so that the edited set is shown; with the way back. */
function AppliedNotice({ array }: { readonly array: string }) {
  const actions = useActions();
  const edit = useAppState((state) => state.edit);
  const explain = useExplain();
  if (edit?.applied?.array !== array) return null;
  const { label, again } = edit.applied;
  const [outcome, text] = outcomeOf(edit, explain);
  return (
    <div className={styles.notice} role="status" aria-label="Applied fix" data-outcome={outcome}>
      <p>
        {outcome === "good" ? <span aria-hidden="true">✓ </span> : null}
        {outcome === "under-way" ? "Applying: " : "Applied: "}
        <b>{label}</b>. {text}
      </p>
      {again?.kind === "read" && again.result.wrong.length > 0 ? (
        <ul className={styles.wrong}>
          {again.result.wrong.slice(0, MAX_WRONG).map(({ key, found }) => (
            <li key={key}>
              <code>{key}</code> {wrongWords(found, explain)}
            </li>
          ))}
        </ul>
      ) : null}
      <span className="small-buttons">
        {canUndoApplied(edit) ? <Button onClick={actions.undoApplied}>Undo</Button> : null}
        {again?.kind === "not-read" ? <Button onClick={actions.readAppliedAgain}>Read again</Button> : null}
        <Button onClick={() => actions.showView("edit")}>Show in Edit</Button>
        <QuietButton onClick={actions.dismissApplied}>Dismiss</QuietButton>
      </span>
    </div>
  );
}

interface HexTabProps {
  readonly set: number;
  readonly reading: Reading;
  /** `undefined` where none has bytes. */
  readonly stage: number | undefined;
  readonly onStage: (stage: number) => void;
}

const BEGINNING = { from: 0, to: 4096 };

/** The bytes as stored and after each stage. */
function HexTab({ set, reading, stage, onStage }: HexTabProps) {
  if (stage === undefined) return <p className="break faint figures">No bytes of this chunk have been read.</p>;
  const options = reading.stages.flatMap(({ id, label, bytesOut }, at) =>
    bytesOut === undefined ? [] : [{ value: String(at), text: at === 0 ? "stored" : id, title: label }],
  );
  return (
    <section className={shared.section} aria-label="Bytes">
      {options.length < 2 ? null : (
        <Segmented
          label="Bytes after stage"
          value={String(stage)}
          options={options}
          onValue={(chosen) => onStage(Number(chosen))}
        />
      )}
      <StageBytes {...{ set, reading, stage }} />
    </section>
  );
}

type StageBytesProps = Pick<HexTabProps, "set" | "reading"> & { readonly stage: number };

/** The bytes after a stage, asked for by window. */
function StageBytes({ set, reading, stage }: StageBytesProps) {
  const { engine } = useApp();
  const [window, setWindow] = useState(BEGINNING);
  const total = reading.stages[stage]?.bytesOut ?? 0;
  const place = { set, reading: reading.id, stage };
  const request = { ...place, from: Math.min(window.from, total), to: Math.min(window.to, total) };
  const answer = useEngine("chunk.stageBytes", total === 0 ? undefined : request, `stageBytes ${reading.id} ${stage}`);
  const onWindow = useCallback((from: number, to: number) => setWindow({ from, to }), []);
  const readBytes = async (from: number, to: number) => {
    const { bytes } = await engine.call("chunk.stageBytes", { ...place, from, to });
    return bytes;
  };
  const { last } = answer;
  const known = useMemo(() => last && { from: last.request.from, bytes: last.data.bytes }, [last]);
  const label = stage === 0 ? "Bytes as stored" : `Bytes after ${reading.stages[stage]?.label ?? ""}`;
  const file = stage === 0 ? rangeOf(reading) : undefined;
  const shift = reading.trial?.shift ?? 0;
  return (
    <>
      <p className="break faint figures">{label}</p>
      {answer.error === undefined ? null : <ErrorNotice error={answer.error} onRetry={answer.retry} />}
      {total === 0 ? (
        <p className="break faint figures">There are no bytes.</p>
      ) : (
        <HexView
          key={`${reading.id} ${stage}`}
          label={label}
          total={total}
          window={known}
          mark={signatureMark(reading.stages[stage] ?? {})}
          onWindow={onWindow}
          readBytes={readBytes}
          {...(file === undefined
            ? {}
            : { describe: (offset: number) => `at ${formatCount(file.offset + shift + offset)} in the file` })}
        />
      )}
    </>
  );
}
