/**
 * Pictures of an array at the commits in sight, read one after another where each costs little. Commits of which the log
 * does not touch the array share the picture of their parent.
 */
import { useEffect, useMemo } from "react";
import type { ColourHint } from "#core/cf/colour-hint.ts";
import { isAbort } from "#core/findings/finding.ts";
import { cellCount, chunkStart } from "#core/metadata/chunk-grid.ts";
import type { NodeSummary } from "#core/open-set.ts";
import type { CommitChanges, CommitRow } from "#core/repository.ts";
import { type Plane, planeAlone, type PlaneCost } from "#core/plane/plane.ts";
import { isWithin, type ReadingBudget, unasked } from "#core/plane/plane-budget.ts";
import type { App } from "#store/app-store.ts";
import { useApp, useAppState } from "#store/react.tsx";
import { hasPlanes, isPlaneTurned, readSmallPlane } from "#store/small-plane.ts";
import { type AppState, shownNode } from "#store/state.ts";
import { untilQuiet } from "#store/tasks.ts";
import { firstPlane } from "#widgets/cell-map/plane.ts";
import { paintHinted, type ValueRange } from "#widgets/cell-map/paint-values.ts";
import { pictureUrl, thumbnailValues } from "#widgets/values/thumbnails.ts";
import type { ChangesReader } from "./changes-reader.ts";

/** Pixels; on the page half as many. */
const SIZE = { width: 136, height: 68 } as const;
/** One picture may take so much unasked. */
const BUDGET: ReadingBudget = { requests: 8, bytes: 1024 ** 2 };
/** Requests for the references of one picture. */
const MOST_FETCHED = 4;
/** Commits in a row of which nothing came: no more are tried. */
const MOST_FAILURES = 2;
const MOST_KEPT = 100;
/** Milliseconds in sight before a commit is opened. */
const STAYS = 250;
/** Milliseconds after which it is said that something is under way. */
const SHOW_AFTER = 300;

type Seen = Pick<CommitRow, "id" | "parent" | "row">;

interface Kept extends Partial<ValueRange> {
  readonly row: number;
  /** Absent: nothing can be shown. */
  readonly values?: Float64Array<ArrayBuffer>;
  url?: { readonly text: string | undefined; readonly range: ValueRange };
}

interface Pictured {
  readonly path: string;
  readonly plane: Plane;
  readonly colours: ColourHint | undefined;
  /** Known from the first that is read: rows count up from the south. */
  readonly north: { isLast?: boolean };
}

export type CommitPictures = ReturnType<typeof commitPictures>;

export function commitPictures(app: AppParts, pictured: Pictured, changes: Pick<ChangesReader, "get">) {
  const seen = new Map<string, Seen>();
  const shelf = pictureShelf(pictured);
  const listeners = new Set<() => void>();
  let running: { readonly id: string; readonly controller: AbortController } | undefined;
  let failures = 0;

  const shown = () => shownIn(app.store.getState());
  const next = (): void => {
    const open = shown();
    if (running !== undefined || seen.size === 0 || open === undefined || failures >= MOST_FAILURES) return;
    const known = [...seen.values()].filter(({ id }) => changes.get(id) !== undefined);
    shelf.join(known, (id) => !touches(changes.get(id), pictured.path));
    const [first] = known.filter(({ id }) => !shelf.has(id)).toSorted((a, b) => a.row - b.row);
    // The open snapshot first: where it is not cheap, others are not opened at all.
    const id = shelf.has(open.id) ? first?.id : open.id;
    if (id !== undefined) void run(id, open);
    for (const changed of listeners) changed();
  };
  const run = async (id: string, open: Shown) => {
    const controller = new AbortController();
    running = { id, controller };
    const { signal } = controller;
    const work = (options: { readonly signal: AbortSignal }) =>
      read(app, id, { ...pictured, open }, AbortSignal.any([signal, options.signal]));
    try {
      await untilQuiet(app, signal);
      const picture = await app.tasks.run("history-picture", `Reading a picture of ${pictured.path}`, work, SHOW_AFTER);
      shelf.keep(id, { row: seen.get(id)?.row ?? 0, ...picture });
      failures = picture !== undefined ? 0 : id === open.id ? MOST_FAILURES : failures + 1;
    } catch (error) {
      if (!signal.aborted && shown()?.set.id === open.set.id) {
        shelf.keep(id, { row: 0 });
        // Cancelled by hand: none is read any more.
        failures = isAbort(error) ? MOST_FAILURES : failures + 1;
      }
    }
    running = undefined;
    next();
  };
  return {
    next,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    look: shelf.look,
    /** It is read if it stays in sight. What is returned says that it is no longer. */
    see(commit: Seen) {
      const timer = setTimeout(() => {
        seen.set(commit.id, commit);
        next();
      }, STAYS);
      return () => {
        clearTimeout(timer);
        seen.delete(commit.id);
        if (running === undefined) return;
        const { id, controller } = running;
        const isWanted = id === shown()?.id || [...seen.keys()].some((one) => shelf.isSame(one, id));
        if (seen.size === 0 || !isWanted) controller.abort(new DOMException("No longer in sight.", "AbortError"));
      };
    },
  };
}

