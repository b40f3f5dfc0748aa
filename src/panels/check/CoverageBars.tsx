/** Coverage of the check: what was looked at, decoded and asked, each with its whole. */
import type { Checked } from "#core/check/check.ts";
import type { SetSummary } from "#core/open-set.ts";
import { countOf, formatCount } from "#widgets/number-format.ts";
import styles from "./CoverageBars.module.css";

interface CoverageProps {
  readonly set: SetSummary;
  readonly checked: Checked;
  /** Rules were not run over the references yet. */
  readonly isUnchecked: boolean;
}

export function CoverageBars({ checked, isUnchecked, set }: CoverageProps) {
  const { chunks, targets, reader, unread: lost = 0 } = checked;
  const { references, states } = set;
  const unknown = states.unknown + lost;
  const run = reader?.run;
  return (
    <ul className={styles.bars} aria-label="Coverage of the check">
      <Bar what="checked" done={isUnchecked ? 0 : references} of={references + unknown} unit="reference" />
      <Bar what="decoded" done={Math.min(chunks.of, chunks.decoded)} of={chunks.of + unknown} unit="chunk" />
      <Bar what="checked" done={targets.asked} of={targets.of} unit="source" />
      {reader === undefined || run === undefined || run.compared === 0 ? null : (
        <Bar what={`read by ${reader.name}`} done={run.compared} of={run.of} unit="chunk" />
      )}
    </ul>
  );
}

interface BarProps {
  readonly what: string;
  readonly done: number;
  readonly of: number;
  readonly unit: string;
}

/** Nothing where there is nothing to look at. */
function Bar({ what, done, of, unit }: BarProps) {
  if (of === 0) return null;
  const share = done / of;
  return (
    <li>
      <span className={styles.track} aria-hidden="true">
        <span style={{ width: `${100 * share}%` }} />
      </span>
      {what}{" "}
      <b>
        {formatCount(done)} of {formatCount(of)}
      </b>{" "}
      {countOf(of, unit).replace(/^\S+ /, "")}
    </li>
  );
}
