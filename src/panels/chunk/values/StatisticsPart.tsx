import type { Statistics, ValuesReport } from "#core/reading.ts";
import { CopyButton } from "#widgets/controls/Button.tsx";
import { Segmented } from "#widgets/controls/Segmented.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { useMessage } from "#widgets/notes/Notices.tsx";
import { typeWords } from "#core/metadata/data-type.ts";
import { readableNumber, shortNumber } from "#core/values/number-text.ts";
import { useActions, useAppState } from "#store/react.tsx";
import shared from "../ChunkPanel.module.css";
import type { Fill } from "../MissingChunk.tsx";
import { decimalsOf } from "./painting.ts";
import { shownDate } from "./value-words.ts";

interface StatisticsPartProps {
  readonly values: ValuesReport;
  readonly fill: Fill;
  readonly scaled: boolean;
}

/** Statistics of the values in the part of the chunk inside the array. */
export function StatisticsPart({ values, fill, scaled }: StatisticsPartProps) {
  const actions = useActions();
  // Data has the same switch in its bar.
  const hasSwitch = useAppState(({ view }) => view !== "data") && values.scaling !== undefined;
  const { scaling } = values;
  const shown = scaled ? (values.scaled ?? values.raw) : values.raw;
  const decimals = decimalsOf(values, scaled);
  return (
    <section className={shared.section} aria-label="Statistics">
      {hasSwitch ? (
        <div>
          <Segmented
            label="Values shown"
            value={scaled ? "cf" : "raw"}
            options={VALUES_SHOWN}
            onValue={(value) => actions.showRawValues(value === "raw")}
          />
        </div>
      ) : null}
      <dl className={shared.figures}>
        {figuresOf(shown).map(([term, value]) => (
          <div key={term} data-term={term}>
            <dt className="faint fine">{term}</dt>
            <dd title={exactFigure(value) ?? "Not defined: no values are left, or the type has no such figure."}>
              {figureText(value, decimals) ?? "–"}
            </dd>
          </div>
        ))}
      </dl>
      <p className="break faint figures">
        {typeWords(values.dtype)}
        {scaled && scaling !== undefined
          ? ` ${scaling.timeProblem === undefined ? "as xarray decodes it" : "as CF defines it"}: ${scalingWords(scaling)}`
          : null}{" "}
        <CopyButton text={statisticsLines(shown)} what="statistics" />
      </p>
      {scaled && scaling !== undefined ? <ViewNotes scaling={scaling} statistics={shown} /> : null}
      {scaled ? null : <FillNote values={values} fill={fill} />}
    </section>
  );
}

const VALUES_SHOWN = [
  { value: "cf", text: "CF", title: "As xarray decodes them: scaled, missing values left out" },
  { value: "raw", text: "Raw", title: "As they are stored" },
] as const;

/** Notes on what the CF view leaves to the reader. */
function ViewNotes({ scaling, statistics }: { readonly scaling: Scaling; readonly statistics: Statistics }) {
  const valid = validWords(statistics, scaling);
  const timeProblem = useMessage(scaling.timeProblem);
  return (
    <>
      {timeProblem === undefined ? null : <p className="break faint figures">{timeProblem}</p>}
      {valid === undefined ? null : <p className="break faint figures">{valid}</p>}
    </>
  );
}

/** Raw statistics count fill values as values: say so, or a minimum of -32768 misleads. */
function FillNote({ values, fill }: Pick<StatisticsPartProps, "values" | "fill">) {
  const { raw, scaled, scaling } = values;
  const words = fillWords(raw, fill?.fillValue, fill?.fillAttribute);
  if (words === undefined) return null;
  const isMasked = scaling !== undefined && scaling.fillValues.length > 0 && (scaled?.missing ?? 0) >= raw.equalToFill;
  return <p className="break faint figures">{isMasked ? `${words}; in the CF view they are missing` : words}</p>;
}

type Scaling = NonNullable<ValuesReport["scaling"]>;

