/** Bytes of a file that more than one chunk claims. */
import { about } from "./entry.ts";
import { count, counted, quoted } from "#core/words.ts";

const WRITE_AGAIN = "Rewrite the reference from the current file, with the tool that made the dataset.";
const SILENTLY_OTHER = "Readers read the range as it is written, and silently return the values of another chunk.";

type Range = { readonly target: string; readonly offset: number; readonly length: number };

const bytesText = ({ offset, length }: Range): string => `bytes ${count(offset)}–${count(offset + length - 1)}`;

const targetName = (target: string): string =>
  target.startsWith("data:") ? quoted(target, 40) : quoted(target.slice(target.lastIndexOf("/") + 1) || target, 80);

const { warning, note, graded } = about("references", { question: "values" });
const references = about("references");

export const RANGES = {
  "steps-from-same-bytes": warning<{
    dimension: string | number;
    step: number;
    same: number;
    target: string | undefined;
    /** The file that names say it should be. */
    instead: string | undefined;
    arrays: readonly string[];
  }>("Source file used twice", {
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
          : ` Judging by the other names, ${targetName(instead)} belongs there, but it is not used.`;
      return `Chunks ${same} and ${step} of ${quoted(arrays[0] ?? "", 80)} along ${where} are read from ${file}${many}. One of them replaces other data.${other}`;
    },
    remedy: ({ instead }) =>
      instead === undefined
        ? "Find the file that belongs to one of the two, and rewrite its references."
        : `Write the references of ${targetName(instead)} into that step.`,
    readers: SILENTLY_OTHER,
  }),
  "range-repeated": graded<Range & { problem: "few" | "many"; one: string; other: string }>(
    "Two chunks with the same range",
    {
      severity: ({ problem }) => (problem === "few" ? "warning" : "info"),
      explain: (facts) => {
        const { problem, one, other, target } = facts;
        const all =
          problem === "many"
            ? " Many chunks of the array share ranges like this, which is right if they hold the same values."
            : "";
        return `${one} and ${other} have identical references, ${bytesText(facts)} of ${targetName(target)}. One is a copy, which is right only if both chunks hold the same values.${all}`;
      },
      remedy: "Rewrite the reference of one of them, from the file that holds it.",
      readers: SILENTLY_OTHER,
    },
  ),
  "range-shared": note<Range & { ranges: number }>("Many chunks share one range", {
    explain: (facts) =>
      `${facts.ranges === 1 ? "One range is" : `${count(facts.ranges)} ranges are`} used by three or more chunks${facts.ranges === 1 ? ":" : ", such as"} ${bytesText(facts)} of ${targetName(facts.target)}. This is right if these chunks are constant.`,
    readers: "Readers return the same values for all of these chunks.",
  }),
  "range-of-other-array": warning<Range & { other: string }>("Chunk points to another array's data", {
    explain: (facts) =>
      `The reference is identical to that of ${facts.other}, ${bytesText(facts)} of ${targetName(facts.target)}. The chunk reads another array's data.`,
    remedy: WRITE_AGAIN,
    readers: "Readers decode the other array's bytes with this array's codecs: wrong values, or an error.",
  }),
  "arrays-share-ranges": references.note<{ one: string; other: string }>("Two arrays share the same ranges", {
    explain: ({ one, other }) =>
      `Chunks of ${quoted(one, 80)} and of ${quoted(other, 80)} have identical references. Both arrays are read from the same bytes.`,
    readers: "Readers return both, each with its own metadata.",
  }),
  "ranges-overlap": warning<
    Range & {
      problem: "early" | "late" | "long" | "shifted" | "claimed";
      bytes: number;
      other: string;
      /** Further chunks that it overlaps. */
      others: number;
    }
  >("Overlapping ranges", {
    heading: ({ problem, bytes }) =>
      problem === "early" || problem === "late" ? `The offset is shifted by ${counted(bytes, "byte")}` : undefined,
    explain: (facts) => {
      const { problem, bytes, other, others, target } = facts;
      const shared = counted(bytes, "byte");
      const range = `The range (${bytesText(facts)} of ${targetName(target)}) shares ${shared} with ${other}${others > 0 ? ` and ${count(others)} more` : ""}`;
      const cause = {
        early: `It overlaps the range before it by ${shared} and leaves a gap of the same size after it, so the offset is ${count(bytes)} too small`,
        late: `It leaves a gap of ${shared} before it and overlaps the range after it by as much, so the offset is ${count(bytes)} too large`,
        long: `It overlaps the next range by ${shared}, so the length is too long or one of the two offsets is shifted`,
        shifted: `It does not adjoin its neighbours while the other does, so its offset or length is wrong by ${shared} or more`,
        claimed:
          "It does not adjoin its neighbours while the other does, so the reference points into another chunk's bytes",
      }[problem];
      return `${range}. ${cause}.`;
    },
    remedy: ({ problem, offset, bytes, length }) => {
      if (problem === "early") return `Set the offset to ${offset + bytes}.`;
      if (problem === "late") return `Set the offset to ${offset - bytes}.`;
      return problem === "long"
        ? `If the next chunk's reference is right, set the length to ${length - bytes}.`
        : WRITE_AGAIN;
    },
    readers: "Readers read the shifted bytes: compressed chunks fail to decode, uncompressed ones get wrong values.",
  }),
  "whole-beside-ranges": graded<{
    target: string;
    parts: number;
    /** End of the last of these. */
    end: number;
    /** Bytes of a chunk, where it is not compressed. */
    stored: number | undefined;
    isPossible: boolean;
  }>("Whole file referenced for one chunk", {
    severity: ({ isPossible }) => (isPossible ? "info" : "error"),
    explain: ({ target, parts, end, stored }) => {
      const chunk = stored === undefined ? "" : ` A chunk has ${counted(stored, "byte")}.`;
      return `The reference is the whole of ${targetName(target)}. ${counted(parts, "other reference")} ${parts === 1 ? "uses" : "use"} parts of it, up to byte ${count(end)}, so offset and length are missing here.${chunk}`;
    },
    remedy: "Write the chunk's offset and length into the reference.",
    readers: "Readers fetch the whole file for the chunk, then fail to decode it or cut it to size.",
  }),
};
