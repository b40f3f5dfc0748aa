/**
 * Paths of objects below a repository's root (Icechunk's specification, "File Layout"; measured with writers 0.1 to
 * 2.2).
 */

/** Format 2: branches, tags, history and configuration in one file. */
export const REPO_PATH = "repo";
/** Format 1; a repository may do without. */
export const CONFIG_PATH = "config.yaml";
export const REFS_PREFIX = "refs/";

export const snapshotPath = (id: string): string => `snapshots/${id}`;
export const manifestPath = (id: string): string => `manifests/${id}`;
export const transactionPath = (id: string): string => `transactions/${id}`;
/** Chunk files have no header: the bytes of native chunks alone. */
export const chunkPath = (id: string): string => `chunks/${id}`;
/** Older states of `repo`, which continue the log of operations. */
export const overwrittenPath = (name: string): string => `overwritten/${name}`;

export const branchPath = (name: string): string => `refs/branch.${name}/ref.json`;
export const tagPath = (name: string): string => `refs/tag.${name}/ref.json`;
/** Beside a tag that was deleted; the tag itself stays. */
export const deletedTagPath = (name: string): string => `${tagPath(name)}.deleted`;

/** Every repository has this branch, which cannot be deleted. */
export const MAIN = "main";
