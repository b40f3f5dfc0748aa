import { type KeyboardEvent, lazy, Suspense, useEffect, useRef } from "react";
import type { NothingSearched, Suggestion, Suggestions } from "#core/repair.ts";
import { repairTitle } from "#core/repair.ts";
import type { Explain } from "#core/findings/explained.ts";
import type { Reading } from "#core/reading.ts";
import { useActions, usePendingWhileShown } from "#store/react.tsx";
import { codecDetail } from "#widgets/zarr-words.ts";
import { movedIndex } from "#widgets/controls/roving.ts";
import { DefinitionList } from "#widgets/DefinitionList.tsx";
import { ErrorNotice, Loading, useExplain } from "#widgets/notes/Notices.tsx";
import { RepairCard } from "#widgets/RepairCard.tsx";
import { countOf, formatExactBytes } from "#widgets/number-format.ts";
import { Button, CopyButton, QuietButton } from "#widgets/controls/Button.tsx";
import shared from "./ChunkPanel.module.css";
import styles from "./DecodeTab.module.css";
import { MissingChunk } from "./MissingChunk.tsx";
import { StageBytesLook, StageNumbers } from "./StageLook.tsx";
import { isDecodeFailure } from "./tabs.ts";
import { signatureLines, type StageLine, stageLines } from "./stage-words.ts";
import { ApplyKnown, RepairButtons, RepairOutcome } from "./trial/RepairButtons.tsx";
import { draftOf, trialOf } from "./trial/trial-draft.ts";
import type { Lab } from "./use-lab.ts";
import type { TrialPanelProps } from "./trial/TrialPanel.tsx";

// Tells if reading failed because the target is out of reach, or not where the reference says.

export function isUnreachable({ outcome, stages, error, state }: Reading, explain: Explain | undefined): boolean {
  if (outcome !== "failed" || stages.length > 0 || error === undefined || state === "bad") return false;
  return explain?.(error).inPlace === false;
}

/**
 * The target as the reference names it, where a file or another prefix can stand for it; `null` is the set's target.
 */
export function replaceableTarget(reading: Pick<Reading, "state" | "written">): string | null | undefined {
  if (reading.state !== "range" && reading.state !== "whole") return undefined;
  const [target] = JSON.parse(reading.written) as readonly [string | null];
  return target;
}

/** Likely repairs, the best first, each with its evidence. */
function SuggestionsPart({ lab }: { readonly lab: Lab }) {
  const { suggestions, repair } = lab;
  const { found, error, running, progress, cancel, ask, dismiss } = suggestions;
  const part = useRef<HTMLDivElement>(null);
  const { byCommand } = lab;
  useEffect(() => {
    if (found === undefined) return;
    part.current?.scrollIntoView({ block: "nearest" });
    if (byCommand) part.current?.focus({ preventScroll: true });
  }, [found, byCommand]);
  if (running) return <Loading label="Searching for fixes" progress={progress} onCancel={cancel} />;
  if (error !== undefined) return <ErrorNotice error={error} onRetry={ask} onDismiss={dismiss} />;
  if (found === undefined) return <RepairOutcome repair={repair} />;
  return (
    <div ref={part} className="stack gap-6" tabIndex={-1}>
      <p className="quiet size-12" role="status" title={`${countOf(found.tried, "reading")} tried`}>
        {searchWords(found)} <QuietButton onClick={dismiss}>Dismiss</QuietButton>
      </p>
      {found.suggestions.length === 0 ? null : (
        <ol className={styles.list} aria-label="Suggestions">
          {found.suggestions.map((suggestion, at) => (
            // Two suggestions may have the same title.
            // oxlint-disable-next-line react/no-array-index-key
            <SuggestionItem key={at} {...{ suggestion, lab }} />
          ))}
        </ol>
      )}
      <RepairOutcome repair={repair} />
    </div>
  );
}

/** The fix that Check knows, until others are searched for. */
function KnownPart({ lab: { known, trial } }: { readonly lab: Lab }) {
  if (known === undefined) return null;
  const { offer, error } = known;
  const tried = offer.trial;
  const actions = (
    <>
      <ApplyKnown known={known} text="Apply" />
      {tried === undefined ? null : <Button onClick={() => trial.take(tried)}>Try</Button>}
    </>
  );
  return (
    <div className={styles.known} role="group" aria-label="Known fix">
      <RepairCard repair={offer} actions={actions} />
      {error === undefined ? null : <ErrorNotice error={error} />}
    </div>
  );
}

