import { useId, type ReactNode } from "react";
import type { ChunkTab } from "../../store/address.ts";
import { useActions, useAppState, useEngine } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import { TabPanel, Tabs } from "../../widgets/Tabs.tsx";
import { AppliedNotice } from "./AppliedNotice.tsx";
import { CHUNK_TABS, openingTab, rememberedTab } from "./chunk-tabs.ts";
import type { ChunkArray } from "./chunk-words.ts";
import { ChunkHeader } from "./ChunkHeader.tsx";
import { DecodeTab } from "./DecodeTab.tsx";
import { HexTab } from "./HexTab.tsx";
import { RequestTab } from "./RequestTab.tsx";
import { TrialBanner } from "./TrialBanner.tsx";
import { useCheapAxes, type Axes } from "../../store/use-cheap-axes.ts";
import { useLab, type Lab } from "./use-lab.ts";
import { useReading, type ChunkReading } from "./use-reading.ts";
import { useValueView, type ValueView } from "./use-value-view.ts";
import { useZarrita, type ZarritaRun } from "./use-zarrita.ts";
import { shownStage } from "./value-tabs.ts";
import { ValuesTab } from "./ValuesTab.tsx";
import styles from "./ChunkPanel.module.css";

interface ChunkReadingViewProps {
  readonly set: number;
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
}

/** A chunk of one array and what reading it gave. What the user chose (tab, scale, stage, trial) stays from chunk to chunk. */
export function ChunkReadingView({ set, array, coordinates }: ChunkReadingViewProps) {
  const id = useId();
  const actions = useActions();
  const chunk = useReading(set, array.path, coordinates);
  const { pending } = chunk;
  // One that was not read at all leaves that of the chunk before.
  const reading = chunk.error === undefined && !chunk.cancelled ? chunk.reading : undefined;
  const opening = openingTab(reading);
  const tab = useAppState((state) => state.tab) ?? opening;
  const axes = useCheapAxes(set, array, reading !== undefined);
  const detail = useEngine("set.node", { set, path: array.path }).data?.array;
  const isShown = tab === "decode";
  const tools = useLab({ set, array, coordinates, detail, isShown, show: () => actions.showTab("decode") });
  const { trial } = tools;
  const zarrita = useZarrita({ set, array: array.path, coordinates });
  const view = useValueView(trial.shown === "trial" ? (trial.reading.reading ?? reading) : reading, array);
  const onTab = (next: ChunkTab) => {
    tools.goByHand();
    actions.showTab(rememberedTab(next, opening));
  };
  return (
    <>
      <ChunkHeader {...{ array, coordinates, reading, pending, axes }} fill={detail} />
      <div className={styles.tabs}>
        <Tabs label="About the chunk" idBase={id} tabs={CHUNK_TABS} selected={tab} onSelect={onTab} />
      </div>
      <TabPanel key={tab} idBase={id} id={tab} className={styles.body}>
        <Progress chunk={chunk} />
        {reading === undefined ? null : (
          <div className={styles.sections} aria-busy={pending}>
            <AppliedNotice array={array.path} />
            <OneTab
              tab={tab}
              lab={{ ...tools, declared: reading }}
              {...{ view, axes, zarrita }}
              onRetry={chunk.retry}
            />
          </div>
        )}
      </TabPanel>
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

interface OneTabProps {
  readonly tab: ChunkTab;
  readonly lab: Lab;
  readonly view: ValueView;
  readonly axes: Axes;
  readonly zarrita: ZarritaRun;
  readonly onRetry: () => void;
}

function OneTab({ tab, lab, view, axes, zarrita, onRetry }: OneTabProps) {
  const { declared, array, detail, trial, set } = lab;
  const isTrial = trial.shown === "trial";
  const reading = isTrial ? (trial.reading.reading ?? declared) : declared;
  const stage = shownStage(reading, view.stage);
  const onStage = (index: number) => view.change({ stage: index });
  if (tab === "request") return <RequestTab array={array} reading={declared} fill={detail} onRetry={onRetry} />;
  return (
    <>
      <TrialBanner lab={lab} />
      {tab === "decode" ? (
        <DecodeTab lab={lab} reading={reading} selected={stage} onSelect={onStage} onRetry={onRetry} />
      ) : (
        <ShownReading isTrial={isTrial} pending={trial.reading.pending}>
          {tab === "values" ? (
            <ValuesTab {...{ lab, reading, view, axes, zarrita }} />
          ) : (
            <HexTab set={set} reading={reading} stage={stage} onStage={onStage} />
          )}
        </ShownReading>
      )}
    </>
  );
}

interface ShownReadingProps {
  readonly isTrial: boolean;
  readonly pending: boolean;
  readonly children: ReactNode;
}

/** What is of the reading that is shown, with a mark beside what is a trial only. */
function ShownReading({ isTrial, pending, children }: ShownReadingProps) {
  return (
    <div className={styles.shown} data-trial={isTrial} aria-busy={isTrial && pending}>
      {children}
    </div>
  );
}
