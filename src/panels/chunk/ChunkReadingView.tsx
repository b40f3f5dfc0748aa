import type { Reading } from "../../core/reading.ts";
import { useEngine } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import { AppliedNotice } from "./AppliedNotice.tsx";
import type { ChunkArray } from "./chunk-words.ts";
import { ChunkTitle } from "./ChunkTitle.tsx";
import { DecodingSection } from "./DecodingSection.tsx";
import { FindingsSection } from "./FindingsSection.tsx";
import { MissingChunk } from "./MissingChunk.tsx";
import { ReferenceSection } from "./ReferenceSection.tsx";
import { StatisticsSection } from "./StatisticsSection.tsx";
import { SuggestionsPart } from "./SuggestionsPart.tsx";
import { TrialBanner } from "./TrialBanner.tsx";
import { useLab, type Lab } from "./use-lab.ts";
import { useReading, type ChunkReading } from "./use-reading.ts";
import { useValueView, type ValueView } from "./use-value-view.ts";
import { ValuesSection } from "./ValuesSection.tsx";
import { shownStage } from "./value-tabs.ts";
import styles from "./ChunkPanel.module.css";

interface ChunkReadingViewProps {
  readonly set: number;
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
}

/** A chunk of one array and what reading it gave. What the user chose (tab, scale, stage, trial) stays from chunk to chunk. */
export function ChunkReadingView({ set, array, coordinates }: ChunkReadingViewProps) {
  const chunk = useReading(set, array.path, coordinates);
  const { reading, pending } = chunk;
  const detail = useEngine("set.node", { set, path: array.path }).data?.array;
  const tools = useLab({ set, array, coordinates, detail });
  const { trial } = tools;
  const view = useValueView(trial.shown === "trial" ? (trial.reading.reading ?? reading) : reading);
  return (
    <>
      <ChunkTitle array={array} coordinates={coordinates} reading={pending ? undefined : reading} />
      <div className={styles.body}>
        <Progress chunk={chunk} />
        {reading === undefined || chunk.error !== undefined || chunk.cancelled ? null : (
          <div className={styles.sections} aria-busy={pending}>
            <ReadingSections lab={{ ...tools, declared: reading }} view={view} onRetry={chunk.retry} />
          </div>
        )}
      </div>
    </>
  );
}

function Progress({ chunk }: { readonly chunk: ChunkReading }) {
  const { reading, pending, progress, error, cancelled, cancel, retry } = chunk;
  if (error !== undefined)
    // A chunk that the grid does not have will not be there the next time.
    return <ErrorNotice error={error} onRetry={retry} />;
  if (cancelled) {
    return (
      <p className={styles.cancelled}>
        Reading was cancelled.
        <button type="button" onClick={retry}>
          Read again
        </button>
      </p>
    );
  }
  if (!pending) return null;
  return (
    <div className={styles.loading} data-over={reading !== undefined}>
      <Loading label="Reading the chunk" progress={progress} onCancel={cancel} />
    </div>
  );
}

interface ReadingSectionsProps {
  readonly lab: Lab;
  readonly view: ValueView;
  readonly onRetry: () => void;
}

function ReadingSections({ lab, view, onRetry }: ReadingSectionsProps) {
  const { declared, array, detail, trial } = lab;
  const isTrial = trial.shown === "trial";
  const reading = isTrial ? (trial.reading.reading ?? declared) : declared;
  const stage = shownStage(reading, view.stage);
  const hasBytes = declared.state !== "missing" && declared.state !== "bad" && declared.state !== "unknown";
  return (
    <>
      <ReferenceSection reading={declared} fill={detail} onRetry={onRetry} />
      <AppliedNotice array={array.path} />
      {declared.outcome === "missing" ? <MissingChunk array={array} reading={declared} fill={detail} /> : null}
      {hasBytes && (declared.outcome !== "missing" || declared.stages.length > 0) ? (
        <DecodingSection
          lab={lab}
          reading={reading}
          selected={stage}
          onSelect={(index) => view.change({ stage: index, tab: "hex" })}
          onRetry={onRetry}
        >
          <SuggestionsPart lab={lab} />
        </DecodingSection>
      ) : null}
      <TrialBanner lab={lab} />
      <div className={styles.shown} data-trial={isTrial} aria-busy={isTrial && trial.reading.pending}>
        <ShownReading lab={lab} reading={reading} stage={stage} view={view} />
      </div>
    </>
  );
}

interface ShownReadingProps {
  readonly lab: Lab;
  readonly reading: Reading;
  readonly stage: number | undefined;
  readonly view: ValueView;
}

/** The values of the reading that is shown, and what was noticed. */
function ShownReading({ lab, reading, stage, view }: ShownReadingProps) {
  const { set, array, detail } = lab;
  const { values } = reading;
  return (
    <>
      {values === undefined || reading.outcome !== "ok" ? null : (
        <StatisticsSection
          values={values}
          fill={detail}
          scaled={view.scaled}
          onScaled={(scaled) => view.change({ scaled })}
        />
      )}
      <ValuesSection set={set} array={array} reading={reading} stage={stage} view={view} />
      {/* The error itself stands where it happened. */}
      <FindingsSection findings={reading.findings.filter((one) => one.code !== reading.error?.code)} />
    </>
  );
}
