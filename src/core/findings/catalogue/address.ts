/** What the page's own address names, and the set does not have. */
import { about } from "./entry.ts";
import { count, cut } from "../../words.ts";

const ONLY_THE_PAGE = "Readers are not affected: this is about the address of this page.";

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
    return `The address names ${name} of ${path}, but ${has}.`;
  }
  const has =
    grid === undefined ? "is not an array in this one" : `has ${grid.join(" × ") || "one"} chunks in this one`;
  return `In the previous snapshot, ${name} of ${path} was selected; ${path} ${has}.`;
}

const { warning } = about("references");

export const ADDRESS = {
  "address-no-array": warning<NoArray>({
    title: "Selection not found",
    explain: (facts) => {
      if (facts.before === "snapshot")
        return `This snapshot has no ${facts.node} “${facts.path}”; the previous one did.`;
      const { path, levels, limit } = facts;
      const deep =
        levels === undefined || limit === undefined
          ? ""
          : ` In a store that cannot be listed, paths of more than ${limit} levels are not requested; this one has ${levels}.`;
      return `The address names “${cut(path)}”, but the set has no group or array at that path.${deep}`;
    },
    remedy: ({ before }) =>
      before === "snapshot"
        ? "Choose another in Hierarchy, or go back to the previous snapshot."
        : "Choose one in Hierarchy; the link was made for another set, or for an older one.",
    readers: ONLY_THE_PAGE,
    about: "page",
  }),
  "address-no-chunk": warning<NoChunk>({
    title: "Selected chunk not found",
    explain: explainNoChunk,
    remedy: "Choose a chunk in the view Chunks.",
    readers: ONLY_THE_PAGE,
  }),
  "no-such-target": warning({
    title: "Source file not referenced",
    explain: (_facts, place) =>
      `No reference of this set that is known by now names the target “${cut(place.kind === "target" ? place.target : "")}”.`,
    remedy: "Choose a target in the list. Where references come page by page, read the rest of them first.",
    readers: ONLY_THE_PAGE,
  }),
};
