/** What is known of the chunk under the pointer or the cursor. */
import { shownTarget } from "../../../core/shown-target.ts";
import { useMessage } from "../../../widgets/use-explain.ts";
import type { ArrayDetail } from "../../../core/open-set.ts";
import { LookedLine } from "../../../widgets/cell-map/Legend.tsx";
import { CopyButton } from "../../../widgets/CopyButton.tsx";
import { fillWords } from "../../../widgets/fill-words.ts";
import { ResultMark } from "../../../widgets/ResultMark.tsx";
import { StateMark } from "../../../widgets/StateMark.tsx";
import { formatBytes, formatCount, formatExactBytes } from "../../../widgets/number-format.ts";
import { cellSentence } from "./cell-sentence.ts";
import type { CellFacts } from "./use-grid.ts";
import styles from "./MapPart.module.css";

export interface CellLineProps {
  readonly facts: CellFacts | undefined;
  readonly array: ArrayDetail | undefined;
  /** The cursor moves by keyboard: say it aloud. */
  readonly spoken: boolean;
}

export function CellLine({ facts, array, spoken }: CellLineProps) {
  const reason = useMessage(...(facts?.row?.reasons ?? []));
  return (
    <LookedLine
      className={styles.cellLine}
      spoken={spoken && facts !== undefined ? cellSentence(facts, array?.fillValue, reason) : ""}
    >
      {facts === undefined ? (
        <span className={styles.faint}>
          Point at a chunk, or move with the arrow keys; a click or Enter selects it.
        </span>
      ) : (
        <Facts facts={facts} fill={array?.fillValue} reason={reason} />
      )}
    </LookedLine>
  );
}

function Facts({
  facts: { key, row, result, change },
  fill,
  reason,
}: {
  readonly facts: CellFacts;
  readonly fill: string | undefined;
  readonly reason: string | undefined;
}) {
  return (
    <>
      <code className={styles.key} title={key}>
        {key}
      </code>
      <CopyButton text={key} what="key" />
      {change === undefined ? null : <span>{change}</span>}
      {row === undefined ? null : (
        <>
          <StateMark state={row.state} label />
          {typeof row.target === "string" ? (
            <code className={styles.target} title={shownTarget(row.target)}>
              {shownTarget(row.target)}
            </code>
          ) : null}
          {row.state === "missing" ? <span className={styles.faint}>{fillWords(fill)}</span> : null}
          {reason === undefined ? null : <span className={styles.reason}>{reason}</span>}
          {row.length === undefined ? null : (
            <span title={formatExactBytes(row.length)}>
              {row.offset === undefined ? "" : `at ${formatCount(row.offset)}, `}
              {formatBytes(row.length)}
            </span>
          )}
          <ResultMark result={result} />
        </>
      )}
    </>
  );
}
