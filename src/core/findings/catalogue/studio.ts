/** What is said at places of a document that is being edited, and of writing it to a file. */
import { WHOLE_SET, type Place } from "../place.ts";
import { entry } from "./entry.ts";
import type { Finding, NoFacts } from "../fact.ts";
import { counted, quoted } from "../../words.ts";

const ALL_IS_REFUSED = "fsspec raises on the document, and opens nothing of it.";
const UNCONCERNED = "Readers are not affected: this is about Refscope itself.";

const AT: Place = { kind: "text", start: 120, end: 128, line: 7 };

/** `found`: what stands in the member's place. */
const malformed = (member: string, expected: string, found: string) =>
  entry<{ readonly found: string }>({
    title: `“${member}” is not ${expected}`,
    severity: "error",
    explain: (facts) => `“${member}” is ${facts.found}; ${expected} is expected, and fsspec raises.`,
    remedy: `Write “${member}” as ${expected}.`,
    readers: ALL_IS_REFUSED,
    about: "document",
    example: { place: AT, facts: { found } },
  });

/** `raises`, `error`: Jinja2's exception and its words; `nearest`: the name that was probably meant. */
type Syntax = { readonly raises: string | undefined; readonly error: string; readonly nearest?: string | undefined };

const syntax = (title: string, error: string, raises: string | undefined) =>
  entry<Syntax>({
    title,
    severity: "error",
    explain: (facts) => `${facts.raises === undefined ? "" : `${facts.raises}: `}${facts.error.replace(/\.$/, "")}.`,
    remedy: ({ nearest }) => (nearest === undefined ? undefined : `Did you mean “${nearest}”?`),
    readers: raises === undefined ? "fsspec may render it; Refscope does not guess." : ALL_IS_REFUSED,
    about: "document",
    example: { place: AT, facts: { raises, error } },
  });

