/**
 * A set too large for a text editor, edited: its document is rewritten from the table and the reduced text, piece by
 * piece, straight into the reader. Nowhere is there a second text of the whole.
 */
import type { ByteStream } from "#core/byte-source.ts";
import { chunkName, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { JsonMember } from "#core/json/json.ts";
import { LENGTH_BIG, LENGTH_WHOLE, TARGET_BAD, TARGET_INLINE, TARGET_NULL } from "#core/table/reference-table.ts";
import type { ReferenceTable } from "#core/table/reference-table.ts";
import type { TableEdit } from "#core/studio.ts";
import type { StreamedDocument } from "../chunk/sources.ts";
import { oncePer } from "../kept.ts";
import { columnsAt, ordinalOfRow } from "../table/batch.ts";
import { type DocumentIndex, findItem, genOrdinal, genReplaced, keyOfRow, type VersionItem } from "./document-index.ts";
import type { EditedText } from "./edited-text.ts";
import { isJson, metadataText, textEntries } from "./reduced.ts";
import { isChunkOf, shiftedRange, type ShiftRanges, belongsTo } from "./text-edits.ts";
import { decodeRaw } from "./string-text.ts";

/** Characters given to the reader at once. */
const PIECE = 1 << 20;

export function reducedDocument(
  of: DocumentIndex,
  document: EditedText,
  edits: readonly TableEdit[],
): StreamedDocument {
  return { stream: () => Promise.resolve(streamOf(documentPieces(of, document, edits))) };
}

function streamOf(pieces: Generator<string>): ByteStream {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const { value, done } = pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel() {
        pieces.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
  return { body, size: undefined };
}

/** The outer form is the text's; its `refs` are merged with the references of the table. */
function* documentPieces(of: DocumentIndex, document: EditedText, edits: readonly TableEdit[]): Generator<string> {
  const { root, text, version } = document;
  let piece = "{";
  if (version === 1 && root.kind === "object") {
    for (const { key, keyStart, node } of root.members) {
      if (key !== "refs") piece += `${text.slice(keyStart, node.end)},`;
    }
    piece += '"refs":{';
  }
  let separator = "";
  for (const member of mergedMembers(mergeOf(of, document, edits))) {
    piece += separator + member;
    separator = ",\n";
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}${version === 1 ? "}}" : "}"}`;
}

interface Merge {
  readonly of: DocumentIndex;
  readonly text: string;
  readonly edits: AppliedEdits;
  /** Members of the text's references by key. */
  readonly inText: ReadonlyMap<string, JsonMember>;
  /** Keys that the text had when it was made: what is no longer in it was removed. */
  readonly editable: ReadonlySet<string>;
}

function mergeOf(of: DocumentIndex, { refs, text }: EditedText, edits: readonly TableEdit[]): Merge {
  const inText = new Map((refs?.members ?? []).map((member) => [member.key, member]));
  const editable = new Set(textEntries(of).map(({ key }) => key));
  return { of, text, edits: appliedEdits(edits), inText, editable };
}

function* mergedMembers(merge: Merge): Generator<string> {
  const { of, inText, editable, edits } = merge;
  const { set, metadata, order } = of;
  const rowMember = rowWriter(set.table, edits);
  const plain = !edits.names && [...inText.keys()].every((key) => editable.has(key));
  const met = new Set<string>();
  for (let position = 0; position < order.total; position += 1) {
    const item = order.at(position);
    if (isMadeOnly(of, item)) continue;
    if (item.kind === "row" && plain) {
      const member = rowMember.member(item.row);
      if (member !== undefined) yield member;
      continue;
    }
    const key = item.kind === "row" ? keyOfRow(set, item.row) : (metadata[item.index]?.key ?? "");
    const value = edits.value(key, ownValue(merge, item, key, rowMember), inText.has(key));
    if (inText.has(key)) met.add(key);
    if (value !== undefined) yield `${JSON.stringify(key)}:${value}`;
  }
  yield* newMembers(merge, met);
}

/** Keys that only a gen makes: rendering makes them again. One in the place of a key in `refs` keeps that place. */
const isMadeOnly = (of: DocumentIndex, item: VersionItem): boolean =>
  genOrdinal(of, item) !== undefined && !genReplaced(of, item);

function ownValue(merge: Merge, item: VersionItem, key: string, rows: RowWriter): string | undefined {
  const own = textValue(merge, key);
  if (own !== undefined || item.kind === "row") return own ?? (item.kind === "row" ? rows.value(item.row) : undefined);
  const entry = merge.of.metadata[item.index];
  return entry === undefined || merge.editable.has(key) ? undefined : metadataText(entry);
}

function textValue({ inText, text }: Merge, key: string): string | undefined {
  const node = inText.get(key)?.node;
  return node === undefined ? undefined : text.slice(node.start, node.end);
}

/** Members of the text that the set lacks, then those that edits append. */
function* newMembers(merge: Merge, met: ReadonlySet<string>): Generator<string> {
  const { of, inText, editable, edits } = merge;
  for (const key of inText.keys()) {
    const value = met.has(key) ? undefined : edits.value(key, textValue(merge, key), true);
    if (value !== undefined) yield `${JSON.stringify(key)}:${value}`;
  }
  const wasThere = (key: string): boolean => {
    const item = findItem(of, key);
    return inText.has(key) || (item !== undefined && !editable.has(key) && !isMadeOnly(of, item));
  };
  for (const [key, value] of edits.atEnd(wasThere)) yield `${JSON.stringify(key)}:${value}`;
}

type RowWriter = ReturnType<typeof rowWriter>;

function rowWriter(table: ReferenceTable, edits: AppliedEdits) {
  const urls: string[] = [];
  const urlText = (id: number): string => (urls[id] ??= JSON.stringify(edits.url(table.targets.written(id))));
  const prefixes = table.arrays.map(({ path }) => (path === "" ? '"' : JSON.stringify(`${path}/`).slice(0, -1)));
  const strays = new Map(table.strays.map(({ row, key }) => [row, key]));
  const decoder = new TextDecoder();
  /** JSON text of the value as the document has it, URLs edited by prefix; `undefined` where it was not kept whole. */
  const value = (row: number): string | undefined => {
    const { target, offset, length } = columnsAt(table, row);
    if (target === TARGET_INLINE) return `"${decoder.decode(table.inline.slice(offset, length))}"`;
    if (target === TARGET_BAD) {
      const written = table.bad.get(row)?.written ?? "";
      return isJson(written) ? written : undefined;
    }
    const url = target === TARGET_NULL ? "null" : urlText(target);
    if (length === LENGTH_WHOLE) return `[${url}]`;
    return `[${url},${offset},${length === LENGTH_BIG ? (table.bigLengths.get(row) ?? length) : length}]`;
  };
  return {
    value,
    member(row: number): string | undefined {
      const text = value(row);
      const ordinal = ordinalOfRow(table, row);
      if (text === undefined) return undefined;
      if (ordinal < 0) return `${JSON.stringify(strays.get(row) ?? "")}:${text}`;
      const { array } = columnsAt(table, row);
      const slot = table.arrays[array];
      const name = chunkName(coordinatesOf(slot?.grid ?? [], ordinal), slot?.separator ?? ".");
      return `${prefixes[array] ?? '"'}${name}":${text}`;
    },
  };
}

