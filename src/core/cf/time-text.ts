/** datetime64 and timedelta64 as text, as NumPy writes them. */
import { floorDivide, modulo } from "../basics.ts";

export const NOT_A_TIME = -(2n ** 63n);

interface Unit {
  readonly name: string;
  /** Counts in a day, or days in a count (negative). Years and months have neither. */
  readonly perDay?: bigint;
  readonly days?: bigint;
  /** Digits after the second; -1 = no seconds, -2 = no minutes. */
  readonly digits?: number;
}

const SECONDS = 86_400n;
const UNITS = new Map<string, Unit>([
  ["Y", { name: "years" }],
  ["M", { name: "months" }],
  ["W", { name: "weeks", days: 7n }],
  ["D", { name: "days", days: 1n }],
  ["h", { name: "hours", perDay: 24n, digits: -2 }],
  ["m", { name: "minutes", perDay: 1440n, digits: -1 }],
  ["s", { name: "seconds", perDay: SECONDS, digits: 0 }],
  ["ms", { name: "milliseconds", perDay: SECONDS * 10n ** 3n, digits: 3 }],
  ["us", { name: "microseconds", perDay: SECONDS * 10n ** 6n, digits: 6 }],
  ["μs", { name: "microseconds", perDay: SECONDS * 10n ** 6n, digits: 6 }],
  ["ns", { name: "nanoseconds", perDay: SECONDS * 10n ** 9n, digits: 9 }],
  ["ps", { name: "picoseconds", perDay: SECONDS * 10n ** 12n, digits: 12 }],
  ["fs", { name: "femtoseconds", perDay: SECONDS * 10n ** 15n, digits: 15 }],
  ["as", { name: "attoseconds", perDay: SECONDS * 10n ** 18n, digits: 18 }],
]);

function parseUnit(text: string | undefined): { readonly multiple: bigint; readonly unit: Unit | undefined } {
  const [, digits = "", name = ""] = /^(\d*)(.*)$/.exec(text ?? "") ?? [];
  return { multiple: digits === "" ? 1n : BigInt(digits), unit: UNITS.get(name) };
}

/**
 * ISO 8601 as far as the unit reaches: `1970-01-01T00:00:00.000000000`, `1970-01`; `NaT`; the count where there is no
 * unit.
 */
export function datetimeText(count: bigint, unitText: string | undefined): string {
  if (count === NOT_A_TIME) return "NaT";
  const { multiple, unit } = parseUnit(unitText);
  if (unit === undefined) return String(count);
  const total = count * multiple;
  if (unit.name === "years") return yearText(1970n + total);
  if (unit.name === "months") return `${yearText(1970n + floorDivide(total, 12n))}-${two(modulo(total, 12n) + 1n)}`;
  if (unit.days !== undefined) return dateText(total * unit.days);
  const perDay = unit.perDay ?? 1n;
  return `${dateText(floorDivide(total, perDay))}T${clockText(modulo(total, perDay), perDay, unit.digits ?? 0)}`;
}

/** `-5 seconds`; `NaT`; the count where there is no unit. */
export function timedeltaText(count: bigint, unitText: string | undefined): string {
  if (count === NOT_A_TIME) return "NaT";
  const { multiple, unit } = parseUnit(unitText);
  return unit === undefined ? String(count) : `${count * multiple} ${unit.name}`;
}

function clockText(count: bigint, perDay: bigint, digits: number): string {
  const hours = (count * 24n) / perDay;
  if (digits === -2) return two(hours);
  const minutes = ((count * 1440n) / perDay) % 60n;
  if (digits === -1) return `${two(hours)}:${two(minutes)}`;
  const perSecond = perDay / SECONDS;
  const fraction = digits === 0 ? "" : `.${String(count % perSecond).padStart(digits, "0")}`;
  return `${two(hours)}:${two(minutes)}:${two((count / perSecond) % 60n)}${fraction}`;
}

/** Days since 1970-01-01 in the Gregorian calendar carried on for ever, by eras of 400 years that begin on 1 March. */
function dateText(days: bigint): string {
  const shifted = days + 719_468n;
  const era = floorDivide(shifted, 146_097n);
  const day = modulo(shifted, 146_097n);
  const year = (day - day / 1460n + day / 36_524n - day / 146_096n) / 365n;
  const dayOfYear = day - (365n * year + year / 4n - year / 100n);
  const march = (5n * dayOfYear + 2n) / 153n;
  const month = march < 10n ? march + 3n : march - 9n;
  const dayOfMonth = dayOfYear - (153n * march + 2n) / 5n + 1n;
  return `${yearText(year + era * 400n + (month <= 2n ? 1n : 0n))}-${two(month)}-${two(dayOfMonth)}`;
}

function yearText(year: bigint): string {
  return year < 0n ? `-${String(-year).padStart(4, "0")}` : String(year).padStart(4, "0");
}

const two = (value: bigint): string => String(value).padStart(2, "0");
