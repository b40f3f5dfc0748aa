/** How many targets there are, what was asked of them, and what is not among them. */
import type { SetSummary } from "../../core/open-set.ts";
import type { SourcesTotals } from "../../core/sources.ts";
import { useActions, useEngine } from "../../store/react.tsx";
import { useAskTargets } from "../../store/use-ask-targets.ts";
import { countOf, formatBytes, formatCount, formatExactBytes } from "../../widgets/number-format.ts";
import { PagesNote } from "../../widgets/PagesNote.tsx";
import { elsewhereWords } from "./source-words.ts";
import styles from "./SourcesPanel.module.css";

interface SourcesHeadProps {
  readonly set: SetSummary;
  readonly totals: SourcesTotals;
}

export function SourcesHead({ set, totals }: SourcesHeadProps) {
  const actions = useActions();
  const { targets, references, bytes } = totals;
  const isPart = set.pages !== undefined && set.pages.loaded < set.pages.count;
  return (
    <header className={styles.head}>
      <div className={styles.subject}>
        <h2>
          {countOf(targets, "target")}
          {isPart ? " so far" : ""}
        </h2>
        <p>
          {countOf(references, "reference")}{" "}
          {bytes === 0 ? null : <span title={formatExactBytes(bytes)}>to {formatBytes(bytes)}</span>}.{" "}
          {elsewhereWords(totals)}{" "}
          {set.pages === undefined ? null : <PagesNote pages={set.pages} onLoad={() => void actions.loadPages("")} />}
        </p>
      </div>
      <Ask set={set.id} totals={totals} />
    </header>
  );
}

function askedSentence(asked: number, sound: number): string {
  if (sound === asked) return `${formatCount(asked)} asked, all as they should be.`;
  return `${formatCount(asked)} asked, ${formatCount(sound)} ${sound === 1 ? "is" : "are"} as expected.`;
}

/** Asking costs requests, which are said first. */
function Ask({ set, totals: { targets, asked, sound } }: { readonly set: number; readonly totals: SourcesTotals }) {
  const { begun, ask, cancel } = useAskTargets(set);
  const cost = useEngine("check.costs", { set }).last?.data.sources;
  const isAsking = begun?.running === true;
  const price = cost === undefined ? "" : ` · ${countOf(cost.requests, "request")}`;
  const which = cost === undefined || cost.asked >= cost.targets ? "the targets" : `${formatCount(cost.asked)} of them`;
  return (
    <div className={styles.ask}>
      <p>{asked === 0 ? "None was asked." : askedSentence(asked, sound)}</p>
      {isAsking ? (
        <button type="button" onClick={cancel}>
          Stop
        </button>
      ) : (
        <button
          type="button"
          onClick={ask}
          title={`Asks each by two small requests whether it is there, how long it is and when it was changed${cost === undefined ? "" : `: about ${formatBytes(cost.bytes)}`}`}
        >
          {asked >= targets ? "Ask again" : `Ask ${which}`}
          {price}
        </button>
      )}
    </div>
  );
}
