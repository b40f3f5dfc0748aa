/** Reads the chunks of a plane, those on screen first, and gives what there is so far. */
import { useEffect, useMemo, useRef, useState } from "react";
import { isAbort } from "../../core/errors.ts";
import { findingOfError } from "../../core/findings/failure.ts";
import { planePart, type Plane, type PlaneChunks, type PlaneExtent, type PlaneSteps } from "../../core/plane.ts";
import { insideShape } from "../../core/chunk-grid.ts";
import { useApp } from "../../store/react.tsx";
import type { TaskOptions } from "../../store/tasks.ts";
import { collectPlane, type PlaneValues } from "./plane-values.ts";

export interface PlaneRequest {
  readonly set: number;
  readonly array: string;
  readonly shape: readonly number[];
  readonly chunkShape: readonly number[];
  readonly plane: Plane;
  readonly extent: PlaneExtent;
  readonly chunks: PlaneChunks;
  readonly steps: PlaneSteps;
  readonly scaled: boolean;
  /** Every n-th chunk down and across is read. */
  readonly every: number;
}

export interface PlaneProgress {
  readonly shown: PlaneValues | undefined;
  /** Chunks that were asked for, and how many of these came. */
  readonly wanted: number;
  readonly done: number;
  /** Cancelled before all were read. */
  readonly stopped: boolean;
  /** What is shown is of the request before. */
  readonly isOld: boolean;
}

/** Chunks that are asked for at once. */
const AT_ONCE = 256;
/** Milliseconds between two pictures while chunks come in. */
const PAUSE = 60;

/** `region`: of each one is read at a time. `first`: whether a chunk is on the screen. `on`: false reads nothing. */
export function usePlaneValues(
  region: "plane" | "series",
  request: PlaneRequest,
  on: boolean,
  first: (row: number, column: number) => boolean,
): PlaneProgress {
  const { engine, tasks } = useApp();
  const [state, setState] = useState<Omit<PlaneProgress, "isOld"> & { readonly of: string }>(NOTHING);
  const latest = useRef({ request, first });
  latest.current = { request, first };
  const key = useMemo(
    () => JSON.stringify([request.set, request.array, request.plane, request.steps, request.scaled, request.every]),
    [request],
  );
  useEffect(() => {
    if (!on) return undefined;
    const { request: asked } = latest.current;
    const leaving = new AbortController();
    const chunks = placesOf(asked);
    const collector = collectPlane(asked.extent, asked.steps, asked.chunks.rows * asked.chunks.columns);
    let done = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wanted = chunks.size;
    const show = () => {
      timer = undefined;
      setState({ shown: collector.look(), wanted, done, of: key, stopped: false });
    };
    const readNext = async (signal: AbortSignal): Promise<void> => {
      for (
        let next = takeNext(chunks, latest.current.first);
        next !== undefined;
        next = takeNext(chunks, latest.current.first)
      ) {
        const coordinates = asked.chunks.at(next.row, next.column);
        const { set, array, plane, steps, scaled } = asked;
        const tile = await engine
          .call("plane.tile", { set, array, plane, coordinates, steps, scaled }, { signal })
          .catch((error: unknown) => {
            if (isAbort(error) || signal.aborted) return undefined;
            return failedTile(asked, coordinates, error);
          });
        if (tile === undefined || signal.aborted) return;
        collector.put(next.row * asked.chunks.columns + next.column, tile);
        done += 1;
        timer ??= setTimeout(show, PAUSE);
      }
    };
    const work = async ({ signal }: TaskOptions): Promise<void> => {
      const both = AbortSignal.any([signal, leaving.signal]);
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, wanted) }, () => readNext(both)));
      if (leaving.signal.aborted) return;
      clearTimeout(timer);
      setState({ shown: collector.look(), wanted, done, of: key, stopped: signal.aborted });
    };
    void tasks.run(region, `Reading ${asked.array}`, work, SHOW_AFTER).catch(() => undefined);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [engine, tasks, region, key, on]);
  return { ...state, isOld: state.of !== key };
}

const NOTHING = { shown: undefined, wanted: 0, done: 0, of: "", stopped: false };
/** Milliseconds after which it is said that something is under way. */
const SHOW_AFTER = 300;

interface ChunkPlace {
  readonly row: number;
  readonly column: number;
}

function placesOf({ chunks, every }: PlaneRequest): Set<ChunkPlace> {
  const places = new Set<ChunkPlace>();
  for (let row = 0; row < chunks.rows; row += every) {
    for (let column = 0; column < chunks.columns; column += every) places.add({ row, column });
  }
  return places;
}

/** Places looked at before one off the screen is taken. */
const MAX_LOOKED = 2000;

function takeNext(places: Set<ChunkPlace>, isFirst: (row: number, column: number) => boolean): ChunkPlace | undefined {
  let any: ChunkPlace | undefined;
  let looked = 0;
  for (const place of places) {
    any ??= place;
    if (isFirst(place.row, place.column)) {
      any = place;
      break;
    }
    if ((looked += 1) > MAX_LOOKED) break;
  }
  if (any !== undefined) places.delete(any);
  return any;
}

function failedTile({ plane, steps, shape, chunkShape }: PlaneRequest, coordinates: readonly number[], error: unknown) {
  const inside = insideShape(shape, chunkShape, coordinates);
  const { top, left, rows, columns } = planePart(plane, steps, { coordinates, chunks: chunkShape, inside });
  return { top, left, rows, columns, kind: "failed", error: findingOfError(error, "Reading the chunk") } as const;
}
