/** Templates and gen: what rendering a Version 1 document raises, and what was probably not meant. */
import type { FsspecStep, GenOrigin } from "../../../table/version1.ts";
import { placeText, type Place } from "../../place.ts";
import { about } from "../entry.ts";
import { count, counted, cut, listed, quoted } from "../../../words.ts";

const ALL_IS_REFUSED = "fsspec makes all references before it gives any: it opens nothing of the set.";
const RENDERS_NOTHING = "fsspec and nunjucks silently render nothing in its place.";
const OURS = "This is Refscope's own limit: fsspec continues for as long as time and memory suffice.";

/** What Python raises, in its own words; or what stops Refscope alone. */
type Raised = {
  /** Python's exception class; absent where Python would not raise. */
  readonly raises: string | undefined;
  /** `budget`: Python would go on for longer. `unsupported`: legal there and not built here. */
  readonly limit: "budget" | "unsupported" | undefined;
  readonly error: string;
  /** Where fsspec raises; absent where it reads the document. */
  readonly step?: FsspecStep;
};

type Variables = GenOrigin["variables"];
type Origin = {
  readonly gen: number;
  readonly variables: readonly { readonly name: string; readonly value: string }[];
};

const CONSEQUENCES = {
  budget: "fsspec would go on; Refscope does not.",
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
const ofReferences = about("references");
const raisedreaders = about("document", { readers: raisedReaders });

export const TEMPLATE = {
  /** `member`: of the document. */
  "template-fails": raisedreaders.error<Raised & { readonly member: "templates"; readonly name: string | undefined }>({
    title: "A template cannot be read",
    explain: (facts) =>
      `Reading ${facts.name === undefined ? "the templates" : `the template ${quoted(facts.name)}`}: ${raisedWords(facts)}`,
  }),
  "url-fails": raisedreaders.error<Raised>({
    title: "A URL cannot be rendered",
    explain: (facts, place) =>
      `Rendering ${place.kind === "target" ? `the URL ${quoted(place.target)}` : "the URL"}: ${raisedWords(facts)}`,
  }),
  /** `variables`: values of the dimensions with which it fails. `member`: where all of `gen` cannot be walked. */
  "gen-fails": raisedreaders.error<Raised & { readonly variables: Variables; readonly member?: "gen" }>({
    title: "A gen cannot be rendered",
    explain: (facts, place) => {
      const what = facts.member === undefined ? "Making references" : "Reading gen";
      const where = place.kind === "gen" ? ` from ${placeText(place)}` : "";
      const values = facts.variables.length === 0 ? "" : ` for ${variablesText(facts.variables)}`;
      return `${what}${where}${values}: ${raisedWords(facts)}`;
    },
  }),
  "not-an-integer": error<
    Raised & { readonly field: string; readonly rendered: string; readonly variables: Variables }
  >({
    title: "An offset or length is not an integer",
    explain: (facts) => {
      const values = facts.variables.length === 0 ? "" : ` for ${variablesText(facts.variables)}`;
      return `“${facts.field}” renders to ${JSON.stringify(cut(facts.rendered, 80))}${values}, which is not an integer. ${raisedWords(facts)}`;
    },
    remedy: ({ rendered }) =>
      /^-?\d+\.\d*$/.test(rendered)
        ? "Divide with // instead of /, or add | int."
        : "Correct the template, so that it gives digits only.",
    readers: ALL_IS_REFUSED,
  }),
  "reference-fails": ofReferences.error<Raised & { readonly url: string | undefined }>({
    title: "A reference cannot be made",
    explain: (facts, place) =>
      `Making the reference${place.kind === "key" ? ` ${quoted(place.key)}` : ""}${facts.url === undefined ? "" : ` of the URL ${quoted(facts.url)}`}: ${raisedWords(facts)}`,
    readers: raisedReaders,
  }),
  "gen-too-large": error<{ readonly member: "gen"; readonly references: bigint; readonly limit: number }>({
    title: "gen produces too many references",
    explain: ({ references, limit }) =>
      `The gens make ${count(references)} references, more than the ${count(limit)} that are made at most: none was made.`,
    remedy: "Raise the limit (in a terminal: --most N), or check start, stop and step of the dimensions.",
    readers: OURS,
    action: "limit",
  }),
  "gen-too-much-text": error<{ readonly member: "gen"; readonly made: number; readonly limit: number }>({
    title: "The gens make too much text",
    explain: ({ made, limit }) =>
      `The gens were stopped after ${counted(made, "reference")}: their keys and URLs have more than ${count(limit)} characters.`,
    remedy: "Check what the templates of key and url repeat.",
    readers: OURS,
  }),
  "gen-overrides": ofReferences.note({
    title: "gen overrides a reference in refs",
    explain:
      "“gen” makes a reference for a key that is also in “refs”: the generated one counts, at the place of the written one.",
    readers: "fsspec does the same.",
  }),
  "gen-collision": ofReferences.warning<{ readonly earlier: Origin | undefined; readonly later: Origin | undefined }>({
    title: "A gen makes a key twice",
    explain: ({ earlier, later }) => {
      const both = [earlier, later].map((origin) => (origin === undefined ? "an entry" : originText(origin)));
      return `${listed(both)} make the same key; the later one counts, as in Python.`;
    },
    remedy: "Correct the key's template so that every combination of the dimensions gives another key.",
    readers: "fsspec silently keeps the later one.",
  }),
  /** Values of the dimension `name`, and the chunks of the array along the dimension that its keys name. */
  "gen-range-short": ofReferences.warning<{
    readonly name: string;
    readonly first: number;
    readonly last: number;
    readonly step: number;
    readonly count: number;
    readonly chunks: number;
    readonly dimension: string | number;
    /** Chunks of the array without a reference. */
    readonly missing: number;
  }>({
    title: "gen skips chunks",
    explain: ({ name, first, last, step, count: values, chunks, dimension, missing }, place) => {
      const range = `${quoted(name, 40)} in ${placeText(place)} runs from ${count(first)} to ${count(last)}${step === 1 ? "" : ` in steps of ${count(step)}`}`;
      const along = typeof dimension === "number" ? `dimension ${dimension}` : quoted(dimension, 60);
      return `${range} (${counted(values, "value")}), but the array has ${counted(chunks, "chunk")} along ${along}: ${counted(missing, "chunk")} of the array ${missing === 1 ? "has" : "have"} no reference.`;
    },
    remedy: ({ name, chunks, step }) =>
      `${step === 1 ? "" : "Set its step to 1. "}Set “stop” of ${quoted(name, 40)} to ${count(chunks)}, or correct the array's shape.`,
    readers: "Readers take the chunks that are left out for missing, and give the fill value.",
    question: "complete",
  }),
  "gen-dropped": warning<{ readonly entries: number }>({
    title: "All gens are dropped",
    explain: ({ entries }) =>
      `The document's gen (${counted(entries, "entry", "entries")}) is silently dropped: fsspec's default, simple_templates=True, makes no references from it.`,
    remedy: "Readers must pass simple_templates=False, or be given the rendered Version 0.",
    readers: "fsspec reads on without these references: their chunks read as the fill value.",
  }),
  "name-undefined": graded<NameFacts>({
    title: "An undefined name",
    severity: ({ raises }) => (raises === undefined ? "warning" : "error"),
    explain: ({ name, template, raises, raisesByDefault }, place) => {
      if (template !== undefined) {
        return `No call of ${quoted(template)} gives ${quoted(name)}, so it renders as nothing: a template with “{{” is a function and sees only its keyword arguments.`;
      }
      const what = "neither a template nor a dimension nor a name of Jinja2's";
      if (raises !== undefined) {
        return `${raises}: '${name}' is undefined, and fsspec refuses the whole set: it is ${what}.`;
      }
      const byDefault = raisesByDefault === undefined ? "" : `, and fsspec's default mode raises ${raisesByDefault}`;
      return `${subject(place)} uses the name ${quoted(name)}, which is ${what}: it renders as nothing${byDefault}.`;
    },
    remedy: ({ name, template, nearest, known }) => {
      if (template !== undefined) return `Write {{ ${template}(${name}=…) }} where it is used.`;
      if (nearest !== undefined) return `Did you mean “${nearest}”?`;
      if (known.length === 0) return "The document gives no names: it has no templates.";
      return `Known here: ${known.slice(0, 10).join(", ")}${known.length > 10 ? ", …" : ""}.`;
    },
    readers: ({ raises }) => (raises === undefined ? RENDERS_NOTHING : ALL_IS_REFUSED),
  }),
  /** `isTemplate`: there is a template of that name. */
  "argument-missing": warning<{ readonly template: string; readonly name: string; readonly isTemplate: boolean }>({
    title: "A template is called without an argument",
    explain: ({ template, name, isTemplate }) => {
      const why = isTemplate
        ? `${quoted(name)} is a template, but a function template sees its keyword arguments only`
        : `the call does not give ${quoted(name)}`;
      return `The template ${quoted(template)} uses the name ${quoted(name)}, and ${why}: it renders as nothing.`;
    },
    remedy: ({ template, name }) => `Write {{ ${template}(${name}=…) }}.`,
    readers: RENDERS_NOTHING,
  }),
  /** `functions`: names of the first few templates that are functions. */
  "function-not-called": warning<{ readonly functions: readonly string[] }>({
    title: "A template is printed instead of being called",
    explain: ({ functions }, place) =>
      `${subject(place)} prints a function: a template that contains “{{” (here ${functions.map((name) => quoted(name)).join(", ")}) is a function and must be called.`,
    remedy: ({ functions: [first = "f"] }) => `Write {{ ${first}() }}, with what it needs as keyword arguments.`,
    readers: "fsspec writes Python's text for the function, with an address that changes, into the URL or key.",
  }),
  "overrides-ignored": note({
    title: "Templates were given but not used",
    explain: "The document is of Version 0, which has no templates: those given were ignored, as fsspec does.",
    readers: "fsspec ignores template_overrides of Version 0 as well.",
  }),
};
