/** CF attributes and fill values that mislead readers. */
import { about } from "./entry.ts";
import { listed } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";

/** `written`: JSON text, cut where it is long. */
type OddFill = {
  readonly problem: keyof typeof ODD_FILLS;
  readonly written: string;
  readonly dtype: string;
  readonly expected: string | undefined;
  /** The value whose bits it has, where it has another sign. */
  readonly meant?: string | undefined;
};

const MAY_REFUSE = "zarr-python may refuse this array.";

/** `more`: after what is said of each of them. */
const ODD_FILLS = {
  /** No element of the type. */
  misfit: { severity: "warning", more: "", readers: MAY_REFUSE },
  /** 0 where the type has another form. */
  zero: { severity: "info", more: "", readers: "zarr-python reads 0 as an element of zero bytes." },
  "zero-text": {
    severity: "info",
    more: " Refscope reads it as the text “0”.",
    readers:
      "zarr-python 2 also reads the text “0”. zarr-python 3.0 reads an element of zero bytes; later versions refuse the array.",
  },
  /** An imaginary part that is not finite. */
  complex: { severity: "info", more: "", readers: "zarr-python 2 makes its real part NaN; zarr-python 3 keeps it." },
  /** Null, where Zarr v3 requires a value. */
  null: { severity: "warning", more: "", readers: "zarr-python refuses such metadata." },
  /** Zarr v3, no element. */
  "no-bytes": { severity: "warning", more: " Missing chunks have no defined values.", readers: MAY_REFUSE },
  /** Zarr v3, read as zero all the same. */
  loose: { severity: "info", more: " Refscope reads it as zero.", readers: MAY_REFUSE },
} as const;

function oddFillWords({ problem, written, dtype, expected }: OddFill): string {
  if (problem === "null")
    return `The fill_value is null, which Zarr v3 does not allow for ${dtype}: missing chunks have no defined values.`;
  if (problem === "complex")
    return `The fill_value ${written} has an imaginary part that is not finite; Refscope keeps it.`;
  const wanted = expected === undefined ? "" : `: expected ${expected}`;
  return `The fill_value ${written} does not fit the data type ${dtype}${wanted}.${ODD_FILLS[problem].more}`;
}

type FillAttribute = { attribute: string; written: string; dtype: string };

const CONFUSING_FILLS = {
  zero: "fill_value is 0 and there is no _FillValue attribute. In Zarr v2, xarray then uses fill_value as _FillValue and masks every real 0 as missing.",
  overridden: ({ written, fillValue }: { written: string; fillValue: string; isFloat: boolean }) =>
    `The attribute _FillValue is ${written}; fill_value is ${fillValue}. In Zarr v2, xarray uses fill_value instead: it masks ${fillValue} and keeps ${written}.`,
  /** Rounded to the type it is another number. */
  inexact: ({ attribute, written, dtype, nearest }: FillAttribute & { nearest: string }) =>
    `${attribute} ${written} cannot be stored exactly as ${dtype} (nearest number: ${nearest}). With NumPy 2, xarray compares in float64 and masks nothing.`,
  "no-element": ({ attribute, written, dtype }: FillAttribute) =>
    `${attribute} ${written} cannot be a value of type ${dtype}. No element equals it, so xarray masks nothing.`,
  refused: ({ written, expected }: { written: string; expected: "float64" | "integer" }) =>
    `Expected the attribute _FillValue to be ${expected === "float64" ? "a float64 in base64" : "an integer"}; found ${written}. In Zarr v3, xarray does not open the array.`,
  several: ({ attribute, value, missingValue }: { attribute: string; value: string; missingValue: string }) =>
    `${attribute} is ${value}; missing_value is ${missingValue}. xarray warns of several fill values and masks them all.`,
  "not-masked": ({ attribute, value, fillValue }: { attribute: string; value: string; fillValue: string }) =>
    `fill_value is ${fillValue}; ${attribute} is ${value}. Missing chunks read as fill_value, which xarray does not mask in Zarr v3.`,
};

type ConfusingFill = ToldBy<typeof CONFUSING_FILLS>;