export const STUDIO = {
  "document-not-object": entry<{ readonly found: string }>({
    title: "The document is not an object",
    severity: "error",
    explain: ({ found }) => `The document is ${found}; a JSON object is expected.`,
    remedy: 'Write {"version": 1, "refs": {}} to begin with.',
    readers: ALL_IS_REFUSED,
    about: "document",
    example: { place: AT, facts: { found: "a list" } },
  }),
  "document-of-sets": entry<{ readonly sets: number }>({
    title: "The document holds several sets",
    severity: "error",
    explain: ({ sets }) => `The document holds ${counted(sets, "reference set")}: only one at a time can be edited.`,
    remedy: "Open one of them by itself to edit it.",
    readers: "fsspec opens none of them from such a document.",
    about: "document",
    example: { place: AT, facts: { sets: 2 } },
  }),
  "templates-malformed": malformed("templates", "an object", "a list"),
  "gen-malformed": malformed("gen", "a list", "an object"),
  "refs-malformed": malformed("refs", "an object", "a list"),
  "template-syntax": syntax("A template cannot be parsed", "unexpected '}'", "TemplateSyntaxError"),
  "template-unsupported": syntax("A template that is not supported here", "The tag is not supported.", undefined),
  "filter-unknown": syntax("The filter is not known", "No filter named 'uper'.", "TemplateAssertionError"),
  "test-unknown": syntax("The test is not known", "No test named 'evenn'.", "TemplateAssertionError"),
  "template-unused": entry<{ readonly name: string }>({
    title: "Unused template",
    severity: "info",
    explain: ({ name }) => `No reference or gen uses the template ${quoted(name)}. Templates cannot use each other.`,
    readers: "Readers keep it, and never render it.",
    about: "document",
    example: { place: AT, facts: { name: "server" } },
  }),
  /** `other`: the field that makes it needed. */
  "gen-missing-field": entry<{ readonly field: string; readonly other: string | undefined; readonly raises: string }>({
    title: "Missing field in gen",
    severity: "error",
    explain: ({ field, other, raises }) =>
      other === undefined
        ? `The gen has no “${field}”: fsspec raises ${raises}.`
        : `There is “${other}” but no “${field}”: fsspec raises ${raises}, since both or none are required.`,
    remedy: ({ field }) => `Add “${field}”.`,
    readers: ALL_IS_REFUSED,
    about: "document",
    example: { place: AT, facts: { field: "length", other: "offset", raises: "ValueError" } },
  }),
  "gen-field-not-text": entry<{ readonly field: string; readonly raises: string }>({
    title: "A field of a gen is not a text",
    severity: "error",
    explain: ({ field, raises }) =>
      `“${field}” must be a text, which is rendered as a template; fsspec raises ${raises}.`,
    remedy: "Put it in quotes.",
    readers: ALL_IS_REFUSED,
    about: "document",
    example: { place: AT, facts: { field: "offset", raises: "TypeError" } },
  }),
  /** `dimension`: the range that it stands in; absent: the gen itself. */
  "gen-unknown-member": entry<{
    readonly member: string;
    readonly dimension: string | undefined;
    readonly known: readonly string[];
    readonly nearest: string | undefined;
  }>({
    title: "Unknown field in gen",
    severity: "warning",
    explain: ({ member, dimension }) =>
      `fsspec knows no “${member}” in ${dimension === undefined ? "a gen" : `the dimension “${dimension}”`}, and reads on as if it were not there.`,
    remedy: ({ nearest, known }) =>
      nearest === undefined ? `It knows ${known.join(", ")}.` : `Did you mean “${nearest}”?`,
    readers: "fsspec reads on without it.",
    about: "document",
    example: {
      place: AT,
      facts: { member: "stepp", dimension: "i", known: ["start", "stop", "step"], nearest: "step" },
    },
  }),
  "dimension-shadows-template": entry<{ readonly name: string; readonly raises: string }>({
    title: "A dimension has the name of a template",
    severity: "error",
    explain: ({ name, raises }) =>
      `The dimension ${name === "self" ? "is called “self”" : `has the name of the template ${quoted(name)}`}: fsspec raises ${raises}, since a name can be given only once.`,
    remedy: "Rename it.",
    readers: ALL_IS_REFUSED,
    about: "document",
    example: { place: AT, facts: { name: "u", raises: "TypeError" } },
  }),
  "reader-drops-gen": entry<NoFacts>({
    title: "The default mode of fsspec drops gen",
    severity: "info",
    explain: () => "fsspec's default mode (simple_templates=True) silently drops gen: it has none of these keys.",
    remedy: "Open with simple_templates=False, or export a flattened version.",
    readers: "fsspec's default mode reads these chunks as the fill value.",
    about: "document",
    question: "readers",
    example: { place: AT, facts: {} },
  }),
  "reader-refuses": entry<{ readonly key: string; readonly error: string }>({
    title: "The default mode of fsspec refuses a URL",
    severity: "info",
    explain: ({ key, error }) =>
      `${key}: fsspec's default mode (simple_templates=True) raises ${error.replace(/\.$/, "")}, and with it refuses the whole set.`,
    remedy: "Open with simple_templates=False, or export a flattened version.",
    readers: "fsspec's default mode opens nothing of the set; with simple_templates=False it reads on.",
    about: "document",
    question: "readers",
    example: { place: AT, facts: { key: "key3", error: "KeyError: \"f(c='text')\"" } },
  }),
  "more-diagnostics": entry<{ readonly more: number }>({
    title: "More places that are not listed",
    severity: "info",
    explain: ({ more }) => `There are ${counted(more, "more place")} like these, which are not listed.`,
    readers: UNCONCERNED,
    about: "document",
    example: { place: AT, facts: { more: 300 } },
  }),
  "export-refused": entry<{ readonly cause: Finding | undefined }>({
    title: "A set that fsspec refuses",
    severity: "error",
    explain: () =>
      "Exporting without templates and gen needs a document that Python's reader (fsspec) opens; it refuses this one.",
    remedy: "Correct the document first, or export it as Version 1 as it is.",
    readers: ALL_IS_REFUSED,
    about: "document",
    example: { place: WHOLE_SET, facts: { cause: undefined } },
  }),
  "export-incomplete": entry<{ readonly cause: Finding | undefined }>({
    title: "Not all references were made",
    severity: "error",
    explain: () => "Exporting without templates and gen needs every reference that gen makes, and some were not made.",
    remedy: "Open the set with a higher limit for generated references, or export it as Version 1.",
    readers: UNCONCERNED,
    about: "document",
    action: "limit",
    example: { place: WHOLE_SET, facts: { cause: undefined } },
  }),
  "editor-not-loaded": entry<{ readonly reason: string }>({
    title: "The text editor was not loaded",
    severity: "error",
    explain: ({ reason }) =>
      `The editor's code, which is loaded on first use, could not be loaded: ${reason.replace(/\.$/, "")}.`,
    remedy:
      "Retry; if it fails again, reload the page: the site may have been updated since it was opened. Edits are kept in this browser.",
    readers: UNCONCERNED,
    about: "page",
    action: "reload",
    example: { place: WHOLE_SET, facts: { reason: "Failed to fetch dynamically imported module" } },
  }),
};
