/** Repositories with a history (Icechunk), as shown by the page and the terminal: plain data. */
import type { JsonChange } from "./json/json-changes.ts";
import type { Finding } from "./findings/finding.ts";
import type { REASONS } from "./words/comparison-words.ts";
import type { OPERATIONS, RepositoryStatus } from "./words/operation-words.ts";
import type { ToldBy } from "./words/sentences.ts";

/** The part of a set's summary that a repository adds. */
export interface RepositorySummary {
  /** "1" or "2". */
  readonly format: string;
  readonly shown: ShownRef;
}

/** The open snapshot, and the ref that it was requested as. */
export type ShownRef =
  | { readonly kind: "branch" | "tag"; readonly name: string; readonly snapshot: string }
  | { readonly kind: "snapshot"; readonly snapshot: string };

export interface NamedRef {
  readonly name: string;
  readonly snapshot: string;
}

/** Branches, tags, places and operations, without the chains of snapshots (`Ancestry`). */
export interface RepositoryHistory extends RepositorySummary {
  /** "ic-2.2.2"; absent where no file of the repository says it (format 1). */
  readonly writer?: string;
  readonly status?: RepositoryStatus;
  readonly branches: readonly NamedRef[];
  readonly tags: readonly NamedRef[];
  readonly deletedTags: readonly string[];
  /** False: others may exist that cannot be listed; they are asked for by name. */
  readonly refsComplete: boolean;
  readonly containers: readonly ContainerSummary[];
  /** Snapshots that no branch and no tag leads to (format 2), newest first. */
  readonly detached: readonly SnapshotEntry[];
  /** The log of operations, newest first (format 2). */
  readonly updates: readonly RepositoryUpdate[];
  /** Place at which the log continues; pass it to `olderOperations`. */
  readonly updatesContinueIn?: string;
}

/** A place that virtual chunks may be in. */
export interface ContainerSummary {
  readonly name: string | undefined;
  readonly prefix: string;
  /** "s3", "http", "local_file_system", … */
  readonly store: string;
  /** Options of the location: region, endpoint, "anonymous", headers. `[term, value]`. */
  readonly options: readonly (readonly [term: string, value: string])[];
  /** Endpoint of the store, if it is not its cloud's own. */
  readonly endpoint?: string;
  /** True if the official reader sends headers that are stored with it. */
  readonly sendsHeaders: boolean;
  /** Why the official reader leaves it out. */
  readonly ignored?: Finding;
}

/** One snapshot of a chain. */
export interface SnapshotEntry {
  readonly id: string;
  readonly parent: string | undefined;
  /** ISO, with microseconds. */
  readonly time: string | undefined;
  readonly message: string;
  /** Author, if the metadata name one. */
  readonly author: string | undefined;
  /** All metadata, as text of their JSON values. */
  readonly metadata: readonly (readonly [name: string, json: string])[];
}

/** A snapshot in the graph of all, with its place and its lines. */
export interface CommitRow extends SnapshotEntry {
  readonly row: number;
  /** From 0, at the left. */
  readonly lane: number;
  /** Lanes of lines that pass by. */
  readonly passing: readonly number[];
  /** Lanes of children, other than its own, that end here. */
  readonly joining: readonly number[];
  /** A child in its own lane is above. */
  readonly isContinued: boolean;
  readonly parentRow?: number;
  /** The first ancestor in another lane. */
  readonly joinRow?: number;
  /** The oldest child in another lane. */
  readonly forkRow?: number;
  /** Why it has no row of a parent: "limit": not fetched yet; "circle": its parent came before. */
  readonly end?: Ancestry["end"] | "unreadable";
  /** No branch and no tag leads to it. */
  readonly isDetached?: true;
}

/** A window of the graph of snapshots: newest first, children before parents. */
export interface CommitGraph {
  readonly total: number;
  /** Lanes of the whole graph. */
  readonly lanes: number;
  /** More snapshots are there, and were not fetched (format 1). */
  readonly hasMore: boolean;
  /** The open snapshot: its row, the commits that lead to it, itself included, and the row of the oldest of them. */
  readonly shown?: {
    readonly row: number;
    readonly commits: number;
    readonly last: number;
    readonly entry?: SnapshotEntry;
  };
  /** Snapshots that branches and tags point to, those of them that are among the rows. */
  readonly heads: readonly SnapshotEntry[];
  /** Why files of snapshots could not be read (format 1). */
  readonly failed: readonly Finding[];
  readonly from: number;
  readonly rows: readonly CommitRow[];
}

