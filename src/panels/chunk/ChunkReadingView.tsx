import type { Reading } from "../../core/reading.ts";
import { useEngine } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import type { ChunkArray } from "./chunk-words.ts";
import { ChunkTitle } from "./ChunkTitle.tsx";
import { DecodingSection } from "./DecodingSection.tsx";
import { FindingsSection } from "./FindingsSection.tsx";
import { MissingChunk } from "./MissingChunk.tsx";
import { ReferenceSection } from "./ReferenceSection.tsx";
import { StatisticsSection } from "./StatisticsSection.tsx";
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

/** A chunk of one array and what reading it gave. What the user chose (tab, scale, stage) stays from chunk to chunk. */
export function ChunkReadingView({ set, array, coordinates }: ChunkReadingViewProps) {
  const chunk = useReading(set, array.path, coordinates);
  const { reading, pending } = chunk;
  const view = useValueView(reading);
  return (
    <>
      <ChunkTitle array={array} coordinates={coordinates} reading={pending ? undefined : reading} />
      <div className={styles.body}>
        <Progress chunk={chunk} />
        {reading === undefined || chunk.error !== undefined || chunk.cancelled ? null : (
          <div className={styles.sections} aria-busy={pending}>
            <ReadingSections set={set} array={array} reading={reading} view={view} onRetry={chunk.retry} />
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
    return <ErrorNotice error={error} {...(error.code === "outside-grid" ? {} : { onRetry: retry })} />;
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
  readonly set: number;
  readonly array: ChunkArray;
  readonly reading: Reading;
  readonly view: ValueView;
  readonly onRetry: () => void;
}

function ReadingSections({ set, array, reading, view, onRetry }: ReadingSectionsProps) {
  const stage = shownStage(reading, view.stage);
  const fill = useEngine("node", { set, path: array.path }).data?.array;
  const { values } = reading;
  return (
    <>
      <ReferenceSection reading={reading} fill={fill} onRetry={onRetry} />
      {reading.outcome === "missing" ? <MissingChunk array={array} reading={reading} fill={fill} /> : null}
      {reading.stages.length === 0 ? null : (
        <DecodingSection
          reading={reading}
          selected={stage}
          onSelect={(index) => {
            view.change({ stage: index, tab: "hex" });
          }}
          onRetry={onRetry}
        />
      )}
      {values === undefined || reading.outcome !== "ok" ? null : (
        <StatisticsSection
          values={values}
          fill={fill}
          scaled={view.scaled}
          onScaled={(scaled) => {
            view.change({ scaled });
          }}
        />
      )}
      <ValuesSection set={set} array={array} reading={reading} stage={stage} view={view} />
      {/* The error itself stands where it happened. */}
      <FindingsSection findings={reading.findings.filter((one) => one.code !== reading.error?.code)} />
    </>
  );
}
