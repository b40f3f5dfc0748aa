/**
 * The Version 1 studio: what the editor, the live Version 0 beside it and the engine tell each other. Plain data.
 * Offsets into texts count UTF-16 code units, `end` excluded.
 */
import type { Finding, Place } from "./findings/finding.ts";
import type { SetSummary, ViewRow } from "./open-set.ts";
import type { RowOrigin } from "./table/version1.ts";

/** Text to edit of an open set. */
export interface EditSource {
  /**
   * `whole`: the document as it is. `reduced`: the document is too large for a text editor; the text holds version,
   * templates, gen and metadata, the references stay in the table and are edited by `TableEdit`s.
   */
  readonly kind: "whole" | "reduced";
  readonly text: string;
  /** References that are not in the text. 0 where it is whole. */
  readonly kept: number;
  /** Same for the same source: under this name edits are kept in this browser. */
  readonly documentId: string;
}

/** An edit of references that are kept in the table. The last one counts. */
export type TableEdit =
  | { readonly kind: "replace-prefix"; readonly from: string; readonly to: string }
  /** `value`: JSON text of the reference. A key that is not there yet goes to the end. */
  | { readonly kind: "set-reference"; readonly key: string; readonly value: string }
  /** The same for many keys at once, each of them once. */
  | { readonly kind: "set-references"; readonly values: readonly (readonly [key: string, value: string])[] }
  | { readonly kind: "remove-reference"; readonly key: string }
  | { readonly kind: "remove-references"; readonly keys: readonly string[] }
  /** The array with its metadata and chunks. */
  | { readonly kind: "drop-array"; readonly path: string }
  /**
   * Every `[url, offset, length]` of the array's chunks begins `shift` bytes later (negative: earlier) and is `lengthen`
   * bytes longer (negative: shorter). References that would begin before 0 or have no bytes stay as they are.
   */
  | { readonly kind: "shift-ranges"; readonly path: string; readonly shift: number; readonly lengthen: number };

export interface EditRequest {
  /** The set as it was opened. */
  readonly set: number;
  readonly text: string;
  readonly edits: readonly TableEdit[];
  /** Most references that gens may make; absent = the default. */
  readonly most?: number;
  /** The edition that is shown: what reading its chunks gave stays known where nothing about them changed. */
  readonly shown?: number;
}

/** Result of rendering the edited document. */
export interface EditAnswer {
  /** The edited set, open under its own handle; absent where the text cannot be read at all. */
  readonly set: SetSummary | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Against the document as it was opened. */
  readonly changes: ChangeCounts;
  /** References of the Version 0 result, metadata included. */
  readonly references: number;
  readonly milliseconds: number;
  /** Why fsspec refuses the whole document; absent where it reads it. */
  readonly refused: Finding | undefined;
  readonly parts: { readonly templates: number; readonly gens: number; readonly refs: number };
}

export interface ChangeCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** Something to say about a place in the edited text: a finding there. */
export interface Diagnostic extends Finding {
  readonly place: Place & { readonly kind: "text" };
  readonly fix?: { readonly title: string; readonly edits: readonly TextEdit[] };
  /** Causes (`causeOf`) of findings of the set that it says at its place in the text. */
  readonly covers: readonly string[];
  /** Other subject of such a finding: a key, a URL. */
  readonly subject?: string;
  /** Further places in the text of the same cause. */
  readonly others?: readonly { readonly start: number; readonly end: number }[];
}

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Text that may be written at a place inside `{{ }}`. */
export interface TemplateSuggestion {
  readonly label: string;
  readonly kind: "template" | "function" | "dimension" | "global" | "filter" | "test" | "method" | "loop";
  /** One line beside the label: a template's text, a dimension's range. */
  readonly detail: string;
  readonly documentation?: string;
  /** Text to insert, if it is not the label; `$0` marks the cursor. */
  readonly insert?: string;
  /** Range of the text that it replaces. */
  readonly start: number;
  readonly end: number;
}

export interface HoverText {
  readonly start: number;
  readonly end: number;
  /** Lines of plain text; code in lines that start with a tab. Never HTML or Markdown. */
  readonly lines: readonly string[];
}

/** The row for which the editor shows values: a key of the Version 0 result. */
export interface HoverRequest {
  readonly set: number;
  readonly text: string;
  readonly offset: number;
  readonly key: string | undefined;
}

export interface VersionRowsSpec {
  /** `differ`: where a reader gives something else. `removed` rows are those of the set as opened. */
  readonly show: "all" | "added" | "changed" | "removed" | "differ" | "bad";
  /** Text contained in the key or the target. */
  readonly text: string;
}

