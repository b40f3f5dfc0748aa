/** Icechunk: snapshots compared, and asking a set for its history. */
import { about } from "../entry.ts";
import type { Finding } from "../../fact.ts";
import { count, counted, listed } from "../../../words.ts";

const COMPARING = "Readers are not affected: this is about comparing snapshots.";

const gridText = (grid: readonly number[]): string => `[${grid.join(", ")}]`;

const { error, warning, note } = about("references", { readers: COMPARING });
const ofPage = about("page");

export const ICECHUNK_COMPARE = {
  "icechunk-grid-not-compared": error<{
    /** Chunks along each dimension; absent where the array is in the other snapshot alone. */
    readonly from: readonly number[] | undefined;
    readonly to: readonly number[] | undefined;
  }>({
    title: "An array too large to be compared",
    explain: ({ from, to }) => {
      const grids = [from, to].flatMap((grid) => (grid === undefined ? [] : [gridText(grid)]));
      return `The chunks of this array were not compared: a grid of ${listed(grids, "or")} chunks is too large to number.`;
    },
  }),
  "icechunk-array-not-compared": error<{ readonly cause: Finding }>({
    title: "An array whose chunks were not compared",
    explain: "Chunks of this array were not compared, and changes among them are not counted.",
  }),
  "icechunk-changes-of-two-arrays": note({
    title: "Different arrays at the same path",
    explain:
      "The snapshots have different arrays at this path: chunks of both are counted and listed, those of the second snapshot's array first.",
  }),
  "icechunk-changes-of-shards": note<{
    /** Chunks in a shard. */
    readonly chunks: number;
    /** Shards that the map shows, where it does not show all. */
    readonly mapped: number | undefined;
  }>({
    title: "Changes are counted by shards",
    explain: ({ chunks, mapped }) =>
      `This array's references are to shards of ${counted(chunks, "chunk")}: changed shards are counted and listed.${mapped === undefined ? "" : ` The map shows those of the first ${counted(mapped, "shard")}.`}`,
  }),
  "icechunk-changes-cut": warning<{
    readonly changes: number;
    readonly unlisted: number;
    readonly limit: number;
    /** By logs: chunks that were set several times are counted each time once the list is full. */
    readonly mayRepeat: boolean;
  }>({
    title: "Not all changes are listed",
    explain: ({ changes, unlisted, limit, mayRepeat }) =>
      `Of ${counted(changes, "change")} of chunks in this array ${count(unlisted)} are counted but not listed, since at most ${count(limit)} are kept.${mayRepeat ? " Some of these may be repeats." : ""}`,
    remedy: "Compare snapshots that are nearer to each other.",
  }),
  "icechunk-log-wrong-rank": warning({
    title: "Transaction log does not match the array's rank",
    explain:
      "Transaction logs name chunks of this array with more or fewer coordinates than it has dimensions: they are left out.",
  }),
  "icechunk-log-resized": ofPage.note<{ readonly from: readonly number[]; readonly to: readonly number[] }>({
    title: "The array was resized",
    explain: ({ from, to }) =>
      `The array has a grid of ${gridText(from)} chunks in the first snapshot and of ${gridText(to)} in the second. Transaction logs do not name the chunks that it lost or gained that way, so they are not among the changes.`,
    remedy: "Compare by manifests to see them.",
    readers: "Icechunk's diff does not name these chunks either.",
    about: "metadata",
  }),
  "nothing-compared": ofPage.error({
    title: "No snapshots were compared",
    explain: "Changed chunks were asked for, but no two snapshots have been compared.",
    remedy: "Compare two snapshots first.",
    readers: COMPARING,
  }),
  "no-repository": ofPage.error<{ readonly format: string }>({
    title: "The set has no history",
    explain: ({ format }) => `Only a snapshot of an Icechunk repository has a history; this set is ${format}.`,
    readers: "Readers are not affected: this is about Refscope itself.",
  }),
};
