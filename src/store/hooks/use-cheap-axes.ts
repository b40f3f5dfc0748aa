/** What stands along the dimensions of an array, where it costs little to read: a chunk's place in words. */
import { useEffect, useMemo, useState } from "react";
import type { Axis } from "../../core/cf/axis.ts";
import { useApp, useAppState } from "../react.tsx";
import { hasCheapAxis } from "../../core/cf/cheap-axis.ts";

/** By dimension; `undefined` where nothing stands there, or is not known yet. */
export type Axes = readonly (Axis | undefined)[];

const NO_AXES: Axes = [];

interface Known {
  readonly asked: string;
  readonly axes: Axes;
}

interface OfArray {
  readonly path: string;
  /** As many as the array has. */
  readonly dimensions: readonly unknown[];
}

/** @param wanted false until what matters more was asked for: a chunk's own bytes come in a request of their own */
export function useCheapAxes(set: number, { path, dimensions }: OfArray, wanted: boolean): Axes {
  const { engine } = useApp();
  const nodes = useAppState((state) => state.set?.nodes);
  const revision = useAppState((state) => state.revision);
  const [known, setKnown] = useState<Known>();
  const cheap = useMemo(
    () => dimensions.flatMap((_, dimension) => (hasCheapAxis(nodes ?? [], path, dimension) ? [dimension] : [])),
    [nodes, path, dimensions],
  );
  const asked = JSON.stringify([set, path, revision, cheap]);
  useEffect(() => {
    if (!wanted || cheap.length === 0) return undefined;
    const { signal, abort } = abortable();
    for (const dimension of cheap) {
      engine.call("plane.axis", { set, array: path, dimension }, { signal }).then(
        (axis) => {
          if (!signal.aborted) setKnown((before) => withAxis(before, { asked, dimension, axis }));
        },
        // Indices stand there then; the coordinate array itself says why when it is looked at.
        () => undefined,
      );
    }
    return abort;
  }, [engine, set, path, wanted, cheap, asked]);
  return known?.asked === asked ? known.axes : NO_AXES;
}

function abortable() {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    abort: () => {
      controller.abort(new DOMException("Another array was selected.", "AbortError"));
    },
  };
}

interface Came {
  readonly asked: string;
  readonly dimension: number;
  readonly axis: Axis | undefined;
}

function withAxis(before: Known | undefined, { asked, dimension, axis }: Came): Known {
  const axes = [...(before?.asked === asked ? before.axes : [])];
  axes[dimension] = axis;
  return { asked, axes };
}
