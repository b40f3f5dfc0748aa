/** Icechunk: snapshots compared, and the history of a dataset. */
import { about } from "../entry.ts";
import type { Finding } from "../../fact.ts";
import { count, counted, listed } from "../../../words.ts";

const COMPARING = "Readers are not affected: this is about comparing snapshots.";

const gridText = (grid: readonly number[]): string => `[${grid.join(", ")}]`;

const { error, warning, note } = about("references", { readers: COMPARING });

export const ICECHUNK_COMPARE = {
  "icechunk-grid-not-compared": error<{
    /** Chunks along each dimension; absent where the array is in the other snapshot alone. */
    from: readonly number[] | undefined;
    to: readonly number[] | undefined;
  }>("Array too large to compare", {
    explain: ({ from, to }) => {
      const grids = [from, to].flatMap((grid) => (grid === undefined ? [] : [gridText(grid)]));
      return `The chunks of this array were not compared, because a grid of ${listed(grids, "or")} chunks is too large to number.`;
    },
  }),
  "icechunk-array-not-compared": error<{ cause: Finding }>("Chunks of an array not compared", {
    explain: "Chunks of this array were not compared, so changes among them are not counted.",
  }),
  "icechunk-changes-of-two-arrays": note("Different arrays at the same path", {
    explain:
      "The snapshots have different arrays at this path. Chunks of both are counted and listed, starting with the second snapshot's array.",
  }),
  "icechunk-changes-of-shards": note<{
    /** Chunks in a shard. */
    chunks: number;
    /** Shards that the map shows, where it does not show all. */
    mapped: number | undefined;
  }>("Changes counted by shard", {
    explain: ({ chunks, mapped }) =>
      `This array's references are to shards of ${counted(chunks, "chunk")}, so changed shards are counted and listed.${mapped === undefined ? "" : ` The map shows only the first ${counted(mapped, "shard")}.`}`,
  }),
  "icechunk-changes-cut": warning<{
    changes: number;
    unlisted: number;
    limit: number;
    /** By logs: chunks that were set several times are counted each time once the list is full. */
    mayRepeat: boolean;
  }>("Not all changes listed", {
    explain: ({ changes, unlisted, limit, mayRepeat }) =>
      `${count(unlisted)} of ${counted(changes, "change")} of chunks in this array are counted but not listed; Refscope keeps at most ${count(limit)}.${mayRepeat ? " Some of these may be repeats." : ""}`,
    remedy: "Compare snapshots that are closer to each other.",
  }),
  "icechunk-log-wrong-rank": warning("Transaction log does not match the array's rank", {
    explain:
      "Transaction logs name chunks of this array with more or fewer coordinates than it has dimensions. Refscope leaves them out.",
  }),
  "icechunk-log-resized": note<{ from: readonly number[]; to: readonly number[] }>("Array was resized", {
    explain: ({ from, to }) =>
      `The array has a grid of ${gridText(from)} chunks in the first snapshot and of ${gridText(to)} in the second. Transaction logs do not name the chunks lost or gained by resizing, so the changes do not include them.`,
    remedy: "Compare by manifests to see them.",
    readers: "Icechunk's diff does not name these chunks either.",
    about: "metadata",
  }),
  "nothing-compared": error("No snapshots were compared", {
    explain: "Changed chunks were requested, but no two snapshots have been compared.",
    remedy: "Compare two snapshots first.",
    about: "page",
  }),
  "no-repository": error<{ format: string }>("Dataset has no history", {
    explain: ({ format }) => `Only a snapshot of an Icechunk repository has a history; this dataset is ${format}.`,
    readers: "Readers are not affected: this is about Refscope itself.",
    about: "page",
  }),
};