// Edits of references that are kept in the table, applied one after the other to each reference.

type AppliedEdits = ReturnType<typeof appliedEdits>;

export function appliedEdits(edits: readonly TableEdit[]) {
  return {
    /** True if an edit names keys or arrays; otherwise all edits change every reference alike. */
    names: edits.some(({ kind }) => kind !== "replace-prefix"),
    /**
     * JSON text of a key's value after all edits; `written`: what it was, `undefined` for nothing. `undefined` where it
     * is gone, or has gone to the end. `inText`: it is in the edited text, whose URLs are edited there.
     */
    value(key: string, written: string | undefined, inText = false): string | undefined {
      const { value, putAt } = follow(edits, key, written, inText);
      return putAt === undefined ? value : undefined;
    },
    /** Keys that are new, or came again after they were removed, in order, with their values. */
    atEnd: (wasThere: (key: string) => boolean) => atEnd(edits, wasThere),
    /** A URL after all replacements of prefixes. */
    url: (written: string): string =>
      edits.reduce((url, edit) => (edit.kind === "replace-prefix" ? replaced(url, edit) : url), written),
  };
}

interface Followed {
  readonly value: string | undefined;
  /** The edit that last put it at the end; absent where it is still in its first place. */
  readonly putAt: number | undefined;
}

