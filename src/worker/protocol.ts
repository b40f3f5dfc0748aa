/** What the main thread may ask of the engine worker. Both threads import this file; it imports only core types. */
import type { Progress } from "../core/byte-source.ts";
import type { ErrorFields } from "../core/errors.ts";
import type { Locations } from "../core/location.ts";
import type {
  Cells,
  CellsSpec,
  NodeDetail,
  OpenAnswer,
  OpenRequest,
  OpenSource,
  Overview,
  Raster,
  RasterSpec,
  RowsAnswer,
  SetSummary,
  ShardAnswer,
  Slice,
  SliceSpec,
  UnreadableTargets,
  ViewInfo,
  ViewRow,
  ViewSpec,
} from "../core/open-set.ts";
import type { CodecName, ForeseenChunk, ReadAgain, RepairCheck, RepairScope, Suggestions, Trial } from "../core/lab.ts";
import type { Reading } from "../core/reading.ts";
import type {
  Ancestry,
  ChangedChunks,
  ComparisonMethod,
  OlderOperations,
  RepositoryHistory,
  SnapshotChanges,
} from "../core/repository.ts";
import type {
  EditAnswer,
  EditRequest,
  EditSource,
  Exported,
  ExportRequest,
  HoverRequest,
  HoverText,
  ReadersSummary,
  RowPlace,
  TableEdit,
  TemplateSuggestion,
  TextEdit,
  VersionRows,
  VersionRowsSpec,
} from "../core/studio.ts";

