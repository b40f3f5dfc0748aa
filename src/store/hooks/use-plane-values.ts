/** Reads the chunks of a plane, those on screen first, and gives what there is so far. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ChunkEdges } from "#core/metadata/chunk-grid.ts";
import { type Finding, findingOfError, isAbort } from "#core/findings/finding.ts";
import { collectPlane, type PlaneValues, stepsFor } from "#core/plane/plane-values.ts";
import { failedTile, planeChunks, planeExtent } from "#core/plane/plane.ts";
import type { Plane, PlaneChunks, PlaneExtent, PlaneSteps, PlaneTile } from "#core/plane/plane.ts";
import type { App } from "../app-store.ts";
import { useApp, useAppState } from "../react.tsx";
import type { TaskOptions } from "../tasks.ts";

export interface PlaneRequest {
  readonly set: number;
  readonly array: string;
  readonly shape: readonly number[];
  readonly chunkShape: readonly ChunkEdges[];
  /** Wherever the cursor stands along the dimensions that are shown. */
  readonly plane: Plane;
  readonly extent: PlaneExtent;
  readonly chunks: PlaneChunks;
  readonly steps: PlaneSteps;
  readonly scaled: boolean;
}

type AskedPlane = Omit<PlaneRequest, "extent" | "chunks" | "steps">;

export function planeRequest(asked: AskedPlane, grid: readonly number[]): PlaneRequest {
  const extent = planeExtent(asked.plane, asked.shape);
  return { ...asked, extent, chunks: planeChunks(asked.plane, grid, asked.chunkShape), steps: stepsFor(extent) };
}

interface Reading {
  readonly shown: PlaneValues | undefined;
  /** Chunks that were asked for, and how many of these came. */
  readonly wanted: number;
  readonly done: number;
  /** Cancelled before all were read. */
  readonly stopped: boolean;
}

export interface PlaneProgress extends Reading {
  /** True if the shown values are of an earlier request. */
  readonly isOld: boolean;
  /** Reads one chunk more, by its place on the plane. */
  readonly readOne: (place: ChunkPlace) => void;
}

/** Chunks that failed while the cursor was in them: moving it on does not ask for them again. */
export interface KnownFailures {
  /** Another of these, other failures. */
  readonly of: unknown;
  readonly found: Map<string, Finding>;
}

type IsSeen = (row: number, column: number) => boolean;

/** Chunks that are asked for at once. */
const AT_ONCE = 256;
/** Milliseconds between two pictures while chunks come in. */
const PAUSE = 60;
/** Milliseconds after which it is said that something is under way. */
const SHOW_AFTER = 300;

/**
 * `region`: of each one is read at a time. `every`: reads every n-th chunk down and across; 0: only chunks requested one by
 * one. `on`: false reads nothing. `isSeen`: whether a chunk is on the screen.
 */
export function usePlaneValues(
  region: string,
  request: PlaneRequest,
  { every, on }: { readonly every: number; readonly on: boolean },
  isSeen: IsSeen,
  failures?: KnownFailures,
): PlaneProgress {
  const { engine, tasks } = useApp();
  // A failed chunk is read again where its source may be in reach now.
  const revision = useAppState((now) => now.revision);
  const [state, setState] = useState<Reading & { readonly of: string }>(NO_VALUES);
  const latest = useRef({ request, isSeen, failures });
  useLayoutEffect(() => {
    latest.current = { request, isSeen, failures };
  });
  const reader = useRef<ReturnType<typeof readPlane>>(undefined);
  const [kept] = useState(keptPlanes);
  const key = useMemo(() => {
    const { set, array, plane, steps, scaled } = request;
    return JSON.stringify([set, array, plane.row, plane.column, plane.at, steps, scaled]);
  }, [request]);
  // Values at hand are shown at once, before it is known if more may be read.
  const known = kept.get(key);
  const asked = `${key} ${every} ${revision}`;
  if (known !== undefined && (state.shown !== known || state.of !== asked)) {
    const count = known.looks.length;
    setState({ shown: known, wanted: count, done: count, stopped: false, of: asked });
  }
  useEffect(() => {
    if (!on || kept.get(key) !== undefined) return undefined;
    const seen: IsSeen = (row, column) => latest.current.isSeen(row, column);
    const { request: now, failures: met } = latest.current;
    const show = (reading: Reading) => {
      if (reading.shown !== undefined) kept.keep(key, reading.shown);
      setState({ ...reading, of: asked });
    };
    const begun = readPlane({ engine, tasks, known: met?.found }, region, { ...now, every }, seen, show);
    reader.current = begun;
    return begun.stop;
  }, [engine, tasks, region, key, asked, every, on, kept]);
  const readOne = (place: ChunkPlace) => reader.current?.readOne(place);
  return { ...state, isOld: state.of !== asked, readOne };
}

const NO_VALUES = { shown: undefined, wanted: 0, done: 0, of: "", stopped: false };

