/** Making a trial last: as edits of the document, for a chunk or its array. */
import { useState } from "react";
import type { Finding } from "../../../core/findings/finding.ts";
import type { Trial } from "../../../core/check/lab.ts";
import type { CheckedChunk, ForeseenChunk, RepairCheck, RepairScope } from "../../../core/repair-offer.ts";
import { useApp, useAppState } from "../../../store/react.tsx";
import { useApplyEdits } from "../../../store/hooks/use-apply-edits.ts";
import { type Begun, type TaskByHand, useTask } from "../../../store/hooks/use-task.ts";
import { isOfOneChunk } from "./trial-draft.ts";

export interface Repair {
  /** Why nothing can be applied at all. */
  readonly refused: string | undefined;
  readonly applying: boolean;
  readonly error: Finding | undefined;
  /** Applies it to the chunk, or tries it for the array first. `label`: what it does, in words. */
  readonly apply: (trial: Trial, scope: RepairScope, label: string) => void;
  readonly check: RepairChecking;
  /** Applies to the array what was checked and is offered. */
  readonly applyChecked: () => void;
}

interface Place {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
}

export function useRepair({ set, array, coordinates }: Place): Repair {
  const { engine } = useApp();
  const isDocument = useAppState((state) => state.set?.isDocument === true);
  const { applying, error, forgetError, apply } = useApplyEdits();
  const check = useRepairCheck({ set, array, coordinates });
  return {
    refused: isDocument ? undefined : NOT_A_DOCUMENT,
    applying,
    error,
    check,
    apply: (trial, scope, label) => {
      if (applying) return;
      forgetError();
      if (scope === "array") return check.begin(trial, label);
      const request = { set, array, coordinates, trial, scope };
      apply(() => engine.call("repair.edits", request), { label, array, chunks: [{ coordinates }] }, check.dismiss);
    },
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

interface RepairChecking extends Pick<TaskByHand<RepairCheck>, "cancel" | "dismiss"> {
  /** `undefined` while nothing is checked, or what was checked is of another set or array. */
  readonly known: KnownCheck | undefined;
  readonly begin: (trial: Trial, label: string) => void;
}

interface Tried {
  readonly trial: Trial;
  /** What the repair does, in words. */
  readonly label: string;
}

interface KnownCheck extends Tried, Begun<RepairCheck> {}

interface UseRepairCheckPlace {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
}

function useRepairCheck({ set, array, coordinates }: UseRepairCheckPlace): RepairChecking {
  const { engine } = useApp();
  const [tried, setTried] = useState<Tried>();
  const subject = JSON.stringify([set, array]);
  const task = useTask<RepairCheck>("check-repair", "Testing the fix on other chunks", subject);
  return {
    known: tried && task.begun && { ...tried, ...task.begun },
    begin: (trial, label) => {
      setTried({ trial, label });
      task.begin((options) => engine.call("repair.check", { set, array, coordinates, trial }, options));
    },
    cancel: task.cancel,
    dismiss: task.dismiss,
  };
}
