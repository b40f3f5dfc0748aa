/** Windows of the Version 0 result: its keys in order, or those asked for. */
import { attempt } from "#core/basics.ts";
import { cut } from "#core/words.ts";
import type { CallContext } from "#core/byte-source.ts";
import { type Reference, STATE_CODE } from "#core/table/reference.ts";
import type { VersionRow, VersionRows, VersionRowsSpec } from "#core/studio.ts";
import { columnsAt, stateCodeOf } from "../table/batch.ts";
import { startPace } from "../pace.ts";
import { viewRow } from "../table/rows.ts";
import { ADDED, CHANGED, type Changes } from "./changes.ts";
import { isDifferent, type ReaderView, UNKNOWN } from "./simple-reader.ts";
import { findItem, keyOf, originOf, valueText, type DocumentIndex, type VersionItem } from "./document-index.ts";

export interface ShownSet {
  readonly own: DocumentIndex;
  /** The set as opened, and what was changed since; absent for that set itself. */
  readonly base: DocumentIndex | undefined;
  readonly changes: Changes | undefined;
  readonly simple: ReaderView;
  readonly javascript: ReaderView;
}

const MAX_VERSION_ROWS = 500;
const LONGEST_TEXT = 200;

/** Positions that a view shows, in the set that has them; `undefined` list: all. */
export interface VersionList {
  readonly of: DocumentIndex;
  readonly positions: Uint32Array | undefined;
}

export async function listRows(shown: ShownSet, spec: VersionRowsSpec, context: CallContext): Promise<VersionList> {
  const { own, base, changes } = shown;
  if (spec.show === "removed") {
    const removed = Uint32Array.from(changes?.removed ?? []);
    const of = base ?? own;
    return { of, positions: await filtered(of, removed, containing(of, spec.text), context) };
  }
  const passes = [showing(shown, spec.show), spec.text === "" ? undefined : containing(own, spec.text)];
  const tests = passes.filter((test) => test !== undefined);
  if (tests.length === 0) return { of: own, positions: undefined };
  const all = (position: number, item: VersionItem) => tests.every((test) => test(position, item));
  return { of: own, positions: await filtered(own, undefined, all, context) };
}

type Test = (position: number, item: VersionItem) => boolean;

function showing(shown: ShownSet, show: VersionRowsSpec["show"]): Test | undefined {
  const { own, changes, simple, javascript } = shown;
  const tests: Readonly<Record<VersionRowsSpec["show"], Test | undefined>> = {
    all: undefined,
    removed: undefined,
    added: (position) => changes?.codes[position] === ADDED,
    changed: (position) => changes?.codes[position] === CHANGED,
    differ: (_, item) => isDifferent(simple.value(item)) || isDifferent(javascript.value(item)),
    bad: (_, item) => isBad(own, item),
  };
  return tests[show];
}

function isBad({ set, metadata }: DocumentIndex, item: VersionItem): boolean {
  if (item.kind === "metadata") return metadata[item.index]?.value.kind === "bad";
  const { target, length } = columnsAt(set.table, item.row);
  return stateCodeOf(target, length) === STATE_CODE.bad;
}

/** Tests for a text in the key or the target URL. */
function containing(of: DocumentIndex, text: string): Test {
  const { table } = of.set;
  /** 0 = not looked at, 1 = no, 2 = yes. */
  const known = new Uint8Array(table.targets.count);
  const inTarget = (id: number): boolean => {
    if (known[id] === 0) known[id] = table.targets.text(id).includes(text) ? 2 : 1;
    return known[id] === 2;
  };
  return (_, item) => {
    if (keyOf(of, item).includes(text)) return true;
    if (item.kind === "metadata") return targetOf(of.metadata[item.index]?.value)?.includes(text) === true;
    const id = columnsAt(table, item.row).target;
    return id < table.targets.count && inTarget(id);
  };
}

const targetOf = (value: Reference | undefined): string | null | undefined =>
  value?.kind === "whole" || value?.kind === "range" ? value.target : undefined;

