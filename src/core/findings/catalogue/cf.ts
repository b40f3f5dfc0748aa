/** CF attributes and fill values that mislead readers, or are read otherwise than they are meant. */
import { about } from "./entry.ts";
import { listed } from "../../words.ts";

/** `written`: JSON text, cut where it is long. */
type OddFill = {
  /**
   * `misfit`: no element of the type; `zero` and `zero-text`: 0 where the type has another form; `complex`: an imaginary
   * part that is not finite; `null`: where Zarr v3 wants a value; `no-bytes`: Zarr v3, no element; `loose`: Zarr v3, read
   * as zero all the same.
   */
  readonly problem: "misfit" | "zero" | "zero-text" | "complex" | "null" | "no-bytes" | "loose";
  readonly written: string;
  readonly dtype: string;
  readonly expected: string | undefined;
};

const INFORMING: ReadonlySet<OddFill["problem"]> = new Set<OddFill["problem"]>([
  "zero",
  "zero-text",
  "complex",
  "loose",
]);

function oddFillWords({ problem, written, dtype, expected }: OddFill): string {
  if (problem === "null")
    return `The fill_value is null, which Zarr v3 does not allow for ${dtype}: missing chunks have no defined values.`;
  if (problem === "complex")
    return `The fill_value ${written} has an imaginary part that is not finite; Refscope keeps it.`;
  const wanted = expected === undefined ? "" : `: expected ${expected}`;
  const misfit = `The fill_value ${written} does not fit the data type ${dtype}${wanted}`;
  if (problem === "no-bytes") return `${misfit}. Missing chunks have no defined values.`;
  if (problem === "loose") return `${misfit}. It is read as zero.`;
  if (problem === "zero-text") return `${misfit}. It is read as the text “0”.`;
  return `${misfit}.`;
}

const ODD_FILL_READERS: Readonly<Record<OddFill["problem"], string>> = {
  misfit: "zarr-python may refuse this array.",
  zero: "zarr-python takes 0 as an element of zero bytes.",
  "zero-text":
    "zarr-python 2 reads the text “0”, too; zarr-python 3.0 reads an element of zero bytes, and later versions refuse the array.",
  complex: "zarr-python 2 makes its real part NaN; zarr-python 3 keeps it.",
  null: "zarr-python refuses such metadata.",
  "no-bytes": "zarr-python may refuse this array.",
  loose: "zarr-python may refuse this array.",
};

type ConfusingFill =
  | { readonly problem: "zero" }
  | { readonly problem: "overridden"; readonly written: string; readonly fillValue: string; readonly isFloat: boolean }
  /** Rounded to the type it is another number. */
  | {
      readonly problem: "inexact";
      readonly attribute: string;
      readonly written: string;
      readonly dtype: string;
      readonly nearest: string;
    }
  | { readonly problem: "no-element"; readonly attribute: string; readonly written: string; readonly dtype: string }
  | { readonly problem: "refused"; readonly written: string; readonly expected: "float64" | "integer" }
  | { readonly problem: "several"; readonly attribute: string; readonly value: string; readonly missingValue: string }
  | { readonly problem: "not-masked"; readonly attribute: string; readonly value: string; readonly fillValue: string };

function confusingFillWords(facts: ConfusingFill): string {
  switch (facts.problem) {
    case "zero":
      return "fill_value is 0 and there is no _FillValue attribute. In Zarr v2, xarray then uses fill_value as _FillValue and masks every real 0 as missing.";
    case "overridden":
      return `The attribute _FillValue is ${facts.written}, fill_value is ${facts.fillValue}: in Zarr v2 xarray takes the fill_value in its place, so that ${facts.fillValue} is missing and ${facts.written} is not.`;
    case "inexact":
      return `${facts.attribute} ${facts.written} cannot be stored exactly as ${facts.dtype} (the nearest number is ${facts.nearest}): xarray compares in float64 with NumPy 2, and masks nothing.`;
    case "no-element":
      return `${facts.attribute} ${facts.written} cannot be an element of the type ${facts.dtype}: no element equals it, and xarray masks nothing.`;
    case "refused":
      return `The attribute _FillValue is ${facts.written}: in Zarr v3 xarray expects ${facts.expected === "float64" ? "a float64 in base64" : "an integer"}, and does not open the array.`;
    case "several":
      return `${facts.attribute} is ${facts.value}, missing_value is ${facts.missingValue}: xarray warns of several fill values and masks them all.`;
    case "not-masked":
      return `fill_value is ${facts.fillValue}, ${facts.attribute} is ${facts.value}: missing chunks read as the first, which xarray does not mask in Zarr v3.`;
  }
}

