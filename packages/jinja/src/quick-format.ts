/**
 * The formats that chunk keys and URLs are made with (`'%03d' % i`, `'{:02d}/{}'.format(i, name)`), read once when the
 * template is compiled. They only know small integers, and texts without a width; all else is left to the full formats.
 */
import { PyTuple, type Value } from "./value.ts";

interface Field {
  readonly zero: boolean;
  readonly width: number;
  /** Whether only a number will do. */
  readonly isNumber: boolean;
  /** The text after it. */
  readonly after: string;
}

/** The formatted values; undefined where these are not the values it knows. */
export type QuickFormat = (values: readonly Value[]) => string | undefined;

const PERCENT = /%(0?)(\d{0,2})([ds])/g;
const BRACES = /\{(?::(0?)(\d{0,2})(d))?\}/g;

/** For `format % value`; undefined for formats with anything but plain `%d` and `%s`. */
export function quickPercent(format: string): ((value: Value) => string | undefined) | undefined {
  const quick = quickFormat(format, PERCENT, /%/);
  if (quick === undefined) return undefined;
  return (value) => {
    if (value instanceof PyTuple) return quick(value.items);
    return typeof value === "number" || typeof value === "string" ? quick([value]) : undefined;
  };
}

/** For `format.format(…)`; undefined for formats with anything but `{}` and `{:0Nd}`. */
export const quickBraces = (format: string): QuickFormat | undefined => quickFormat(format, BRACES, /[{}]/);

function quickFormat(format: string, pattern: RegExp, special: RegExp): QuickFormat | undefined {
  const fields: Field[] = [];
  const matches = [...format.matchAll(pattern)];
  const before = format.slice(0, matches[0]?.index ?? format.length);
  for (const [index, match] of matches.entries()) {
    const from = match.index + match[0].length;
    const after = format.slice(from, matches[index + 1]?.index ?? format.length);
    const width = Number(match[2] ?? 0);
    fields.push({ zero: match[1] === "0" && match[3] === "d", width, isNumber: match[3] === "d", after });
  }
  if (fields.length === 0 || [before, ...fields.map((field) => field.after)].some((text) => special.test(text))) {
    return undefined;
  }
  return (values) => (values.length === fields.length ? filled(before, fields, values) : undefined);
}

function filled(before: string, fields: readonly Field[], values: readonly Value[]): string | undefined {
  let text = before;
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index];
    const value = values[index];
    if (field === undefined) return undefined;
    if (typeof value === "number") text += padded(value, field) + field.after;
    else if (typeof value === "string" && !field.isNumber && field.width === 0) text += value + field.after;
    else return undefined;
  }
  return text;
}

function padded(value: number, { zero, width }: Field): string {
  const text = `${value}`;
  if (text.length >= width) return text;
  if (!zero) return text.padStart(width, " ");
  return value < 0 ? `-${text.slice(1).padStart(width - 1, "0")}` : text.padStart(width, "0");
}
