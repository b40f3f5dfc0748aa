import { useMessage } from "../../widgets/use-explain.ts";
import type { Statistics, ValuesReport } from "../../core/reading.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { ScaleSwitch } from "./ScaleSwitch.tsx";
import type { Fill } from "./FillValue.tsx";
import { fillWords, scalingWords, statisticsLines, validWords } from "./statistics-words.ts";
import { shownUnits } from "./value-words.ts";
import styles from "./StatisticsPart.module.css";
import shared from "./ChunkPanel.module.css";

interface StatisticsPartProps {
  readonly values: ValuesReport;
  readonly fill: Fill;
  readonly scaled: boolean;
  readonly onScaled: (scaled: boolean) => void;
}

/** What the values amount to, over the part of the chunk inside the array. */
export function StatisticsPart({ values, fill, scaled, onScaled }: StatisticsPartProps) {
  const { scaling } = values;
  const shown = scaled ? (values.scaled ?? values.raw) : values.raw;
  const units = scaled ? shownUnits(scaling) : undefined;
  return (
    <section className={shared.section} aria-label="Statistics">
      <div className={shared.sectionHead}>
        {scaling === undefined ? null : (
          <ScaleSwitch scaled={scaled} onScaled={onScaled} words={scalingWords(scaling)} />
        )}
        <span className={`${shared.quiet} ${shared.type}`}>
          {values.dtype}
          {units === undefined ? "" : ` · ${units}`}
        </span>
        <CopyButton text={statisticsLines(shown)} what="statistics" />
      </div>
      <Figures statistics={shown} />
      {scaled && scaling !== undefined ? <ViewNotes scaling={scaling} statistics={shown} /> : null}
      {scaled ? null : <FillNote values={values} fill={fill} />}
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
    <div title={text ?? "No values are left, or values of this type have no such figure."}>
      <dt>{term}</dt>
      <dd>{text ?? "–"}</dd>
    </div>
  );
}

interface ViewNotesProps {
  readonly scaling: NonNullable<ValuesReport["scaling"]>;
  readonly statistics: Statistics;
}

/** What the CF view did, and what it leaves to the reader. */
function ViewNotes({ scaling, statistics }: ViewNotesProps) {
  const valid = validWords(statistics, scaling);
  const timeProblem = useMessage(scaling.timeProblem);
  return (
    <>
      <p className={shared.quiet}>
        {scaling.timeProblem === undefined ? "As xarray decodes it" : "As CF defines it"}: {scalingWords(scaling)}
      </p>
      {timeProblem === undefined ? null : <p className={shared.quiet}>{timeProblem}</p>}
      {valid === undefined ? null : <p className={shared.quiet}>{valid}</p>}
    </>
  );
}

interface FillNoteProps {
  readonly values: ValuesReport;
  readonly fill: Fill;
}

/** Raw statistics count fill values as values: say so, or a minimum of -32768 misleads. */
function FillNote({ values, fill }: FillNoteProps) {
  const { raw, scaled, scaling } = values;
  const words = fillWords(raw, fill?.fillValue, fill?.fillAttribute);
  if (words === undefined) return null;
  const isMasked = scaling !== undefined && scaling.fillValues.length > 0 && (scaled?.missing ?? 0) >= raw.equalToFill;
  return <p className={shared.quiet}>{isMasked ? `${words}; in the CF view they are missing` : words}</p>;
}
