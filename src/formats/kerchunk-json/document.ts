/**
 * A Kerchunk JSON document as it streams by (kerchunk, "References specification", Version 0 and 1): finds the object
 * that holds the references, lets the scanner take its plain entries, and takes all others itself, strictly.
 *
 * `refs` usually comes before `version`, so the version is known only at the end. Members of the top level are therefore
 * read as Version 0 references until `version` says otherwise, and the object called `refs` is read as a set of its own.
 */
import { firstPlace } from "#core/basics.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { failure, finding, keyAt, WHOLE_SET } from "#core/findings/finding.ts";
import { type Embedded, embeddedSets } from "./embedded.ts";
import {
  decodeString,
  decodeText,
  INCOMPLETE,
  itemsOf,
  JsonFault,
  type JsonNotes,
  skipKey,
  skipSpace,
  skipString,
  skipValue,
} from "./json-bytes.ts";
import { type Member, referenceSet, type ReferenceSet } from "./reference-set.ts";
import type { Scanner } from "./scan-wasm.ts";
import { isMetadataKey } from "./slots.ts";

export type DocumentReader = ReturnType<typeof documentReader>;

/** Result of one step of the strict reader: go on, or wait for more bytes. */
type Step = "go" | "more";

/** Bytes. */
const LONGEST_ENTRY = 256 * 1024 * 1024;
const MAX_NAMES = 1000;
/** Texts beside `refs`; templates and gen are kept as written for the one who renders them. */
const TEXT_MEMBERS = ["version", "templates", "gen"] as const;

export function documentReader(makeScanner: () => Scanner, choice: string | undefined, longestEntry = LONGEST_ENTRY) {
  const state: DocumentState = {
    scanner: makeScanner(),
    mode: "start",
    first: true,
    found: {
      top: "nothing",
      members: undefined,
      refs: undefined,
      version: undefined,
      templates: undefined,
      gen: undefined,
      memberNames: [],
      memberCount: 0,
      itemCount: 0,
      pairCount: 0,
      embedded: [],
      notes: { notFinite: 0, trailingCommas: 0 },
      bytes: 0,
      findings: new FindingLog(),
    },
    lines: 0,
    patience: 0,
    makeScanner,
    choice,
    longestEntry,
  };
  return {
    /** Place for the next bytes; then `commit` how many were written. Throws `json-malformed` and its kind. */
    reserve(want: number): Uint8Array<ArrayBuffer> {
      countLines(state);
      return state.scanner.reserve(want);
    },
    commit(count: number): void {
      state.scanner.commit(count);
      state.found.bytes += count;
      guarded(state, () => advance(state));
    },
    /** References read so far. */
    get references() {
      return referencesOf(state);
    },
    finish: (): ScannedDocument => guarded(state, () => finish(state)),
  };
}

function advance(state: DocumentState): void {
  if (state.scanner.end - state.scanner.position < state.patience) return;
  state.patience = 0;
  while (step(state) === "go") runScanner(state);
  const left = state.scanner.end - state.scanner.position;
  const limit = state.longestEntry;
  if (left > limit) {
    const facts = { byte: state.found.bytes - left, limit, read: referencesOf(state) };
    throw failure("json-entry-too-long", WHOLE_SET, facts);
  }
  // An entry longer than the buffer is looked at each time the buffer has doubled, not at every read.
  if (left > 1 << 20) state.patience = Math.min(2 * left, limit + 1);
}

/** The scanner takes what is plain: members of `refs`, or of the top level while there may be no `refs`. */
function runScanner(state: DocumentState): void {
  const own = state.mode === "refs" || (state.mode === "members" && state.found.refs === undefined);
  if (own) state.first = state.scanner.run(state.first);
}

function step(state: DocumentState): Step {
  if (state.mode === "start") return start(state);
  if (state.mode === "items") return itemStep(state);
  return state.mode === "end" ? endStep(state) : memberStep(state);
}

