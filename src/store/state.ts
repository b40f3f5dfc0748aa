/** Everything the screen shows that is not asked from the engine by window. Plain data only. */
import type { Locations, Progress } from "../core/byte-source.ts";
import type { Answer } from "../core/check/check.ts";
import type { Question } from "../core/check/question.ts";
import type { Finding } from "../core/findings/finding.ts";
import type { OpenSource, SetChoice, SetSummary } from "../core/open-set.ts";
import type { ShownSlice } from "../core/plane/plane.ts";
import type { SnapshotChanges } from "../core/repository.ts";
import type { SetDifferences } from "../core/set-differences.ts";
import type { Address, ChunkTab } from "./address.ts";
import type { EditState } from "./edit-state.ts";
import type { HistoryState } from "./history-state.ts";
import type { OwnerFiles } from "./owner-state.ts";
import type { ViewName } from "./views.ts";

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
  readonly answers?: Readonly<Record<Question, Answer>>;
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
