/** The weight of an Icechunk repository, as page and terminal show it: plain data. All sizes in bytes. */
import type { Finding } from "./findings/finding.ts";

/** Parts of a repository that have bytes. */
export const PARTS = ["native", "virtual", "inline", "manifests", "metadata"] as const;
export type Part = (typeof PARTS)[number];

/**
 * `native`: chunk files. `virtual`: ranges of other files, each (location, offset, length) once. `inline`: chunks in
 * manifests, each (array, chunk, bytes) once. `manifests`: their files, inline chunks included. `metadata`: snapshots,
 * transaction logs, `repo` or `refs/`, and `config.yaml`.
 */
export type PartBytes = Readonly<Record<Part, number>>;

export interface ArrayAnatomy {
  /** Its path in the newest snapshot that has it, without a leading slash. */
  readonly path: string;
  /** Id of its node: an array made anew at a path is another one. */
  readonly node: string;
  /** False: it is only in older snapshots, in none that a branch or tag points to. */
  readonly isCurrent: boolean;
  /** Distinct references; one that two arrays share counts for the first. */
  readonly references: number;
  readonly bytes: PartBytes;
  /** The share of `bytes` that no branch or tag points to: only older snapshots hold it. */
  readonly older: PartBytes;
}

export interface SnapshotAnatomy {
  readonly id: string;
  readonly time: string | undefined;
  readonly message: string;
  /** `branch main`, `tag v1`: what points to it. */
  readonly refs: readonly string[];
  /** All that it refers to, each of its references counted; `metadata` are its own files. */
  readonly bytes: PartBytes;
  /** The part that no earlier snapshot had. */
  readonly added: PartBytes;
  /** The part that no other snapshot has: freed if it alone went. */
  readonly unique: PartBytes;
}

/**
 * Why a file is an orphan. "unfinished": a local writer was killed while it wrote. "unreached": a snapshot that no branch or
 * tag leads to, or its log. "of-unreached": only such snapshots use it. "unused": nothing names it, as after a session
 * that was never committed, or that wrote a chunk twice.
 */
export type OrphanReason = "unfinished" | "unreached" | "of-unreached" | "unused";

export interface OrphanFile {
  /** Path below the repository. */
  readonly name: string;
  /** Absent where the listing has no sizes. */
  readonly bytes: number | undefined;
  readonly reason: OrphanReason;
}

/** Files of which some may not be named. */
export interface FileCount {
  readonly files: number;
  readonly bytes: number;
}

/** The effect of expiring and then collecting garbage; nothing is deleted. */
export interface Expiry {
  /** ISO; `undefined`: only garbage is collected. */
  readonly before: string | undefined;
  /** Snapshots that go, and those that stay. */
  readonly expired: number;
  readonly kept: number;
  /** Paths of the files that go, orphans among them. */
  readonly freed: readonly string[];
  /** All files that go, named or not. */
  readonly files: number;
  /** Chunk files that go and that cannot be named, since the store cannot be listed; they count in `bytes`. */
  readonly unnamed: number;
  readonly bytes: number;
  /** Bytes that go without the orphans, by part. */
  readonly byPart: PartBytes;
  readonly orphans: FileCount;
  /** Native and manifest bytes that go, of each of `arrays`. */
  readonly ofArrays: readonly { readonly native: number; readonly manifests: number }[];
}

/** Bytes that a reader fetches before the first chunk, of a snapshot. */
export interface ReaderAnatomy {
  readonly snapshot: string;
  /** `repo`, or the ref and the configuration of format 1. */
  readonly entry: number;
  /** The snapshot's file. */
  readonly snapshotBytes: number;
  readonly arrays: readonly ArrayReader[];
}

export interface ArrayReader {
  readonly path: string;
  readonly references: number;
  readonly manifests: number;
  readonly manifestBytes: number;
  /** Smallest and largest of its manifests. */
  readonly least: number;
  readonly most: number;
  /** Estimates, smallest split first; the last is one manifest. Empty for small arrays. */
  readonly splits: readonly Split[];
  /** Index in `splits` of a better one than now; absent where the present split is about as good. */
  readonly better?: number;
}

/** An array's references, split into manifests of at most so many. */
export interface Split {
  readonly references: number;
  readonly manifests: number;
  /** Bytes that a reader fetches before one chunk: entry, snapshot, one manifest. */
  readonly before: number;
  /** All manifests together. */
  readonly total: number;
}

/** Cost of an anatomy, known without reading anything. */
export interface AnatomyCost {
  readonly snapshots: number | undefined;
  /** Manifests and their bytes, where the store can be listed. */
  readonly manifests: FileCount | undefined;
  /** All files, where they can be listed. */
  readonly files: FileCount | undefined;
  /** The files are on this computer: reading them costs no requests. */
  readonly isLocal: boolean;
}

export interface Anatomy {
  readonly bytes: PartBytes;
  /** Files of each part that has any; for virtual and inline: chunks. */
  readonly counts: PartBytes;
  readonly arrays: readonly ArrayAnatomy[];
  /** Those that a branch or tag leads to, oldest first. */
  readonly snapshots: readonly SnapshotAnatomy[];
  /** "none": sizes are those that snapshots and references record, logs are not counted, and orphans are not known. */
  readonly listed: "all" | "none";
  readonly orphans: readonly OrphanFile[];
  /** Older states of `repo` and refs below `overwritten/`: neither orphans nor reached. */
  readonly overwritten: FileCount;
  /** Chunk files that references name and that the listing lacks. */
  readonly missingChunks: number;
  /** Manifests and snapshots that could not be read: what they hold is not counted. */
  readonly unread: number;
  readonly reader: ReaderAnatomy;
  readonly findings: readonly Finding[];
}

/** Bytes of the repository's own files: inline chunks lie in manifests, virtual ones elsewhere. */
export const storedBytes = ({ native, manifests, metadata }: PartBytes): number => native + manifests + metadata;
