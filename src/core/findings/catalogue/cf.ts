/** CF attributes and fill values that mislead readers. */
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
  if (problem === "loose") return `${misfit}. Refscope reads it as zero.`;
  if (problem === "zero-text") return `${misfit}. Refscope reads it as the text “0”.`;
  return `${misfit}.`;
}

const ODD_FILL_READERS: Readonly<Record<OddFill["problem"], string>> = {
  misfit: "zarr-python may refuse this array.",
  zero: "zarr-python reads 0 as an element of zero bytes.",
  "zero-text":
    "zarr-python 2 also reads the text “0”. zarr-python 3.0 reads an element of zero bytes; later versions refuse the array.",
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
      return `The attribute _FillValue is ${facts.written}; fill_value is ${facts.fillValue}. In Zarr v2, xarray uses fill_value instead: it masks ${facts.fillValue} and keeps ${facts.written}.`;
    case "inexact":
      return `${facts.attribute} ${facts.written} cannot be stored exactly as ${facts.dtype} (nearest number: ${facts.nearest}). With NumPy 2, xarray compares in float64 and masks nothing.`;
    case "no-element":
      return `${facts.attribute} ${facts.written} cannot be a value of type ${facts.dtype}. No element equals it, so xarray masks nothing.`;
    case "refused":
      return `Expected the attribute _FillValue to be ${facts.expected === "float64" ? "a float64 in base64" : "an integer"}; found ${facts.written}. In Zarr v3, xarray does not open the array.`;
    case "several":
      return `${facts.attribute} is ${facts.value}; missing_value is ${facts.missingValue}. xarray warns of several fill values and masks them all.`;
    case "not-masked":
      return `fill_value is ${facts.fillValue}; ${facts.attribute} is ${facts.value}. Missing chunks read as fill_value, which xarray does not mask in Zarr v3.`;
  }
}

const WARNED: ReadonlySet<ConfusingFill["problem"]> = new Set<ConfusingFill["problem"]>([
  "overridden",
  "inexact",
  "refused",
]);

const CONFUSING_FILL_REMEDIES: Partial<Readonly<Record<ConfusingFill["problem"], string>>> = {
  zero: "If 0 is a valid value, set fill_value to null.",
  inexact: "Write the number as the type stores it.",
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
      return `${facts.attribute} is ${facts.written}, which is not a number. Refscope ignores it.`;
    case "zero":
      return "scale_factor is 0: every value becomes add_offset.";
    case "integer":
      return `scale_factor is the integer ${facts.written}, and there is no add_offset. xarray then computes in 64-bit integers${INTEGERS_LOSE[facts.loses ?? "nothing"]}. Refscope computes in float64.`;
    case "twice":
      return `Both the codec ${facts.codec} and the attributes scale_factor and add_offset scale the values.`;
    case "floats":
      return `A floating-point array (${facts.dtype}) has scale_factor and add_offset. They may already have been applied to the stored values.`;
  }
}

const isHarmlessScaling = (facts: ConfusingScaling): boolean =>
  facts.problem === "floats" || (facts.problem === "integer" && facts.loses === undefined);

const SCALING_READERS: Readonly<Record<ConfusingScaling["problem"], string>> = {
  "not-a-number": "xarray fails to scale the values.",
  zero: "xarray returns add_offset for every value.",
  integer: "xarray returns integers, or raises if missing values are masked.",
  twice: "xarray scales twice: by the codec and by the attributes.",
  floats: "xarray applies them, even if they were applied before.",
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
  months: () => "count months, which have equal length only in the calendar 360_day",
  common_years: () => "count common years, which only the calendar noleap has",
  nanoseconds: (calendar: string) => `count nanoseconds, which are not possible in the calendar ${calendar}`,
};

function timeUnitsWords(facts: TimeUnits): string {
  switch (facts.problem) {
    case "form":
      return `The units "${facts.units}" do not have the form "days since 2000-01-01"`;
    case "unit":
      return `The units "${facts.units}" count in "${facts.countedIn}", which is not a unit of time`;
    case "calendar":
      return `The calendar ${facts.calendar === undefined ? "is not text, so it" : `"${facts.calendar}"`} is not supported (supported: ${listed(facts.known)})`;
    case "unit-of-calendar":
      return `The units "${facts.units}" ${CALENDAR_LIMITS[facts.countedIn](facts.calendar)}`;
    case "date":
      return `The reference date "${facts.date}" is not valid in the calendar ${facts.calendar}`;
    case "unknown-form":
      return `The reference date "${facts.date}" has a form that Refscope does not decode`;
  }
}

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
    severity: ({ problem }) => (INFORMING.has(problem) ? "info" : "warning"),
    explain: oddFillWords,
    remedy: ({ problem }) => (problem === "complex" ? undefined : "Write a fill value of the array's data type."),
    readers: ({ problem }) => ODD_FILL_READERS[problem],
  }),
  "fill-value-confusing": graded<ConfusingFill>("Misleading fill values", {
    severity: ({ problem }) => (WARNED.has(problem) ? "warning" : "info"),
    explain: confusingFillWords,
    remedy: (facts) =>
      facts.problem === "overridden"
        ? `Make the two equal${facts.isFloat ? "" : ", in the stored type"}.`
        : CONFUSING_FILL_REMEDIES[facts.problem],
    readers: ({ problem }) =>
      problem === "refused"
        ? "xarray does not open the array; zarr-python returns the stored values."
        : "xarray masks as described; zarr-python returns the stored values.",
  }),
  "scaling-confusing": graded<ConfusingScaling>("Misleading scaling", {
    severity: (facts) => (isHarmlessScaling(facts) ? "info" : "warning"),
    explain: confusingScalingWords,
    remedy: (facts) => {
      if (facts.problem === "integer") return `Write scale_factor as ${facts.written}.0.`;
      return facts.problem === "twice" ? "Remove one of the two." : undefined;
    },
    readers: ({ problem }) => SCALING_READERS[problem],
  }),
  "valid-range-confusing": note<ConfusingRange>("Unusable valid range", {
    explain: (facts) => {
      const problem =
        facts.problem === "outside-type"
          ? `${facts.limit} cannot be a value of the stored type ${facts.dtype}`
          : `it runs from ${facts.from} down to ${facts.to}`;
      const packed = facts.packed ? " CF means packed values, before scale_factor and add_offset are applied." : "";
      return `The valid range (valid_range, valid_min, valid_max) does not fit: ${problem}.${packed} Refscope does not use it.`;
    },
    remedy: "Write the range in the stored type.",
    readers: "netCDF4-python also ignores it, or masks too much; xarray never masks by it.",
  }),
  "unsigned-ignored": warning<{ written: string; stored: "int" | "uint" }>("Invalid _Unsigned attribute", {
    explain: ({ written, stored }) =>
      `Expected _Unsigned to be "true" or "false"; found ${written}. xarray ignores it and leaves the values ${stored === "int" ? "signed" : "unsigned"}.`,
    remedy: 'Write the text "true" or "false".',
    readers: "xarray returns the values as stored; other readers may convert them.",
  }),
  "time-units": graded<TimeUnits>("Time units cannot be decoded", {
    severity: ({ problem }) => (problem === "unknown-form" ? "info" : "warning"),
    explain: (facts) => `${timeUnitsWords(facts)}. Refscope shows the values as plain numbers.`,
    remedy: ({ problem }) => (problem === "unknown-form" ? undefined : "Correct the units or the calendar."),
    readers: ({ problem }) =>
      problem === "unknown-form"
        ? "xarray may decode these dates."
        : "xarray opens the array only with decode_times=False.",
  }),
};