async function filtered(
  of: DocumentIndex,
  from: Uint32Array | undefined,
  test: Test,
  context: CallContext,
): Promise<Uint32Array> {
  const total = from?.length ?? of.order.total;
  const pace = startPace(context, "Looking through the references", total);
  const found = new Uint32Array(total);
  let count = 0;
  for (let at = 0; at < total; at += 1) {
    const position = from === undefined ? at : (from[at] as number);
    if (test(position, of.order.at(position))) found[count++] = position;
    if (at % 1024 === 0) await pace.yieldIfDue(at);
  }
  return found.slice(0, count);
}

/** Rows `from` to `to` (excluded), at most 500. */
export function windowOf(
  shown: ShownSet,
  list: VersionList,
  spec: VersionRowsSpec,
  from: number,
  to: number,
): VersionRows {
  const total = list.positions?.length ?? list.of.order.total;
  const end = Math.min(to, total, from + MAX_VERSION_ROWS);
  const rows: VersionRow[] = [];
  for (let index = Math.max(0, from); index < end; index += 1) {
    const position = list.positions === undefined ? index : (list.positions[index] as number);
    rows.push(versionRow(shown, list.of, position, index, spec.show === "removed"));
  }
  return { total, rows };
}

/** Place of a key in the view, -1 where it is not shown. */
export function indexOfKey(list: VersionList, key: string): number {
  const item = findItem(list.of, key);
  if (item === undefined) return -1;
  const position = list.of.order.positionOf(item);
  return list.positions === undefined ? position : list.positions.indexOf(position);
}

function versionRow(shown: ShownSet, of: DocumentIndex, position: number, index: number, removed: boolean): VersionRow {
  const item = of.order.at(position);
  const code = removed ? undefined : shown.changes?.codes[position];
  const change = removed ? "removed" : code === ADDED ? "added" : code === CHANGED ? "changed" : undefined;
  const fields = item.kind === "row" ? chunkFields(of, item.row) : metadataFields(of, item.index);
  return {
    index,
    ...fields,
    origin: originOf(of, item),
    change,
    before: change === "changed" ? beforeOf(shown.base, fields.key) : undefined,
    simple: removed ? UNKNOWN : shown.simple.value(item),
    javascript: removed ? UNKNOWN : shown.javascript.value(item),
  };
}

function beforeOf(base: DocumentIndex | undefined, key: string): string | undefined {
  const item = base === undefined ? undefined : findItem(base, key);
  return base === undefined || item === undefined ? undefined : cut(valueText(base, item), LONGEST_TEXT);
}

type Fields = Pick<VersionRow, "key" | "state" | "array" | "coordinates" | "target" | "offset" | "length" | "reasons">;

function chunkFields(of: DocumentIndex, row: number): Fields {
  const { key, state, array, coordinates, target, offset, length, reasons } = viewRow(
    of.set.index,
    { row },
    -1,
    of.set.met.answered,
  );
  const cell = coordinates === undefined ? { array: undefined, coordinates } : { array, coordinates };
  const shownTarget = target === undefined ? cut(unquoted(valueText(of, { kind: "row", row })), LONGEST_TEXT) : target;
  return { key, state, ...cell, target: shownTarget, offset, length, reasons };
}

function metadataFields({ metadata }: DocumentIndex, index: number): Fields {
  const entry = metadata[index];
  const base = { key: entry?.key ?? "", array: undefined, coordinates: undefined };
  const none = { ...base, offset: undefined, length: undefined, reasons: [] };
  const value = entry?.value;
  if (value?.kind === "inline") {
    return { ...none, state: "inline", target: cut(shortText(value.bytes), LONGEST_TEXT), length: value.bytes.length };
  }
  if (value?.kind === "whole") return { ...none, state: "whole", target: value.target };
  if (value?.kind === "range") {
    return { ...none, state: "range", target: value.target, offset: value.offset, length: value.length };
  }
  if (value?.kind !== "bad") return { ...none, state: "missing", target: null };
  return { ...none, state: "bad", target: cut(value.written, LONGEST_TEXT), reasons: [value.reason] };
}

const shortText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, 4 * LONGEST_TEXT));

/** The text of an inline value without the quotes and escapes of its JSON, where it was not cut. */
function unquoted(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text;
  return attempt(() => String(JSON.parse(text)), text);
}