function start(state: DocumentState): Step {
  const { scanner } = state;
  const { bytes, end } = scanner;
  let at = scanner.position;
  if (state.found.bytes < 3 && bytes[at] === 0xef) return "more";
  if (bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf && state.found.bytes === end - at) {
    at += 3;
    state.found.findings.add(finding("json-byte-order-mark", WHOLE_SET, {}));
  }
  at = skipSpace(bytes, at, end);
  scanner.position = at;
  if (at >= end) return "more";
  if (bytes[at] !== 123 && bytes[at] !== 91) throw new JsonFault(at, 'a JSON object ("{") or list ("[")');
  state.found.top = bytes[at] === 123 ? "object" : "list";
  state.mode = state.found.top === "object" ? "members" : "items";
  scanner.position = at + 1;
  return "go";
}

/** Goes over white space and the comma to the next entry: its index, "closed", or "more". */
function nextEntry(state: DocumentState, close: number): number | "closed" | "more" {
  const { bytes, position, end } = state.scanner;
  let at = skipSpace(bytes, position, end);
  if (at >= end) return "more";
  if (bytes[at] !== close && !state.first) {
    if (bytes[at] !== 44) throw new JsonFault(at, `a comma or "${String.fromCharCode(close)}"`);
    at = skipSpace(bytes, at + 1, end);
    if (at >= end) return "more";
    if (bytes[at] === close) state.found.notes.trailingCommas += 1;
  }
  if (bytes[at] !== close) return at;
  state.scanner.position = at + 1;
  state.first = false;
  return "closed";
}

function memberStep(state: DocumentState): Step {
  const at = nextEntry(state, 125);
  if (at === "more") return "more";
  if (at === "closed") {
    state.mode = state.mode === "refs" ? "members" : "end";
    return "go";
  }
  const { bytes, end } = state.scanner;
  const from = skipKey(bytes, at, end);
  if (from === INCOMPLETE) return "more";
  const keyTo = skipString(bytes, at, end);
  const key = keyText(state, bytes.subarray(at + 1, keyTo - 1));
  if (state.mode === "members" && key === "refs" && bytes[from] === 123) return openRefs(state, from);
  const notes = { notFinite: 0, trailingCommas: 0 };
  const to = skipValue(bytes, from, end, notes);
  if (to === INCOMPLETE) return "more";
  addNotes(state.found.notes, notes);
  // A copy: while the member is taken, the scanner's memory may grow and move.
  const own = bytes.slice(at, to);
  const member: Member = { key, keyFrom: 0, keyTo: keyTo - at, from: from - at, to: to - at };
  if (state.mode === "refs") state.found.refs?.addMember(member, own);
  else takeTopMember(state, member, own);
  state.scanner.position = to;
  state.first = false;
  return "go";
}

function addNotes(sum: JsonNotes, notes: JsonNotes): void {
  sum.notFinite += notes.notFinite;
  sum.trailingCommas += notes.trailingCommas;
}

function keyText(state: DocumentState, raw: Uint8Array): string {
  const { text, valid } = decodeString(raw);
  if (!valid) state.found.findings.add(finding("not-utf-8", keyAt(text), { text }));
  return text;
}

/** The references of Version 1. They go into the current scanner where it has no rows yet, else into a new one. */
function openRefs(state: DocumentState, from: number): Step {
  const { scanner } = state;
  scanner.position = from + 1;
  if (state.found.refs !== undefined) noteDuplicate(state, "refs");
  const fresh = state.found.members === undefined && state.found.refs === undefined && scanner.rows === 0;
  if (!fresh) {
    state.found.members ??= state.found.refs === undefined ? referenceSet(scanner) : undefined;
    moveUnread(state);
  }
  state.found.refs = referenceSet(state.scanner);
  state.mode = "refs";
  state.first = true;
  return "go";
}

function moveUnread(state: DocumentState): void {
  const { scanner } = state;
  countLines(state);
  const unread = scanner.bytes.slice(scanner.position, scanner.end);
  state.scanner = state.makeScanner();
  state.scanner.reserve(unread.length).set(unread);
  state.scanner.commit(unread.length);
  scanner.position = scanner.end;
}

