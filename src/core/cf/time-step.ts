/** Lengths of time as people write them, `6 hours`, and steps between dates, months and years among them. */

const MILLISECONDS = new Map([
  ["millisecond", 1],
  ["second", 1000],
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
  ["week", 604_800_000],
]);

/** These have no length of their own: what counts is the calendar. */
const MONTHS = new Map([
  ["month", 1],
  ["year", 12],
]);

function written(text: string) {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?([a-z]+?)s?$/.exec(text.trim()) ?? [];
  return amount === undefined || unit === undefined || Number(amount) === 0
    ? undefined
    : { amount: Number(amount), unit };
}

export function isLengthOfTime(text: string): boolean {
  const step = written(text);
  if (step === undefined) return false;
  return MILLISECONDS.has(step.unit) || (MONTHS.has(step.unit) && Number.isInteger(step.amount));
}

/** True if two dates (milliseconds since 1970) lie this far apart, in either order. `text`: a length of time. */
export function isTimeStep(text: string, from: number, to: number): boolean {
  const step = written(text);
  if (step === undefined) return false;
  const months = MONTHS.get(step.unit);
  // The middle of a month is another day in each: what counts is which month it is.
  if (months !== undefined) return Math.abs(monthOf(to) - monthOf(from)) === step.amount * months;
  const length = step.amount * (MILLISECONDS.get(step.unit) ?? NaN);
  return Math.abs(Math.abs(to - from) - length) <= 1e-4 * length;
}

/** Months since the year 0. */
function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/**
 * "1 month", "10 years": the step of dates (milliseconds since 1970), one in each n-th month; `undefined` for others.
 */
export function monthStepText(times: Float64Array): string | undefined {
  const months = [...times].map(monthOf);
  const step = (months[1] ?? NaN) - (months[0] ?? NaN);
  if (!(step > 0) || !months.slice(1).every((month, at) => month - (months[at] ?? NaN) === step)) return undefined;
  return step % 12 === 0 ? countedUnit(step / 12, "year") : countedUnit(step, "month");
}

/** "6 hours": `step` in milliseconds. */
export function timeStepText(step: number): string {
  const size = Math.abs(step);
  const units = [...MILLISECONDS].filter(([name]) => name !== "week");
  const [name, length] = units.findLast(([, one]) => size >= one && size % one === 0) ?? ["millisecond", 1];
  return `${step < 0 ? "−" : ""}${countedUnit(size / length, name)}`;
}

const countedUnit = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** `2026-01-31`, `2026-01-31T06:00`, with a zone or in UTC: milliseconds since 1970. `undefined` for any other text. */
export function timeOf(text: string): number | undefined {
  const [, day, clock = "", zone = ""] = DATE.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const time = Date.parse(clock === "" ? day : `${day}T${clock}${zone === "" ? "Z" : zone}`);
  return Number.isNaN(time) ? undefined : time;
}

const DATE = /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/;
