/** The page and its worker, its own URL, and its list of references. None of it is wrong with the dataset. */
import { about } from "./entry.ts";
import { count, cut, counted } from "#core/words.ts";

const NO_READER = "Readers are not affected: this is about Refscope itself.";

const { error } = about("page", { readers: NO_READER });

const ONLY_THE_PAGE = "Readers are not affected: this is about this page's URL.";

/**
 * `before`: named by an address, or selected in the snapshot before; `levels` where these are too many to be asked
 * for.
 */
type NoArray =
  | { readonly before: "address"; readonly path: string; readonly levels?: number; readonly limit?: number }
  | { readonly before: "snapshot"; readonly path: string; readonly node: "array" | "group" };

/** `grid`: chunks along each dimension; absent where it is not an array. */
type NoChunk = {
  readonly before: "address" | "snapshot";
  readonly array: string;
  readonly chunk: readonly number[];
  readonly grid: readonly number[] | undefined;
};

function explainNoChunk({ before, array, chunk, grid }: NoChunk): string {
  const path = array === "" ? "/" : array;
  const name = chunk.length === 0 ? "the chunk" : `chunk ${chunk.join(".")}`;
  if (before === "address") {
    const has = grid === undefined ? "it has no chunks" : `its chunks have ${count(grid.length)} coordinates`;
    return `The page's URL names ${name} of ${path}, but ${has}.`;
  }
  const has =
    grid === undefined ? "is not an array in this one" : `has ${grid.join(" × ") || "one"} chunks in this one`;
  return `In the previous snapshot, ${name} of ${path} was selected; ${path} ${has}.`;
}

const url = about("references", { readers: ONLY_THE_PAGE });

const NOT_READERS = "Readers are not affected: this is about the list of references.";

const list = about("page", { readers: NOT_READERS });

export const PAGE = {
  unexpected: error<{ doing: string; message: string }>("Unexpected error", {
    explain: ({ doing, message }) => `${doing} failed: ${message.replace(/\.$/, "")}.`,
    remedy: "This may be a bug in Refscope. Please report it with what led to it.",
    readers: "Unknown: other readers may work.",
  }),
  /** `part`: of the page, "the view Grid". */
  "drawing-failed": error<{ part: string; message: string }>("Part of the page crashed", {
    explain: ({ part, message }) => `Drawing ${part} failed: ${message.replace(/\.$/, "")}.`,
    remedy:
      "This is a bug in Refscope, not a problem with your data. Reloading opens the same dataset at the same place if it has a URL. You will have to select local files again.",
    action: "reload",
  }),
  "engine-stopped": error<{ reason: string }>("Engine stopped", {
    explain: ({ reason }) => `The worker that reads and decodes no longer responds: ${reason}.`,
    remedy: "Reload the page. It opens the same dataset again from its URL.",
    action: "reload",
  }),
  "read-again-cancelled": error("Re-reading cancelled", {
    explain: "Re-reading the fixed chunks was cancelled.",
  }),
  "render-cancelled": error("Rendering cancelled", {
    explain: "Rendering the document was cancelled.",
    remedy: "The page still shows the previous result. Render again, or keep typing.",
  }),
  "edited-meanwhile": error("Document changed in the meantime", {
    explain: "The fix was not applied, because the document was edited at the same time.",
    remedy: "Apply it again.",
  }),
  "edit-without-effect": error("Nowhere in the document to apply the fix", {
    explain:
      "The fix needs a place in the document that says how the chunk is read, and there is none. The metadata or reference is made elsewhere, such as by a gen.",
    remedy: "Open Edit, and change what makes the reference.",
    about: "document",
  }),
  "set-closed": error("Dataset no longer open", {
    explain: "Something was requested from a dataset that is no longer open.",
    remedy: "Open the dataset again.",
  }),
  "view-closed": error("List no longer available", {
    explain: "Rows were requested from a sorted or filtered list that is no longer available.",
    remedy: "Sort or filter again.",
  }),
  "address-no-array": url.warning<NoArray>("Selection not found", {
    explain: (facts) => {
      if (facts.before === "snapshot")
        return `This snapshot has no ${facts.node} “${facts.path}”; the previous one did.`;
      const { path, levels, limit } = facts;
      const deep =
        levels === undefined || limit === undefined
          ? ""
          : ` In a store that cannot be listed, Refscope does not request paths of more than ${limit} levels; this one has ${levels}.`;
      return `The page's URL names “${cut(path)}”, but the dataset has no group or array at that path.${deep}`;
    },
    remedy: ({ before }) =>
      before === "snapshot"
        ? "Choose another in Hierarchy, or go back to the previous snapshot."
        : "Choose one in Hierarchy. The link was made for another dataset, or for an older version of this one.",

    about: "page",
  }),
  "address-no-chunk": url.warning<NoChunk>("Selected chunk not found", {
    explain: explainNoChunk,
    remedy: "Choose a chunk in Chunks.",
  }),
  "no-such-target": url.warning("Source file not referenced", {
    explain: (_facts, place) =>
      `No reference read so far names the source “${cut(place.kind === "target" ? place.target : "")}”.`,
    remedy: "Choose a source in the list. If references are read page by page, read the rest of them first.",
  }),
  "coordinates-need-an-array": list.error("Coordinates need one array", {
    explain:
      "Chunks can be filtered by coordinates only within one array, because the grids of a group's arrays differ.",
    remedy: "Select an array first.",
  }),
  "dimension-unknown": list.error<{ dimension: number; dimensions: number }>("No such dimension in the array", {
    explain: ({ dimension, dimensions }) =>
      `Chunks cannot be filtered by dimension ${dimension}. The array has ${counted(dimensions, "dimension")}, counted from 0.`,
    remedy: "Filter by one of the array's dimensions.",
  }),
  "plane-invalid": list.error<{
    grid: readonly number[];
    problem: "dimension" | "same-dimension" | "coordinate";
    dimension: number;
    /** Coordinate as it was given. */
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
  "too-many-pages": list.error<{ requests: number; limit: number }>("Too many requests at once", {
    explain: ({ requests, limit }) =>
      `Fetching all references here would take ${counted(requests, "request")}; Refscope makes at most ${count(limit)} at once.`,
    remedy: "Select one array at a time: Refscope fetches only what you look at.",
  }),
  "too-many-targets": list.error<{ targets: number; limit: number }>("Too many sources to sort by", {
    explain: ({ targets, limit }) =>
      `The references have ${counted(targets, "different source URL")}; Refscope sorts by at most ${count(limit)}.`,
    remedy: "Filter by text in the URL instead, or sort by another column.",
  }),
};
