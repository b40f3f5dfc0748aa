import type { Statistics, ValuesReport } from "../../../core/reading.ts";
import { CopyButton } from "../../../widgets/controls/CopyButton.tsx";
import { Segmented } from "../../../widgets/controls/Segmented.tsx";
import { countOf } from "../../../widgets/number-format.ts";
import { useMessage } from "../../../widgets/notes/use-explain.ts";
import shared from "../ChunkPanel.module.css";
import { figuresOf, figureText } from "../figures.ts";
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
          <Segmented
            label="Values shown"
            value={scaled ? "scaled" : "raw"}
            options={[
              { value: "raw", text: "Raw", title: "Values as they are stored" },
              {
                value: "scaled",
                text: "CF view",
                title: `As xarray decodes the CF attributes: ${scalingWords(scaling)}`,
              },
            ]}
            onValue={(value) => onScaled(value === "scaled")}
          />
        )}
        <span className={`${shared.quiet} ${shared.type}`}>
          {values.dtype}
          {units === undefined ? "" : ` · ${units}`}
        </span>
        <CopyButton text={statisticsLines(shown)} what="statistics" />
      </div>
      <dl className={styles.figures}>
        {figuresOf(shown).map(([term, value]) => (
          <div
            key={term}
            title={figureText(value) ?? "Not defined: no values are left, or the type has no such figure."}
          >
            <dt>{term}</dt>
            <dd>{figureText(value) ?? "–"}</dd>
          </div>
        ))}
      </dl>
      {scaled && scaling !== undefined ? <ViewNotes scaling={scaling} statistics={shown} /> : null}
      {scaled ? null : <FillNote values={values} fill={fill} />}
    </section>
  );
}

/** What the CF view did, and what it leaves to the reader. */
function ViewNotes({ scaling, statistics }: { readonly scaling: Scaling; readonly statistics: Statistics }) {
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

/** Raw statistics count fill values as values: say so, or a minimum of -32768 misleads. */
function FillNote({ values, fill }: Pick<StatisticsPartProps, "values" | "fill">) {
  const { raw, scaled, scaling } = values;
  const words = fillWords(raw, fill?.fillValue, fill?.fillAttribute);
  if (words === undefined) return null;
  const isMasked = scaling !== undefined && scaling.fillValues.length > 0 && (scaled?.missing ?? 0) >= raw.equalToFill;
  return <p className={shared.quiet}>{isMasked ? `${words}; in the CF view they are missing` : words}</p>;
}

type Scaling = NonNullable<ValuesReport["scaling"]>;

/** Lines of term, tab and value, for the clipboard. */
export function statisticsLines(statistics: Statistics): string {
  return figuresOf(statistics)
    .map(([term, value]) => `${term}\t${value ?? ""}`)
    .join("\n");
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

const signed = (text: string): string => text.replace(/^-/, "−");

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
