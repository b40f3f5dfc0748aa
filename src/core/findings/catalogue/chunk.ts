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
    readonly written: boolean;
  }>({
    title: "Reference may come from an unrendered gen",
    severity: ({ written }) => (written ? "warning" : "error"),
    explain: ({ written }) =>
      written
        ? "The document generates references (“gen”) that were not made, and this key may be among them: then another reference takes the place of the one shown here."
        : "The chunk has no reference, but the document generates references (“gen”) that were not made, and this may be one of them.",
    remedy: "See the findings of the set for why gen was not rendered to its end.",
    readers: "fsspec renders gen to its end, or refuses the whole set.",
  }),
  "outside-grid": error<OutsideGrid>({
    title: "No such chunk",
    explain: ({ of, coordinates, grid }) => {
      if (grid.length === 0)
        return `The array is a scalar and has one ${of}; [${coordinates.join(", ")}] was asked for.`;
      return `The array has a grid of ${grid.join(" × ")} ${of}s; [${coordinates.join(", ")}] ${coordinates.length === grid.length ? "is outside it" : `has ${counted(coordinates.length, "coordinate")}`}.`;
    },
    readers: "Readers are not affected: this is about what was asked here.",
    final: true,
  }),
  "reference-bad": error<BadReference>({
    title: "Invalid reference",
    explain: "The reference of the chunk cannot be followed.",
    remedy: ({ format }) => {
      if (format === "icechunk") return undefined; // The reason says what to do.
      if (format === "kerchunk-json") return "Correct it in the reference set.";
      return "Write it again with the tool that made the store.";
    },
    readers: "Python's reader fails on this chunk too.",
  }),
  "target-matched-by-name": note<{ readonly file: string; readonly targets?: number }>({
    title: "Source file matched by name only",
    explain: ({ file, targets = 1 }) =>
      targets === 1
        ? `The target as written is not among the files given; ${quoted(file)} was used because it has the same name.`
        : `${counted(targets, "target")} are not among the files given as they are written; files of the same names were used, such as ${quoted(file)}.`,
    readers: "Readers in Python take the target as it is written.",
    about: "source",
  }),
};