/** Lines of term, tab and value, for the clipboard. */
export function statisticsLines(statistics: Statistics): string {
  return figuresOf(statistics)
    .map(([term, value]) => `${term}\t${value ?? ""}`)
    .join("\n");
}

/** Steps of the CF view from the stored values, in their order: "× 0.01 + 273.15, −32768 missing". */
export function scalingWords(scaling: Scaling): string {
  const { fillValues, readAs, time } = scaling;
  const packed = packedWords(scaling);
  const all = [
    ...(readAs === undefined ? [] : [`integers read as ${readAs}`]),
    ...(packed === "" ? [] : [packed]),
    ...(fillValues.length === 0 ? [] : [`${fillValues.map(readable).join(" and ")} missing`]),
    ...(time === undefined ? [] : [`${time.units.slice(0, 80)} as dates${calendarWords(time.calendar)}`]),
  ];
  return all.length === 0 ? "values as stored" : all.join(", ");
}

const readable = (text: string): string => readableNumber(text);

/** `× 0.002 + 10`; empty where nothing is packed. */
export function packedWords({ scaleFactor, addOffset }: Pick<Scaling, "scaleFactor" | "addOffset">): string {
  const [factor, offset] = [scaleFactor, Math.abs(addOffset)].map((one) => shortNumber(one, 9));
  return [
    ...(scaleFactor === 1 ? [] : [`× ${factor}`]),
    ...(addOffset === 0 ? [] : [`${addOffset < 0 ? "−" : "+"} ${offset}`]),
  ].join(" ");
}

function calendarWords(calendar: string): string {
  return calendar === "standard" || calendar === "proleptic_gregorian" ? "" : ` of the calendar ${calendar}`;
}

/** Count outside the valid range; `undefined` if there is no range. */
export function validWords({ outsideValid }: Statistics, { valid }: Scaling): string | undefined {
  if (valid === undefined || outsideValid === undefined) return undefined;
  const { minimum, maximum } = valid;
  const ends = [
    ...(minimum === undefined ? [] : [`from ${shortNumber(minimum)}`]),
    ...(maximum === undefined ? [] : [`to ${shortNumber(maximum)}`]),
  ];
  const range = `the valid range (stored values ${ends.join(" ")})`;
  if (outsideValid === 0) return `No value is outside ${range}`;
  const who = `${countOf(outsideValid, "value")} ${outsideValid === 1 ? "is" : "are"} outside ${range}`;
  return `${who}: kept, as xarray does; netCDF4-python masks ${outsideValid === 1 ? "it" : "them"}`;
}

/**
 * How many raw values equal a fill value (JSON texts of `fill_value` and `_FillValue`); `undefined` where none does.
 */
export function fillWords(
  { equalToFill, count }: Statistics,
  fillValue: string | undefined,
  fillAttribute: string | undefined,
): string | undefined {
  if (equalToFill === 0) return undefined;
  const known = [fillValue, fillAttribute].filter((text) => text !== undefined).filter((text) => text !== "null");
  const values = [...new Set(known)].map(readable).join(" or ");
  const who =
    equalToFill === count
      ? "All values equal"
      : `${countOf(equalToFill, "value")} ${equalToFill === 1 ? "equals" : "equal"}`;
  return `${who} the fill value${values === "" ? "" : ` ${values}`}`;
}

/** The figures of a chunk's values. */
type Figure = readonly [term: string, value: number | string | undefined];

/** Figures of the values, in the order in which they are shown. */
export const figuresOf = ({ count, missing, minimum, maximum, mean }: Partial<Statistics>): readonly Figure[] => [
  ["Count", count],
  ["Missing", missing],
  ["Minimum", minimum],
  ["Maximum", maximum],
  ["Mean", mean],
];

/** Counts with grouping; what is defined is written as it came. */
const exactFigure = (value: Figure[1]): string | undefined => (typeof value === "number" ? formatCount(value) : value);

/** The same as people read it, packed values with so many `decimals`. */
export const figureText = (value: Figure[1], decimals?: number): string | undefined =>
  typeof value === "string" ? shownDate(readableNumber(value, decimals)) : exactFigure(value);
