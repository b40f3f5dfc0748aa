/** Templates and gen: errors in rendering a Version 1 document, and probable mistakes. */
import type { FsspecStep, GenOrigin } from "#core/table/version1.ts";
import { type Place, placeText } from "#core/findings/fact.ts";
import { about } from "../entry.ts";
import { count, counted, cut, listed, quoted } from "#core/words.ts";

const ALL_IS_REFUSED = "fsspec generates all references before it returns any, so it opens nothing of the dataset.";
const RENDERS_NOTHING = "fsspec and nunjucks silently render nothing in its place.";
const OURS = "This is Refscope's own limit: fsspec continues as long as it has time and memory.";

/** Python's own words for an error, or the limit at which only Refscope stops. */
type Raised = {
  /** Python's exception class; absent where Python would not raise. */
  readonly raises: string | undefined;
  /** `budget`: Python would go on for longer. `unsupported`: legal there and not built here. */
  readonly limit: "budget" | "unsupported" | undefined;
  readonly error: string;
  /** Step at which fsspec raises; absent if it reads the document. */
  readonly step?: FsspecStep;
};

type Variables = GenOrigin["variables"];
type Origin = {
  readonly gen: number;
  readonly variables: readonly { readonly name: string; readonly value: string }[];
};

const CONSEQUENCES = {
  budget: "fsspec would continue; Refscope does not.",
  unsupported: "fsspec may render it; Refscope does not guess.",
};

/** "ZeroDivisionError: division by zero. fsspec rejects the whole dataset." */
function raisedWords({ raises, limit, error }: Raised): string {
  const text = raises === undefined ? error : `${raises}: ${error}`;
  const follows = limit === undefined ? "fsspec rejects the whole dataset." : CONSEQUENCES[limit];
  return `${text}${/[.!?]$/.test(text) ? "" : "."} ${follows}`;
}

const raisedReaders = ({ limit }: Raised): string => (limit === undefined ? ALL_IS_REFUSED : OURS);

function variablesText(variables: Variables, mark = " = "): string {
  return variables.map(({ name, value }) => `${name}${mark}${cut(value, 60)}`).join(", ");
}

/** `gen[0].url`; nothing at a place in the text, which is shown by itself. */
function subject(place: Place): string {
  if (place.kind === "gen") return placeText(place);
  return place.kind === "target" ? `The URL ${quoted(place.target)}` : "The template";
}

function originText({ gen, variables }: Origin): string {
  return `gen[${gen}]${variables.length === 0 ? "" : ` (${variablesText(variables)})`}`;
}

/** `known`: names that are given at the place, the first few; `nearest`: the one that was probably meant. */
type NameFacts = {
  readonly name: string;
  readonly known: readonly string[];
  readonly nearest: string | undefined;
  /** The function template whose argument it is. */
  readonly template?: string;
  /** Python's exception where rendering fails on it. */
  readonly raises?: string | undefined;
  /** The same in fsspec's default mode. */
  readonly raisesByDefault?: string | undefined;
};

const { error, warning, note, graded } = about("document");
const references = about("references");
const raising = about("document", { readers: raisedReaders });

