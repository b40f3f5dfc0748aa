import type { Statistics, ValuesReport } from "../../../core/reading.ts";
import { CopyButton } from "../../../widgets/controls/CopyButton.tsx";
import { Segmented } from "../../../widgets/controls/Segmented.tsx";
import { countOf, formatCount } from "../../../widgets/number-format.ts";
import { useMessage } from "../../../widgets/notes/use-explain.ts";
import shared from "../ChunkPanel.module.css";
import type { Fill } from "./FillValue.tsx";
import styles from "./StatisticsPart.module.css";
import { shownUnits } from "./value-words.ts";

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
    <div title={text ?? "Not defined: no values are left, or the type has no such figure."}>
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

interface ScaleSwitchProps {
  readonly scaled: boolean;
  readonly onScaled: (scaled: boolean) => void;
  /** What the CF view does to the stored values. */
  readonly words: string;
}

/** Values as stored, or as the CF attributes say: scaled, masked, as dates. */
function ScaleSwitch({ scaled, onScaled, words }: ScaleSwitchProps) {
  return (
    <Segmented
      label="Values shown"
      value={scaled ? "scaled" : "raw"}
      options={[
        { value: "raw", text: "Raw", title: "Values as they are stored" },
        { value: "scaled", text: "CF view", title: `As xarray decodes the CF attributes: ${words}` },
      ]}
      onValue={(value) => onScaled(value === "scaled")}
    />
  );
}

type Scaling = NonNullable<ValuesReport["scaling"]>;

/** Lines of term, tab and value, for the clipboard. */
export function statisticsLines({ count, missing, minimum, maximum, mean }: Statistics): string {
  const lines: readonly (readonly [string, string | number | undefined])[] = [
    ["Count", count],
    ["Missing", missing],
    ["Minimum", minimum],
    ["Maximum", maximum],
    ["Mean", mean],
  ];
  return lines.map(([term, value]) => `${term}\t${value ?? ""}`).join("\n");
}

/** What the CF view does to the stored values, in the order in which it does it: "× 0.01 + 273.15, −32768 missing". */
export function scalingWords(scaling: Scaling): string {
  const { scaleFactor, addOffset, fillValues, readAs, time } = scaling;
  const parts = [
    ...(readAs === undefined ? [] : [`integers read as ${readAs}`]),
    ...(scaleFactor === 1 ? [] : [`× ${signed(String(scaleFactor))}`]),
    ...(addOffset === 0 ? [] : [`${addOffset < 0 ? "−" : "+"} ${Math.abs(addOffset)}`]),
  ];
  const missing = fillValues.length === 0 ? [] : [`${fillValues.map(signed).join(" and ")} missing`];
  const dates = time === undefined ? [] : [`${time.units.slice(0, 80)} as dates${calendarWords(time.calendar)}`];
  const isScaled = scaleFactor !== 1 && addOffset !== 0 ? [...parts.slice(0, -2), parts.slice(-2).join(" ")] : parts;
  const all = [...isScaled, ...missing, ...dates];
  return all.length === 0 ? "values as stored" : all.join(", ");
}

function calendarWords(calendar: string): string {
  return calendar === "standard" || calendar === "proleptic_gregorian" ? "" : ` of the calendar ${calendar}`;
}

function signed(text: string): string {
  return text.replace(/^-/, "−");
}

/** What lies outside the valid range; `undefined` where there is no range. */
export function validWords({ outsideValid }: Statistics, { valid }: Scaling): string | undefined {
  if (valid === undefined || outsideValid === undefined) return undefined;
  const { minimum, maximum } = valid;
  const ends = [
    ...(minimum === undefined ? [] : [`from ${signed(String(minimum))}`]),
    ...(maximum === undefined ? [] : [`to ${signed(String(maximum))}`]),
  ];
  const range = `the valid range (stored values ${ends.join(" ")})`;
  if (outsideValid === 0) return `No value is outside ${range}`;
  const who = `${countOf(outsideValid, "value")} ${outsideValid === 1 ? "is" : "are"} outside ${range}`;
  return `${who}: kept, as xarray does; netCDF4-python masks ${outsideValid === 1 ? "it" : "them"}`;
}

/** How many raw values equal a fill value (JSON texts of `fill_value` and `_FillValue`); `undefined` where none does. */
export function fillWords(
  { equalToFill, count }: Statistics,
  fillValue: string | undefined,
  fillAttribute: string | undefined,
): string | undefined {
  if (equalToFill === 0) return undefined;
  const known = [fillValue, fillAttribute].filter((text) => text !== undefined && text !== "null");
  const values = [...new Set(known)].join(" or ");
  const who =
    equalToFill === count
      ? "All values equal"
      : `${countOf(equalToFill, "value")} ${equalToFill === 1 ? "equals" : "equal"}`;
  return `${who} the fill value${values === "" ? "" : ` ${values}`}`;
}