function SuggestionItem({ suggestion, lab }: { readonly suggestion: Suggestion; readonly lab: Lab }) {
  const { change, trial } = suggestion;
  const { codecs } = lab;
  const plain = trialOf(draftOf(trial, codecs), codecs); // Written as the one in hand is.
  const tried = JSON.stringify(lab.trial.trial) === JSON.stringify(plain);
  const actions = (
    <RepairButtons repair={lab.repair} trial={trial} label={repairTitle(suggestion)}>
      <Button
        key="try"
        title="Reads the chunk this way, next to the original. Changes nothing."
        aria-pressed={tried}
        onClick={() => lab.trial.take(trial)}
      >
        {tried ? "✓ Tried" : "Try"}
      </Button>
    </RepairButtons>
  );
  return (
    <li data-kind={change.kind} className={styles.item}>
      <RepairCard repair={suggestion} aside={<code>{change.kind}</code>} actions={actions} />
    </li>
  );
}

// Result of the search, in words.

const NOTHING_SEARCHED: Readonly<Record<NothingSearched, string>> = {
  "no-reference": "The chunk has no reference, so there is nothing to read.",
  "bad-reference": "The chunk's reference is invalid. Correct it first.",
  "no-bytes": "The chunk's bytes could not be fetched, so there is nothing to decode.",
  "too-large": "Decoding this chunk produces more than 1 GiB, too much to search for fixes. Use Trial instead.",
};

/** One sentence: why there are no suggestions, or what was found. */
export function searchWords({ declared, expected, suggestions, tried }: Suggestions): string {
  const found = suggestions.length;
  if (declared === "decodes") {
    if (found === 0) return "The chunk decodes as declared, and no other reading is more plausible.";
    return `The chunk decodes as declared, but ${found === 1 ? "another reading is" : `${found} other readings are`} far more plausible.`;
  }
  if (declared !== "fails") return NOTHING_SEARCHED[declared];
  const wanted = expected === 0 ? "the chunk's elements" : formatExactBytes(expected);
  const others = tried === 1 ? "1 other reading was" : `${tried} other readings were`;
  if (found === 0) return `${others} tried; none gives ${wanted}.`;
  return `The chunk does not decode as declared; ${others} tried, and ${found === 1 ? "1 gives" : `${found} give`} ${wanted}.`;
}

interface StageListProps extends Pick<DecodeTabProps, "selected" | "onSelect"> {
  readonly lines: readonly StageLine[];
}

/** Every step from the stored bytes to the values, one below the other. Choosing one shows the bytes after it. */
function StageList({ lines, selected, onSelect }: StageListProps) {
  const choosable = lines.flatMap(({ stage }, index) => (stage?.bytesOut === undefined ? [] : [index]));
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey) return;
    const to = choosable[movedIndex(event.key, choosable.indexOf(selected ?? -1), choosable.length, "both") ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    onSelect(to);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=radio]").item(to).focus();
  };
  return (
    <div className="stack gap-2" role="radiogroup" aria-label="Bytes after stage" tabIndex={-1} onKeyDown={onKeyDown}>
      {lines.map((line, index) => (
        <Stage
          // Stages are never reordered, and a codec may occur twice.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          line={line}
          first={index === 0}
          selected={index === selected}
          onSelect={() => onSelect(index)}
        />
      ))}
    </div>
  );
}

