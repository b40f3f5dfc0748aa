/** What cannot be asked of the table of references, or not at once. None of it is wrong with the set. */
import { nodeAt, WHOLE_SET } from "../../place.ts";
import { entry } from "../entry.ts";
import type { NoFacts } from "../../fact.ts";
import { count, counted } from "../../../words.ts";

const NOT_READERS = "Readers are not affected: this is about the list of references shown here.";

export const TABLE = {
  "coordinates-need-an-array": entry<NoFacts>({
    title: "Coordinates need one array",
    severity: "error",
    explain: () => "Chunks can be filtered by coordinates in one array only: the grids of a group's arrays differ.",
    remedy: "Select an array first.",
    readers: NOT_READERS,
    about: "page",
    example: { place: nodeAt("ocean"), facts: {} },
  }),
  "dimension-unknown": entry<{ readonly dimension: number; readonly dimensions: number }>({
    title: "The array has no such dimension",
    severity: "error",
    explain: ({ dimension, dimensions }) =>
      `Chunks cannot be filtered by dimension ${dimension}: the array has ${counted(dimensions, "dimension")}, counted from 0.`,
    remedy: "Filter by one of the array's dimensions.",
    readers: NOT_READERS,
    about: "page",
    example: { place: nodeAt("sst"), facts: { dimension: 3, dimensions: 3 } },
  }),
  "plane-invalid": entry<{
    readonly grid: readonly number[];
    readonly problem: "dimension" | "same-dimension" | "coordinate";
    readonly dimension: number;
    /** As it was given. */
    readonly coordinate: number | undefined;
  }>({
    title: "The chunk grid cannot be drawn this way",
    severity: "error",
    explain: ({ grid, problem, dimension, coordinate }) => {
      const found = {
        dimension: `dimension ${dimension} was asked for`,
        "same-dimension": `dimension ${dimension} was asked for both down and along`,
        coordinate: `coordinate ${coordinate ?? "none"} was asked for along dimension ${dimension}`,
      }[problem];
      return `A plane of the grid ${grid.length === 0 ? "without dimensions" : grid.join(" × ")} needs two different dimensions, and a coordinate in each other one; ${found}.`;
    },
    readers: NOT_READERS,
    about: "page",
    example: {
      place: nodeAt("sst"),
      facts: { grid: [12, 4, 8], problem: "coordinate", dimension: 0, coordinate: 12 },
    },
  }),
  "too-many-pages": entry<{ readonly requests: number; readonly limit: number }>({
    title: "Too many requests at once",
    severity: "error",
    explain: ({ requests, limit }) =>
      `Fetching all references here would take ${counted(requests, "request")}; at most ${count(limit)} are made at once.`,
    remedy: "Look at one array at a time: only what you look at is fetched.",
    readers: NOT_READERS,
    about: "page",
    example: { place: WHOLE_SET, facts: { requests: 1_250_000, limit: 200_000 } },
  }),
  "too-many-targets": entry<{ readonly targets: number; readonly limit: number }>({
    title: "Too many targets to sort by",
    severity: "error",
    explain: ({ targets, limit }) =>
      `The references have ${counted(targets, "different target URL")}; at most ${count(limit)} can be sorted by target.`,
    remedy: "Filter by text in the URL instead, or sort by another column.",
    readers: NOT_READERS,
    about: "page",
    example: { place: WHOLE_SET, facts: { targets: 6_000_000, limit: 5_000_000 } },
  }),
};