interface Reader extends Pick<App, "engine" | "tasks"> {
  readonly known: Map<string, Finding> | undefined;
}

/** Begins; `show` is called as chunks come. */
function readPlane(
  { engine, tasks, known }: Reader,
  region: string,
  request: PlaneRequest & { readonly every: number },
  isSeen: IsSeen,
  show: (reading: Reading) => void,
) {
  const leaving = new AbortController();
  const places = placesOf(request);
  let wanted = places.size;
  const collector = collectPlane(request.extent, request.steps, request.chunks.rows * request.chunks.columns);
  let done = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const showNow = (stopped: boolean) => {
    clearTimeout(timer);
    timer = undefined;
    show({ shown: collector.look(), wanted, done, stopped });
  };
  const readNext = async (signal: AbortSignal): Promise<void> => {
    for (let next = takeNext(places, isSeen); next !== undefined; next = takeNext(places, isSeen)) {
      const tile = await readTile({ engine, known }, request, next, signal);
      if (tile === undefined || signal.aborted) return;
      collector.put(next.row * request.chunks.columns + next.column, tile);
      done += 1;
      // The first at once: something is there to look at.
      if (done === 1) showNow(false);
      else timer ??= setTimeout(() => showNow(false), PAUSE);
    }
  };
  const work = async ({ signal }: TaskOptions): Promise<void> => {
    const both = AbortSignal.any([signal, leaving.signal]);
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, wanted) }, () => readNext(both)));
    if (!leaving.signal.aborted) showNow(signal.aborted);
  };
  // A second task would end the first: what is asked for one by one has its own.
  const run = (name: string) =>
    void tasks.run(name, `Reading ${request.array}`, work, SHOW_AFTER).catch(() => undefined);
  if (wanted === 0) queueMicrotask(() => leaving.signal.aborted || showNow(false));
  else run(region);
  return {
    stop: () => {
      leaving.abort();
      clearTimeout(timer);
    },
    readOne: (place: ChunkPlace) => {
      places.add(place);
      wanted += 1;
      run(`${region} ${place.row} ${place.column}`);
    },
  };
}

export interface ChunkPlace {
  readonly row: number;
  readonly column: number;
}

function placesOf({ chunks, every }: PlaneRequest & { readonly every: number }): Set<ChunkPlace> {
  const places = new Set<ChunkPlace>();
  if (every === 0) return places;
  for (let row = 0; row < chunks.rows; row += every) {
    for (let column = 0; column < chunks.columns; column += every) places.add({ row, column });
  }
  return places;
}

/** Places looked at before one off the screen is taken. */
const MAX_LOOKED = 2000;

function takeNext(places: Set<ChunkPlace>, isSeen: IsSeen): ChunkPlace | undefined {
  let any: ChunkPlace | undefined;
  let looked = 0;
  for (const place of places) {
    any ??= place;
    looked += 1;
    if (looked > MAX_LOOKED) break;
    if (!isSeen(place.row, place.column)) continue;
    any = place;
    break;
  }
  if (any !== undefined) places.delete(any);
  return any;
}

/** `undefined` where it was cancelled. */
async function readTile(
  { engine, known }: Pick<Reader, "engine" | "known">,
  { set, array, plane, chunks, steps, scaled, shape, chunkShape }: PlaneRequest,
  { row, column }: ChunkPlace,
  signal: AbortSignal,
): Promise<PlaneTile | undefined> {
  const coordinates = chunks.at(row, column);
  const name = coordinates.join(".");
  const failed = (error: Finding) => failedTile({ plane, steps, shape, chunks: chunkShape }, coordinates, error);
  const before = known?.get(name);
  if (before !== undefined) return failed(before);
  try {
    const tile = await engine.call("plane.tile", { set, array, plane, coordinates, steps, scaled }, { signal });
    if (tile.kind === "failed") known?.set(name, tile.error);
    return tile;
  } catch (error) {
    return isAbort(error) || signal.aborted ? undefined : failed(findingOfError(error, "Reading the chunk"));
  }
}

// Slices that were read whole, so that going back to one shows it at once.

/** Bytes of values. */
const MAX_BYTES = 64 * 1024 ** 2;

/** The last ones looked at. */
export function keptPlanes(most = MAX_BYTES) {
  const kept = new Map<string, PlaneValues>();
  let bytes = 0;
  return {
    get: (key: string) => kept.get(key),
    /** Only what has all its values: a chunk that failed may be there the next time. */
    keep(key: string, plane: PlaneValues) {
      const size = plane.values.byteLength;
      const isWhole = plane.looks.every((look) => look === "read" || look === "missing");
      if (!isWhole || size > most / 2) return;
      bytes += size - (kept.get(key)?.values.byteLength ?? 0);
      kept.delete(key);
      kept.set(key, plane);
      for (const [oldest, { values }] of kept) {
        if (bytes <= most) break;
        kept.delete(oldest);
        bytes -= values.byteLength;
      }
    },
  };
}
