/** The chain of snapshots behind a branch, tag or snapshot, and the choice of two to compare. */
import { useEffect, useId } from "react";
import type { RepositoryHistory } from "../../core/repository.ts";
import { FOLLOWING } from "../../store/history-actions.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { ChainTable } from "./ChainTable.tsx";
import { chosenElsewhere, endSentence, refOfShown, shortId } from "./history-words.ts";
import { chainChoices } from "./ref-rows.ts";
import { Section } from "../../widgets/Section.tsx";
import { TaskLoading } from "./TaskLoading.tsx";
import { useCompared } from "./use-compared.ts";
import styles from "./HistoryPanel.module.css";

export function ChainSection({ history }: { readonly history: RepositoryHistory }) {
  const actions = useActions();
  const { chainOf, chain } = useAppState((state) => state.history);
  const choices = chainChoices(history);
  const chosen = choices.find(([ref]) => ref === chainOf) ?? choices.find(([ref]) => ref === refOfShown(history.shown));
  const start = chosen?.[2] ?? history.shown.snapshot;
  useEffect(() => {
    void actions.followChain(start);
  }, [actions, start]);
  const here = chain?.of === start ? chain : undefined;
  const aside =
    here === undefined || here.entries.length === 0
      ? undefined
      : `${countOf(here.entries.length, "snapshot")}${here.end === "limit" ? " so far" : ""}`;
  return (
    <Section title="Chain of snapshots" aside={aside}>
      <ChainControls history={history} choices={choices} chosen={chosen?.[0]} />
      <ChainTable history={history} chainOf={chosen?.[0]} entries={here?.entries ?? []} end={here?.end ?? "limit"} />
      <ChainEnd />
    </Section>
  );
}

interface ChainControlsProps {
  readonly history: RepositoryHistory;
  readonly choices: ReturnType<typeof chainChoices>;
  readonly chosen: string | undefined;
}

function ChainControls({ history, choices, chosen }: ChainControlsProps) {
  const actions = useActions();
  const id = useId();
  const { from, to } = useCompared(history);
  return (
    <div className={styles.controls}>
      <label htmlFor={id}>Chain of</label>
      <select id={id} value={chosen} onChange={(event) => actions.chooseHistory({ chainOf: event.target.value })}>
        {choices.map(([ref, words]) => (
          <option key={ref} value={ref}>
            {words}
          </option>
        ))}
      </select>
      <button
        type="button"
        className={styles.compare}
        disabled={from === undefined || to === undefined || from === to}
        title={from === to ? "Choose two different snapshots." : undefined}
        onClick={() => {
          if (from !== undefined && to !== undefined) void actions.compareSnapshots({ from, to, method: "auto" });
        }}
      >
        Compare {from === undefined ? "…" : shortId(from)} with {to === undefined ? "…" : shortId(to)}
      </button>
      <ChosenElsewhere />
    </div>
  );
}

/** Snapshots of two chains may be compared: those chosen that have no row here are named. */
function ChosenElsewhere() {
  const actions = useActions();
  const { from, to, chain, entries } = useAppState((state) => state.history);
  if (chain === undefined || chain.entries.length === 0) return null;
  const elsewhere = chosenElsewhere({ from, to }, chain.entries, entries);
  if (elsewhere === undefined) return null;
  return (
    <p className={`${styles.note} ${styles.elsewhere}`}>
      {elsewhere}{" "}
      <button type="button" data-kind="link" onClick={() => actions.chooseHistory({ from: undefined, to: undefined })}>
        Choose again
      </button>
    </p>
  );
}

/** How the chain ends, or how it goes on. */
function ChainEnd() {
  const actions = useActions();
  const chain = useAppState((state) => state.history.chain);
  if (chain === undefined) return null;
  const more = () => void actions.followFurther();
  if (chain.following) return <TaskLoading label={FOLLOWING} />;
  if (chain.error !== undefined) return <ErrorNotice error={chain.error} onRetry={more} />;
  if (chain.end === "limit")
    return (
      <p className={styles.note}>
        {chain.cancelled === true ? "Fetching more was cancelled. " : ""}
        <button type="button" onClick={more}>
          Show 100 more
        </button>
      </p>
    );
  return <p className={styles.note}>{endSentence(chain.end, chain.entries.length)}</p>;
}