const WARNED: ReadonlySet<ConfusingFill["problem"]> = new Set(["overridden", "inexact", "refused"] as const);

function confusingFillRemedy(facts: ConfusingFill): string | undefined {
  if (facts.problem === "overridden") return `Make the two equal${facts.isFloat ? "" : ", in the stored type"}.`;
  if (facts.problem === "zero") return "If 0 is a valid value, set fill_value to null.";
  return facts.problem === "inexact" ? "Write the number as the type stores it." : undefined;
}

const INTEGERS_LOSE = {
  nothing: "",
  missing: ", which cannot hold NaN for missing values",
  fractions: ", without the fractions of the stored values",
} as const;

const CONFUSING_SCALING = {
  "not-a-number": ({ attribute, written }: { attribute: "scale_factor" | "add_offset"; written: string }) =>
    `${attribute} is ${written}, which is not a number. Refscope ignores it.`,
  zero: "scale_factor is 0: every value becomes add_offset.",
  /** `loses`: what integers cannot hold. */
  integer: ({ written, loses }: { written: string; loses: "missing" | "fractions" | undefined }) =>
    `scale_factor is the integer ${written}, and there is no add_offset. xarray then computes in 64-bit integers${INTEGERS_LOSE[loses ?? "nothing"]}. Refscope computes in float64.`,
  twice: ({ codec }: { codec: string }) =>
    `Both the codec ${codec} and the attributes scale_factor and add_offset scale the values.`,
  floats: ({ dtype }: { dtype: string }) =>
    `A floating-point array (${dtype}) has scale_factor and add_offset. They may already have been applied to the stored values.`,
};

type ConfusingScaling = ToldBy<typeof CONFUSING_SCALING>;

const isHarmlessScaling = (facts: ConfusingScaling): boolean =>
  facts.problem === "floats" || (facts.problem === "integer" && facts.loses === undefined);

const SCALING_READERS: Readonly<Record<ConfusingScaling["problem"], string>> = {
  "not-a-number": "xarray fails to scale the values.",
  zero: "xarray returns add_offset for every value.",
  integer: "xarray returns integers, or raises if missing values are masked.",
  twice: "xarray scales twice: by the codec and by the attributes.",
  floats: "xarray applies them, even if they were applied before.",
};

const RANGE_PROBLEMS = {
  "outside-type": ({ limit, dtype }: { limit: number; dtype: string }) =>
    `${limit} cannot be a value of the stored type ${dtype}`,
  reversed: ({ from, to }: { from: number; to: number }) => `it runs from ${from} down to ${to}`,
};

export type RangeProblem = ToldBy<typeof RANGE_PROBLEMS>;

type ConfusingRange = RangeProblem & { readonly packed: boolean };

const CALENDAR_LIMITS = {
  months: () => "count months, which have equal length only in the calendar 360_day",
  common_years: () => "count common years, which only the calendar noleap has",
  nanoseconds: (calendar: string) => `count nanoseconds, which are not possible in the calendar ${calendar}`,
};

type CountedInCalendar = { units: string; countedIn: keyof typeof CALENDAR_LIMITS; calendar: string };

/** `units` and others as written, cut where they are long. */
const TIME_UNITS = {
  form: ({ units }: { units: string }) => `The units "${units}" do not have the form "days since 2000-01-01"`,
  misspelt: ({ units, word }: { units: string; word: string }) =>
    `The units "${units}" have "${word}" where "since" is meant`,
  unit: ({ units, countedIn }: { units: string; countedIn: string }) =>
    `The units "${units}" count in "${countedIn}", which is not a unit of time`,
  calendar: ({ calendar, known }: { calendar: string | undefined; known: readonly string[] }) =>
    `The calendar ${calendar === undefined ? "is not text, so it" : `"${calendar}"`} is not supported (supported: ${listed(known)})`,
  /** The calendar does not have this unit alike. */
  "unit-of-calendar": ({ units, countedIn, calendar }: CountedInCalendar) =>
    `The units "${units}" ${CALENDAR_LIMITS[countedIn](calendar)}`,
  date: ({ date, calendar }: { date: string; calendar: string }) =>
    `The reference date "${date}" is not valid in the calendar ${calendar}`,
  /** xarray may read it. */
  "unknown-form": ({ date }: { date: string }) =>
    `The reference date "${date}" has a form that Refscope does not decode`,
};

