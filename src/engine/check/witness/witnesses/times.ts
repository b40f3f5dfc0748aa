/**
 * Times against everything else that states them: the calendar by where months begin (CF §4.4.1), the time that is valid
 * as reference time + step, the frequency that attributes name, the coverage that they claim (ACDD 1.3).
 */
import { calendarNamed, type CALENDARS, dateOf, type TimeView, timeText } from "#core/cf/cf-time.ts";
import { timeStepText } from "#core/cf/time-step.ts";
import { finding } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { isCoordinate } from "#core/metadata/hierarchy-path.ts";
import { middle, stepsOf } from "#engine/check/values/value-rule.ts";
import { evenStep } from "../change.ts";
import { plainCalendar, secondsIn, secondsOf, timeFrom, timeOf, unitOf, unitsMeant } from "../units.ts";
import { side, type WitnessView } from "../view.ts";

const DAY = 86_400;

export async function timesWitness(view: WitnessView): Promise<void> {
  for (const node of view.arrays) {
    const time = isCoordinate(node) ? timeOf(node) : undefined;
    const values = time === undefined || view.isTold(node.path) ? undefined : await view.numbers(node);
    if (time === undefined || values === undefined || values.length < 2 || values.some(Number.isNaN)) continue;
    holdCalendar(view, node, time, values);
    holdFrequency(view, node, secondsOf(values, time));
    holdClaimed(view, node, time, values);
  }
}

// Calendars: monthly and yearly steps fall on one day of the month in the right one alone.

type CalendarName = (typeof CALENDARS)[number];

/** The calendars that count days alike after 1582 are one. */
const TRIED: readonly CalendarName[] = ["standard", "noleap", "360_day", "all_leap", "julian"];

function holdCalendar(view: WitnessView, node: ArrayNode, time: TimeView, values: Float64Array): void {
  const steps = stepsOf(secondsOf(values, time)).map((step) => step / DAY);
  const isMonthly = steps.length >= 11 && steps.every((step) => step > 27 && step < 32.1);
  const isYearly = steps.length >= 4 && steps.every((step) => step > 359 && step < 367.1);
  if (!isMonthly && !isYearly) return;
  const named = plainCalendar(time);
  const [a, b] = [side("attribute", "calendar", named), side("values", node.name, "")];
  const told = (agrees: boolean) => view.hold(node, agrees, { quantity: "calendar", a, b }, false);
  const own = regularity(values, time);
  // A day of the month that is neither the first, the last nor the middle may stand in several calendars.
  const [best, next] = TRIED.filter((calendar) => calendar !== named)
    .map((calendar) => ({ calendar, level: regularity(values, inCalendar(node, calendar)) }))
    .filter(({ level }) => level > 0)
    .toSorted((a, b) => b.level - a.level);
  // Middles that are a day off in one calendar, and exact in another, are of that one.
  if (own > 0 && (own !== 2 || best?.level !== 3)) return told(true);
  if (best === undefined || next?.level === best.level) return;
  const meant: string = best.calendar;
  const calendar = textAttribute(node.attributes, "calendar");
  const [first, last] = [values[0], values.at(-1)].map((value = NaN) =>
    [time, inCalendar(node, best.calendar)].map((one) => dateIn(value, one)),
  ) as [string[], string[]];
  const said = { calendar: calendar ?? "standard", isDefault: calendar === undefined };
  const facts = { array: node.path, ...said, meant, first, last, steps: values.length, isMonthly };
  told(false);
  view.tell(finding("calendar-unlike-months", view.placeOf(node), facts), node.path);
}

const dateIn = (value: number, time: TimeView | undefined): string =>
  (time === undefined ? undefined : timeText(value, time))?.replace("T", " ").replace(/ 00:00:00$/, "") ?? "";

const inCalendar = ({ attributes }: ArrayNode, calendar: CalendarName): TimeView | undefined =>
  timeFrom(textAttribute(attributes, "units"), calendar);

