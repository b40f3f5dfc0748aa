/** The lab of the selected chunk: its trial, suggestions and repairs. */
import { useEffect, useRef, useState } from "react";
import type { ArrayDetail, CodecSummary } from "../../core/open-set.ts";
import type { Trial } from "../../core/lab.ts";
import type { Reading } from "../../core/reading.ts";
import { useCommand } from "../../store/react.tsx";
import type { ChunkArray } from "./chunk-words.ts";
import { useRepair, type Repair } from "./use-repair.ts";
import { useSuggestions, type SuggestionsState } from "./use-suggestions.ts";
import { useTrial, type TrialState } from "./use-trial.ts";

export interface Lab {
  readonly set: number;
  readonly array: ChunkArray;
  /** The reading as declared. */
  readonly declared: Reading;
  /** In the order of decoding; empty until they are known. */
  readonly codecs: readonly CodecSummary[];
  readonly detail: ArrayDetail | undefined;
  readonly trial: TrialState;
  readonly suggestions: SuggestionsState;
  readonly repair: Repair;
  /** Whether a command asked for the last thing: the result then takes the focus. */
  readonly byCommand: boolean;
  /** From now on the user goes by hand. */
  readonly goByHand: () => void;
}

interface Place {
  readonly set: number;
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
  readonly detail: ArrayDetail | undefined;
  /** Whether trial and suggestions are on the screen, and bringing them there. */
  readonly isShown: boolean;
  readonly show: () => void;
}

/** The trial is the array's: it stays while one moves from chunk to chunk. */
export function useLab(place: Place): Omit<Lab, "declared"> {
  const { set, array, coordinates, detail, isShown, show } = place;
  const codecs = detail?.codecs ?? NO_CODECS;
  const chunk = { set, array: array.path, coordinates };
  const trial = useTrial({ ...chunk, codecs });
  const suggestions = useSuggestions(chunk);
  const repair = useRepair(chunk);
  const [byCommand, setByCommand] = useState(false);
  const byHand = <T extends readonly unknown[]>(run: (...given: T) => void) => {
    return (...given: T) => {
      setByCommand(false);
      run(...given);
    };
  };
  useCommand("trial", () => {
    setByCommand(true);
    // One that is open elsewhere is shown, not closed.
    trial.setOpen(!(trial.open && isShown));
    show();
  });
  useCommand("suggest-repairs", () => {
    setByCommand(true);
    if (!suggestions.running) suggestions.ask();
    show();
  });
  useWantedTrial(detail !== undefined, (wanted) => {
    setByCommand(true);
    trial.take(wanted);
    show();
  });
  return {
    set,
    array,
    codecs,
    detail,
    trial: { ...trial, setOpen: byHand(trial.setOpen), take: byHand(trial.take) },
    suggestions: { ...suggestions, ask: byHand(suggestions.ask) },
    repair,
    byCommand,
    goByHand: byHand(() => undefined),
  };
}

/** A trial that another part of the page asked for: taken up once the array's codecs are known. */
function useWantedTrial(isReady: boolean, take: (trial: Trial) => void): void {
  const wanted = useRef<Trial>(undefined);
  useCommand("try-reading", ({ trial }) => {
    if (isReady) take(trial);
    else wanted.current = trial;
  });
  useEffect(() => {
    const trial = wanted.current;
    if (trial === undefined || !isReady) return;
    wanted.current = undefined;
    take(trial);
  }, [isReady, take]);
}

const NO_CODECS: readonly CodecSummary[] = [];
