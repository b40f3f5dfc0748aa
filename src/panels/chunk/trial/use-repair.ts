/** Making a trial last: as edits of the document, for a chunk or its array. */
import { useMemo, useState } from "react";
import type { Trial } from "#core/check/lab.ts";
import type { CheckedChunk, ForeseenChunk, RepairCheck, RepairScope } from "#core/repair-offer.ts";
import { useApp, useAppState, useEngine } from "#store/react.tsx";
import { useApplyEdits } from "#store/hooks/use-apply-edits.ts";
import { useTask } from "#store/hooks/use-task.ts";
import type { ChunkOfSet } from "../chunk-words.ts";
import { isOfOneChunk } from "./trial-draft.ts";
import { isCheap, joinedOffers, only, subjectsOf } from "#core/check/cause-offers.ts";
import { chunkAt } from "#core/findings/fact.ts";
import { nodesByPath } from "#core/metadata/chunk-of-key.ts";
import type { Reading } from "#core/reading.ts";
import { repairTitle } from "#core/repair.ts";

export type Repair = ReturnType<typeof useRepair>;

export function useRepair(chunk: ChunkOfSet) {
  const { array, coordinates } = chunk;
  const { engine } = useApp();
  const isDocument = useAppState((state) => state.set?.isDocument === true);
  const { applying, error, forgetError, apply } = useApplyEdits();
  const check = useRepairCheck(chunk);
  return {
    /** Why nothing can be applied at all. */
    refused: isDocument ? undefined : NOT_A_DOCUMENT,
    applying,
    error,
    check,
    /** Applies it to the chunk, or tries it for the array first. `label`: what it does, in words. */
    apply: (trial: Trial, scope: RepairScope, label: string) => {
      if (applying) return;
      forgetError();
      if (scope === "array") return check.begin(trial, label);
      const request = { ...chunk, trial, scope };
      apply(() => engine.call("repair.edits", request), { label, array, chunks: [{ coordinates }] }, check.dismiss);
    },
    /** Applies to the array what was checked and is offered. */
    applyChecked: () => {
      const found = check.known?.found;
      if (found === undefined || found.refused !== undefined) return;
      const chunks = found.chunks.filter(({ fingerprint }) => fingerprint !== undefined).map(foreseen);
      apply(found.edits, { label: check.known?.label ?? "", array, chunks }, check.dismiss);
    },
  };
}

const foreseen = ({ coordinates, fingerprint }: CheckedChunk): ForeseenChunk =>
  fingerprint === undefined ? { coordinates } : { coordinates, fingerprint };

const NOT_A_DOCUMENT =
  "Only Kerchunk JSON files can be edited here. Change the metadata or references where the dataset was created.";

/** Why a trial cannot be applied so; `undefined` where it can. */
export function scopeProblem(trial: Trial | undefined, scope: RepairScope): string | undefined {
  if (trial === undefined) return "Nothing changes.";
  if (scope === "array" || isOfOneChunk(trial)) return undefined;
  return "Codecs and byte order apply to the whole array and cannot differ for one chunk.";
}

// A repair for the array, tried on a sample of its chunks before it can be applied.

function useRepairCheck(chunk: ChunkOfSet) {
  const { engine } = useApp();
  const [label, setLabel] = useState<string>();
  const subject = JSON.stringify([chunk.set, chunk.array]);
  const { begun, begin, ...task } = useTask<RepairCheck>("check-repair", "Testing the fix on other chunks", subject);
  return {
    ...task,
    /** `undefined` while nothing is checked, or what was checked is of another set or array. */
    known: label === undefined ? undefined : begun && { label, ...begun },
    begin: (trial: Trial, next: string) => {
      setLabel(next);
      begin((options) => engine.call("repair.check", { ...chunk, trial }, options));
    },
  };
}

// The fix of a failed chunk that Check knows too: looked for unasked where that costs little.

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
