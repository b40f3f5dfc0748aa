/** Everything the screen shows that is not asked from the engine by window. Plain data only. */
import type { Locations, Progress } from "../core/byte-source.ts";
import type { ShownAnswer } from "../core/check/verdict-words.ts";
import type { Question } from "../core/check/question.ts";
import type { Finding } from "../core/findings/finding.ts";
import type { NodeSummary, OpenSource, SetChoice, SetSummary } from "../core/open-set.ts";
import type { ShownSlice } from "../core/plane/plane.ts";
import type { ComparisonMethod, SnapshotChanges, SnapshotEntry } from "../core/repository.ts";
import type { SetDifferences } from "../core/set-differences.ts";
import type { Address, ChunkTab } from "./address.ts";
import type { ViewName } from "./views.ts";
import type { ForeseenChunk, ReadAgain } from "../core/repair-offer.ts";
import type { KeptEdit, Known } from "./kept-edits.ts";
import type { EditAnswer, EditSource, ReadersSummary, TableEdit } from "../core/studio.ts";
import type { Acceptance } from "../core/check/acceptance.ts";

/** Something under way, shown in the status bar. */
export interface Task {
  readonly id: number;
  readonly label: string;
  /** Region of the page that it works for: `open`. */
  readonly region?: string;
  /** Fetching the page's own code heeds no Cancel: to offer one would take that of the work behind it. */
  readonly cannotCancel?: true;
  readonly progress: Progress | undefined;
}

/** A document that holds several sets waits for a choice; the set that was open stays open meanwhile. */
export interface Choosing {
  /** Branch, tag or snapshot that was asked for. */
  readonly ref?: string;
  readonly source: OpenSource;
  readonly title: string;
  readonly choices: readonly SetChoice[];
}

export interface OpenError {
  readonly name: string;
  readonly error: Finding;
  /** Source of a failed opening, if it can be tried again. */
  readonly attempt?: { readonly source: OpenSource; readonly choice: string | undefined; readonly at: Address };
}

/** Causes: what one cause did to many chunks counts once. */
export interface ProblemCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** The five of Check; absent until they are known. */
  readonly answers?: Readonly<Record<Question, ShownAnswer>>;
  /** Accepted problems, which are not among them. Absent if there are none. */
  readonly accepted?: AcceptedProblems;
}

export interface AcceptedProblems {
  readonly count: number;
  /** Chunks that fail for it, by array. */
  readonly failing: ReadonlyMap<string, number>;
  /** Arrays that may lack chunks. */
  readonly lacking: ReadonlySet<string>;
}

export type Theme = "system" | "light" | "dark";

export interface Painted {
  readonly array: string;
  /** Its range is of CF values. */
  readonly scaled: boolean;
  readonly colormap: string;
  readonly range: { readonly minimum: number; readonly maximum: number; readonly logarithmic: boolean };
  /** Rows from the last to the first, north up. */
  readonly isTurned: boolean;
}

/** A set that is not shown. */
export interface ComparedWith {
  readonly source: OpenSource;
  /** Which set of a document that holds several. */
  readonly choice?: string;
  /** A link named it: nobody typed or chose it. */
  readonly linked?: true;
  /** `of`: the open set that it was compared with. */
  readonly found?: { readonly of: number; readonly other: SetSummary; readonly differences: SetDifferences };
}

export interface AppState {
  readonly set: SetSummary | undefined;
  /**
   * Rises with every opening, but stays where another snapshot of the open repository takes the place of the one before:
   * what belongs to the repository stays on the screen then.
   */
  readonly opened: number;
  /** Rises with everything that changes what the engine would answer about the open set (targets relocated). */
  readonly revision: number;
  /** The set is being edited: `set` is then the edited one. */
  readonly edit: EditState | undefined;
  readonly choosing: Choosing | undefined;
  /** Why the last attempt to open failed; what was open stays open. */
  readonly openError: OpenError | undefined;
  /** Openings cancelled while something else stayed open. */
  readonly cancelled: number;
  /** Selected group or array; "" is the root. */
  readonly node: string;
  /** Coordinates of the selected chunk of the selected array. */
  readonly chunk: readonly number[] | undefined;
  readonly view: ViewName;
  /** View in which an array is shown that is selected in a view of the set. */
  readonly arrayView: ViewName;
  /** The slice of the selected array that Data shows; absent = the one through the selected chunk. */
  readonly slice: ShownSlice | undefined;
  /** The element of the selected array that is looked at, where one was pointed out: its position in every dimension. */
  readonly point: readonly number[] | undefined;
  /** The target that Sources shows, `null` for the one that null URLs mean; absent = the first of its list. */
  readonly target: string | null | undefined;
  /** Dataset that Compare compares the open set with. */
  readonly withSet: ComparedWith | undefined;
  /** Show values as stored, not as xarray decodes them. */
  readonly rawValues: boolean;
  /** How Data paints the array that it showed last: the Chunk region paints alike. */
  readonly painted: Painted | undefined;
  /** Tab of the Chunk region as chosen by hand; `undefined` where the chunk decides. */
  readonly tab: ChunkTab | undefined;
  readonly tasks: readonly Task[];
  readonly locations: Locations;
  /** References that gens may make together. */
  readonly maxGenerated: number;
  /** The two snapshots of the open repository that were compared last; the map of the grid can show it. */
  readonly comparison: SnapshotChanges | undefined;
  /** State of the view History for the open repository. */
  readonly history: HistoryState;
  /** Findings about parts of the address that the set lacks. */
  readonly addressFindings: readonly Finding[];
  /** Counts of Problems; absent until they are known. */
  readonly problems: ProblemCounts | undefined;
  /** Rises with every look at the whole set, its targets or values. */
  readonly checks: number;
  /** Rises with every chunk that is read: the engine keeps what is known of readings. */
  readonly readings: number;
  /** Files of the set's owner. */
  readonly owner: OwnerFiles;
  readonly theme: Theme;
}