const WARNED: ReadonlySet<ConfusingFill["problem"]> = new Set<ConfusingFill["problem"]>([
  "overridden",
  "inexact",
  "refused",
]);

const CONFUSING_FILL_REMEDIES: Partial<Readonly<Record<ConfusingFill["problem"], string>>> = {
  zero: "Set fill_value to null where 0 is a value.",
  inexact: "Write the number that the type stores.",
};

type ConfusingScaling =
  | { readonly problem: "not-a-number"; readonly attribute: "scale_factor" | "add_offset"; readonly written: string }
  | { readonly problem: "zero" }
  /** `loses`: what integers cannot hold. */
  | { readonly problem: "integer"; readonly written: string; readonly loses: "missing" | "fractions" | undefined }
  | { readonly problem: "twice"; readonly codec: string }
  | { readonly problem: "floats"; readonly dtype: string };

const INTEGERS_LOSE = {
  nothing: "",
  missing: ", which cannot hold NaN for missing values",
  fractions: ", without the fractions of the stored values",
} as const;

function confusingScalingWords(facts: ConfusingScaling): string {
  switch (facts.problem) {
    case "not-a-number":
      return `${facts.attribute} is ${facts.written}, which is not a number; it is ignored here.`;
    case "zero":
      return "scale_factor is 0: every value becomes add_offset.";
    case "integer":
      return `scale_factor is ${facts.written}, an integer, and there is no add_offset: xarray computes in integers of 64 bits${INTEGERS_LOSE[facts.loses ?? "nothing"]}. Refscope computes in float64.`;
    case "twice":
      return `Both the codec ${facts.codec} and the attributes scale_factor and add_offset scale the values.`;
    case "floats":
      return `An array of floats (${facts.dtype}) has scale_factor and add_offset: they may have been applied before the values were stored.`;
  }
}

const isHarmlessScaling = (facts: ConfusingScaling): boolean =>
  facts.problem === "floats" || (facts.problem === "integer" && facts.loses === undefined);

const SCALING_READERS: Readonly<Record<ConfusingScaling["problem"], string>> = {
  "not-a-number": "xarray fails to scale the values.",
  zero: "xarray gives add_offset for every value.",
  integer: "xarray gives integers, or raises where missing values are masked.",
  twice: "xarray scales twice: once by the codec and once by the attributes.",
  floats: "xarray applies them, whether or not this was done before.",
};

export type RangeProblem =
  | { readonly problem: "outside-type"; readonly limit: number; readonly dtype: string }
  | { readonly problem: "reversed"; readonly from: number; readonly to: number };

type ConfusingRange = RangeProblem & { readonly packed: boolean };

/** `units` and others as written, cut where they are long. */
export type TimeUnits =
  | { readonly problem: "form"; readonly units: string }
  | { readonly problem: "unit"; readonly units: string; readonly countedIn: string }
  | { readonly problem: "calendar"; readonly calendar: string | undefined; readonly known: readonly string[] }
  /** The calendar does not have this unit alike. */
  | {
      readonly problem: "unit-of-calendar";
      readonly units: string;
      readonly countedIn: "months" | "common_years" | "nanoseconds";
      readonly calendar: string;
    }
  | { readonly problem: "date"; readonly date: string; readonly calendar: string }
  /** xarray may read it. */
  | { readonly problem: "unknown-form"; readonly date: string };

const CALENDAR_LIMITS = {
  months: () => "count months, which have equal lengths only in the calendar 360_day",
  common_years: () => "count common years, which only the calendar noleap has",
  nanoseconds: (calendar: string) => `count nanoseconds, which are not possible in the calendar ${calendar}`,
};

