/** Repairs of a cause: looked for unasked where that costs little, and applied as one edit of the document. */
import { useState } from "react";
import { findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { repairTitle } from "../../core/repair-offer-words.ts";
import type { RepairOffer, RepairSearch } from "../../core/repairs.ts";
import { useActions, useApp, useEngine, useSend } from "../../store/react.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { isLastWord, joinedOffers, type CauseOffer, type CauseSubjects } from "./cause-offers.ts";

export interface CauseRepairs {
  readonly state: "none" | "unasked" | "searching" | "found";
  readonly offer: CauseOffer | undefined;
  readonly cause: CauseSubjects;
  /** What the search has cost, once it is done. */
  readonly searches: readonly RepairSearch[];
  readonly find: () => void;
  readonly applying: boolean;
  readonly error: Finding | undefined;
  readonly apply: (offer: CauseOffer) => void;
}

/** `isAsked`: looked for without being asked. */
export function useCauseRepairs(set: number, cause: CauseSubjects, isAsked: boolean): CauseRepairs {
  const { actions } = useApp();
  const [isWanted, setWanted] = useState(false);
  const [applying, setApplying] = useState(false);
  const [error, setError] = useState<Finding>();
  const { subjects, chunks } = cause;
  const asks = subjects.length > 0 && (isAsked || isWanted);
  const request = { set, subjects, chunks, isUnasked: !isWanted };
  const answer = useEngine("check.repairs", asks ? request : undefined, JSON.stringify([subjects, chunks]));
  const searches = answer.data ?? [];
  const mayFindMore = !isWanted && (answer.error !== undefined || !isLastWord(cause, searches));
  const offer = joinedOffers(searches);
  const apply = async ({ offers, array, edits, chunks }: CauseOffer) => {
    setApplying(true);
    setError(undefined);
    try {
      await actions.applyEdits(edits, { label: labelOf(offers), array, chunks });
    } catch (thrown) {
      setError(findingOfError(thrown, "Applying the repair"));
    } finally {
      setApplying(false);
    }
  };
  const isOpen = (answer.data === undefined || answer.stale) && answer.error === undefined;
  const known = isOpen ? "searching" : mayFindMore ? "unasked" : "found";
  return {
    state: subjects.length === 0 ? "none" : asks ? known : "unasked",
    offer,
    cause,
    searches,
    find: () => setWanted(true),
    applying,
    error: error ?? answer.error,
    apply: (one) => void (applying ? undefined : apply(one)),
  };
}

/** Leads to the chunk of an offer, where the microscope reads it so. */
export function useTryOffer(): (offer: RepairOffer) => void {
  const actions = useActions();
  const send = useSend();
  return ({ array, chunks: [chunk], trial }) => {
    if (array === undefined || chunk === undefined) return;
    actions.selectChunk(array, chunk.coordinates);
    if (trial !== undefined) send({ kind: "try-reading", trial });
  };
}

function labelOf(offers: readonly RepairOffer[]): string {
  const [first] = offers;
  if (first === undefined) return "";
  return offers.length === 1
    ? `${repairTitle(first).replace(/\?$/, "")}, for ${first.key}`
    : countOf(offers.length, "repair");
}