/** A member of the top level: a Version 0 reference, or something beside `refs`. Which, is known at the end. */
function takeTopMember(state: DocumentState, member: Member, bytes: Uint8Array): void {
  const { key, from, to } = member;
  const textMember = TEXT_MEMBERS.find((one) => one === key);
  if (textMember !== undefined) {
    if (state.found[textMember] !== undefined) noteDuplicate(state, key);
    state.found[textMember] = decodeText(bytes.subarray(from, to)).text;
    return;
  }
  state.found.memberCount += 1;
  if (state.found.memberNames.length < MAX_NAMES) state.found.memberNames.push(key);
  const isContainer = bytes[from] === 123 || bytes[from] === 91;
  if (isContainer && !isMetadataKey(key)) {
    const found = embeddedSets(bytes, from, to, key, state.choice);
    state.found.embedded.push(...found);
    // Nothing else than a set would be shown of it, and its text may be long.
    if (found.length > 0) return;
  }
  membersOf(state).addMember(member, bytes);
}

function membersOf(state: DocumentState): ReferenceSet {
  // Before `refs` the current scanner writes the rows of the top level.
  state.found.members ??= referenceSet(state.found.refs === undefined ? state.scanner : state.makeScanner());
  return state.found.members;
}

function itemStep(state: DocumentState): Step {
  const at = nextEntry(state, 93);
  if (at === "more") return "more";
  if (at === "closed") {
    state.mode = "end";
    return "go";
  }
  const { bytes, end } = state.scanner;
  const to = skipValue(bytes, at, end, state.found.notes);
  if (to === INCOMPLETE) return "more";
  state.found.embedded.push(...embeddedSets(bytes, at, to, String(state.found.itemCount), state.choice));
  if (isPair(bytes, at, to)) state.found.pairCount += 1;
  state.found.itemCount += 1;
  state.scanner.position = to;
  state.first = false;
  return "go";
}

/** A list of two texts, the first of them like a key of a store. */
function isPair(bytes: Uint8Array, at: number, to: number): boolean {
  if (bytes[at] !== 91) return false;
  const items = itemsOf(bytes, at, to);
  return items.length === 2 && items.every(([from]) => bytes[from] === 34);
}

function endStep(state: DocumentState): Step {
  const { bytes, position, end } = state.scanner;
  const at = skipSpace(bytes, position, end);
  if (at < end) throw new JsonFault(at, "nothing after the end of the document");
  state.scanner.position = end;
  return "more";
}

function finish(state: DocumentState): ScannedDocument {
  state.patience = 0;
  advance(state);
  if (state.mode !== "end" && state.mode !== "start") {
    throw failure("json-truncated", WHOLE_SET, { bytes: state.found.bytes, read: referencesOf(state) });
  }
  const { found } = state;
  // Entries that the scanner took before anything else did.
  if (found.refs === undefined) found.members ??= referenceSet(state.scanner);
  return found;
}

function noteDuplicate(state: DocumentState, member: string): void {
  state.found.findings.add(finding("json-duplicate-key", WHOLE_SET, { written: member }));
}

// How far the reading of a document has come, and what was found; where in the text it stands.

/** Contents of a document before they are interpreted. */
export interface ScannedDocument {
  /** "object" or "list": what the document is. */
  readonly top: "object" | "list" | "nothing";
  /** Members of the top level as Version 0 references, where there are any. */
  readonly members: ReferenceSet | undefined;
  /** Members of `refs`, where that is an object. */
  readonly refs: ReferenceSet | undefined;
  /** JSON text of other members with a meaning, as written. */
  readonly version: string | undefined;
  readonly templates: string | undefined;
  readonly gen: string | undefined;
  /** Keys of the top level other than those, at most 1000, and their number. */
  readonly memberNames: readonly string[];
  readonly memberCount: number;
  /** Items of a list at the top, and how many of them are pairs of texts. */
  readonly itemCount: number;
  readonly pairCount: number;
  /** Sets found inside the values of the top level. */
  readonly embedded: readonly Embedded[];
  readonly notes: JsonNotes;
  readonly bytes: number;
  readonly findings: FindingLog;
}

