/** Icechunk: snapshots compared, and asking a set for its history. */
import { nodeAt, targetAt, WHOLE_SET } from "../../place.ts";
import { entry } from "../entry.ts";
import type { Finding, NoFacts } from "../../fact.ts";
import { count, counted, listed } from "../../../words.ts";

const COMPARING = "Readers are not affected: this is about comparing snapshots.";
const SST = nodeAt("sst");

const gridText = (grid: readonly number[]): string => `[${grid.join(", ")}]`;

export const ICECHUNK_COMPARE = {
  "icechunk-grid-not-compared": entry<{
    /** Chunks along each dimension; absent where the array is in the other snapshot alone. */
    readonly from: readonly number[] | undefined;
    readonly to: readonly number[] | undefined;
  }>({
    title: "An array too large to be compared",
    severity: "error",
    explain: ({ from, to }) => {
      const grids = [from, to].flatMap((grid) => (grid === undefined ? [] : [gridText(grid)]));
      return `The chunks of this array were not compared: a grid of ${listed(grids, "or")} chunks is too large to number.`;
    },
    readers: COMPARING,
    about: "references",
    example: { place: SST, facts: { from: [4_294_967_295, 4_294_967_295], to: undefined } },
  }),
  "icechunk-array-not-compared": entry<{ readonly cause: Finding }>({
    title: "An array whose chunks were not compared",
    severity: "error",
    explain: () => "Chunks of this array were not compared, and changes among them are not counted.",
    readers: COMPARING,
    about: "references",
    example: {
      place: SST,
      facts: {
        cause: {
          code: "icechunk-object-missing",
          place: targetAt("manifests/6X2Q4ZK1H8S0J9T3VB5G"),
          facts: { file: "manifest" },
          count: 1,
        },
      },
    },
  }),
  "icechunk-changes-of-two-arrays": entry<NoFacts>({
    title: "Different arrays at the same path",
    severity: "info",
    explain: () =>
      "The snapshots have different arrays at this path: chunks of both are counted and listed, those of the second snapshot's array first.",
    readers: COMPARING,
    about: "references",
    example: { place: SST, facts: {} },
  }),
  "icechunk-changes-of-shards": entry<{
    /** Chunks in a shard. */
    readonly chunks: number;
    /** Shards that the map shows, where it does not show all. */
    readonly mapped: number | undefined;
  }>({
    title: "Changes are counted by shards",
    severity: "info",
    explain: ({ chunks, mapped }) =>
      `This array's references are to shards of ${counted(chunks, "chunk")}: changed shards are counted and listed.${mapped === undefined ? "" : ` The map shows those of the first ${counted(mapped, "shard")}.`}`,
    readers: COMPARING,
    about: "references",
    example: { place: SST, facts: { chunks: 64, mapped: undefined } },
  }),
  "icechunk-changes-cut": entry<{
    readonly changes: number;
    readonly unlisted: number;
    readonly limit: number;
    /** By logs: chunks that were set several times are counted each time once the list is full. */
    readonly mayRepeat: boolean;
  }>({
    title: "Not all changes are listed",
    severity: "warning",
    explain: ({ changes, unlisted, limit, mayRepeat }) =>
      `Of ${counted(changes, "change")} of chunks in this array ${count(unlisted)} are counted but not listed, since at most ${count(limit)} are kept.${mayRepeat ? " Some of these may be repeats." : ""}`,
    remedy: "Compare snapshots that are nearer to each other.",
    readers: COMPARING,
    about: "references",
    example: { place: SST, facts: { changes: 12_000_000, unlisted: 2_000_000, limit: 10_000_000, mayRepeat: false } },
  }),
  "icechunk-log-wrong-rank": entry<NoFacts>({
    title: "Transaction log does not match the array's rank",
    severity: "warning",
    explain: () =>
      "Transaction logs name chunks of this array with more or fewer coordinates than it has dimensions: they are left out.",
    readers: COMPARING,
    about: "references",
    example: { place: SST, facts: {} },
  }),
  "icechunk-log-resized": entry<{ readonly from: readonly number[]; readonly to: readonly number[] }>({
    title: "The array was resized",
    severity: "info",
    explain: ({ from, to }) =>
      `The array has a grid of ${gridText(from)} chunks in the first snapshot and of ${gridText(to)} in the second. Transaction logs do not name the chunks that it lost or gained that way, so they are not among the changes.`,
    remedy: "Compare by manifests to see them.",
    readers: "Icechunk's diff does not name these chunks either.",
    about: "metadata",
    example: { place: SST, facts: { from: [4, 2], to: [5, 2] } },
  }),
  "nothing-compared": entry<NoFacts>({
    title: "No snapshots were compared",
    severity: "error",
    explain: () => "Changed chunks were asked for, but no two snapshots have been compared.",
    remedy: "Compare two snapshots first.",
    readers: COMPARING,
    about: "page",
    example: { place: SST, facts: {} },
  }),
  "no-repository": entry<{ readonly format: string }>({
    title: "The set has no history",
    severity: "error",
    explain: ({ format }) => `Only a snapshot of an Icechunk repository has a history; this set is ${format}.`,
    readers: "Readers are not affected: this is about Refscope itself.",
    about: "page",
    example: { place: WHOLE_SET, facts: { format: "Kerchunk JSON, Version 1" } },
  }),
};
