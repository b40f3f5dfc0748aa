/** Places of a document that is being edited, and writing it to a file. */
import { about } from "./entry.ts";
import type { BarrierFacts } from "#core/check/preflight.ts";
import type { Finding } from "../fact.ts";
import { counted, quoted } from "#core/words.ts";

const ALL_IS_REFUSED = "fsspec raises on the document and opens nothing of it.";
const UNCONCERNED = "Readers are not affected: this is about Refscope itself.";

const { error, warning, note } = about("document");
const refused = about("document", { readers: ALL_IS_REFUSED });

/** `found`: what the field holds. */
const malformed = (member: string, expected: string) =>
  refused.error<{ found: string }>(`“${member}” is not ${expected}`, {
    explain: (facts) => `Expected “${member}” to be ${expected}; found ${facts.found}. fsspec raises.`,
    remedy: `Write “${member}” as ${expected}.`,
  });

/** `raises`, `error`: Jinja2's exception and its words; `nearest`: the name that was probably meant. */
type Syntax = { readonly raises: string | undefined; readonly error: string; readonly nearest?: string | undefined };

const syntax = (title: string, readers = ALL_IS_REFUSED) =>
  error<Syntax>(title, {
    explain: (facts) => `${facts.raises === undefined ? "" : `${facts.raises}: `}${facts.error.replace(/\.$/, "")}.`,
    remedy: ({ nearest }) => (nearest === undefined ? undefined : `Did you mean “${nearest}”?`),
    readers,
  });

/** Parts of a set that are written differently, with their number. */
const WRITTEN_OTHERWISE = {
  gen: (n: number) => `gen is expanded: ${counted(n, "reference")} written one by one.`,
  "native-url": (n: number) => `${counted(n, "chunk")} of the store itself written as URLs of its objects.`,
  "native-path": (n: number) => `${counted(n, "chunk")} of the store itself written as paths of its files.`,
  "relative-url": (n: number) => `${counted(n, "relative source path")} written as ${n === 1 ? "a URL" : "URLs"}.`,
  prefix: (n: number) => `${counted(n, "source path")} rewritten to where the sources will lie.`,
  "relative-moved": (n: number) => `${counted(n, "relative source path")} rewritten for the new folder.`,
  unsigned: () => "The query of the store's address, which may be a signature, is not in the URLs.",
  separator: () => "Chunks are named with “.” instead of “/”, as Kerchunk Parquet names them.",
  "not-finite": (n: number) =>
    `${counted(n, "number")} in attributes written as text, “NaN” or “Infinity”: JSON has no number for it.`,
  "chunk-keys": () => "Chunks are named as Icechunk names them, “c/0/1”.",
  copied: (n: number) =>
    `${counted(n, "chunk")} of the store itself copied into the repository: ${n === 1 ? "it has" : "they have"} no address that other readers could use.`,
  "group-attributes": (n: number) =>
    `${counted(n, "attribute")} of the group ${n === 1 ? "is" : "are"} not written: the repository's group keeps its own.`,
  "empty-range": (n: number) =>
    `${counted(n, "empty range")} written inline: a row in Parquet would mean the whole file.`,
};

const NOT_WRITTEN = {
  bad: (n: number) => `${counted(n, "reference")} that cannot be understood.`,
  unread: (n: number) => `${counted(n, "chunk")} whose references could not be read.`,
  stray: (n: number) =>
    `${counted(n, "key")} of no chunk: Parquet has rows for chunks alone, and so has Icechunk; a Zarr store gets chunks alone.`,
  elsewhere: (n: number) =>
    `${counted(n, "reference")} to where Icechunk does not read: archives, other protocols, URLs with a query or a password, or none.`,
  empty: (n: number) => `${counted(n, "chunk")} without bytes, which Icechunk refuses.`,
  "no-size": (n: number) =>
    `${counted(n, "reference")} to whole sources that did not say how long they are: Icechunk needs the length.`,
  "null-url": (n: number) => `${counted(n, "reference")} with a null URL, which in Parquet means a missing chunk.`,
  "root-array": () => "The array at the root: fsspec finds no chunks in Parquet without an array's name before them.",
  "zarr-v3": (n: number) => `${counted(n, "document")} of Zarr v3: fsspec reads Parquet by .zarray alone.`,
  "unread-grid": () => "The array: its chunk grid is not read.",
  unlisted: () => "Groups and arrays that the store does not list and nobody has looked for here.",
  "odd-path": () => "The array: its path has parts that lead out of the folder.",
  metadata: (n: number) => `${counted(n, "metadata document")} that could not be read, or are no JSON objects.`,
  shards: () => "The array: its chunks lie in shards, which only the store itself leads to.",
  "no-address": (n: number) => `The array: for ${counted(n, "chunk")} of the store itself there is no URL.`,
  "v3-type": () => "The array: Zarr v3 has no data type for its elements.",
  link: () => "What the link to another file leads to: references have no links.",
  "not-read": (n: number) =>
    `${counted(n, "chunk")} that could not be read: there ${n === 1 ? "is no file" : "are no files"}, and readers give the fill value.`,
  "not-inlined": (n: number) =>
    `${counted(n, "value")} of chunks that are too many or cannot be read; references stay.`,
};

