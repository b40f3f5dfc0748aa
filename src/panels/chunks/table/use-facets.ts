/** The counts beside the filters. */
import type { Facets } from "../../../core/open-set.ts";
import { useEngine } from "../../../store/react.tsx";
import { isFiltering } from "./filter-draft.ts";
import type { Manifest } from "./use-manifest.ts";

/**
 * They are counted when the rows are listed. References that come page by page change them afterwards: while nothing is
 * filtered, the overview has the newer counts.
 */
export function useFacets({ set, node, rows, draft }: Manifest): Facets | undefined {
  const grows = set.pages !== undefined && !isFiltering(draft);
  const overview = useEngine("set.overview", grows ? { set: set.id, path: node.path } : undefined).data;
  const facets = rows.shown?.info.facets;
  if (!grows || overview?.path !== node.path || facets === undefined) return facets;
  const { states, targets, targetCount } = overview;
  return { ...facets, states, targets, targetCount };
}
