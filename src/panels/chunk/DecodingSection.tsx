import { lazy, Suspense, type ReactNode } from "react";
import type { Reading } from "../../core/reading.ts";
import { usePendingWhileShown } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import type { Lab } from "./use-lab.ts";
import { StageDetails } from "./StageDetails.tsx";
import { StageList } from "./StageList.tsx";
import { stageLines } from "./stage-words.ts";
import { isUnreachable } from "./unreachable.ts";
import { useExplain } from "../../widgets/use-explain.ts";
import styles from "./DecodingSection.module.css";
import shared from "./ChunkPanel.module.css";

const TrialPanel = lazy(async () => {
  const { TrialPanel } = await import("./TrialPanel.tsx");
  return { default: TrialPanel };
});

function UnderWay() {
  usePendingWhileShown("Loading the trial");
  return <Loading label="Loading the trial" />;
}

interface DecodingSectionProps {
  readonly lab: Lab;
  /** The reading that is shown: as declared, or the trial's. */
  readonly reading: Reading;
  /** Stage of it whose bytes are shown as hex; `undefined` where none has bytes. */
  readonly selected: number | undefined;
  readonly onSelect: (stage: number) => void;
  readonly onRetry: () => void;
  /** What was suggested, below the steps. */
  readonly children: ReactNode;
}

/** Every step from the stored bytes to the values, and the ways to try others. */
export function DecodingSection(props: DecodingSectionProps) {
  const { lab, reading, selected, onSelect, onRetry, children } = props;
  const { trial, codecs } = lab;
  const failed = reading.stages.find((stage) => stage.error !== undefined);
  return (
    <section className={shared.section} aria-label="Decoding">
      <div className={shared.sectionHead}>
        <h3>Decoding</h3>
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
      {children}
      {failed?.error === undefined ? null : (
        <ErrorNotice error={failed.error} {...(reading === lab.declared ? { onRetry } : {})} />
      )}
    </section>
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
