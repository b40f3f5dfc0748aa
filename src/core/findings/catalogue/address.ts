/** What the page's own URL names, and the dataset does not have. */
import { about } from "./entry.ts";
import { count, cut } from "../../words.ts";

const ONLY_THE_PAGE = "Readers are not affected: this is about this page's URL.";

/** `before`: named by an address, or selected in the snapshot before; `levels` where these are too many to be asked for. */
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

const { warning } = about("references", { readers: ONLY_THE_PAGE });

export const ADDRESS = {
  "address-no-array": warning<NoArray>("Selection not found", {
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
  "address-no-chunk": warning<NoChunk>("Selected chunk not found", {
    explain: explainNoChunk,
    remedy: "Choose a chunk in Chunks.",
  }),
  "no-such-target": warning("Source file not referenced", {
    explain: (_facts, place) =>
      `No reference read so far names the source “${cut(place.kind === "target" ? place.target : "")}”.`,
    remedy: "Choose a source in the list. If references are read page by page, read the rest of them first.",
  }),
};
