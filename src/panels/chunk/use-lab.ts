/** The lab of the selected chunk: its trial, suggestions and repairs. */
import { useEffect, useRef, useState } from "react";
import { failure, type Finding, findingOfError, isAbort, WHOLE_SET } from "#core/findings/finding.ts";
import type { Trial } from "#core/check/lab.ts";
import type { Suggestions } from "#core/repair.ts";
import type { ArrayDetail, CodecSummary } from "#core/open-set.ts";
import type { Reading } from "#core/reading.ts";
import { useApp, useAppState, useCommand } from "#store/react.tsx";
import { type Begun, useTask } from "#store/hooks/use-task.ts";
import type { ChunkArray, ChunkOfSet } from "./chunk-words.ts";
import { declaredDraft, draftOf, draftProblem, trialOf } from "./trial/trial-draft.ts";
import type { DeclaredCodec, TrialDraft } from "./trial/trial-draft.ts";
import { type KnownRepair, useRepair } from "./trial/use-repair.ts";

// The trial of one array: what is changed by hand, and what reading the selected chunk so gives.

interface TrialPlace extends ChunkOfSet {
  /** Codecs in the order of decoding; empty until known. */
  readonly codecs: readonly DeclaredCodec[];
}

function useTrial(place: TrialPlace) {
  const { codecs } = place;
  const [open, setOpen] = useState(false);
  const [drafted, setDraft] = useState<TrialDraft>();
  const [wanted, show] = useState<"declared" | "trial">("trial");
  const [taken, setTaken] = useState(0);
  const draft = drafted ?? declaredDraft(codecs);
  const trial = open ? trialOf(draft, codecs) : undefined;
  const problem = trial === undefined ? undefined : draftProblem(draft);
  const reading = useTrialReading(place, trial, problem !== undefined);
  return {
    /** The trial is shown. */
    open,
    draft,
    /** Differences from the metadata; `undefined` if there are none, or the trial is closed. */
    trial,
    /** Why the draft is not read with. */
    problem,
    reading,
    /** Which of the two readings the page shows. */
    shown: trial !== undefined && reading.reading !== undefined ? wanted : "declared",
    /** How often a suggestion was tried: the result is then scrolled into view. */
    taken,
    setOpen,
    show,
    change: (next: TrialDraft) => {
      setDraft(next);
      show("trial");
    },
    /** Opens the trial with what a suggestion says. */
    take: (next: Trial) => {
      setDraft(draftOf(next, codecs));
      setOpen(true);
      setTaken((count) => count + 1);
      show("trial");
    },
    reset: () => setDraft(undefined),
  };
}

interface KnownReading {
  readonly asked: string | undefined;
  readonly reading: Reading | undefined;
  readonly error: Finding | undefined;
}

const NO_READING: KnownReading = { asked: undefined, reading: undefined, error: undefined };
/** After the last change, before reading. */
const PAUSE_MS = 150;
/** A reading shorter than this is not shown in the status bar. */
const TASK_AFTER_MS = 300;

/** Reads again a moment after each change; a newer reading ends the older. While `held`, the last result stays. */
function useTrialReading(place: TrialPlace, trial: Trial | undefined, held: boolean) {
  const { engine, tasks } = useApp();
  const revision = useAppState((state) => state.revision);
  const [known, setKnown] = useState(NO_READING);
  const { set, array, coordinates } = place;
  const request = trial === undefined ? undefined : { set, array, coordinates, trial };
  const asking = request === undefined ? undefined : JSON.stringify([request, revision]);
  const wanted = held ? undefined : asking;
  const first = useRef(true);
  if (asking === undefined && known !== NO_READING) setKnown(NO_READING);

  useEffect(() => {
    if (wanted === undefined) {
      first.current = true;
      return undefined;
    }
    const controller = new AbortController();
    const [now] = JSON.parse(wanted) as [NonNullable<typeof request>];
    const read = () =>
      tasks.run(
        "trial",
        `Trying another reading of ${array}`,
        ({ signal, onProgress }) =>
          engine.call("repair.tryRead", now, { signal: AbortSignal.any([signal, controller.signal]), onProgress }),
        TASK_AFTER_MS,
      );
    // The first trial, such as a suggestion, need not wait for more to be typed.
    const timer = setTimeout(
      () => {
        read().then(
          (reading) => {
            if (!controller.signal.aborted) setKnown({ asked: wanted, reading, error: undefined });
          },
          (thrown: unknown) => {
            if (controller.signal.aborted) return;
            const error = isAbort(thrown) ? CANCELLED : findingOfError(thrown, "Reading the chunk for the trial");
            setKnown((before) => ({ ...before, asked: wanted, error }));
          },
        );
      },
      first.current ? 0 : PAUSE_MS,
    );
    first.current = false;
    return () => {
      clearTimeout(timer);
      controller.abort(new DOMException("The trial was changed.", "AbortError"));
    };
  }, [engine, tasks, array, wanted]);

  const pending = asking !== undefined && known.asked !== asking && !held;
  return {
    /** The last one that came: of another draft or chunk while `pending`. */
    reading: known.reading,
    pending,
    error: known.asked === asking ? known.error : undefined,
  };
}

const CANCELLED = failure("trial-cancelled", WHOLE_SET, {}).finding;

export interface Lab extends ReturnType<typeof useLab> {
  /** Fix of the chunk, if known. */
  readonly known: KnownRepair | undefined;
  /** The reading as declared. */
  readonly declared: Reading;
}

interface Place {
  readonly set: number;
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
  readonly detail: ArrayDetail | undefined;
  /** True if trial and suggestions are on the screen; and the way to show them. */
  readonly isShown: boolean;
  readonly show: () => void;
}

/** The trial is the array's: it stays while one moves from chunk to chunk. */
export function useLab(place: Place) {
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
    /** Codecs in the order of decoding; empty until known. */
    codecs,
    detail,
    trial: { ...trial, setOpen: byHand(trial.setOpen), take: byHand(trial.take) },
    suggestions: { ...suggestions, ask: byHand(suggestions.ask) },
    repair,
    /** True if a command asked for the last change: the result then takes the focus. */
    byCommand,
    /** From now on, the user navigates by hand. */
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

// Likely repairs of the selected chunk, looked for when asked.

/** Suggestions for another chunk are no longer shown; a search for it is ended. */
function useSuggestions(place: ChunkOfSet) {
  const { engine } = useApp();
  const subject = JSON.stringify(place);
  const { begun, begin, ...rest } = useTask<Suggestions>("suggest", "Searching for fixes", subject);
  const { running, progress, found, error }: Begun<Suggestions> = begun ?? { running: false };
  const ask = () => begin((options) => engine.call("repair.suggest", place, options));
  return { running, progress, found, error, ...rest, ask };
}