/** One member an operation. `set`, `view` and `reading` are handles given out earlier. */
export interface Operations {
  /** A set, or what to choose from; call again with `choice`. Nothing open is closed. */
  open: {
    request: OpenRequest;
    result: OpenAnswer;
  };
  close: { request: { readonly set: number }; result: undefined };
  /** From now on targets of this set are looked up so. Files are added to those already given. */
  locate: {
    request: { readonly set: number; readonly locations: Locations; readonly files?: OpenSource };
    result: undefined;
  };
  overview: { request: { readonly set: number; readonly path: string }; result: Overview };
  unreadable: { request: { readonly set: number }; result: UnreadableTargets };
  node: {
    request: { readonly set: number; readonly path: string; readonly whole?: boolean };
    result: NodeDetail;
  };
  view: { request: { readonly set: number; readonly spec: ViewSpec }; result: ViewInfo };
  closeView: { request: { readonly set: number; readonly view: number }; result: undefined };
  rows: {
    request: { readonly set: number; readonly view: number; readonly from: number; readonly to: number };
    result: RowsAnswer;
  };
  /** What is known of the set by now. */
  summary: { request: { readonly set: number }; result: SetSummary };
  /** Fetches the pages of references at or below a path that are not here. */
  loadPages: { request: { readonly set: number; readonly path: string }; result: SetSummary };
  shard: {
    request: { readonly set: number; readonly array: string; readonly shard: readonly number[] };
    result: ShardAnswer;
  };
  /** Position in the view of a chunk key, -1 where the filter hides it, `undefined` where there is no such key. */
  find: {
    request: { readonly set: number; readonly view: number; readonly key: string };
    result: { readonly index: number | undefined; readonly row: ViewRow | undefined };
  };
  raster: { request: { readonly set: number; readonly spec: RasterSpec }; result: Raster };
  read: {
    request: { readonly set: number; readonly array: string; readonly coordinates: readonly number[] };
    result: Reading;
  };
  /** Reads the chunk otherwise than declared; a reading like any other. What is known of the chunk stays as it was. */
  tryRead: {
    request: {
      readonly set: number;
      readonly array: string;
      readonly coordinates: readonly number[];
      readonly trial: Trial;
    };
    result: Reading;
  };
  /** Likely repairs of a chunk. */
  suggest: {
    request: { readonly set: number; readonly array: string; readonly coordinates: readonly number[] };
    result: Suggestions;
  };
  /** What to edit so that the chunk, or its array, is read as the trial reads it. Throws `not-editable`. */
  repairEdits: {
    request: {
      readonly set: number;
      readonly array: string;
      readonly coordinates: readonly number[];
      readonly trial: Trial;
      readonly scope: RepairScope;
    };
    result: readonly TableEdit[];
  };
  /** Tries a repair for the array on a sample of its chunks, and says what applying it would change. */
  checkRepair: {
    request: {
      readonly set: number;
      readonly array: string;
      readonly coordinates: readonly number[];
      readonly trial: Trial;
    };
    result: RepairCheck;
  };
  /** Reads chunks of a repaired array again. */
  readAgain: {
    request: { readonly set: number; readonly array: string; readonly chunks: readonly ForeseenChunk[] };
    result: ReadAgain;
  };
  /** Codecs for a list to choose from. */
  codecNames: { request: Readonly<Record<string, never>>; result: readonly CodecName[] };
  /** Bytes after a stage of a reading, `from` to `to` (cut at its end). */
  stageBytes: {
    request: {
      readonly set: number;
      readonly reading: number;
      readonly stage: number;
      readonly from: number;
      readonly to: number;
    };
    result: { readonly bytes: Uint8Array<ArrayBuffer>; readonly total: number };
  };
  slice: { request: { readonly set: number; readonly spec: SliceSpec }; result: Slice };
  cells: { request: { readonly set: number; readonly spec: CellsSpec }; result: Cells };
  /** What there is to edit of a set as opened. */
  editSource: { request: { readonly set: number }; result: EditSource };
  /** Renders the edited document into a set of its own; the set as opened stays, to compare with. */
  edit: { request: EditRequest; result: EditAnswer };
  /** A table edit as edits of the text, where the text is whole. */
  textEdits: { request: { readonly text: string; readonly edit: TableEdit }; result: readonly TextEdit[] };
  /** Rows of the Version 0 result, in the order of its keys. */
  versionRows: {
    request: { readonly set: number; readonly spec: VersionRowsSpec; readonly from: number; readonly to: number };
    result: VersionRows;
  };
  /** Place of the key in the Version 0 result, -1 where the view hides it. */
  versionRowOf: {
    request: { readonly set: number; readonly spec: VersionRowsSpec; readonly key: string };
    result: number;
  };
  /** Where in the text a row was made. */
  rowPlace: {
    request: { readonly set: number; readonly text: string; readonly key: string };
    result: RowPlace | undefined;
  };
  /** The first row that the place in the text makes. */
  placeRow: {
    request: { readonly set: number; readonly text: string; readonly offset: number };
    result: string | undefined;
  };
  complete: {
    request: { readonly text: string; readonly offset: number };
    result: readonly TemplateSuggestion[];
  };
  hoverText: { request: HoverRequest; result: HoverText | undefined };
  /** What fsspec's default mode makes of the set, and what of the JavaScript reader is known by now. */
  readers: { request: { readonly set: number }; result: ReadersSummary };
  /** The document for the JavaScript reader, as UTF-8 JSON; or why it is not asked. */
  javascriptDocument: {
    request: { readonly set: number };
    result: { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly unavailable: string };
  };
  /** What the JavaScript reader answered (untrusted), or why it did not. */
  javascriptAnswer: {
    request: {
      readonly set: number;
      readonly answer: { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly unavailable: string };
    };
    result: ReadersSummary;
  };
  export: { request: ExportRequest; result: Exported };
  /** Of a set that is a snapshot of a repository; others throw `no-repository`. */
  history: { request: { readonly set: number }; result: RepositoryHistory };
  /** The chain of snapshots behind one, newest first, at most `limit`. */
  ancestry: { request: { readonly set: number; readonly from: string; readonly limit: number }; result: Ancestry };
  olderOperations: { request: { readonly set: number; readonly file: string }; result: OlderOperations };
  /** Kept with the set until the next: `changedChunks` and the raster `change` tell more of it. */
  compare: {
    request: {
      readonly set: number;
      readonly from: string;
      readonly to: string;
      readonly method: ComparisonMethod;
    };
    result: SnapshotChanges;
  };
  /** What was compared is no longer of interest. */
  forgetComparison: { request: { readonly set: number }; result: undefined };
  changedChunks: {
    request: { readonly set: number; readonly path: string; readonly from: number; readonly to: number };
    result: ChangedChunks;
  };
}

export type Operation = keyof Operations;
export type Request<K extends Operation> = Operations[K]["request"];
export type Result<K extends Operation> = Operations[K]["result"];

/** Plain-data form of an error: structured clone would drop our own fields. */
export interface WireError {
  readonly abort: boolean;
  readonly fields: ErrorFields;
}

export type ToWorker =
  | {
      [K in Operation]: {
        readonly type: "call";
        readonly id: number;
        readonly operation: K;
        readonly request: Request<K>;
      };
    }[Operation]
  | { readonly type: "abort"; readonly id: number }
  /** Answered at once with "alive". */
  | { readonly type: "probe" };

export type FromWorker =
  | { readonly type: "result"; readonly id: number; readonly result: Result<Operation> }
  | { readonly type: "failure"; readonly id: number; readonly error: WireError }
  | { readonly type: "progress"; readonly id: number; readonly progress: Progress }
  | { readonly type: "alive" };

/** The part of Worker and MessagePort that both ends need; tests pass a MessagePort. */
export interface Channel {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}
