/** Operations of a repository's log, for people. */
import { sentenceOf, type ToldBy } from "./sentences.ts";

const short = (id: string): string => `${id.slice(0, 8)}…`;

/** Names of operations in the official library (measured, icechunk 2.2.2). */
const FLAGS: ReadonlyMap<number, string> = new Map([
  [3, "move_node"],
  [4, "create_tag"],
  [5, "delete_tag"],
]);

export interface RepositoryStatus {
  readonly availability: "online" | "read-only" | "offline";
  readonly since: string | undefined;
  readonly reason: string | undefined;
}

type Deleted = { name: string; previous: string };

/** Snapshots by id; `previous` is what the branch or tag was before. */
export const OPERATIONS = {
  initialized: "repository created",
  "config-changed": "configuration changed",
  "metadata-changed": "metadata of the repository changed",
  "gc-ran": "garbage collected: objects that nothing refers to were removed",
  "expiration-ran": "old snapshots expired",
  migrated: ({ from, to }: { from: number; to: number }) => `migrated from format ${from} to ${to}`,
  "status-changed": ({ status }: { status: RepositoryStatus | undefined }) => statusText(status),
  /** `value` absent: the flag was unset. */
  "flag-changed": ({ flag, value }: { flag: number; value: boolean | undefined }) =>
    `feature flag ${FLAGS.get(flag) ?? flag} ${value === undefined ? "unset" : value ? "enabled" : "disabled"}`,
  "tag-created": ({ name }: { name: string }) => `tag “${name}” created`,
  "branch-created": ({ name }: { name: string }) => `branch “${name}” created`,
  "tag-deleted": ({ name, previous }: Deleted) => `tag “${name}” deleted, it was ${short(previous)}`,
  "branch-deleted": ({ name, previous }: Deleted) => `branch “${name}” deleted, it was ${short(previous)}`,
  "branch-reset": ({ name, previous }: Deleted) => `branch “${name}” reset, it was ${short(previous)}`,
  commit: ({ snapshot, branch }: { snapshot: string; branch: string }) => `commit ${short(snapshot)} to “${branch}”`,
  amended: ({ branch, previous, snapshot }: { branch: string; previous: string; snapshot: string }) =>
    `commit ${short(previous)} of “${branch}” amended, now ${short(snapshot)}`,
  "detached-snapshot": ({ snapshot }: { snapshot: string }) => `snapshot ${short(snapshot)} written, to no branch`,
};

/** `commit 6541ABCD… to “main”`, `tag “v1” deleted, it was CMK0963K…`. */
export const operationText: (update: ToldBy<typeof OPERATIONS, "kind">) => string = sentenceOf(OPERATIONS, "kind");

function statusText(status: RepositoryStatus | undefined): string {
  if (status === undefined) return "status changed";
  const { availability, reason } = status;
  return `repository now ${availability}${reason === undefined ? "" : `: ${reason}`}`;
}
