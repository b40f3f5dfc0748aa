/** Targets of a set as the view Sources asks for them: by window, never all at once. */
import type { TargetReport } from "./target-probe.ts";

export type SourceColumn = "target" | "references" | "bytes" | "arrays" | "end";

/** Which targets are listed, and in which order; equal ones by their URLs. */
export interface SourcesSpec {
  /** Beginning of their URLs, as rendered; `""` for all. */
  readonly prefix: string;
  /** Contained in their URLs (case-sensitive, as URLs are). */
  readonly text: string;
  readonly sort: { readonly column: SourceColumn; readonly descending: boolean };
}

/** Totals of a set's targets, and of data elsewhere. References that are not loaded yet count nowhere. */
export interface SourcesTotals {
  readonly targets: number;
  /** References into targets, and the bytes that their ranges name. */
  readonly references: number;
  readonly bytes: number;
  /** Bytes of all references, inline values as written included. */
  readonly allBytes: number;
  /** References to whole targets, whose bytes nothing says. */
  readonly whole: number;
  readonly inline: number;
  /** Chunks that are objects of the store itself. */
  readonly native: number;
  /** Targets that were asked, and those of them that are as they should be. */
  readonly asked: number;
  readonly sound: number;
}

/** References of one array into a target. */
export interface SourceArray {
  readonly array: string;
  readonly references: number;
  /** First and last chunk coordinate of each dimension; absent where none of them is a chunk of the grid. */
  readonly box?: { readonly from: readonly number[]; readonly to: readonly number[] };
}

export interface SourceRow {
  /** Position in the list. */
  readonly index: number;
  /** `null`: the target that null URLs mean. */
  readonly target: string | null;
  readonly references: number;
  readonly whole: number;
  readonly bytes: number;
  /** The byte after the last one that a range names. */
  readonly end: number;
  /** Those with most references first; not all of them. */
  readonly arrays: readonly SourceArray[];
  readonly arrayCount: number;
  /** Report of the check; absent if it was not checked. */
  readonly asked?: TargetReport;
}

export interface SourcesWindow {
  /** Targets that are listed. */
  readonly total: number;
  readonly rows: readonly SourceRow[];
}

/** A step down in the tree of prefixes. Prefixes with nothing beside them are one with what is below. */
export interface SourcePrefix {
  /** With its last slash. */
  readonly prefix: string;
  /** Text that it adds to the prefix above. */
  readonly label: string;
  readonly targets: number;
  readonly references: number;
  readonly bytes: number;
  /** True if there are prefixes below it. */
  readonly isParent: boolean;
}

export interface SourcePrefixes {
  readonly prefixes: readonly SourcePrefix[];
  /** Prefixes of this level that are not listed. */
  readonly more: number;
}

/** One target: what refers to it, and what of its bytes is referred to. */
export interface SourceDetail extends Omit<SourceRow, "index"> {
  /** Bytes of the target, where asking it gave that. */
  readonly size?: number;
  /** The byte after the last one that is drawn: of the target, or of the ranges where these reach farther. */
  readonly extent: number;
  /** Ranges that name bytes. */
  readonly ranges: number;
  /** Ranges of no bytes. */
  readonly empty: number;
  /** Bytes that at least one range names, inside the target where its size is known. */
  readonly claimed: number;
  /** Bytes that no range names, up to the end of the target, or of the last range where its size is not known. */
  readonly unclaimed: number;
  /** Bytes that ranges which are not the same have in common. */
  readonly overlapping: number;
  /** Ranges that others have, too. */
  readonly shared: number;
  /** Bytes that ranges name beyond the end of the target. */
  readonly pastEnd: number;
}

/** Contents of a pixel of the strip; the last of several wins. */
export const STRIP_KINDS = ["unclaimed", "claimed", "shared", "overlap", "past-end"] as const;
export type StripKind = (typeof STRIP_KINDS)[number];

/** Bytes `from` to `to` of a target, a number a pixel. */
export interface SourceStrip {
  readonly from: number;
  readonly to: number;
  /** Index in `STRIP_KINDS`. */
  readonly kinds: Uint8Array<ArrayBuffer>;
  /** Share of its bytes that a range names, of 255; 0 only where there is none. */
  readonly shares: Uint8Array<ArrayBuffer>;
  /** Place in the detail's `arrays` + 1 of the array with most of these bytes; 0 where there is none, or another. */
  readonly owners: Uint8Array<ArrayBuffer>;
  /** 1 where a range begins. */
  readonly begins: Uint8Array<ArrayBuffer>;
}

/** A range of a target, by its place in the order of offsets, then ends. */
export interface SourceRange {
  readonly place: number;
  /** Bytes; `to` excluded. */
  readonly from: number;
  readonly to: number;
  readonly key: string;
  readonly array: string | undefined;
  /** Absent where the key is no chunk of a grid. */
  readonly coordinates: readonly number[] | undefined;
  /** Bytes before it that nothing refers to. */
  readonly before: number;
  /** Other ranges that are the same. */
  readonly same: number;
  /** True if a different range shares bytes with it. */
  readonly overlaps: boolean;
  /** Its bytes beyond the end of the target; 0 where the size is not known. */
  readonly pastEnd: number;
}

export interface SourceRanges {
  readonly total: number;
  readonly ranges: readonly SourceRange[];
}

/** References to one byte. */
export interface SourceByte {
  readonly byte: number;
  /** The first of those that name it. */
  readonly ranges: readonly SourceRange[];
  readonly count: number;
  /** Bytes around it that no reference names, if none names the byte; open if they have no known end. */
  readonly gap?: { readonly from: number; readonly to: number | undefined };
  /** The range to go on from: the first that names it, else the next one, else the last; -1 where there is none. */
  readonly place: number;
}

/** Place of a chunk's bytes. */
export interface SourceOfChunk {
  readonly target: string | null;
  /** Offset of its range, or -1 if the reference covers the whole target. */
  readonly place: number;
}
