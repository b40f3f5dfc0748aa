/** Why two snapshots were compared as they were, for people. */
import type { ComparisonReason } from "../repository.ts";

/** One sentence, or two. */
export function comparisonReason(because: ComparisonReason): string {
  switch (because.kind) {
    case "logs":
      return logsReason(because);
    case "same-snapshot":
      return "Both are the same snapshot.";
    case "as-asked":
      return "Both snapshots and their manifests were compared, as asked.";
    case "unrelated": {
      const far = because.among === undefined ? "" : ` among the last ${because.among} commits`;
      return `Neither snapshot is an ancestor of the other${far}, so no logs lead from one to the other: their manifests were compared.`;
    }
    case "too-many-logs":
      return `There are ${because.logs} logs in between, more than ${because.limit}: the manifests were compared.`;
    case "log-missing":
      return `The transaction log ${because.file} is not there: the manifests were compared.`;
    case "log-unreadable":
      return `The transaction log ${because.file} cannot be read: the manifests were compared.`;
    case "log-incomplete": {
      const node = JSON.stringify(`/${because.path}`);
      const change = because.change === "updated" ? `the metadata of ${node} changed` : `${node} was ${because.change}`;
      return `The transaction logs in between do not record that ${change}: commits in between have expired, or the logs belong to other commits. The manifests were compared.`;
    }
  }
}

function logsReason({ reversed, commits, expired }: Extract<ComparisonReason, { readonly kind: "logs" }>): string {
  const [older, newer] = reversed ? ["second", "first"] : ["first", "second"];
  const logs = commits === 1 ? "the transaction log of the commit" : `the transaction logs of the ${commits} commits`;
  const more = expired === 0 ? "" : `, and of ${expired} expired before ${commits === 1 ? "it" : "them"}`;
  return `The ${older} snapshot is an ancestor of the ${newer}: ${logs} after it${more} ${commits + expired === 1 ? "records" : "record"} what was set or deleted${reversed ? ", here in reverse" : ""}.`;
}
