/** The fix of a failed chunk that Check knows too: looked for unasked where that costs little. */
import { useMemo } from "react";
import { isCheap, joinedOffers, only, subjectsOf } from "#core/check/cause-offers.ts";
import { chunkAt } from "#core/findings/fact.ts";
import { nodesByPath } from "#core/metadata/chunk-of-key.ts";
import type { Reading } from "#core/reading.ts";
import { repairTitle } from "#core/repair.ts";
import { useApplyEdits } from "#store/hooks/use-apply-edits.ts";
import { useAppState, useEngine } from "#store/react.tsx";

export type KnownRepair = NonNullable<ReturnType<typeof useKnownRepair>>;

/** `undefined` while none is known, and where none can be applied. */
export function useKnownRepair(set: number, reading: Reading | undefined) {
  const nodes = useAppState((state) => state.set?.nodes);
  const isDocument = useAppState((state) => state.set?.isDocument === true);
  const { applying, error, apply } = useApplyEdits();
  const failed = reading?.outcome === "failed" && isDocument ? reading : undefined;
  const request = useMemo(() => {
    if (failed?.error === undefined || nodes === undefined) return undefined;
    const { array, coordinates, error } = failed;
    const paths = nodesByPath(nodes);
    const place = chunkAt(array, coordinates);
    const cause = subjectsOf({ ...error, place, places: [place], count: 1 }, paths);
    const { subjects } = cause;
    return subjects.length > 0 && isCheap(cause, "error", paths) ? { set, subjects, isUnasked: true } : undefined;
  }, [set, failed, nodes]);
  const { data, stale } = useEngine("repair.ofCause", request, JSON.stringify(request?.subjects));
  const offer = stale || request === undefined ? undefined : joinedOffers(data ?? [])?.offers[0];
  if (offer === undefined || offer.edits.length === 0) return undefined;
  const { array, edits, chunks } = only(offer);
  const title = repairTitle(offer);
  return {
    offer,
    title,
    /** It is one of several that may be meant. */
    isChoice: offer.certainty === "needs-you",
    applying,
    error,
    apply: () => apply(edits, { label: `${title.replace(/\?$/, "")}, for ${offer.key}`, array, chunks }),
  };
}
