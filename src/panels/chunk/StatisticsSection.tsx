import type { Statistics, ValuesReport } from "../../core/reading.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { ScaleSwitch } from "./ScaleSwitch.tsx";
import type { Fill } from "./FillValue.tsx";
import { fillWords, scalingWords, statisticsLines } from "./statistics-words.ts";
import styles from "./StatisticsSection.module.css";
import shared from "./ChunkPanel.module.css";

interface StatisticsSectionProps {
  readonly values: ValuesReport;
  readonly fill: Fill;
  readonly scaled: boolean;
  readonly onScaled: (scaled: boolean) => void;
}

/** What the values amount to, over the part of the chunk inside the array. */
export function StatisticsSection({ values, fill, scaled, onScaled }: StatisticsSectionProps) {
  const { scaling } = values;
  const shown = scaled ? (values.scaled ?? values.raw) : values.raw;
  return (
    <section className={shared.section} aria-label="Statistics">
      <div className={shared.sectionHead}>
        <h3>Values</h3>
        {scaling === undefined ? null : <ScaleSwitch scaled={scaled} onScaled={onScaled} />}
        <span className={`${shared.quiet} ${shared.type}`}>
          {values.dtype}
          {scaled && scaling?.units !== undefined ? ` · ${scaling.units}` : ""}
        </span>
        <CopyButton text={statisticsLines(shown)} what="statistics" />
      </div>
      <Figures statistics={shown} />
      {scaled && scaling !== undefined ? <p className={shared.quiet}>{scalingWords(scaling)}</p> : null}
      {scaled ? null : <FillNote statistics={values.raw} fill={fill} scalable={scaling !== undefined} />}
    </section>
  );
}

function Figures({ statistics }: { readonly statistics: Statistics }) {
  const { count, missing, minimum, maximum, mean } = statistics;
  return (
    <dl className={styles.figures}>
      <Figure term="Count" text={formatCount(count)} />
      <Figure term="Missing" text={formatCount(missing)} />
      <Figure term="Minimum" text={minimum} />
      <Figure term="Maximum" text={maximum} />
      <Figure term="Mean" text={mean} />
    </dl>
  );
}

function Figure({ term, text }: { readonly term: string; readonly text: string | undefined }) {
  return (
    <div title={text ?? "No value is left, or values of this type have none."}>
      <dt>{term}</dt>
      <dd>{text ?? "–"}</dd>
    </div>
  );
}

interface FillNoteProps {
  readonly statistics: Statistics;
  readonly fill: Fill;
  readonly scalable: boolean;
}

/** Raw statistics count fill values as values: say so, or a minimum of -32768 misleads. */
function FillNote({ statistics, fill, scalable }: FillNoteProps) {
  const words = fillWords(statistics, fill?.fillValue, fill?.fillAttribute);
  if (words === undefined) return null;
  return <p className={shared.quiet}>{scalable ? `${words}; in Scaled they are missing` : words}</p>;
}