export type TimeUnits = ToldBy<typeof TIME_UNITS>;

const { warning, note, graded } = about("metadata");

export const CF = {
  "fill-value-missing": warning<{ version: 2 | 3 }>("Missing fill value", {
    explain: ({ version }) =>
      version === 2
        ? 'The required field "fill_value" is missing and read as null, so missing chunks have no defined values.'
        : 'The required field "fill_value" is missing, so missing chunks have no defined values.',
    remedy: 'Add "fill_value" to the array\'s metadata.',
    readers: "zarr-python refuses such metadata.",
  }),
  "fill-value-odd": graded<OddFill>("Fill value does not match the data type", {
    severity: ({ problem }) => ODD_FILLS[problem].severity,
    explain: oddFillWords,
    remedy: ({ problem, written, dtype, meant }) => {
      if (meant !== undefined) return `Write ${meant}, if the bits of ${written} are meant: as ${dtype} they are that.`;
      return problem === "complex" ? undefined : "Write a fill value of the array's data type.";
    },
    readers: ({ problem }) => ODD_FILLS[problem].readers,
  }),
  "fill-value-confusing": graded<ConfusingFill>("Misleading fill values", {
    severity: ({ problem }) => (WARNED.has(problem) ? "warning" : "info"),
    explain: sentenceOf(CONFUSING_FILLS, "problem"),
    remedy: confusingFillRemedy,
    readers: ({ problem }) =>
      problem === "refused"
        ? "xarray does not open the array; zarr-python returns the stored values."
        : "xarray masks as described; zarr-python returns the stored values.",
  }),
  "scaling-confusing": graded<ConfusingScaling>("Misleading scaling", {
    elements: () => Infinity,
    severity: (facts) => (isHarmlessScaling(facts) ? "info" : "warning"),
    explain: sentenceOf(CONFUSING_SCALING, "problem"),
    remedy: (facts) => {
      if (facts.problem === "integer") return `Write scale_factor as ${facts.written}.0.`;
      return facts.problem === "twice" ? "Remove one of the two." : undefined;
    },
    readers: ({ problem }) => SCALING_READERS[problem],
  }),
  "valid-range-confusing": note<ConfusingRange>("Unusable valid range", {
    explain: (facts) => {
      const packed = facts.packed ? " CF means packed values, before scale_factor and add_offset are applied." : "";
      return `The valid range (valid_range, valid_min, valid_max) does not fit: ${sentenceOf(RANGE_PROBLEMS, "problem")(facts)}.${packed} Refscope does not use it.`;
    },
    remedy: "Write the range in the stored type.",
    readers: "netCDF4-python also ignores it, or masks too much; xarray never masks by it.",
  }),
  "unsigned-ignored": warning<{ written: string; stored: "int" | "uint" }>("Invalid _Unsigned attribute", {
    elements: () => Infinity,
    explain: ({ written, stored }) =>
      `Expected _Unsigned to be "true" or "false"; found ${written}. xarray ignores it and leaves the values ${stored === "int" ? "signed" : "unsigned"}.`,
    remedy: 'Write the text "true" or "false".',
    readers: "xarray returns the values as stored; other readers may convert them.",
  }),
  "time-units": graded<TimeUnits>("Time units cannot be decoded", {
    elements: () => Infinity,
    severity: ({ problem }) => (problem === "unknown-form" ? "info" : "warning"),
    explain: (facts) => `${sentenceOf(TIME_UNITS, "problem")(facts)}. Refscope shows the values as plain numbers.`,
    remedy: ({ problem }) => (problem === "unknown-form" ? undefined : "Correct the units or the calendar."),
    readers: ({ problem }) => {
      if (problem === "misspelt") return "xarray does not take the units for a time, and returns plain numbers.";
      return problem === "unknown-form"
        ? "xarray may decode these dates."
        : "xarray opens the array only with decode_times=False.";
    },
  }),
};
