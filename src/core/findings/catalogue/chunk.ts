/** From the reference of a chunk to its bytes. */
import type { Finding } from "../fact.ts";
import { about } from "./entry.ts";
import { counted, quoted } from "../../words.ts";

/** `cause`: what is wrong with it. */
type BadReference = { readonly cause: Finding; readonly format: string };

/** `grid`: how many there are along each dimension. */
type OutsideGrid = {
  readonly of: "chunk" | "shard";
  readonly coordinates: readonly number[];
  readonly grid: readonly number[];
};

const { error, note, graded } = about("references");

export const CHUNK = {
  "chunk-not-generated": graded<{
    /** A reference stands in the document, which another may replace. */
    written: boolean;
  }>("Reference may come from an unrendered gen", {
    severity: ({ written }) => (written ? "warning" : "error"),
    explain: ({ written }) =>
      written
        ? "Some references of the document's “gen” were not generated, and this key may be one of them. If so, a generated reference replaces the one shown here."
        : "The chunk has no reference. Some references of the document's “gen” were not generated, and this may be one of them.",
    remedy: "See the dataset's problems for the reason that gen was not fully rendered.",
    readers: "fsspec renders gen completely, or rejects the dataset.",
  }),
  "outside-grid": error<OutsideGrid>("No such chunk", {
    explain: ({ of, coordinates, grid }) => {
      if (grid.length === 0)
        return `The array is a scalar and has one ${of}; [${coordinates.join(", ")}] was requested.`;
      return `The array has a grid of ${grid.join(" × ")} ${of}s; [${coordinates.join(", ")}] ${coordinates.length === grid.length ? "is outside it" : `has ${counted(coordinates.length, "coordinate")}`}.`;
    },
    readers: "Readers are not affected.",
    final: true,
  }),
  "reference-bad": error<BadReference>("Invalid reference", {
    explain: "The chunk's reference cannot be used.",
    remedy: ({ format }) => {
      if (format === "icechunk") return undefined; // The reason says what to do.
      if (format === "kerchunk-json") return "Correct it in the reference file.";
      return "Rewrite it with the tool that made the store.";
    },
    readers: "Python's reader fails on this chunk too.",
  }),
  "target-matched-by-name": note<{ file: string; targets?: number }>("Source file matched by name only", {
    explain: ({ file, targets = 1 }) =>
      targets === 1
        ? `The source as written is not among the files you provided. Refscope used ${quoted(file)}, which has the same name.`
        : `${counted(targets, "source")} as written are not among the files you provided. Refscope used files of the same names, such as ${quoted(file)}.`,
    readers: "Python's readers use the source as it is written.",
    about: "source",
  }),
};