/**
 * Changes that the transaction log of a commit names. Paths have no leading slash, and are absent where no snapshot at
 * hand has the node.
 */
export interface CommitChanges {
  readonly snapshot: string;
  /** There is no log to tell, as for the first snapshot of format 1. */
  readonly isUntold: boolean;
  /** Arrays of which chunks were written or deleted, most chunks first. */
  readonly arrays: readonly ArrayTouched[];
  readonly nodes: readonly NodeTouched[];
}

export interface ArrayTouched {
  readonly path?: string;
  readonly count: number;
  /** Chunks of its grid, in the open snapshot or else the commit's. */
  readonly chunks?: number;
  /** The commit made the array. */
  readonly isNew: boolean;
}

/** `updated`: its metadata. */
export interface NodeTouched {
  readonly kind: NodeChange["kind"];
  readonly node: "group" | "array";
  readonly path?: string;
  /** Path before a move. */
  readonly before?: string;
}

export interface Ancestry {
  readonly from: string;
  /** Newest first. */
  readonly entries: readonly SnapshotEntry[];
  /**
   * Why it ends: at the first snapshot; at the limit asked for; at a parent that is not there (expired); or at one that
   * came before (parents in a circle).
   */
  readonly end: "first" | "limit" | "missing" | "circle";
}

/**
 * An operation of the log. `at`: ISO, with microseconds. `backup`: the repository info before it, a file below
 * `overwritten/`.
 */
export type RepositoryUpdate = UpdateKind & {
  readonly at: string | undefined;
  readonly backup: string | undefined;
};

export type { RepositoryStatus };

export type UpdateKind = ToldBy<typeof OPERATIONS, "kind">;

export interface OlderOperations {
  readonly updates: readonly RepositoryUpdate[];
  readonly updatesContinueIn: string | undefined;
}

/** How a chunk differs. Of transaction logs only "set" is known: that it was set or deleted. */
export const CHANGES = ["set", "added", "removed", "changed"] as const;
export type ChangeKind = (typeof CHANGES)[number];

export type ComparisonMethod = "auto" | "manifests";

/** Differences between two snapshots of a repository. */
export interface SnapshotChanges {
  readonly from: string;
  readonly to: string;
  /** From the logs of the commits in between, or from both snapshots and their manifests. */
  readonly method: "logs" | "manifests";
  readonly because: ComparisonReason;
  /** Changes by path. */
  readonly nodes: readonly NodeChange[];
  /** Arrays of which chunks changed, by path. */
  readonly arrays: readonly ArrayChanges[];
  /** Arrays whose chunks were not, or only partly, compared. */
  readonly uncompared: number;
  readonly findings: readonly Finding[];
}

/** Why snapshots were compared by logs, or by manifests. */
export type ComparisonReason = ToldBy<typeof REASONS, "kind">;

export interface NodeChange {
  /**
   * "updated": its metadata. A node may be moved and updated: then there are two. By logs, as the official reader has it,
   * a node that was added may be moved or updated too, and metadata may be the same again in the end.
   */
  readonly kind: "added" | "removed" | "moved" | "updated";
  readonly node: "group" | "array";
  /** Without a leading slash; of a removed node in `from`, else in `to`. */
  readonly path: string;
  /** Path before a move. */
  readonly before?: string;
  /** Fields of the metadata that differ, in an update; absent if one snapshot has no metadata. */
  readonly members?: NodeMembers;
}

export interface NodeMembers {
  readonly changes: readonly JsonChange[];
  /** All of them, where not all are listed. */
  readonly count: number;
}

/** Counts both arrays where the snapshots have different ones at the path. */
export interface ArrayChanges {
  /** Path in `to`, for a removed array in `from`; without a leading slash. */
  readonly path: string;
  readonly before?: string;
  readonly count: number;
  readonly kinds: Readonly<Record<ChangeKind, number>>;
  /** True if the open set has the array with this path, so that its map can show them. */
  readonly shown: boolean;
}

/** A chunk that changed; a shard, where the array has them, since references are of these. */
export interface ChangedChunk {
  /** Those that logs name may be outside the array's grid, where it was larger in between. */
  readonly coordinates: readonly number[];
  readonly kind: ChangeKind;
}

export interface ChangedChunks {
  readonly path: string;
  readonly from: number;
  /** Chunks that can be listed: fewer than `ArrayChanges.count` where that is more than are kept. */
  readonly total: number;
  /** Changes in C order; of two arrays at the path first all of the one in `to`. */
  readonly chunks: readonly ChangedChunk[];
}