/** Keeps what was read, by snapshot: those that look the same have one picture. */
function pictureShelf({ colours }: Pictured) {
  const kept = new Map<string, Kept>();
  const linked = new Map<string, string>();
  /** The one that stands for all that look the same. */
  const standsFor = (id: string): string => {
    let root = id;
    for (let to = linked.get(root); to !== undefined; to = linked.get(root)) root = to;
    if (root !== id) linked.set(id, root);
    return root;
  };
  return {
    has: (id: string) => kept.has(standsFor(id)),
    isSame: (one: string, other: string) => standsFor(one) === standsFor(other),
    /** The oldest go first. */
    keep(id: string, picture: Kept) {
      kept.set(standsFor(id), picture);
      for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
    },
    /** `isAlike`: to its parent. */
    join(commits: readonly Seen[], isAlike: (id: string) => boolean) {
      for (const { id, parent } of commits) {
        if (parent === undefined || !isAlike(id)) continue;
        const [from, to] = [standsFor(id), standsFor(parent)];
        const picture = kept.get(from);
        if (from === to) continue;
        linked.set(from, to);
        if (picture !== undefined && !kept.has(to)) kept.set(to, picture);
        kept.delete(from);
      }
    },
    /** Address of the picture; "" where there is none, `undefined` while no commit has one. */
    look: (id: string): string | undefined => {
      const range = rangeOf([...kept.values()]);
      const picture = kept.get(standsFor(id));
      if (range === undefined || picture?.values === undefined) return range && "";
      if (picture.url?.range !== range) {
        const { pixels } = paintHinted(picture.values, range, colours);
        picture.url = { text: pictureUrl(new ImageData(pixels, SIZE.width, SIZE.height)), range };
      }
      return picture.url.text ?? "";
    },
  };
}

type AppParts = Pick<App, "engine" | "store" | "tasks" | "actions">;

type Shown = NonNullable<ReturnType<typeof shownIn>>;

/** The open set, and the id of its snapshot. */
function shownIn({ set }: AppState) {
  return set?.repository === undefined ? undefined : { set, id: set.repository.shown.snapshot };
}

/** Range of the newest that has values: colours of all mean the same. */
const rangeOf = (all: readonly Kept[]): ValueRange | undefined =>
  all.filter(({ values }) => values !== undefined).toSorted((a, b) => a.row - b.row)[0] as ValueRange | undefined;

interface Read extends Pictured {
  readonly open: Shown;
}

/**
 * Reads the picture of a snapshot: `undefined` where it costs too much or does not come; an empty one where the snapshot
 * has no such values.
 */