/** A key as another reader sees it. */
export type ReaderValue =
  | { readonly kind: "same" }
  | { readonly kind: "other"; readonly value: string }
  /** The reader has no such key. */
  | { readonly kind: "lost" }
  /** The reader raises on this very key. */
  | { readonly kind: "raises"; readonly error: string }
  | { readonly kind: "unknown" };

export interface VersionRow extends Pick<
  ViewRow,
  "index" | "key" | "state" | "array" | "coordinates" | "offset" | "length" | "reasons"
> {
  /** Target URL; `null` as written; for inline values and metadata their text, cut at 200 characters. */
  readonly target: string | null;
  readonly origin: RowOrigin;
  readonly change: "added" | "removed" | "changed" | undefined;
  /** Value when the set was opened, if it changed: JSON text, cut at 200 characters. */
  readonly before: string | undefined;
  readonly simple: ReaderValue;
  readonly javascript: ReaderValue;
}

export interface VersionRows {
  /** Rows of this view. */
  readonly total: number;
  readonly rows: readonly VersionRow[];
}

/** Place in the text of what made a row. */
export interface RowPlace {
  readonly start: number;
  readonly end: number;
}

/** The other readers' view of a set. */
export interface ReadersSummary {
  readonly keys: number;
  /** fsspec with `simple_templates=True`, its default. */
  readonly simple: ReaderSummary;
  /** reference-spec-reader with nunjucks, as its README says. */
  readonly javascript: ReaderSummary;
  /** Every key of every reader agrees. */
  readonly portable: boolean;
}

export interface ReaderSummary {
  readonly outcome:
    | { readonly kind: "same" }
    | { readonly kind: "differs"; readonly other: number; readonly lost: number; readonly extra: number }
    /** The reader reads nothing at all. */
    | { readonly kind: "refuses"; readonly error: string }
    | { readonly kind: "unknown"; readonly reason: string };
  /** The first key on which it differs. */
  readonly first: string | undefined;
}

export type ExportForm = "version1" | "version0" | "version1-flat";
export type ExportCompression = "none" | "gzip";

/** Options of an export. */
export interface ExportWish {
  /** The text as edited: `version1` writes it as typed where it is whole. */
  readonly text: string | undefined;
  readonly form: ExportForm | "parquet" | "icechunk";
  readonly compression: ExportCompression;
  /** Place in which sources with relative or local paths will lie; "" keeps relative paths. */
  readonly sources?: string | undefined;
}

/** True if the document's text is written as it stands: of its own version, with its paths as they are. */
export const keepsText = (version: 0 | 1 | undefined, { form, sources = "" }: Pick<ExportWish, "form" | "sources">) =>
  version === 1 && form === "version1" && sources === "";

export interface ExportPlan {
  readonly findings: readonly Finding[];
  /** Opens the exported file. */
  readonly python: string;
  /** The same, of forms that JavaScript has a library for. */
  readonly javascript?: string;
  /** Sources with relative or local paths. */
  readonly paths: {
    readonly count: number;
    /** Unless told otherwise, the relative ones become URLs. */
    readonly becomeUrls: boolean;
    /** The first, as it is and as it is written. */
    readonly example: readonly [from: string, to: string];
  };
}

export interface ExportRequest extends ExportWish {
  /** Folder in which to make a form of many files; without it that is a zip archive. */
  readonly folder?: FileSystemDirectoryHandle | undefined;
}

export interface Exported {
  /** Absent where it was written into a folder. */
  readonly blob: Blob | undefined;
  readonly name: string;
  readonly files: number;
  readonly references: number;
  readonly bytes: number;
  /** Keys of a document that could not be written as they were. */
  readonly leftOut: number;
}

/** Effect of replacing the beginning of URLs, found by rendering the document with it. */
export interface PrefixPreview {
  /** Places in the text of the document; templates and gens among them, which may make many references each. */
  readonly places: number;
  /** Targets that would have another URL, of all that references name, and the references to them. */
  readonly targets: number;
  readonly ofTargets: number;
  readonly references: number;
  /** The first of them. */
  readonly examples: readonly { readonly before: string; readonly after: string; readonly references: number }[];
  /** Targets whose new URL another one has already: two files would be one. */
  readonly merged: PrefixClash;
  /** Targets whose new URL is another spelling of one that stays: one file would be two. */
  readonly respelled: PrefixClash;
}

export interface PrefixClash {
  readonly targets: number;
  /** The first few: the new URL, and the one that is there. */
  readonly examples: readonly { readonly after: string; readonly there: string }[];
}

/** Request like `EditRequest`; `shown`: the set that the text and edits give now. */
export interface PrefixPreviewRequest extends EditRequest {
  readonly shown: number;
  readonly from: string;
  readonly to: string;
}
