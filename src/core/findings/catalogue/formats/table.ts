/** What cannot be asked of the table of references, or not at once. None of it is wrong with the set. */
import { about } from "../entry.ts";
import { count, counted } from "../../../words.ts";

const NOT_READERS = "Readers are not affected: this is about the list of references shown here.";

const { error } = about("page", { readers: NOT_READERS });

export const TABLE = {
  "coordinates-need-an-array": error({
    title: "Coordinates need one array",
    explain: "Chunks can be filtered by coordinates in one array only: the grids of a group's arrays differ.",
    remedy: "Select an array first.",
  }),
  "dimension-unknown": error<{ readonly dimension: number; readonly dimensions: number }>({
    title: "The array has no such dimension",
    explain: ({ dimension, dimensions }) =>
      `Chunks cannot be filtered by dimension ${dimension}: the array has ${counted(dimensions, "dimension")}, counted from 0.`,
    remedy: "Filter by one of the array's dimensions.",
  }),
  "plane-invalid": error<{
    readonly grid: readonly number[];
    readonly problem: "dimension" | "same-dimension" | "coordinate";
    readonly dimension: number;
    /** As it was given. */
    readonly coordinate: number | undefined;
  }>({
    title: "The chunk grid cannot be drawn this way",
    explain: ({ grid, problem, dimension, coordinate }) => {
      const found = {
        dimension: `dimension ${dimension} was asked for`,
        "same-dimension": `dimension ${dimension} was asked for both down and along`,
        coordinate: `coordinate ${coordinate ?? "none"} was asked for along dimension ${dimension}`,
      }[problem];
      return `A plane of the grid ${grid.length === 0 ? "without dimensions" : grid.join(" × ")} needs two different dimensions, and a coordinate in each other one; ${found}.`;
    },
  }),
  "too-many-pages": error<{ readonly requests: number; readonly limit: number }>({
    title: "Too many requests at once",
    explain: ({ requests, limit }) =>
      `Fetching all references here would take ${counted(requests, "request")}; at most ${count(limit)} are made at once.`,
    remedy: "Look at one array at a time: only what you look at is fetched.",
  }),
  "too-many-targets": error<{ readonly targets: number; readonly limit: number }>({
    title: "Too many targets to sort by",
    explain: ({ targets, limit }) =>
      `The references have ${counted(targets, "different target URL")}; at most ${count(limit)} can be sorted by target.`,
    remedy: "Filter by text in the URL instead, or sort by another column.",
  }),
};