export const TEMPLATE = {
  /** `member`: of the document. */
  "template-fails": raising.error<Raised & { member: "templates"; name: string | undefined }>(
    "Template cannot be read",
    {
      explain: (facts) =>
        `Reading ${facts.name === undefined ? "the templates" : `the template ${quoted(facts.name)}`}: ${raisedWords(facts)}`,
    },
  ),
  "url-fails": raising.error<Raised>("URL cannot be rendered", {
    explain: (facts, place) =>
      `Rendering ${place.kind === "target" ? `the URL ${quoted(place.target)}` : "the URL"}: ${raisedWords(facts)}`,
  }),
  /** `variables`: values of the dimensions with which it fails. `member`: where all of `gen` cannot be walked. */
  "gen-fails": raising.error<Raised & { variables: Variables; member?: "gen" }>("gen cannot be rendered", {
    explain: (facts, place) => {
      const what = facts.member === undefined ? "Generating references" : "Reading gen";
      const where = place.kind === "gen" ? ` from ${placeText(place)}` : "";
      const values = facts.variables.length === 0 ? "" : ` for ${variablesText(facts.variables)}`;
      return `${what}${where}${values}: ${raisedWords(facts)}`;
    },
  }),
  "not-an-integer": error<Raised & { field: string; rendered: string; variables: Variables }>(
    "Offset or length is not an integer",
    {
      explain: (facts) => {
        const values = facts.variables.length === 0 ? "" : ` for ${variablesText(facts.variables)}`;
        return `“${facts.field}” renders to ${JSON.stringify(cut(facts.rendered, 80))}${values}, which is not an integer. ${raisedWords(facts)}`;
      },
      remedy: ({ rendered }) =>
        /^-?\d+\.\d*$/.test(rendered)
          ? "Divide with // instead of /, or add | int."
          : "Correct the template so that it renders only digits.",
      readers: ALL_IS_REFUSED,
    },
  ),
  "reference-fails": references.error<Raised & { url: string | undefined }>("Reference cannot be generated", {
    explain: (facts, place) =>
      `Generating the reference${place.kind === "key" ? ` ${quoted(place.key)}` : ""}${facts.url === undefined ? "" : ` to the URL ${quoted(facts.url)}`}: ${raisedWords(facts)}`,
    readers: raisedReaders,
  }),
  "gen-too-large": error<{ member: "gen"; references: bigint; limit: number }>("gen produces too many references", {
    explain: ({ references, limit }) =>
      `gen would produce ${count(references)} references. Refscope generates at most ${count(limit)}, so it generated none.`,
    remedy: "Raise the limit (--most N in a terminal), or check start, stop and step of the dimensions.",
    readers: OURS,
    action: "limit",
  }),
  "gen-too-much-text": error<{ member: "gen"; made: number; limit: number }>("gen produces too much text", {
    explain: ({ made, limit }) =>
      `gen was stopped after ${counted(made, "reference")}, because their keys and URLs have more than ${count(limit)} characters.`,
    remedy: "Check for repetition in the templates of key and url.",
    readers: OURS,
  }),
  "gen-overrides": references.note("gen overrides a reference in refs", {
    explain:
      "“gen” produces a reference for a key that is also in “refs”. The generated one counts, at the place of the written one.",
    readers: "fsspec does the same.",
  }),
  "gen-collision": references.warning<{ earlier: Origin | undefined; later: Origin | undefined }>(
    "gen produces a key twice",
    {
      explain: ({ earlier, later }) => {
        const both = [earlier, later].map((origin) => (origin === undefined ? "an entry" : originText(origin)));
        return `${listed(both)} produce the same key; the later one counts, as in Python.`;
      },
      remedy: "Correct the key's template so that every combination of the dimensions gives a different key.",
      readers: "fsspec silently keeps the later one.",
    },
  ),
  /** Values of the dimension `name`, and the chunks of the array along the dimension that its keys name. */
  "gen-range-short": references.warning<{
    name: string;
    first: number;
    last: number;
    step: number;
    count: number;
    chunks: number;
    dimension: string | number;
    /** Chunks of the array without a reference. */
    missing: number;
  }>("gen skips chunks", {
    explain: ({ name, first, last, step, count: values, chunks, dimension, missing }, place) => {
      const range = `${quoted(name, 40)} in ${placeText(place)} runs from ${count(first)} to ${count(last)}${step === 1 ? "" : ` in steps of ${count(step)}`}`;
      const along = typeof dimension === "number" ? `dimension ${dimension}` : quoted(dimension, 60);
      return `${range} (${counted(values, "value")}), but the array has ${counted(chunks, "chunk")} along ${along}. ${counted(missing, "chunk")} of the array ${missing === 1 ? "has" : "have"} no reference.`;
    },
    remedy: ({ name, chunks, step }) =>
      `${step === 1 ? "" : "Set its step to 1. "}Set “stop” of ${quoted(name, 40)} to ${count(chunks)}, or correct the array's shape.`,
    readers: "Readers treat the skipped chunks as missing, and return the fill value.",
    question: "complete",
  }),
  "gen-dropped": warning<{ entries: number }>("gen is dropped", {
    explain: ({ entries }) =>
      `fsspec's default mode (simple_templates=True) silently drops the document's gen (${counted(entries, "entry", "entries")}) and generates no references from it.`,
    remedy: "Pass simple_templates=False, or give readers the rendered Version 0.",
    readers: "fsspec opens the dataset without these references: their chunks read as the fill value.",
  }),
  "name-undefined": graded<NameFacts>("Undefined name", {
    severity: ({ raises }) => (raises === undefined ? "warning" : "error"),
    explain: ({ name, template, raises, raisesByDefault }) => {
      if (template !== undefined) {
        return `No call of ${quoted(template)} passes ${quoted(name)}, so it renders as nothing. A template with “{{” is a function and sees only its keyword arguments.`;
      }
      const what = "neither a template, a dimension nor a Jinja2 name";
      if (raises !== undefined) {
        return `${raises}: '${name}' is undefined, ${what}. fsspec rejects the whole dataset.`;
      }
      const byDefault = raisesByDefault === undefined ? "" : `, and fsspec's default mode raises ${raisesByDefault}`;
      return `Unknown name ${quoted(name)}; it renders as empty text${byDefault}.`;
    },
    remedy: ({ name, template, nearest, known }) => {
      if (template !== undefined) return `Write {{ ${template}(${name}=…) }} where it is used.`;
      if (nearest !== undefined) return `Did you mean “${nearest}”?`;
      if (known.length === 0) return "Add a template: the document has none, so no names are defined.";
      return `Use one of the known names: ${known.slice(0, 10).join(", ")}${known.length > 10 ? ", …" : ""}.`;
    },
    readers: ({ raises }) => (raises === undefined ? RENDERS_NOTHING : ALL_IS_REFUSED),
  }),
  /** `isTemplate`: there is a template of that name. */
  "argument-missing": warning<{ template: string; name: string; isTemplate: boolean }>(
    "Template called without an argument",
    {
      explain: ({ template, name, isTemplate }) => {
        const why = isTemplate
          ? `${quoted(name)} is a template, but a function template sees only its keyword arguments`
          : `the call does not pass ${quoted(name)}`;
        return `The template ${quoted(template)} uses the name ${quoted(name)}, but ${why.replace(", but ", ", and ")}. It renders as nothing.`;
      },
      remedy: ({ template, name }) => `Write {{ ${template}(${name}=…) }}.`,
      readers: RENDERS_NOTHING,
    },
  ),
  /** `functions`: names of the first few templates that are functions. */
  "function-not-called": warning<{ functions: readonly string[] }>("Template printed instead of called", {
    explain: ({ functions }, place) =>
      `${subject(place)} prints a function. A template that contains “{{” (here ${functions.map((name) => quoted(name)).join(", ")}) is a function and must be called.`,
    remedy: ({ functions: [first = "f"] }) => `Write {{ ${first}() }}, with its arguments as keywords.`,
    readers: "fsspec writes Python's text for the function, with a changing memory address, into the URL or key.",
  }),
  "overrides-ignored": note("Templates given but not used", {
    explain: "The document is Version 0, which has no templates. Refscope ignores the ones you gave, as fsspec does.",
    readers: "fsspec also ignores template_overrides for Version 0.",
  }),
};
