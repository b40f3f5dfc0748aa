/** Bytes of a file that more than one chunk claims. */
import { about } from "./entry.ts";
import { count, counted, quoted } from "../../words.ts";

const WRITE_AGAIN = "Write the reference again with the tool that made the set, from the file as it is.";
const SILENTLY_OTHER = "Readers read the range as it is written, and show the values of another chunk without a word.";

type Range = { readonly target: string; readonly offset: number; readonly length: number };

const bytesText = ({ offset, length }: Range): string => `bytes ${count(offset)} to ${count(offset + length - 1)}`;

const targetName = (target: string): string =>
  target.startsWith("data:") ? quoted(target, 40) : quoted(target.slice(target.lastIndexOf("/") + 1) || target, 80);

const { warning, note, graded } = about("references", { question: "values" });
const ofReferences = about("references");

export const RANGES = {
  "steps-from-same-bytes": warning<{
    readonly dimension: string | number;
    readonly step: number;
    readonly same: number;
    readonly target: string | undefined;
    /** The file that names say it should be. */
    readonly instead: string | undefined;
    readonly arrays: readonly string[];
  }>({
    title: "Source file used twice",
    explain: ({ dimension, step, same, target, instead, arrays }) => {
      const where = typeof dimension === "number" ? `dimension ${dimension}` : dimension;
      const file = target === undefined ? "the same bytes" : `the same bytes of ${targetName(target)}`;
      const many =
        arrays.length > 1
          ? ` in ${count(arrays.length)} arrays (${arrays.slice(0, 5).join(", ")}${arrays.length > 5 ? ", …" : ""})`
          : "";
      const other =
        instead === undefined
          ? ""
          : ` By the names of the others, ${targetName(instead)} belongs there; it is not used.`;
      return `Chunks ${same} and ${step} of ${quoted(arrays[0] ?? "", 80)} along ${where} are read from ${file}${many}: one of them stands in place of other data.${other}`;
    },
    remedy: ({ instead }) =>
      instead === undefined
        ? "Find the file that belongs to one of the two, and write its references again."
        : `Write the references of ${targetName(instead)} into that step.`,
    readers: SILENTLY_OTHER,
  }),
  "range-repeated": graded<Range & { readonly problem: "few" | "many"; readonly one: string; readonly other: string }>({
    title: "Two chunks with the same range",
    severity: ({ problem }) => (problem === "few" ? "warning" : "info"),
    explain: (facts) => {
      const { problem, one, other, target } = facts;
      const all =
        problem === "many"
          ? " Many chunks of the array share a range so, which is right where they hold the same values."
          : "";
      return `${one} and ${other} have identical references, ${bytesText(facts)} of ${targetName(target)}: one of them is a copy, right only where both chunks hold the same values.${all}`;
    },
    remedy: "Write the reference of one of them again, from the file that holds it.",
    readers: SILENTLY_OTHER,
  }),
  "range-shared": note<Range & { readonly ranges: number }>({
    title: "Many chunks share one range",
    explain: (facts) =>
      `${facts.ranges === 1 ? "A range is" : `${count(facts.ranges)} ranges are`} used by three or more chunks, as ${bytesText(facts)} of ${targetName(facts.target)}: right where these chunks are constant.`,
    readers: "Readers show the same values in all of these chunks.",
  }),
  "range-of-other-array": warning<Range & { readonly other: string }>({
    title: "Chunk points to another array's data",
    explain: (facts) =>
      `The reference is identical with that of ${facts.other}, ${bytesText(facts)} of ${targetName(facts.target)}: the chunk reads the data of another array.`,
    remedy: WRITE_AGAIN,
    readers: "Readers decode the other array's bytes with this array's codecs: wrong values, or an error.",
  }),
  "arrays-share-ranges": ofReferences.note<{ readonly one: string; readonly other: string }>({
    title: "Two arrays are read from the same ranges",
    explain: ({ one, other }) =>
      `Chunks of ${quoted(one, 80)} and of ${quoted(other, 80)} have the same references throughout: both arrays are made of the same bytes.`,
    readers: "Readers show both, each with its own metadata.",
  }),
  "ranges-overlap": warning<
    Range & {
      readonly problem: "early" | "late" | "long" | "shifted" | "claimed";
      readonly bytes: number;
      readonly other: string;
      /** Further chunks that it overlaps. */
      readonly others: number;
    }
  >({
    title: "Overlapping ranges",
    heading: ({ problem, bytes }) =>
      problem === "early" || problem === "late" ? `The offset is shifted by ${counted(bytes, "byte")}` : undefined,
    explain: (facts) => {
      const { problem, bytes, other, others, target } = facts;
      const shared = counted(bytes, "byte");
      const range = `The range (${bytesText(facts)} of ${targetName(target)}) shares ${shared} with ${other}${others > 0 ? ` and ${count(others)} more` : ""}`;
      const cause = {
        early: `it overlaps the range before it by ${shared} and leaves a gap of the same size after it, so the offset is ${count(bytes)} too small`,
        late: `it leaves a gap of ${shared} before it and overlaps the range after it by as much, so the offset is ${count(bytes)} too large`,
        long: `it ends ${shared} behind where the next one begins: the length is too long, or the offset of one of the two is shifted`,
        shifted: `it follows none of its neighbours, while the other does: its offset is shifted or its length wrong, by ${shared} or more`,
        claimed:
          "it follows none of its neighbours, while the other does: the reference points into bytes of another chunk",
      }[problem];
      return `${range}: ${cause}.`;
    },
    remedy: ({ problem, offset, bytes, length }) => {
      if (problem === "early") return `Set the offset to ${offset + bytes}.`;
      if (problem === "late") return `Set the offset to ${offset - bytes}.`;
      return problem === "long"
        ? `Set the length to ${length - bytes}, if the next chunk's reference is right.`
        : WRITE_AGAIN;
    },
    readers: "Readers read the shifted bytes: compressed chunks fail to decode, uncompressed ones show wrong values.",
  }),
  "whole-beside-ranges": graded<{
    readonly target: string;
    readonly parts: number;
    /** Where the last of these ends. */
    readonly end: number;
    /** Bytes of a chunk, where it is not compressed. */
    readonly stored: number | undefined;
    readonly isPossible: boolean;
  }>({
    title: "Whole file referenced for one chunk",
    severity: ({ isPossible }) => (isPossible ? "info" : "error"),
    explain: ({ target, parts, end, stored }) => {
      const chunk = stored === undefined ? "" : ` A chunk has ${counted(stored, "byte")}.`;
      return `The reference is the whole of ${targetName(target)}, of which ${counted(parts, "other reference")} take parts, up to byte ${count(end)}: offset and length are lost.${chunk}`;
    },
    remedy: "Write the chunk's offset and length into the reference.",
    readers: "Readers fetch the whole file for the chunk, and fail to decode it, or cut it to size.",
  }),
};