interface StageProps {
  readonly line: StageLine;
  readonly first: boolean;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

function Stage({ line, first, selected, onSelect }: StageProps) {
  const { id, label, stage } = line;
  const outcome = stage?.error !== undefined ? "failed" : stage?.bytesOut === undefined ? "not reached" : "done";
  const detail = first ? "" : codecDetail(id, label);
  return (
    <Button
      role="radio"
      aria-checked={selected}
      tabIndex={selected ? 0 : -1}
      disabled={stage?.bytesOut === undefined}
      className={styles.stage}
      data-outcome={outcome}
      title={stage?.bytesOut === undefined ? `${label}: ${outcome}` : `${label}: show the bytes after it`}
      onClick={onSelect}
    >
      <span className={styles.name}>
        <b className="break strong">
          {outcome === "failed" ? "✕ " : ""}
          {first ? label : id}
        </b>
        {detail === "" ? null : <small>{detail}</small>}
      </span>
      {stage === undefined ? (
        <small className={styles.unreached}>not reached</small>
      ) : (
        <StageNumbers {...{ stage, first }} />
      )}
      {stage === undefined ? null : <StageBytesLook stage={stage} />}
    </Button>
  );
}

/** The chosen stage: its configuration in full, the header that its bytes begin with, and the way to them. */
function StageDetails({ lab, reading, selected }: Pick<DecodeTabProps, "lab" | "reading" | "selected">) {
  const actions = useActions();
  const stage = reading.stages[selected ?? -1];
  if (stage === undefined) return null;
  const { look } = stage;
  // A trial that is open shows the configuration already.
  const configuration = lab.trial.open ? "" : stage.configuration;
  return (
    <>
      {configuration === "" || configuration === "{}" ? null : (
        <div className={`row gap-4 narrow ${styles.configuration}`}>
          <code title={configuration}>{configuration}</code>
          <CopyButton text={configuration} what="codec configuration" />
        </div>
      )}
      {look?.signature === undefined || look.signature.facts.length === 0 ? null : (
        <details className="quiet fine">
          <summary>The bytes after it begin with a header: {look.signature.name}</summary>
          <DefinitionList items={look.signature.facts.map(({ term, value }) => ({ term, description: value }))} />
          <CopyButton text={signatureLines(look.signature)} what="header" label />
        </details>
      )}
      <p className={styles.bytes}>
        <QuietButton onClick={() => actions.showTab("hex")}>
          {selected === 0 ? "Show the stored bytes in Hex" : `Show the bytes after ${stage.id} in Hex`}
        </QuietButton>
      </p>
    </>
  );
}

const TrialPanel = lazy(async () => {
  const { TrialPanel } = await import("./trial/TrialPanel.tsx");
  return { default: TrialPanel };
});

function UnderWay() {
  usePendingWhileShown("Loading the trial");
  return <Loading label="Loading the trial" />;
}

interface DecodeTabProps extends TrialPanelProps {
  readonly onRetry: () => void;
}

/** Every step from the stored bytes to the values, and the ways to try others. */
export function DecodeTab(props: DecodeTabProps) {
  const { lab, reading, selected, onSelect, onRetry } = props;
  const { trial, codecs, declared, array, detail } = lab;
  const error = decodeError(reading, declared);
  if (!hasBytes(declared)) {
    return (
      <>
        <p className="quiet">There are no bytes to decode.</p>
        {declared.outcome === "missing" ? <MissingChunk array={array} reading={declared} fill={detail} /> : null}
      </>
    );
  }
  return (
    <section className={shared.section} aria-label="Decoding">
      <div className={shared.sectionHead}>
        <h3>From stored bytes to values</h3>
        <Actions lab={lab} />
      </div>
      {trial.open ? (
        <Suspense fallback={<UnderWay />}>
          <TrialPanel {...{ lab, reading, selected, onSelect }} />
        </Suspense>
      ) : (
        <StageList lines={stageLines(reading.stages, codecs)} selected={selected} onSelect={onSelect} />
      )}
      {lab.suggestions.found === undefined && !trial.open ? <KnownPart lab={lab} /> : null}
      <StageDetails {...{ lab, reading, selected }} />
      <SuggestionsPart lab={lab} />
      {error === undefined ? null : <ErrorNotice error={error} {...(reading === declared ? { onRetry } : {})} />}
    </section>
  );
}

/** Bad references and missing chunks lead to nothing that could be decoded. */
function hasBytes({ state, outcome, stages }: Reading): boolean {
  if (state === "missing" || state === "bad" || state === "unknown") return false;
  return outcome !== "missing" || stages.length > 0;
}

/** Error that stopped the decode; of a trial also one that kept its bytes from coming. */
function decodeError(reading: Reading, declared: Reading): Reading["error"] {
  const { error } = reading.stages.find((stage) => stage.error !== undefined) ?? {};
  if (error !== undefined) return error;
  return isDecodeFailure(reading) || reading !== declared ? reading.error : undefined;
}

const SUGGEST =
  "Tests likely fixes to the metadata and reference, and lists those that give exactly the expected bytes (Alt+S)";

/** Suggestions come first to mind where the chunk does not read. */
function Actions({ lab: { trial, suggestions, known, declared } }: { readonly lab: Lab }) {
  const explain = useExplain();
  // Without bytes there is nothing to try.
  const hasBytes = !isUnreachable(declared, explain);
  const failed = declared.outcome === "failed" && hasBytes;
  return (
    <span className={styles.actions}>
      {trial.open ? (
        <Button disabled={trial.trial === undefined} onClick={trial.reset}>
          Reset
        </Button>
      ) : null}
      <Button
        aria-expanded={trial.open}
        title="Switch steps off, change, move and insert them, shift the range, and see the result beside the original (Alt+T)"
        onClick={() => trial.setOpen(!trial.open)}
      >
        Trial
      </Button>
      <Button
        {...(failed && known === undefined && suggestions.found === undefined ? { "data-kind": "primary" } : {})}
        aria-disabled={suggestions.running || !hasBytes}
        title={hasBytes ? SUGGEST : "The chunk's bytes could not be fetched. The source must be reachable first."}
        onClick={() => {
          if (hasBytes) suggestions.ask();
        }}
      >
        Suggest fixes
      </Button>
    </span>
  );
}
