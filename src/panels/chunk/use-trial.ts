/** The trial of one array: what is changed by hand, and what reading the selected chunk so gives. */
import { useEffect, useRef, useState } from "react";
import { isAbort } from "../../core/errors.ts";
import { failure, findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import type { Trial } from "../../core/lab.ts";
import type { Reading } from "../../core/reading.ts";
import { useApp, useAppState } from "../../store/react.tsx";
import { declaredDraft, draftOf, draftProblem, trialOf, type DeclaredCodec, type TrialDraft } from "./trial-draft.ts";

export interface TrialState {
  /** The trial is shown. */
  readonly open: boolean;
  readonly draft: TrialDraft;
  /** What differs from the metadata; `undefined` where nothing does, or the trial is closed. */
  readonly trial: Trial | undefined;
  /** Why the draft is not read with. */
  readonly problem: string | undefined;
  readonly reading: TrialReading;
  /** Which of the two readings the page shows. */
  readonly shown: "declared" | "trial";
  readonly setOpen: (open: boolean) => void;
  readonly change: (draft: TrialDraft) => void;
  /** How often a suggestion was tried: the result is then scrolled into view. */
  readonly taken: number;
  /** Opens the trial with what a suggestion says. */
  readonly take: (trial: Trial) => void;
  readonly reset: () => void;
  readonly show: (which: "declared" | "trial") => void;
}

export interface TrialPlace {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
  /** In the order of decoding; empty until they are known. */
  readonly codecs: readonly DeclaredCodec[];
}

export function useTrial(place: TrialPlace): TrialState {
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
    open,
    draft,
    trial,
    problem,
    reading,
    shown: trial !== undefined && reading.reading !== undefined ? wanted : "declared",
    taken,
    setOpen,
    show,
    change: (next) => {
      setDraft(next);
      show("trial");
    },
    take: (next) => {
      setDraft(draftOf(next, codecs));
      setOpen(true);
      setTaken((count) => count + 1);
      show("trial");
    },
    reset: () => {
      setDraft(undefined);
    },
  };
}

export interface TrialReading {
  /** The last one that came: of another draft or chunk while `pending`. */
  readonly reading: Reading | undefined;
  readonly pending: boolean;
  readonly error: Finding | undefined;
}

interface Known {
  readonly asked: string | undefined;
  readonly reading: Reading | undefined;
  readonly error: Finding | undefined;
}

const NOTHING: Known = { asked: undefined, reading: undefined, error: undefined };
/** After the last change, before reading. */
const PAUSE_MS = 150;
/** A reading shorter than this is not shown in the status bar. */
const TASK_AFTER_MS = 300;

/** Reads again a moment after each change; a newer reading ends the older. While `held`, the last result stays. */
function useTrialReading(place: TrialPlace, trial: Trial | undefined, held: boolean): TrialReading {
  const { engine, tasks } = useApp();
  const revision = useAppState((state) => state.revision);
  const [known, setKnown] = useState(NOTHING);
  const { set, array, coordinates } = place;
  const request = trial === undefined ? undefined : { set, array, coordinates, trial };
  const asking = request === undefined ? undefined : JSON.stringify([request, revision]);
  const wanted = held ? undefined : asking;
  const first = useRef(true);
  if (asking === undefined && known !== NOTHING) setKnown(NOTHING);

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
          engine.call("lab.tryRead", now, { signal: AbortSignal.any([signal, controller.signal]), onProgress }),
        TASK_AFTER_MS,
      );
    // What is tried first, such as a suggestion, need not wait for more to be typed.
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
  return { reading: known.reading, pending, error: known.asked === asking ? known.error : undefined };
}

const CANCELLED = failure("trial-cancelled", WHOLE_SET, {}).finding;
