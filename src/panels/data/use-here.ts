/** Where one looks, as the store and the address say it, and how far one has moved on since. */
import { useEffect, useEffectEvent, useState } from "react";
import { useApp, useAppState } from "../../store/react.tsx";
import { useDelayed } from "../../widgets/use-delayed.ts";

export interface Here {
  /** As text. */
  readonly slice: string | undefined;
  /** The element, where one was pointed out. */
  readonly point: readonly number[] | undefined;
}

interface Ahead {
  readonly here: Here;
  /** What the store said when that began, as text. */
  readonly of: string;
  /** The slice as it was given from outside: another object, another gift. */
  readonly given: Pick<Here, "slice">;
}

/** Milliseconds of rest after which the address says where one looks: browsers refuse to write it very often. */
const REST = 250;

const textOf = ({ slice, point }: Here): string => JSON.stringify([slice, point]);

export function useHere(array: string) {
  const { store, actions } = useApp();
  const slice = useAppState((state) => state.slice);
  const point = useAppState((state) => state.point);
  const stored = textOf({ slice, point });
  const [ahead, setAhead] = useState<Ahead>({ here: { slice, point }, of: stored, given: { slice } });
  let now = ahead;
  if (stored !== ahead.of) {
    // A link, or something selected elsewhere; else what was written from here has come back.
    const isOther = stored !== textOf(ahead.here);
    const isGiven = isOther && slice !== ahead.here.slice;
    now = { here: isOther ? { slice, point } : ahead.here, of: stored, given: isGiven ? { slice } : ahead.given };
    setAhead(now);
  }
  const { here, given } = now;
  const write = useEffectEvent(() => {
    if (textOf(here) !== stored) actions.showPlace(here);
  });
  useDelayed(textOf(here), textOf(here) === stored ? undefined : REST, () => write());
  useEffect(() => {
    const id = store.getState().set?.id;
    return () => {
      const { set, node } = store.getState();
      if (set?.id === id && node === array) write();
    };
  }, [store, array]);
  return {
    here,
    given,
    setHere: (next: Here) => setAhead((before) => ({ ...before, here: next })),
    /** As if it came from outside: the map shows the part that the slice names. */
    giveHere: (next: Here) => setAhead((before) => ({ ...before, here: next, given: { slice: next.slice } })),
  };
}
