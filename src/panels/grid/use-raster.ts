/** The picture of a window of the grid; the last one stays, with the window that it shows, until the next is there. */
import { useEffect, useState } from "react";
import { isAbort, toErrorFields, type ErrorFields } from "../../core/errors.ts";
import type { Raster, RasterSpec } from "../../core/open-set.ts";
import type { SnapshotChanges } from "../../core/repository.ts";
import { useApp, useAppState } from "../../store/react.tsx";
import type { CellWindow } from "../../widgets/cell-map/camera.ts";

/** A raster with the window that it was asked for. */
export interface Layer extends Raster {
  readonly window: CellWindow;
}

export interface RasterAnswer {
  readonly layer: Layer | undefined;
  readonly stale: boolean;
  readonly error: ErrorFields | undefined;
  readonly retry: () => void;
}

interface Answered {
  readonly asked: string;
  /** What must be the same for the picture to be worth showing meanwhile. */
  readonly plane: string;
  readonly layer: Layer | undefined;
  readonly error: ErrorFields | undefined;
}

export function useRaster(set: number, spec: RasterSpec | undefined): RasterAnswer {
  const { engine } = useApp();
  const located = useAppState((state) => state.revision);
  const known = useAppState((state) => state.set?.revision ?? 0);
  const revision = `${located} ${known}`;
  const readings = useAppState((state) => state.readings);
  const [again, setAgain] = useState(0);
  const [answered, setAnswered] = useState<Answered>();
  const comparison = useAppState((state) => state.comparison);
  const compared = spec?.colour === "change" ? comparisonText(comparison) : "";
  const asked =
    spec === undefined ? undefined : JSON.stringify([set, spec, compared, revision, again, readingsIn(spec, readings)]);
  const plane = spec === undefined ? "" : planeText(set, spec, compared);

  useEffect(() => {
    if (asked === undefined) return undefined;
    // Plain JSON, so that one text tells whether to ask anew.
    const [set, spec, compared] = JSON.parse(asked) as [number, RasterSpec, string];
    const controller = new AbortController();
    const plane = planeText(set, spec, compared);
    engine.call("table.raster", { set, spec }, { signal: controller.signal }).then(
      (raster) => {
        setAnswered({ asked, plane, layer: { ...raster, window: spec }, error: undefined });
      },
      (error: unknown) => {
        if (isAbort(error)) return;
        setAnswered({ asked, plane, layer: undefined, error: toErrorFields(error, "Drawing the chunk grid") });
      },
    );
    return () => {
      controller.abort();
    };
  }, [engine, asked]);

  const fits = asked !== undefined && answered?.plane === plane;
  return {
    layer: fits ? answered.layer : undefined,
    stale: answered?.asked !== asked,
    error: answered?.asked === asked ? answered?.error : undefined,
    retry: () => {
      setAgain(again + 1);
    },
  };
}

/** Only this colour changes when something is read. */
const readingsIn = (spec: RasterSpec, readings: number) => (spec.colour === "reading" ? readings : 0);

/** The engine keeps the last comparison only: another one makes another picture. */
const comparisonText = (changes: SnapshotChanges | undefined): string =>
  changes === undefined ? "" : `${changes.from} ${changes.to} ${changes.method}`;

function planeText(
  set: number,
  { array, rowDimension, columnDimension, colour }: RasterSpec,
  compared: string,
): string {
  return JSON.stringify([set, array, rowDimension, columnDimension, colour, compared]);
}
