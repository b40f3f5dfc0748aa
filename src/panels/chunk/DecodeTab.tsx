import { lazy, Suspense } from "react";
import type { Reading } from "../../core/reading.ts";
import { useActions, usePendingWhileShown } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import { isDecodeFailure } from "./chunk-tabs.ts";
import { MissingChunk } from "./MissingChunk.tsx";
import type { Lab } from "./use-lab.ts";
import { StageDetails } from "./StageDetails.tsx";
import { StageList } from "./StageList.tsx";
import { SuggestionsPart } from "./SuggestionsPart.tsx";
import { stageLines } from "./stage-words.ts";
import { isUnreachable } from "./unreachable.ts";
import { useExplain } from "../../widgets/use-explain.ts";
import styles from "./DecodeTab.module.css";
import shared from "./ChunkPanel.module.css";

const TrialPanel = lazy(async () => {
  const { TrialPanel } = await import("./TrialPanel.tsx");
  return { default: TrialPanel };
});

function UnderWay() {
  usePendingWhileShown("Loading the trial");
  return <Loading label="Loading the trial" />;
}

interface DecodeTabProps {
  readonly lab: Lab;
  /** The reading that is shown: as declared, or the trial's. */
  readonly reading: Reading;
  /** Stage of it whose bytes Hex shows; `undefined` where none has bytes. */
  readonly selected: number | undefined;
  readonly onSelect: (stage: number) => void;
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
        <p className={shared.missing}>There are no bytes to decode.</p>
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
      <StageDetails stage={reading.stages[selected ?? -1]} headerOnly={trial.open} />
      {selected === undefined ? null : <ShowBytes id={reading.stages[selected]?.id ?? ""} stage={selected} />}
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

/** What stopped the decode; of a trial also what kept its bytes from coming. */
function decodeError(reading: Reading, declared: Reading): Reading["error"] {
  const { error } = reading.stages.find((stage) => stage.error !== undefined) ?? {};
  if (error !== undefined) return error;
  return isDecodeFailure(reading) || reading !== declared ? reading.error : undefined;
}

function ShowBytes({ id, stage }: { readonly id: string; readonly stage: number }) {
  const actions = useActions();
  return (
    <p className={styles.bytes}>
      <button
        type="button"
        data-kind="quiet"
        onClick={() => {
          actions.showTab("hex");
        }}
      >
        {stage === 0 ? "Show the stored bytes in Hex" : `Show the bytes after ${id} in Hex`}
      </button>
    </p>
  );
}

const SUGGEST =
  "Tries likely repairs of the metadata and of the reference, and lists those that give exactly the bytes expected (Alt+S)";

/** Suggestions come first to mind where the chunk does not read. */
function Actions({ lab: { trial, suggestions, declared } }: { readonly lab: Lab }) {
  const explain = useExplain();
  // Without bytes there is nothing to try.
  const hasBytes = !isUnreachable(declared, explain);
  const failed = declared.outcome === "failed" && hasBytes;
  return (
    <span className={styles.actions}>
      {trial.open ? (
        <button type="button" disabled={trial.trial === undefined} onClick={trial.reset}>
          Reset
        </button>
      ) : null}
      <button
        type="button"
        aria-expanded={trial.open}
        title="Switch steps off, change, move and insert them, shift the range, and see the result beside the original (Alt+T)"
        onClick={() => {
          trial.setOpen(!trial.open);
        }}
      >
        Trial
      </button>
      <button
        type="button"
        {...(failed ? { "data-kind": "primary" } : {})}
        aria-disabled={suggestions.running || !hasBytes}
        title={hasBytes ? SUGGEST : "The chunk's bytes could not be read: the target must be reachable first."}
        onClick={() => {
          if (hasBytes) suggestions.ask();
        }}
      >
        Suggest repairs
      </button>
    </span>
  );
}
