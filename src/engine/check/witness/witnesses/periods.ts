/**
 * The months and years that file names say against the steps that files have. Where the others fill theirs, one in
 * between that does not lacks its last steps: often the 29th of February.
 */
import { DAY } from "#engine/check/steps/file-numbers.ts";
import { datedFiles, type DatedFile, dayText, timesAlong } from "#engine/check/values/rules/file-dates.ts";
import { middle, stepsOf } from "#engine/check/values/value-rule.ts";
import { scaleOf } from "../units.ts";
import { side, type WitnessView } from "../view.ts";

/** Files that fill what their names say, at least; one in so many may not. */
const [LEAST_FULL, MOST_SHORT] = [2, 3];
const CALENDARS: ReadonlySet<string> = new Set(["standard", "proleptic_gregorian"]);

export function periodsWitness(view: WitnessView): Promise<void> {
  const { set, context } = view;
  const all = view.request.facts ?? [];
  const held = new Set<string>();
  for (const facts of all) {
    const times = facts.whole === undefined ? timesAlong({ set, facts: all, context }, facts) : undefined;
    if (times === undefined || held.has(times.path) || !CALENDARS.has(times.view.calendar)) continue;
    held.add(times.path);
    const unit = scaleOf(times.view).unit * 1000;
    const step = middle(stepsOf(times.values)) * unit;
    const files = datedFiles(facts, times).toSorted((one, other) => one.from - other.from);
    const periods = files.map((file) => periodOf(file, step));
    const inner = periods.slice(1, -1);
    const short = inner.flatMap((period) => (period !== undefined && isShort(period, step) ? [period] : []));
    const full = periods.filter((period) => period?.has === period?.of).length;
    const [first] = short;
    if (periods.length < LEAST_FULL || periods.includes(undefined)) continue;
    if (first === undefined || full < LEAST_FULL || short.length * MOST_SHORT > full + short.length) continue;
    const { file, has, of } = first;
    const a = side("values", times.path, `${has} (${dayText(file.from)}/${dayText(file.to)})`);
    const b = side("file-name", file.name, `${of} (${file.spans[0]?.text ?? ""})`);
    view.disagree({ path: times.path }, { quantity: "count", a, b, differ: short.length, unit: "steps" });
  }
  return Promise.resolve();
}

/** Some products have 365 days of each year, by custom. */
const isShort = ({ has, of }: Period, step: number): boolean =>
  has < of && !(of * step === 366 * DAY && has * step === 365 * DAY);

interface Period {
  readonly file: DatedFile;
  /** Steps that the file has, and of the period in its name. */
  readonly has: number;
  readonly of: number;
}

/** `undefined` for names of days and hours, steps longer than a day, and files that do not begin with their period. */
function periodOf(file: DatedFile, step: number): Period | undefined {
  const [span, ...more] = file.spans;
  if (span === undefined || more.length > 0 || span.unit < 28 * DAY || !(step > 0 && step <= DAY)) return undefined;
  const late = file.from - span.from;
  const [has, of] = [(file.to - file.from) / step + 1, (span.to - span.from) / step];
  return late >= 0 && late < step && has <= of + 1e-6 ? { file, has: Math.round(has), of: Math.round(of) } : undefined;
}