async function read(
  { engine, actions }: AppParts,
  id: string,
  { path, plane, north, open }: Read,
  signal: AbortSignal,
): Promise<Partial<Kept> | undefined> {
  const isOpen = open.id === id;
  const set = isOpen ? open.set : await actions.openBeside(`snapshot:${id}`, { signal });
  try {
    const node = set?.nodes.find((one) => one.path === path);
    if (set === undefined || node === undefined || !isFit(node, plane)) return {};
    const takes = (cost: PlaneCost) => {
      unasked.fetched(open.set.id, (cost.fetched ?? 0) + (isOpen ? 0 : 1));
      return isWithin(cost, BUDGET) && unasked.takes(open.set.id, cost);
    };
    const fetch = Math.min(MOST_FETCHED, unasked.requests(open.set.id));
    const answer = await readSmallPlane(engine, { set: set.id, node, plane, size: SIZE, fetch, takes }, signal);
    if (answer === undefined || (answer.look.failed.size > 0 && !answer.look.looks.includes("read"))) return undefined;
    const of = { set: set.id, array: path, dimension: plane.row ?? 0 };
    north.isLast ??= await isPlaneTurned(engine, of, set.nodes, signal);
    const { minimum, maximum } = answer.look;
    if (minimum === undefined || maximum === undefined) return {};
    return { minimum, maximum, values: thumbnailValues(answer.look, north.isLast, SIZE) };
  } finally {
    if (set !== undefined && !isOpen) engine.call("set.close", { set: set.id }).catch(() => undefined);
  }
}

const isFit = (node: NodeSummary, { at }: Plane): boolean =>
  hasPlanes(node) &&
  node.shape?.length === at.length &&
  node.shape.every((length, dimension) => (at[dimension] ?? 0) < length);

/** Tells if the array may be another than the parent's: what no log names, too, may be. */
export function touches(changes: CommitChanges | "failed" | undefined, array: string): boolean {
  if (changes === undefined || changes === "failed" || changes.isUntold) return true;
  const isIt = (path: string | undefined) => path === undefined || path === array;
  const isAbove = (path: string | undefined) => isIt(path) || path === "" || array.startsWith(`${path}/`);
  return (
    changes.arrays.some(({ path }) => isIt(path)) ||
    changes.nodes.some(({ kind, path, before }) =>
      kind === "updated" ? isIt(path) : isAbove(path) || (before !== undefined && isAbove(before)),
    )
  );
}

/** Pictures of the selected array, else of the largest; `undefined` where it has no plane of numbers. */
export function useCommitPictures(changes: ChangesReader): CommitPictures | undefined {
  const app = useApp();
  const nodes = useAppState(({ set }) => set?.nodes);
  const selected = useAppState(shownNode);
  const node = useMemo(() => (selected?.kind === "array" ? selected : largest(nodes ?? [])), [nodes, selected]);
  const plane = useAppState((state) => node && hasPlanes(node) && JSON.stringify(planeIn(state, node)));
  const path = node?.path;
  const colours = JSON.stringify(node?.colours ?? null);
  const pictures = useMemo(() => {
    if (path === undefined || typeof plane !== "string") return undefined;
    const hint = (JSON.parse(colours) ?? undefined) as ColourHint | undefined;
    return commitPictures(app, { path, plane: JSON.parse(plane) as Plane, colours: hint, north: {} }, changes);
  }, [app, path, plane, colours, changes]);
  useEffect(() => pictures && changes.subscribe(pictures.next), [pictures, changes]);
  return pictures;
}

/** Finds the array that the overview has first: that of most dimensions. */
function largest(nodes: readonly NodeSummary[]): NodeSummary | undefined {
  const size = ({ shape = [] }: NodeSummary) => cellCount(shape);
  const rank = ({ shape = [] }: NodeSummary) => shape.length;
  const better = (one: NodeSummary, other: NodeSummary) => rank(other) - rank(one) || size(other) - size(one);
  return nodes.filter(hasPlanes).toSorted(better)[0];
}

/** Finds the slice that Data shows, or would show. */
function planeIn({ node: selected, slice, point, chunk }: AppState, node: NodeSummary): Plane {
  const { path, shape = [], chunks = [] } = node;
  if (selected !== path) return planeAlone(firstPlane(shape));
  if (slice !== undefined && isFit(node, slice.plane)) return slice.plane;
  return planeAlone(firstPlane(shape, point ?? (chunk && chunkStart(chunk, chunks))));
}