/** 3: all steps begin or halve a month; 2: about, or end it; 1: all fall on one other day of it; 0: neither. */
function regularity(values: Float64Array, time: TimeView | undefined): 0 | 1 | 2 | 3 {
  if (time === undefined) return 0;
  const days = Array.from(secondsOf(values, time), (seconds) => seconds / DAY);
  const lengths = days.map((one) => {
    const whole = Math.floor(one + 1e-6);
    const { day, month } = dateOf(whole, time.calendar);
    let length = 28;
    while (dateOf(whole - day + 1 + length, time.calendar).month === month) length += 1;
    return { part: day - 1 + (one - whole), length };
  });
  const isAll = (test: (of: { readonly part: number; readonly length: number }) => boolean) => lengths.every(test);
  const first = lengths[0]?.part ?? 0;
  const isBegun = isAll(({ part }) => part < 1 && part === first);
  if (isBegun || isAll(({ part, length }) => Math.abs(part - length / 2) < 0.02)) return 3;
  const isMiddle = isAll(({ part, length }) => Math.abs(part - length / 2) <= 1.01 && part >= 13.99 && part <= 15.6);
  if (isMiddle || isAll(({ part, length }) => length - part <= 1)) return 2;
  return isAll(({ part }) => Math.abs(part - first) < 1e-3) ? 1 : 0;
}

// Frequency.

const FREQUENCIES: readonly (readonly [RegExp, number, number])[] = [
  [/^(?:mon(?:thly)?|mon(?:C|Pt)?|P1M|1 ?mon(?:th)?)$/i, 27, 32.1],
  [/^(?:day|daily|P1D|1 ?day)$/i, 1, 1],
  [/^(?:(?:year|yr)(?:ly|Pt)?|annual|P1Y)$/i, 359, 367.1],
];

/** Shortest and longest step in days; `undefined` for what is no frequency. */
function frequencyOf(text: string): readonly [number, number] | undefined {
  const [, hours] = /^(?:PT)?(\d{1,2})? ?h(?:ou)?r?(?:ly)?(?:Pt|CM)?$/i.exec(text) ?? [];
  if (/^(?:PT)?\d{0,2} ?h/i.test(text) && (hours !== undefined || /^hourly$|^hr/i.test(text))) {
    const days = Number(hours ?? 1) / 24;
    return [days, days];
  }
  const found = FREQUENCIES.find(([pattern]) => pattern.test(text));
  return found && [found[1], found[2]];
}

function holdFrequency(view: WitnessView, node: ArrayNode, seconds: Float64Array): void {
  if (view.isTold(node.path)) return;
  const group = view.groupOf(node);
  for (const name of ["frequency", "time_coverage_resolution"]) {
    const text = textAttribute(group?.attributes, name);
    const meant = text === undefined ? undefined : frequencyOf(text.trim());
    if (text === undefined || meant === undefined) continue;
    const step = middle(stepsOf(seconds).map(Math.abs)) / DAY;
    const isLike = step >= meant[0] * 0.999 && step <= meant[1] * 1.001;
    const [a, b] = [
      side("values", node.name, timeStepText(Math.round(step * DAY) * 1000)),
      side("attribute", name, text),
    ];
    if (isLike) return view.hold(node, isLike, { quantity: "step", a, b });
    const usual = (meant[0] + meant[1]) / 2;
    const factor = step / usual;
    // Gaps, or a sample of the steps, are no mistake of unit: only a step that a unit explains is.
    if (![24, 60, 1440, 3600, 86_400, 30, 365].some((one) => isNear(factor, one) || isNear(factor, 1 / one))) return;
    const change = { kind: "times", factor, ...unitsMeant(node, factor) } as const;
    return view.hold(node, false, { quantity: "step", a, b, differ: seconds.length, change });
  }
}

const isNear = (one: number, other: number): boolean => Math.abs(one / other - 1) < 0.1;

// Coverage.

/** The first time lies outside of what a dataset of one file claims. Later ones may have been appended. */
function holdClaimed(view: WitnessView, node: ArrayNode, time: TimeView, values: Float64Array): void {
  const group = view.groupOf(node);
  const texts = ["start", "end"].map((end) => textAttribute(group?.attributes, `time_coverage_${end}`)?.trim() ?? "");
  if (view.set.table.targets.count > 1 || !texts.every((text) => /^\d{4}-\d\d-\d\d/.test(text))) return;
  const [from = NaN, to = NaN] = texts.map((text) => {
    const since = timeFrom(`seconds since ${text.slice(0, 40)}`, time.calendar);
    return since === undefined ? NaN : (secondsOf([0], since)[0] ?? NaN);
  });
  const [first = NaN, second = NaN] = secondsOf(values.slice(0, 2), time);
  const room = 1.01 * Math.abs(second - first) + DAY;
  if (view.isTold(node.path) || Number.isNaN(from) || Number.isNaN(to)) return;
  const a = side("attribute", "time_coverage_start to time_coverage_end", texts.join(" to "));
  const ends = [values[0], values.at(-1)].map((value = NaN) => dateIn(value, time));
  const isRight = first >= from - room && first <= to + room;
  const b = side("values", node.name, ends.join(" to "));
  view.hold(node, isRight, { quantity: "range", a, b });
  const span = (secondsOf([values.at(-1) ?? NaN], time)[0] ?? NaN) - first;
  // Files that were appended make the span longer, too: only what fits to a step is another unit.
  const isLike = (factor: number) =>
    Math.abs(span / factor - (to - from)) <= (1.01 * Math.abs(second - first)) / factor;
  const factor = OTHER_UNITS.flatMap((one) => [one, 1 / one]).find(isLike);
  if (!isRight || factor === undefined || isLike(1) || to <= from || values.length < LEAST_TIMES) return;
  const change = { kind: "times", factor, ...unitsMeant(node, factor) } as const;
  view.disagree(node, { quantity: "range", a: b, b: a, differ: values.length, change });
}

