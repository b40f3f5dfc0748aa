import { useCallback } from "react";
import type { ViewRow } from "../../core/open-set.ts";
import type { ReadingResult } from "../../core/reference.ts";
import { useAppState } from "../../store/react.tsx";

/** What reading a row's chunk gave: the newest that is known, which may be newer than the row. */
export function useResultOf(): (row: ViewRow) => ReadingResult {
  const results = useAppState((state) => state.results);
  return useCallback((row: ViewRow) => results.get(row.key) ?? row.result, [results]);
}
