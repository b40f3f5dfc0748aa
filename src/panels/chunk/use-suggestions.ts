/** Likely repairs of the selected chunk, looked for when asked. */
import type { Suggestions } from "../../core/lab.ts";
import { useApp } from "../../store/react.tsx";
import { useTask, type Begun, type TaskByHand } from "../../store/use-task.ts";

export interface SuggestionsState extends Begun<Suggestions>, Pick<TaskByHand<Suggestions>, "cancel" | "dismiss"> {
  readonly ask: () => void;
}

interface Place {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** What was found of another chunk is no longer shown; a search for another chunk is ended. */
export function useSuggestions(place: Place): SuggestionsState {
  const { engine } = useApp();
  const { set, array, coordinates } = place;
  const subject = JSON.stringify([set, array, coordinates]);
  const { begun, begin, ...rest } = useTask<Suggestions>("suggest", "Looking for repairs", subject);
  return {
    ...(begun ?? NOTHING),
    ...rest,
    ask: () => {
      begin((options) => engine.call("lab.suggest", { set, array, coordinates }, options));
    },
  };
}

const NOTHING = { running: false };