function follow(edits: readonly TableEdit[], key: string, written: string | undefined, inText = false): Followed {
  let value = written;
  let isText = inText;
  let putAt: number | undefined;
  for (const [number, edit] of edits.entries()) {
    const put = putsOf(edit).get(key);
    if (put !== undefined) {
      if (value === undefined) putAt = number;
      value = put.value;
      isText = false;
    } else if (edit.kind === "replace-prefix" && value !== undefined && !isText) value = withPrefix(value, edit);
    else if (removedBy(edit).has(key)) value = undefined;
    else if (edit.kind === "drop-array" && belongsTo(key, edit.path)) value = undefined;
    else if (edit.kind === "shift-ranges" && value !== undefined && !isText) value = withShift(key, value, edit);
  }
  return { value, putAt };
}

interface Put {
  readonly value: string;
  /** The how many-th of the references that the edit sets. */
  readonly within: number;
}

/** Values that an edit sets, by key; kept, because every reference is looked up in it. */
const putsOf = oncePer((edit: TableEdit): ReadonlyMap<string, Put> => {
  const values = edit.kind === "set-reference" ? [[edit.key, edit.value] as const] : [];
  const all = edit.kind === "set-references" ? edit.values : values;
  return new Map(all.map(([key, value], within) => [key, { value, within }]));
});

/** Keys that an edit removes, those of arrays aside. */
const removedBy = oncePer((edit: TableEdit): ReadonlySet<string> => {
  if (edit.kind === "remove-reference") return new Set([edit.key]);
  return new Set(edit.kind === "remove-references" ? edit.keys : []);
});

function atEnd(edits: readonly TableEdit[], wasThere: (key: string) => boolean) {
  const put: { readonly key: string; readonly value: string; readonly at: number; readonly within: number }[] = [];
  const keys = new Set(edits.flatMap((edit) => [...putsOf(edit).keys()]));
  for (const key of keys) {
    // Whatever a key was before, what it is at the end came after it was gone.
    const { value, putAt } = follow(edits, key, wasThere(key) ? "null" : undefined);
    const edit = putAt === undefined ? undefined : edits[putAt];
    if (value !== undefined && putAt !== undefined && edit !== undefined)
      put.push({ key, value, at: putAt, within: putsOf(edit).get(key)?.within ?? 0 });
  }
  return put.sort((a, b) => a.at - b.at || a.within - b.within).map(({ key, value }) => [key, value] as const);
}

type Prefix = Extract<TableEdit, { kind: "replace-prefix" }>;

const replaced = (url: string, { from, to }: Prefix): string =>
  from !== "" && url.startsWith(from) ? to + url.slice(from.length) : url;

const FIRST_TEXT = /^\s*\[\s*("(?:[^"\\]|\\.)*")/;

function withPrefix(value: string, edit: Prefix): string {
  const first = FIRST_TEXT.exec(value);
  if (first?.[1] === undefined) return value;
  const url = decodeRaw(first[1].slice(1, -1));
  const next = replaced(url, edit);
  return next === url ? value : `[${JSON.stringify(next)}${value.slice(first[0].length)}`;
}

const RANGE = /^(\s*\[\s*(?:null|"(?:[^"\\]|\\.)*")\s*,\s*)([^\s,\]]+)(\s*,\s*)([^\s,\]]+)(?=\s*\]\s*$)/;

function withShift(key: string, value: string, edit: ShiftRanges): string {
  const range = isChunkOf(key, edit.path) ? RANGE.exec(value) : null;
  const moved = range === null ? undefined : shiftedRange(Number(range[2]), Number(range[4]), edit);
  if (range === null || moved === undefined) return value;
  return `${range[1]}${moved.offset}${range[3]}${moved.length}${value.slice(range[0].length)}`;
}
