/** How much of what the manifest lists is here. */
import { leavesChunksUnplaced } from "#core/metadata/array-metadata.ts";
import type { NodeSummary, PagesSummary } from "#core/open-set.ts";
import type { Manifest } from "./use-manifest.ts";

/** A group has those of the whole set; `undefined` where references do not come in pages. */
export const pagesOf = ({ set, node, isArray }: Pick<Manifest, "set" | "node" | "isArray">): PagesSummary | undefined =>
  isArray || hasUnreadGrid(node) ? node.pages : set.pages;

/** References of an array whose chunk grid is not read are listed all the same. */
export const hasUnreadGrid = ({ reason }: Pick<NodeSummary, "reason">): boolean =>
  reason !== undefined && leavesChunksUnplaced(reason);

export const isIncomplete = (pages: PagesSummary | undefined): boolean =>
  pages !== undefined && pages.loaded < pages.count;