type Mode = "start" | "members" | "refs" | "items" | "end";

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

interface DocumentState {
  /** Holds the unread bytes. Its rows belong to `found.refs`, once that was met, else to `found.members`. */
  scanner: Scanner;
  mode: Mode;
  /** No entry of the current object or list has been read yet. */
  first: boolean;
  /** Contents read so far; `bytes`: number of bytes given so far. */
  readonly found: Mutable<ScannedDocument> & { readonly memberNames: string[]; readonly embedded: Embedded[] };
  /** Line breaks in the bytes that left the buffer. */
  lines: number;
  /** Do not look at an incomplete entry again before this many bytes are there. */
  patience: number;
  readonly makeScanner: () => Scanner;
  /** The embedded set whose bytes are wanted. */
  readonly choice: string | undefined;
  /** Bytes. */
  readonly longestEntry: number;
}

function referencesOf(state: DocumentState): number {
  const set = state.found.refs ?? state.found.members;
  return set === undefined ? state.scanner.rows : set.scanner.rows + set.metadata.size;
}

/** Line breaks of the bytes about to leave the buffer. */
function countLines(state: DocumentState): void {
  state.lines += state.scanner.lineBreaks(state.scanner.position);
}

/** Syntax errors become errors that name the place in the document. */
function guarded<T>(state: DocumentState, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { bytes, end } = state.scanner;
    const line = state.lines + state.scanner.lineBreaks(Math.min(error.at, end)) + 1;
    const byte = state.found.bytes - (end - error.at);
    const found = error.at < end ? decodeText(bytes.subarray(error.at, Math.min(end, error.at + 20))).text : "";
    const { expected } = error;
    throw failure("json-malformed", WHOLE_SET, { expected, found, line, byte, read: referencesOf(state) });
  }
}

// Rows that were taken out because a later one had their key, or an earlier one: where each row was before.

/** Effect of removing rows. All lists are sorted by row. */
export interface Removal {
  /** Rows that are gone, as they were numbered. */
  readonly removed: Uint32Array;
  /** Rows, as they are numbered now, that have the value of another row, and which, as it was numbered. */
  readonly taken: Uint32Array;
  readonly takenFrom: Uint32Array;
}

/** `replaced`: by row that is gone the row that has its key; `values`: by such a row the one whose value it has now. */
export function removalOf(replaced: ReadonlyMap<number, number>, values: ReadonlyMap<number, number>): Removal {
  const removed = Uint32Array.from(replaced.keys()).sort();
  const kept = Uint32Array.from(values.keys()).sort();
  const takenFrom = kept.map((row) => values.get(row) ?? row);
  return { removed, taken: kept.map((row) => newRow(removed, row)), takenFrom };
}

/** Number, before the removal, of the row whose value now is in `row`. */
export function valueRowBefore({ removed, taken, takenFrom }: Removal, row: number): number {
  const at = countBefore(taken, row);
  if (taken[at] === row) return takenFrom[at] ?? row;
  // Before row + k came k removed rows: the k-th of them still lies before it.
  return row + firstPlace(0, removed.length, (k) => (removed[k] ?? 0) - k <= row);
}

/** How many of the sorted rows lie before `row`. */
const countBefore = (rows: Uint32Array, row: number): number =>
  firstPlace(0, rows.length, (at) => (rows[at] ?? 0) < row);

export const isRemoved = (removed: Uint32Array, row: number): boolean => removed[countBefore(removed, row)] === row;

/** Number of a row after the removal; of one that is gone that of the next that stays. */
export const newRow = (removed: Uint32Array, row: number): number => row - countBefore(removed, row);
