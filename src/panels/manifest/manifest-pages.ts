/** How much of what the manifest lists is here. */
import type { PagesSummary } from "../../core/open-set.ts";
import type { Manifest } from "./use-manifest.ts";

/** A group has those of the whole set; `undefined` where references do not come in pages. */
export const pagesOf = ({
  set,
  node,
  isArray,
}: Pick<Manifest, "set" | "node" | "isArray">): PagesSummary | undefined => (isArray ? node.pages : set.pages);

export const isIncomplete = (pages: PagesSummary | undefined): boolean =>
  pages !== undefined && pages.loaded < pages.count;
