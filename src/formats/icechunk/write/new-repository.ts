/** The beginning of a new repository: the first snapshot, empty, and its log, as the official library writes them. */
import type { JsonValue } from "#core/json/json.ts";
import { MAIN, REPO_PATH, snapshotPath, transactionPath } from "../paths.ts";
import type { SnapshotInfo } from "../repository.ts";
import { timeText } from "../types.ts";
import type { CompressFrame } from "./file.ts";
import { type WrittenRepo, writeRepoInfo } from "./repo.ts";
import { type SnapshotContent, writeSnapshot, writeTransactionLog } from "./snapshot.ts";

export const FIRST_SNAPSHOT = "1CECHNKREP0F1RSTCMT0";
const FIRST_MESSAGE = "Repository initialized";

interface OutputFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** `time`: microseconds since 1970. */
export async function firstFiles(time: number, compress?: CompressFrame): Promise<readonly OutputFile[]> {
  const log = {
    newGroups: [],
    newArrays: [],
    deletedGroups: [],
    deletedArrays: [],
    updatedGroups: [],
    updatedArrays: [],
  };
  const metadata = new Map([["__icechunk", new Map([["is_root", true]])]]);
  const first = { id: FIRST_SNAPSHOT, time, message: FIRST_MESSAGE, metadata, nodes: [], manifests: [] };
  return [
    { path: snapshotPath(FIRST_SNAPSHOT), bytes: await writeSnapshot(first, compress) },
    {
      path: transactionPath(FIRST_SNAPSHOT),
      bytes: await writeTransactionLog({ id: FIRST_SNAPSHOT, ...log, updatedChunks: [], moved: [] }, compress),
    },
  ];
}

/** A repository whose branch `main` has one commit. Times in microseconds since 1970. */
export async function newRepo(
  commit: Pick<SnapshotContent, "id" | "message" | "metadata"> & { readonly time: number },
  config: JsonValue | undefined,
  compress?: CompressFrame,
): Promise<OutputFile> {
  const at = timeText(commit.time);
  const entry = { prunedLogs: [], time: at };
  const first = { ...entry, id: FIRST_SNAPSHOT, parent: undefined, message: FIRST_MESSAGE, metadata: new Map() };
  const info: WrittenRepo = {
    branches: new Map([[MAIN, commit.id]]),
    tags: new Map(),
    deletedTags: [],
    snapshots: new Map<string, SnapshotInfo>([
      [FIRST_SNAPSHOT, first],
      [commit.id, { ...commit, ...entry, parent: FIRST_SNAPSHOT }],
    ]),
    status: { availability: "online", since: at, reason: undefined },
    metadata: new Map(),
    config,
    updates: [
      { kind: "commit", branch: MAIN, snapshot: commit.id, at, backup: undefined },
      { kind: "initialized", at, backup: undefined },
    ],
    updatesContinueIn: undefined,
    enabledFlags: undefined,
    disabledFlags: undefined,
    extra: undefined,
  };
  return { path: REPO_PATH, bytes: await writeRepoInfo(info, compress) };
}
