/**
 * Pictures of the arrays that the first causes lie in: planes, thinned, where they cost little. What they took is
 * told.
 */
import { useEffect, useState } from "react";
import { reachOf } from "#core/check/cause-reach.ts";
import { isAbort } from "#core/findings/finding.ts";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import type { NodeSummary } from "#core/open-set.ts";
import { isWithin, type ReadingBudget, unasked } from "#core/plane/plane-budget.ts";
import type { Plane, PlaneCost } from "#core/plane/plane.ts";
import type { App } from "#store/app-store.ts";
import { useApp } from "#store/react.tsx";
import { hasPlanes, isPlaneTurned, readSmallPlane } from "#store/small-plane.ts";
import { untilQuiet } from "#store/tasks.ts";
import { paintHinted } from "#widgets/cell-map/paint-values.ts";
import { hasThumbnail, keepPixels, THUMBNAIL, thumbnailValues } from "#widgets/values/thumbnails.ts";
import type { ListedFinding } from "./findings.ts";

/** Causes that are seen at first, and arrays of them: each may take `PICTURE_BUDGET`. */
const [EARLY, MOST_ARRAYS] = [12, 4];
/** Milliseconds after which it is said that something is under way. */
const SHOW_AFTER = 300;

/**
 * Bytes that the picture of each array took, by set, for as long as the page lives; `undefined` if it was not taken. Failed
 * ones are not requested again.
 */
const TAKEN = new Map<number, Map<string, number | undefined>>();

/** `isReady`: what matters more has come. */
export function useCausePictures(
  set: number,
  findings: readonly ListedFinding[],
  nodes: NodesByPath,
  isReady: boolean,
) {
  const app = useApp();
  const [, setCount] = useState(0);
  const wanted = JSON.stringify(isReady ? earlyArrays(findings, nodes) : []);
  const taken = TAKEN.get(set) ?? new Map<string, number | undefined>();
  TAKEN.set(set, taken);
  useEffect(() => {
    const controller = new AbortController();
    const all = async () => {
      for (const path of JSON.parse(wanted) as readonly string[]) {
        if (taken.has(path) || taken.size >= MOST_ARRAYS || hasThumbnail(set, path)) continue;
        taken.set(path, await takePicture(app, { set, path, nodes }, controller.signal));
        setCount((count) => count + 1);
      }
    };
    // Keep the length map. The reason is shown when the user reads the chunk.
    all().catch((error: unknown) => {
      if (!isAbort(error)) setCount((count) => count + 1);
    });
    return () => {
      controller.abort(new DOMException("The problems are no longer shown.", "AbortError"));
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the names of the arrays are what it depends on
  }, [app, set, wanted]);
  const sizes = [...taken.values()].filter((bytes) => bytes !== undefined);
  return { pictures: sizes.length, bytes: sizes.reduce((total, bytes) => total + bytes, 0) };
}

function earlyArrays(findings: readonly ListedFinding[], nodes: NodesByPath): readonly string[] {
  const causes = findings.filter(({ said }) => said.severity !== "info").slice(0, EARLY);
  return [...new Set(causes.flatMap((one) => reachOf(one, nodes)?.array ?? []))].slice(0, MOST_ARRAYS);
}

/** Keeps the picture of an array, and returns the stored bytes that it took. */
async function takePicture(
  app: App,
  { set, path, nodes }: { readonly set: number; readonly path: string; readonly nodes: NodesByPath },
  signal: AbortSignal,
): Promise<number | undefined> {
  const node = nodes.get(path);
  if (node === undefined) return undefined;
  await untilQuiet(app, signal);
  const of = { set, node, nodes: [...nodes.values()] };
  const read = await app.tasks.run(
    "check-picture",
    `Reading a picture of ${path}`,
    (options) => readPicture(app.engine, of, AbortSignal.any([signal, options.signal])),
    SHOW_AFTER,
  );
  if (read?.pixels !== undefined) keepPixels(set, path, read.pixels);
  return read?.bytes;
}

/** One picture may take so much unasked. */
const PICTURE_BUDGET: ReadingBudget = { requests: 16, bytes: 1024 ** 2 };

/**
 * Reads nothing where it would cost more than `PICTURE_BUDGET`, or the array has no plane of numbers. `pixels`: four bytes
 * each, of the size of a thumbnail; `undefined` where the plane has no values.
 */
async function readPicture(
  engine: App["engine"],
  { set, node, nodes }: { readonly set: number; readonly node: NodeSummary; readonly nodes: readonly NodeSummary[] },
  signal: AbortSignal,
) {
  if (!hasPlanes(node)) return undefined;
  const { path, shape = [] } = node;
  const row = shape.length - 2;
  const plane: Plane = { row, column: row + 1, at: shape.map(() => 0) };
  const takes = (cost: PlaneCost) => isWithin(cost, PICTURE_BUDGET) && unasked.takes(set, cost);
  const read = await readSmallPlane(engine, { set, node, plane, size: THUMBNAIL, takes }, signal);
  // A picture without any read chunk has no known cost.
  if (read === undefined || !read.look.looks.includes("read")) return undefined;
  const isTurned = await isPlaneTurned(engine, { set, array: path, dimension: row }, nodes, signal);
  const { bytes } = read.cost;
  const { minimum, maximum } = read.look;
  if (minimum === undefined || maximum === undefined) return { pixels: undefined, bytes };
  const shown = thumbnailValues(read.look, isTurned);
  return { pixels: paintHinted(shown, { minimum, maximum }, node.colours).pixels, bytes };
}