/** Why Python does not read what is written. */
const UNREAD = {
  codec: (codec: string) => `No package for Python has the codec ${codec}`,
  lists: (codec: string) => `Its elements are lists, which numcodecs' ${codec} does not bring back as they were`,
  scalar: (codec: string) => `It has no dimensions, and numcodecs' ${codec} (0.11) reads none without`,
};

/** Why an array is not in a served store. */
const NOT_SERVED = {
  unreadable: "It cannot be read",
  records: "Its elements are records with objects in them, which no reader of Zarr v2 has a codec for",
  lists: "Its elements are lists, which numcodecs does not bring back from JSON as they were",
  dimensions: "Its elements are JSON values in more than one dimension, which zarrita takes apart",
  mixed: "Some of its elements are texts and some are not, or have bytes in them, so that no codec holds them all",
};

const NOT_POSSIBLE = {
  nothing: "Kerchunk Parquet holds arrays of Zarr v2; this dataset has none that can be written.",
  taken: "The folder that you chose has one of this name that is not empty.",
  archive: "A zip archive holds at most 65,535 files and 4 GiB without ZIP64; this dataset needs more.",
  shared: "Two different sources would get the same path",
  "no-nodes": "This dataset has no groups or arrays that Zarr v3 can express.",
  relative: "Icechunk needs absolute addresses, and sources lie at local paths",
  log: "One commit of Icechunk cannot list so many chunks: its file would be longer than 2 GiB.",
};

type GenMissingField = { field: string; other: string | undefined; raises: string };

