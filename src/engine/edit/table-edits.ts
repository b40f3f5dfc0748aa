/** Edits of references that are kept in the table, applied one after the other to each reference. */
import type { TableEdit } from "../../core/studio.ts";
import { isChunkOf, shiftedRange, type ShiftRanges } from "./shift-ranges.ts";
import { decodeRaw } from "./string-text.ts";
import { belongsTo } from "./text-edits.ts";

export interface AppliedEdits {
  /** Whether an edit names keys or arrays; else all do the same to every reference. */
  readonly names: boolean;
  /**
   * JSON text of a key's value after all edits; `written`: what it was, `undefined` for nothing. `undefined` where it
   * is gone, or has gone to the end. `inText`: it is in the edited text, whose URLs are edited there.
   */
  value(key: string, written: string | undefined, inText?: boolean): string | undefined;
  /** Keys that are new, or came again after they were removed, in order, with their values. */
  atEnd(wasThere: (key: string) => boolean): readonly (readonly [key: string, value: string])[];
  /** A URL after all replacements of prefixes. */
  url(written: string): string;
}

export function appliedEdits(edits: readonly TableEdit[]): AppliedEdits {
  return {
    names: edits.some(({ kind }) => kind !== "replace-prefix"),
    value(key, written, inText = false) {
      const { value, putAt } = follow(edits, key, written, inText);
      return putAt === undefined ? value : undefined;
    },
    atEnd: (wasThere) => atEnd(edits, wasThere),
    url: (written) =>
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
    const put = putBy(edit, key);
    if (put !== undefined) {
      if (value === undefined) putAt = number;
      value = put;
      isText = false;
    } else if (edit.kind === "replace-prefix" && value !== undefined && !isText) value = withPrefix(value, edit);
    else if (isRemovedBy(edit, key)) value = undefined;
    else if (edit.kind === "drop-array" && belongsTo(key, edit.path)) value = undefined;
    else if (edit.kind === "shift-ranges" && value !== undefined && !isText) value = withShift(key, value, edit);
  }
  return { value, putAt };
}

function putBy(edit: TableEdit, key: string): string | undefined {
  if (edit.kind === "set-reference") return edit.key === key ? edit.value : undefined;
  return edit.kind === "set-references" ? valuesOf(edit).get(key) : undefined;
}

function isRemovedBy(edit: TableEdit, key: string): boolean {
  if (edit.kind === "remove-reference") return edit.key === key;
  return edit.kind === "remove-references" && keysOf(edit).has(key);
}

type SetReferences = Extract<TableEdit, { kind: "set-references" }>;
type RemoveReferences = Extract<TableEdit, { kind: "remove-references" }>;

/** Of every reference of the set it is asked whether it is one of them. */
const VALUES = new WeakMap<SetReferences, ReadonlyMap<string, string>>();
const KEYS = new WeakMap<RemoveReferences, ReadonlySet<string>>();

function valuesOf(edit: SetReferences): ReadonlyMap<string, string> {
  const known = VALUES.get(edit) ?? new Map(edit.values);
  VALUES.set(edit, known);
  return known;
}

/** The how many-th of the references that an edit sets. */
const PLACES = new WeakMap<SetReferences, ReadonlyMap<string, number>>();

function placeIn(edit: TableEdit | undefined, key: string): number {
  if (edit?.kind !== "set-references") return 0;
  const known = PLACES.get(edit) ?? new Map(edit.values.map(([one], at) => [one, at]));
  PLACES.set(edit, known);
  return known.get(key) ?? 0;
}

function keysOf(edit: RemoveReferences): ReadonlySet<string> {
  const known = KEYS.get(edit) ?? new Set(edit.keys);
  KEYS.set(edit, known);
  return known;
}

/** Keys that an edit sets, in its order. */
function keysSetBy(edit: TableEdit): readonly string[] {
  if (edit.kind === "set-reference") return [edit.key];
  return edit.kind === "set-references" ? edit.values.map(([key]) => key) : [];
}

function atEnd(edits: readonly TableEdit[], wasThere: (key: string) => boolean) {
  const put: { readonly key: string; readonly value: string; readonly at: number; readonly within: number }[] = [];
  const keys = new Set(edits.flatMap((edit) => keysSetBy(edit)));
  for (const key of keys) {
    // Whatever a key was before, what it is at the end came after it was gone.
    const { value, putAt } = follow(edits, key, wasThere(key) ? "null" : undefined);
    if (value !== undefined && putAt !== undefined)
      put.push({ key, value, at: putAt, within: placeIn(edits[putAt], key) });
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
