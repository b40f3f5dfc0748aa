/** Operations of a repository's log, for people. */
import type { RepositoryStatus, RepositoryUpdate } from "../repository.ts";

const short = (id: string): string => `${id.slice(0, 8)}…`;

/** As the official library calls them (measured, icechunk 2.2.2). */
const FLAGS: ReadonlyMap<number, string> = new Map([
  [3, "move_node"],
  [4, "create_tag"],
  [5, "delete_tag"],
]);

/** `commit 6541ABCD… to “main”`, `tag “v1” deleted, it was CMK0963K…`. */
export function operationText(update: RepositoryUpdate): string {
  switch (update.kind) {
    case "initialized":
      return "repository created";
    case "config-changed":
      return "configuration changed";
    case "metadata-changed":
      return "metadata of the repository changed";
    case "gc-ran":
      return "garbage collected: objects that nothing refers to were removed";
    case "expiration-ran":
      return "old snapshots expired";
    case "migrated":
      return `migrated from format ${update.from} to ${update.to}`;
    case "status-changed":
      return statusText(update.status);
    case "flag-changed":
      return `feature flag ${FLAGS.get(update.flag) ?? update.flag} ${update.value === undefined ? "unset" : update.value ? "enabled" : "disabled"}`;
    case "tag-created":
      return `tag “${update.name}” created`;
    case "branch-created":
      return `branch “${update.name}” created`;
    case "tag-deleted":
      return `tag “${update.name}” deleted, it was ${short(update.previous)}`;
    case "branch-deleted":
      return `branch “${update.name}” deleted, it was ${short(update.previous)}`;
    case "branch-reset":
      return `branch “${update.name}” reset, it was ${short(update.previous)}`;
    case "commit":
      return `commit ${short(update.snapshot)} to “${update.branch}”`;
    case "amended":
      return `commit ${short(update.previous)} of “${update.branch}” amended, now ${short(update.snapshot)}`;
    case "detached-snapshot":
      return `snapshot ${short(update.snapshot)} written, to no branch`;
  }
}

function statusText(status: RepositoryStatus | undefined): string {
  if (status === undefined) return "status changed";
  const { availability, reason } = status;
  return `repository now ${availability}${reason === undefined ? "" : `: ${reason}`}`;
}
