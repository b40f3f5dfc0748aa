/** Why two snapshots were compared as they were, for people. */
import { sentenceOf, type ToldBy } from "./sentences.ts";

type Logs = { reversed: boolean; commits: number; expired: number };
type Unrecorded = { path: string; change: "created" | "updated" | "deleted" };

/** Compared by logs, or by manifests: all but `logs`. One sentence, or two. */
export const REASONS = {
  /** One is an ancestor of the other; `reversed`: the second of the first. */
  logs: (of: Logs) => logsReason(of),
  "same-snapshot": "Both are the same snapshot.",
  "as-asked": "Both snapshots and their manifests were compared, as asked.",
  /** `among`: as far as that was followed. */
  unrelated: ({ among }: { among?: number }) =>
    `Neither snapshot is an ancestor of the other${among === undefined ? "" : ` among the last ${among} commits`}, so no logs lead from one to the other: their manifests were compared.`,
  "too-many-logs": ({ logs, limit }: { logs: number; limit: number }) =>
    `There are ${logs} logs in between, more than ${limit}: the manifests were compared.`,
  "log-missing": ({ file }: { file: string }) =>
    `The transaction log ${file} is not there: the manifests were compared.`,
  "log-unreadable": ({ file }: { file: string }) =>
    `The transaction log ${file} cannot be read: the manifests were compared.`,
  /** The logs do not record what happened to a node. */
  "log-incomplete": ({ path, change }: Unrecorded) => {
    const node = JSON.stringify(`/${path}`);
    const happened = change === "updated" ? `the metadata of ${node} changed` : `${node} was ${change}`;
    return `The transaction logs in between do not record that ${happened}: commits in between have expired, or the logs belong to other commits. The manifests were compared.`;
  },
};

export const comparisonReason: (because: ToldBy<typeof REASONS, "kind">) => string = sentenceOf(REASONS, "kind");

function logsReason({ reversed, commits, expired }: Logs): string {
  const [older, newer] = reversed ? ["second", "first"] : ["first", "second"];
  const logs = commits === 1 ? "the transaction log of the commit" : `the transaction logs of the ${commits} commits`;
  const more = expired === 0 ? "" : `, and of ${expired} expired before ${commits === 1 ? "it" : "them"}`;
  return `The ${older} snapshot is an ancestor of the ${newer}: ${logs} after it${more} ${commits + expired === 1 ? "records" : "record"} what was set or deleted${reversed ? ", here in reverse" : ""}.`;
}