export const STUDIO = {
  "document-not-object": refused.error<{ found: string }>("Document is not an object", {
    explain: ({ found }) => `Expected a JSON object; found ${found}.`,
    remedy: 'Start with {"version": 1, "refs": {}}.',
  }),
  "document-of-sets": error<{ sets: number }>("Document holds several datasets", {
    explain: ({ sets }) => `The document holds ${counted(sets, "dataset")}; only one at a time can be edited.`,
    remedy: "To edit one of them, open it on its own.",
    readers: "fsspec opens none of them from such a document.",
  }),
  "templates-malformed": malformed("templates", "an object"),
  "gen-malformed": malformed("gen", "a list"),
  "refs-malformed": malformed("refs", "an object"),
  "template-syntax": syntax("Template syntax error"),
  "template-unsupported": syntax("Unsupported template syntax", "fsspec may render it; Refscope does not guess."),
  "filter-unknown": syntax("Unknown filter"),
  "test-unknown": syntax("Unknown test"),
  /** `inside`: a template that means to use it. */
  "template-unused": note<{ name: string; inside: string | undefined }>("Unused template", {
    explain: ({ name, inside }) =>
      inside === undefined
        ? `No reference or gen uses the template ${quoted(name)}.`
        : `Only the template ${quoted(inside)} uses ${quoted(name)}, and templates cannot use each other.`,
    readers: "Readers keep it but never render it.",
  }),
  /** `other`: the field that makes it needed. */
  "gen-missing-field": refused.error<GenMissingField>("Missing field in gen", {
    explain: ({ field, other, raises }) =>
      other === undefined
        ? `The gen has no “${field}”, so fsspec raises ${raises}.`
        : `There is “${other}” but no “${field}”. fsspec requires both or neither, and raises ${raises}.`,
    remedy: ({ field }) => `Add “${field}”.`,
  }),
  "gen-field-not-text": refused.error<{ field: string; raises: string }>("Field of a gen is not text", {
    explain: ({ field, raises }) => `Expected “${field}” to be text, to render as a template. fsspec raises ${raises}.`,
    remedy: "Put it in quotes.",
  }),
  /** `dimension`: the range that it is in; absent: the gen itself. */
  "gen-unknown-member": warning<{
    member: string;
    dimension: string | undefined;
    known: readonly string[];
    nearest: string | undefined;
  }>("Unknown field in gen", {
    explain: ({ member, dimension }) =>
      `fsspec does not know “${member}” in ${dimension === undefined ? "a gen" : `the dimension “${dimension}”`}, and ignores it.`,
    remedy: ({ nearest, known }) =>
      nearest === undefined ? `Use one of ${known.join(", ")}.` : `Did you mean “${nearest}”?`,
    readers: "fsspec ignores it.",
  }),
  "dimension-shadows-template": refused.error<{ name: string; raises: string }>("Dimension named like a template", {
    explain: ({ name, raises }) =>
      `The dimension ${name === "self" ? "is called “self”" : `has the name of the template ${quoted(name)}`}. A name can be used only once, so fsspec raises ${raises}.`,
    remedy: "Rename the dimension.",
  }),
  "reader-drops-gen": note("fsspec's default mode drops gen", {
    explain: "fsspec's default mode (simple_templates=True) silently drops gen and all its keys.",
    remedy: "Open with simple_templates=False, or export a flattened version.",
    readers: "In fsspec's default mode these chunks read as the fill value.",
    question: "readers",
  }),
  "reader-refuses": note<{ key: string; error: string }>("fsspec's default mode rejects a URL", {
    explain: ({ key, error }) =>
      `${key}: fsspec's default mode (simple_templates=True) raises ${error.replace(/\.$/, "")} and rejects the whole dataset.`,
    remedy: "Open with simple_templates=False, or export a flattened version.",
    readers: "fsspec's default mode opens nothing of the dataset; with simple_templates=False it reads it.",
    question: "readers",
  }),
  "more-diagnostics": note<{ more: number }>("More places not listed", {
    explain: ({ more }) => `There ${more === 1 ? "is" : "are"} ${counted(more, "more place")} like these, not listed.`,
    readers: UNCONCERNED,
  }),
  "export-refused": refused.error<{ cause: Finding | undefined }>("Dataset rejected by fsspec", {
    explain:
      "To export without templates and gen, Python's reader (fsspec) must open the document; it rejects this one.",
    remedy: "Correct the document first, or export it as Version 1 as it is.",
  }),
  "export-incomplete": error<{ cause: Finding | undefined }>("Not all references were generated", {
    explain: "To export without templates and gen, every reference of gen is needed; some were not generated.",
    remedy: "Open the dataset with a higher limit for generated references, or export it as Version 1.",
    readers: UNCONCERNED,
    action: "limit",
  }),
  "write-changed": note<{ what: keyof typeof WRITTEN_OTHERWISE; number: number }>("Written in another form", {
    explain: ({ what, number }) => WRITTEN_OTHERWISE[what](number),
    readers: "Readers get the same values.",
  }),
  "write-left-out": warning<{ what: keyof typeof NOT_WRITTEN; number: number }>("Not expressible in this form", {
    explain: ({ what, number }) => `Not written: ${NOT_WRITTEN[what](number)}`,
    remedy: "Write Kerchunk JSON where that has a word for it, or mend the dataset first.",
    readers: "Chunks that are left out read as the fill value.",
  }),
  "unread-in-python": warning<{ why: keyof typeof UNREAD; codec: string } & Partial<BarrierFacts>>(
    "Elements that Python does not read",
    {
      explain: ({ why, codec }) => `${UNREAD[why](codec)}: the array is written all the same.`,
      remedy: "Read it with Refscope, refscope read or the package's read(), or from the data file itself.",
      readers:
        "zarr-python, and with it xarray, fails on the array or gives other elements; it reads the other arrays.",
    },
  ),
  "array-not-served": warning<{ why: keyof typeof NOT_SERVED; cause: Finding | undefined }>("Array not served", {
    explain: ({ why }) => `${NOT_SERVED[why]}: the served store has neither its metadata nor its chunks.`,
    remedy: "Read it with Refscope: refscope read, or the package's read().",
    readers: "Readers of the served store do not find the array.",
  }),
  "write-relative": note<{ number: number }>("Relative source paths", {
    explain: ({ number }) =>
      `${counted(number, "source path")} ${number === 1 ? "is" : "are"} relative to the folder that the dataset was opened from: keep the export there.`,
    readers: "Elsewhere, readers do not find the source files.",
  }),
  "export-impossible": error<{ why: keyof typeof NOT_POSSIBLE; paths?: readonly string[] }>("Export not possible", {
    explain: ({ why, paths }) => NOT_POSSIBLE[why] + (paths === undefined ? "" : `: ${paths.join(" and ")}.`),
    remedy: ({ why }) =>
      why === "nothing" || why === "no-nodes"
        ? "Export Kerchunk JSON."
        : why === "shared"
          ? "Change one of them in the document first, or keep the paths."
          : why === "relative"
            ? "Say where the sources will lie: https://…, s3://… or file:///… (--prefix in a terminal)."
            : why === "log"
              ? "Write some of the arrays first, and add the others with --onto."
              : "Write into a new folder: in Chrome or Edge, or in a terminal.",
    readers: UNCONCERNED,
  }),
  "editor-not-loaded": error<{ reason: string }>("Text editor not loaded", {
    explain: ({ reason }) =>
      `The editor's code, which loads on first use, could not be loaded: ${reason.replace(/\.$/, "")}.`,
    remedy:
      "Retry. If it fails again, reload the page: the site may have been updated since you opened it. Edits are kept in this browser.",
    readers: UNCONCERNED,
    about: "page",
    action: "reload",
  }),
};
