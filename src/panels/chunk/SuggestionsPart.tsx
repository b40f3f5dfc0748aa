import { useEffect, useRef } from "react";
import type { Suggestion } from "../../core/lab.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { RepairButtons, RepairOutcome } from "./RepairButtons.tsx";
import { evidenceWords, repairTitle, searchWords } from "./suggestion-words.ts";
import { draftOf, trialOf } from "./trial-draft.ts";
import type { Lab } from "./use-lab.ts";
import styles from "./SuggestionsPart.module.css";

/** Likely repairs, the best first, each with its evidence. */
export function SuggestionsPart({ lab }: { readonly lab: Lab }) {
  const { suggestions, repair } = lab;
  const { found, error, running, progress, cancel, ask, dismiss } = suggestions;
  const part = useRef<HTMLDivElement>(null);
  const { byCommand } = lab;
  useEffect(() => {
    if (found === undefined) return;
    part.current?.scrollIntoView({ block: "nearest" });
    if (byCommand) part.current?.focus({ preventScroll: true });
  }, [found, byCommand]);
  if (running) return <Loading label="Looking for repairs" progress={progress} onCancel={cancel} />;
  if (error !== undefined) return <ErrorNotice error={error} onRetry={ask} onDismiss={dismiss} />;
  if (found === undefined) return <RepairOutcome repair={repair} />;
  return (
    <div ref={part} className={styles.part} tabIndex={-1}>
      <p className={styles.summary} role="status" title={`${countOf(found.tried, "reading")} tried`}>
        {searchWords(found)}{" "}
        <button type="button" data-kind="quiet" onClick={dismiss}>
          Dismiss
        </button>
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

interface SuggestionItemProps {
  readonly suggestion: Suggestion;
  readonly lab: Lab;
}

function SuggestionItem({ suggestion, lab }: SuggestionItemProps) {
  const { repair, evidence, trial } = suggestion;
  const title = repairTitle(suggestion);
  const { codecs } = lab;
  const plain = trialOf(draftOf(trial, codecs), codecs); // Written as the one in hand is.
  const tried = JSON.stringify(lab.trial.trial) === JSON.stringify(plain);
  return (
    <li data-kind={repair.kind} className={styles.item}>
      <p className={styles.title}>
        {title} <code>{repair.kind}</code>
      </p>
      <ul className={styles.evidence}>
        {evidence.map(evidenceWords).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <button
          type="button"
          title="Reads the chunk this way, beside the original; nothing is changed"
          aria-pressed={tried}
          onClick={() => lab.trial.take(trial)}
        >
          {tried ? "✓ Tried" : "Try"}
        </button>
        <RepairButtons repair={lab.repair} trial={trial} label={title} />
      </div>
    </li>
  );
}
