/** Questions that the table of references cannot answer. None of it is wrong with the dataset. */
import { about } from "../entry.ts";
import { count, counted } from "../../../words.ts";

const NOT_READERS = "Readers are not affected: this is about the list of references.";

const { error } = about("page", { readers: NOT_READERS });

export const TABLE = {
  "coordinates-need-an-array": error("Coordinates need one array", {
    explain:
      "Chunks can be filtered by coordinates only within one array, because the grids of a group's arrays differ.",
    remedy: "Select an array first.",
  }),
  "dimension-unknown": error<{ dimension: number; dimensions: number }>("No such dimension in the array", {
    explain: ({ dimension, dimensions }) =>
      `Chunks cannot be filtered by dimension ${dimension}. The array has ${counted(dimensions, "dimension")}, counted from 0.`,
    remedy: "Filter by one of the array's dimensions.",
  }),
  "plane-invalid": error<{
    grid: readonly number[];
    problem: "dimension" | "same-dimension" | "coordinate";
    dimension: number;
    /** As it was given. */
    coordinate: number | undefined;
  }>("Chunk grid cannot be drawn this way", {
    explain: ({ grid, problem, dimension, coordinate }) => {
      const found = {
        dimension: `found dimension ${dimension}`,
        "same-dimension": `found dimension ${dimension} twice`,
        coordinate: `found coordinate ${coordinate ?? "none"} along dimension ${dimension}`,
      }[problem];
      return `Grid ${grid.length === 0 ? "without dimensions" : grid.join(" × ")}: expected two different dimensions and a coordinate in each other one; ${found}.`;
    },
  }),
  "too-many-pages": error<{ requests: number; limit: number }>("Too many requests at once", {
    explain: ({ requests, limit }) =>
      `Fetching all references here would take ${counted(requests, "request")}; Refscope makes at most ${count(limit)} at once.`,
    remedy: "Select one array at a time: Refscope fetches only what you look at.",
  }),
  "too-many-targets": error<{ targets: number; limit: number }>("Too many sources to sort by", {
    explain: ({ targets, limit }) =>
      `The references have ${counted(targets, "different source URL")}; Refscope sorts by at most ${count(limit)}.`,
    remedy: "Filter by text in the URL instead, or sort by another column.",
  }),
};
