/** What is said at places of a document that is being edited, and of writing it to a file. */
import { about } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { counted, quoted } from "../../words.ts";

const ALL_IS_REFUSED = "fsspec raises on the document, and opens nothing of it.";
const UNCONCERNED = "Readers are not affected: this is about Refscope itself.";

const { error, warning, note } = about("document");
const allIsRefused = about("document", { readers: ALL_IS_REFUSED });

/** `found`: what stands in the member's place. */
const malformed = (member: string, expected: string) =>
  allIsRefused.error<{ readonly found: string }>({
    title: `“${member}” is not ${expected}`,
    explain: (facts) => `“${member}” is ${facts.found}; ${expected} is expected, and fsspec raises.`,
    remedy: `Write “${member}” as ${expected}.`,
  });

/** `raises`, `error`: Jinja2's exception and its words; `nearest`: the name that was probably meant. */
type Syntax = { readonly raises: string | undefined; readonly error: string; readonly nearest?: string | undefined };

const syntax = (title: string, readers = ALL_IS_REFUSED) =>
  error<Syntax>({
    title,
    explain: (facts) => `${facts.raises === undefined ? "" : `${facts.raises}: `}${facts.error.replace(/\.$/, "")}.`,
    remedy: ({ nearest }) => (nearest === undefined ? undefined : `Did you mean “${nearest}”?`),
    readers,
  });

export const STUDIO = {
  "document-not-object": allIsRefused.error<{ readonly found: string }>({
    title: "The document is not an object",
    explain: ({ found }) => `The document is ${found}; a JSON object is expected.`,
    remedy: 'Write {"version": 1, "refs": {}} to begin with.',
  }),
  "document-of-sets": error<{ readonly sets: number }>({
    title: "The document holds several sets",
    explain: ({ sets }) => `The document holds ${counted(sets, "reference set")}: only one at a time can be edited.`,
    remedy: "Open one of them by itself to edit it.",
    readers: "fsspec opens none of them from such a document.",
  }),
  "templates-malformed": malformed("templates", "an object"),
  "gen-malformed": malformed("gen", "a list"),
  "refs-malformed": malformed("refs", "an object"),
  "template-syntax": syntax("A template cannot be parsed"),
  "template-unsupported": syntax(
    "A template that is not supported here",
    "fsspec may render it; Refscope does not guess.",
  ),
  "filter-unknown": syntax("The filter is not known"),
  "test-unknown": syntax("The test is not known"),
  "template-unused": note<{ readonly name: string }>({
    title: "Unused template",
    explain: ({ name }) => `No reference or gen uses the template ${quoted(name)}. Templates cannot use each other.`,
    readers: "Readers keep it, and never render it.",
  }),
  /** `other`: the field that makes it needed. */
  "gen-missing-field": allIsRefused.error<{
    readonly field: string;
    readonly other: string | undefined;
    readonly raises: string;
  }>({
    title: "Missing field in gen",
    explain: ({ field, other, raises }) =>
      other === undefined
        ? `The gen has no “${field}”: fsspec raises ${raises}.`
        : `There is “${other}” but no “${field}”: fsspec raises ${raises}, since both or none are required.`,
    remedy: ({ field }) => `Add “${field}”.`,
  }),
  "gen-field-not-text": allIsRefused.error<{ readonly field: string; readonly raises: string }>({
    title: "A field of a gen is not a text",
    explain: ({ field, raises }) =>
      `“${field}” must be a text, which is rendered as a template; fsspec raises ${raises}.`,
    remedy: "Put it in quotes.",
  }),
  /** `dimension`: the range that it stands in; absent: the gen itself. */
  "gen-unknown-member": warning<{
    readonly member: string;
    readonly dimension: string | undefined;
    readonly known: readonly string[];
    readonly nearest: string | undefined;
  }>({
    title: "Unknown field in gen",
    explain: ({ member, dimension }) =>
      `fsspec knows no “${member}” in ${dimension === undefined ? "a gen" : `the dimension “${dimension}”`}, and reads on as if it were not there.`,
    remedy: ({ nearest, known }) =>
      nearest === undefined ? `It knows ${known.join(", ")}.` : `Did you mean “${nearest}”?`,
    readers: "fsspec reads on without it.",
  }),
  "dimension-shadows-template": allIsRefused.error<{ readonly name: string; readonly raises: string }>({
    title: "A dimension has the name of a template",
    explain: ({ name, raises }) =>
      `The dimension ${name === "self" ? "is called “self”" : `has the name of the template ${quoted(name)}`}: fsspec raises ${raises}, since a name can be given only once.`,
    remedy: "Rename it.",
  }),
  "reader-drops-gen": note({
    title: "The default mode of fsspec drops gen",
    explain: "fsspec's default mode (simple_templates=True) silently drops gen: it has none of these keys.",
    remedy: "Open with simple_templates=False, or export a flattened version.",
    readers: "fsspec's default mode reads these chunks as the fill value.",
    question: "readers",
  }),
  "reader-refuses": note<{ readonly key: string; readonly error: string }>({
    title: "The default mode of fsspec refuses a URL",
    explain: ({ key, error }) =>
      `${key}: fsspec's default mode (simple_templates=True) raises ${error.replace(/\.$/, "")}, and with it refuses the whole set.`,
    remedy: "Open with simple_templates=False, or export a flattened version.",
    readers: "fsspec's default mode opens nothing of the set; with simple_templates=False it reads on.",
    question: "readers",
  }),
  "more-diagnostics": note<{ readonly more: number }>({
    title: "More places that are not listed",
    explain: ({ more }) => `There are ${counted(more, "more place")} like these, which are not listed.`,
    readers: UNCONCERNED,
  }),
  "export-refused": allIsRefused.error<{ readonly cause: Finding | undefined }>({
    title: "A set that fsspec refuses",
    explain:
      "Exporting without templates and gen needs a document that Python's reader (fsspec) opens; it refuses this one.",
    remedy: "Correct the document first, or export it as Version 1 as it is.",
  }),
  "export-incomplete": error<{ readonly cause: Finding | undefined }>({
    title: "Not all references were made",
    explain: "Exporting without templates and gen needs every reference that gen makes, and some were not made.",
    remedy: "Open the set with a higher limit for generated references, or export it as Version 1.",
    readers: UNCONCERNED,
    action: "limit",
  }),
  "editor-not-loaded": error<{ readonly reason: string }>({
    title: "The text editor was not loaded",
    explain: ({ reason }) =>
      `The editor's code, which is loaded on first use, could not be loaded: ${reason.replace(/\.$/, "")}.`,
    remedy:
      "Retry; if it fails again, reload the page: the site may have been updated since it was opened. Edits are kept in this browser.",
    readers: UNCONCERNED,
    about: "page",
    action: "reload",
  }),
};