/** An edited set, as the screen knows it: the document, what rendering it gave, what other readers make of it. */
export interface EditState {
  /** The set as it was opened. What is shown everywhere is the edited one. */
  readonly base: SetSummary;
  readonly source: EditSource;
  /** The document as edited, as far as the editor has reported. */
  readonly text: string;
  /** Rises when the editor must take `text` again: edits kept from before, discarding. */
  readonly generation: number;
  readonly edits: readonly TableEdit[];
  /** Table edits undone, the last first. */
  readonly undone: readonly TableEdit[];
  /** Edits from an earlier visit were found and applied. */
  readonly restored: boolean;
  /**
   * State of the edits' storage: nothing to keep, kept in this browser, being written, not to be kept, or held back
   * since another window has kept its own.
   */
  readonly kept: "nothing" | "kept" | "writing" | "failed" | "conflict";
  /** Version of the kept edit that this window saw or wrote last. */
  readonly known: Known;
  /** Edit that another window has kept meanwhile. */
  readonly theirs?: KeptEdit | undefined;
  readonly answer: EditAnswer | undefined;
  /** The text that `answer` is about. */
  readonly answered: string | undefined;
  /** True if the shown rendering is one that fsspec accepts: it stays while newer ones are refused. */
  readonly sound: boolean;
  /** A newer text or newer edits are being rendered. */
  readonly rendering: boolean;
  /** Why rendering failed as a whole: an error of the engine, not of the document. */
  readonly error: Finding | undefined;
  readonly readers: ReadersSummary | undefined;
  /** The JavaScript reader is at work. */
  readonly comparing: boolean;
  /** Key of the row that is looked at. */
  readonly row: string | undefined;
  /** Edits applied last outside the editor, so that the page can name and undo them. */
  readonly applied?: AppliedEdits | undefined;
}

export interface AppliedEdits {
  /** Effect in words: "Read 12 bytes later". */
  readonly label: string;
  /** Path of the array that it was for. */
  readonly array: string;
  /** Chunks read in the edited set before the repair is said to work. */
  readonly chunks: readonly ForeseenChunk[];
  /** Result of reading them; absent until the edited set is there. */
  readonly again?: AppliedReading;
  readonly before: Pick<EditState, "text" | "edits">;
  readonly after: Pick<EditState, "text" | "edits">;
}

export type AppliedReading =
  | { readonly kind: "reading" }
  | { readonly kind: "read"; readonly result: ReadAgain }
  | { readonly kind: "not-read"; readonly error: Finding };

/** A document without anything, which a new one is opened from. */
export const NEW_DOCUMENT = { kind: "text", text: "{}", name: "untitled.json" } as const;

export const isEdited = ({ text, source, edits }: EditState): boolean => edits.length > 0 || text !== firstText(source);

/** A new document begins with nothing in the editor. */
export function firstText({ text, documentId }: EditSource): string {
  return text === NEW_DOCUMENT.text && documentId.includes(NEW_DOCUMENT.name) ? "" : text;
}

/** State of the view History. It stays while snapshots of one repository are opened one after the other. */
export interface HistoryState {
  /** Snapshots chosen to be compared; absent = the one that the cursor is at, and its parent. */
  readonly from: PickedSnapshot | undefined;
  readonly to: PickedSnapshot | undefined;
  /** The comparison that is shown, under way or failed. */
  readonly asked: AskedComparison | undefined;
  readonly failed: Finding | undefined;
  /** Another snapshot was opened from the view: the focus is to be in it again. */
  readonly refocus: boolean;
  /** The life of a chunk was slid to snapshot `at`, from `from` on; `refocus`: the focus is to be in it again. */
  readonly life: { readonly from: string; readonly at: string; readonly refocus: boolean } | undefined;
}

export type PickedSnapshot = Pick<SnapshotEntry, "id" | "message">;

export interface AskedComparison {
  readonly from: string;
  readonly to: string;
  readonly method: ComparisonMethod;
}

export const NO_HISTORY: HistoryState = {
  from: undefined,
  to: undefined,
  asked: undefined,
  failed: undefined,
  refocus: false,
  life: undefined,
};

/** Files of the open set's owner, as the page knows them. */
export interface OwnerFiles {
  /** JSON as it was written, by the name of its file. */
  readonly expectation: NamedText | undefined;
  readonly accepted: readonly Acceptance[];
  /** State of their storage in the browser. `no-address`: there is nothing to keep them by. */
  readonly kept: "nothing" | "kept" | "no-address" | "no-room";
  /** They were found on opening. */
  readonly restored: boolean;
}

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export const NOTHING_WRITTEN: OwnerFiles = { expectation: undefined, accepted: [], kept: "nothing", restored: false };

/** The selected group or array. */
export const shownNode = ({ set, node }: Pick<AppState, "set" | "node">): NodeSummary | undefined =>
  set?.nodes.find(({ path }) => path === node);