function timeUnitsWords(facts: TimeUnits): string {
  switch (facts.problem) {
    case "form":
      return `The units "${facts.units}" are not of the form "days since 2000-01-01"`;
    case "unit":
      return `The units "${facts.units}" count in "${facts.countedIn}", which is not a unit of time`;
    case "calendar":
      return `The calendar ${facts.calendar === undefined ? "is not text, so it" : `"${facts.calendar}"`} is not one of those that are decoded (${listed(facts.known)})`;
    case "unit-of-calendar":
      return `The units "${facts.units}" ${CALENDAR_LIMITS[facts.countedIn](facts.calendar)}`;
    case "date":
      return `The reference date "${facts.date}" cannot be understood in the calendar ${facts.calendar}`;
    case "unknown-form":
      return `The reference date "${facts.date}" is of a form that Refscope does not decode`;
  }
}

const { warning, note, graded } = about("metadata");

export const CF = {
  "fill-value-missing": warning<{ readonly version: 2 | 3 }>({
    title: "The fill value is missing",
    explain: ({ version }) =>
      version === 2
        ? 'The required member "fill_value" is absent and read as null: missing chunks have no defined values.'
        : 'The required member "fill_value" is absent: missing chunks have no defined values.',
    remedy: 'Add "fill_value" to the array\'s metadata.',
    readers: "zarr-python refuses such metadata.",
  }),
  "fill-value-odd": graded<OddFill>({
    title: "Fill value does not match the data type",
    severity: ({ problem }) => (INFORMING.has(problem) ? "info" : "warning"),
    explain: oddFillWords,
    remedy: ({ problem }) => (problem === "complex" ? undefined : "Write a fill value of the array's data type."),
    readers: ({ problem }) => ODD_FILL_READERS[problem],
  }),
  "fill-value-confusing": graded<ConfusingFill>({
    title: "Misleading fill values",
    severity: ({ problem }) => (WARNED.has(problem) ? "warning" : "info"),
    explain: confusingFillWords,
    remedy: (facts) =>
      facts.problem === "overridden"
        ? `Make the two equal${facts.isFloat ? "" : ", in the stored type"}.`
        : CONFUSING_FILL_REMEDIES[facts.problem],
    readers: ({ problem }) =>
      problem === "refused"
        ? "xarray does not open the array; zarr-python gives the stored values."
        : "xarray masks as described here; zarr-python gives the stored values.",
  }),
  "scaling-confusing": graded<ConfusingScaling>({
    title: "Misleading scaling",
    severity: (facts) => (isHarmlessScaling(facts) ? "info" : "warning"),
    explain: confusingScalingWords,
    remedy: (facts) => {
      if (facts.problem === "integer") return `Write scale_factor as ${facts.written}.0.`;
      return facts.problem === "twice" ? "Remove one of the two." : undefined;
    },
    readers: ({ problem }) => SCALING_READERS[problem],
  }),
  "valid-range-confusing": note<ConfusingRange>({
    title: "Unusable valid range",
    explain: (facts) => {
      const problem =
        facts.problem === "outside-type"
          ? `${facts.limit} cannot be a value of the stored type ${facts.dtype}`
          : `it runs from ${facts.from} down to ${facts.to}`;
      const packed = facts.packed ? " CF means packed values, before scale_factor and add_offset." : "";
      return `The valid range (valid_range, valid_min, valid_max) does not fit: ${problem}.${packed} It is not used here.`;
    },
    remedy: "Write the range in the stored type.",
    readers: "netCDF4-python does not use it either, or masks too much; xarray never masks by it.",
  }),
  "unsigned-ignored": warning<{ readonly written: string; readonly stored: "int" | "uint" }>({
    title: "_Unsigned is ignored",
    explain: ({ written, stored }) =>
      `_Unsigned is ${written}: xarray knows only the texts "true" and "false", and leaves the values ${stored === "int" ? "signed" : "unsigned"}.`,
    remedy: 'Write the text "true" or "false".',
    readers: "xarray leaves the values as they are stored; other readers may convert them.",
  }),
  "time-units": graded<TimeUnits>({
    title: "Time units cannot be decoded",
    severity: ({ problem }) => (problem === "unknown-form" ? "info" : "warning"),
    explain: (facts) => `${timeUnitsWords(facts)}. Refscope shows the values as plain numbers.`,
    remedy: ({ problem }) => (problem === "unknown-form" ? undefined : "Correct the units or the calendar."),
    readers: ({ problem }) =>
      problem === "unknown-form" ? "xarray may read dates." : "xarray opens the array only with decode_times=False.",
  }),
};
