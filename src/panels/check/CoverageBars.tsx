/** How far the check came: what was looked at, decoded and asked, each with its whole. */
import type { Checked } from "../../core/check.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import styles from "./CoverageBars.module.css";

interface CoverageBarsProps {
  readonly checked: Checked;
  readonly references: number;
  /** Rules were not run over them yet. */
  readonly isUnchecked: boolean;
}

export function CoverageBars({ checked: { chunks, targets, reader }, references, isUnchecked }: CoverageBarsProps) {
  const run = reader?.run;
  const looked = isUnchecked ? 0 : references;
  return (
    <ul className={styles.bars} aria-label="How far the check came">
      <Bar what="looked at" done={looked} of={references} unit="reference" />
      <Bar what="decoded" done={Math.min(chunks.of, chunks.decoded + chunks.failed)} of={chunks.of} unit="chunk" />
      <Bar what="asked" done={targets.asked} of={targets.of} unit="target" />
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

function Bar({ what, done, of, unit }: BarProps) {
  const share = of === 0 ? 1 : done / of;
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