/** Factors between units of time that no number of appended files is likely to make. */
const OTHER_UNITS = [1440, 3600, 86_400, 1e3, 1e6, 1e9];
const LEAST_TIMES = 4;

// Times of validity are the reference time and the step behind it.

const isCalled = (node: ArrayNode, names: RegExp, standard: readonly string[]): boolean =>
  names.test(node.name) || standard.includes(textAttribute(node.attributes, "standard_name") ?? "");

/** Steps by `valid_time − time`, and by the messages: in seconds; for `grib.ts`, too. */
export async function sumsWitness(view: WitnessView): Promise<void> {
  for (const valid of view.arrays) {
    const time = isCalled(valid, /^valid_?time$/i, []) ? timeOf(valid) : undefined;
    if (time === undefined) continue;
    const beside = view.beside(valid).filter((node) => node !== valid);
    const step = beside.find((node) => isStep(node));
    const origin = beside.find(
      (node) =>
        isCalled(node, /^(?:time|init_time|reference_time|forecast_reference_time)$/i, ["forecast_reference_time"]) &&
        timeOf(node) !== undefined,
    );
    if (step === undefined || origin === undefined) continue;
    await holdSum(view, { valid, step, origin });
  }
}

export const isStep = (node: ArrayNode): boolean =>
  isCalled(node, /^(?:step|lead_?time|forecast_period|prediction_timedelta)$/i, ["forecast_period"]) &&
  secondsIn(unitOf(node)) !== undefined &&
  timeOf(node) === undefined;

interface Sum {
  readonly valid: ArrayNode;
  readonly step: ArrayNode;
  readonly origin: ArrayNode;
}

async function holdSum(view: WitnessView, { valid, step, origin }: Sum): Promise<void> {
  const [ends, lengths, starts] = [await view.numbers(valid), await view.numbers(step), await view.numbers(origin)];
  const [endTime, startTime, unit] = [timeOf(valid), timeOf(origin), secondsIn(unitOf(step))];
  if (ends === undefined || lengths === undefined || starts === undefined) return;
  if (endTime === undefined || startTime === undefined || unit === undefined) return;
  if (endTime.calendar !== startTime.calendar && calendarNamed(endTime.calendar) !== calendarNamed(startTime.calendar))
    return;
  const [end, start] = [secondsOf(ends, endTime), secondsOf(starts, startTime)];
  const { dimensionNames: names = [], shape: sizes } = valid.metadata;
  const indexOf = (node: ArrayNode, at: number): number | undefined => {
    if (node.metadata.shape.length === 0) return 0;
    if (node.metadata.shape.length > 1) return undefined;
    const axis = names.indexOf(node.metadata.dimensionNames?.[0]);
    if (axis < 0) return undefined;
    const stride = sizes.slice(axis + 1).reduce((product, length) => product * length, 1);
    return Math.floor(at / stride) % (sizes[axis] as number);
  };
  const byStep = new Float64Array(lengths.length).fill(NaN);
  let conflicts = 0;
  for (let at = 0; at < end.length; at += 1) {
    const [of, from] = [indexOf(step, at), indexOf(origin, at)];
    if (of === undefined || from === undefined || of >= lengths.length || from >= start.length) return;
    const length = (end[at] as number) - (start[from] as number);
    if (Number.isNaN(byStep[of])) byStep[of] = length;
    else if (Math.abs((byStep[of] as number) - length) > 1) conflicts += 1;
  }
  // Steps that have several lengths are not what lies between reference and validity.
  if (conflicts > 0 && conflicts > end.length / 4) return;
  const numbers = byStep.map((seconds) => seconds / unit);
  const source = { kind: "sum", name: `${valid.name} − ${origin.name}` } as const;
  view.state(step, lengths, [{ numbers, source }], { tolerance: 1 / unit, seconds: unit, cell: evenStep(lengths) });
}
