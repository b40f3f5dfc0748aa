/** Pictures of the arrays that the first causes lie in, where they cost little: what they took is told. */
import { useEffect, useState } from "react";
import { isAbort } from "../../core/errors.ts";
import type { App } from "../../store/app-store.ts";
import { useApp } from "../../store/react.tsx";
import { hasThumbnail, keepPixels } from "../../widgets/thumbnails.ts";
import { reachOf } from "./cause-reach.ts";
import type { NodesByPath } from "./chunk-of-key.ts";
import type { ListedFinding } from "./findings.ts";

/** Causes that are seen at first, and arrays of them: each may take `PICTURE_BUDGET`. */
const [EARLY, MOST_ARRAYS] = [12, 4];

export interface PicturesTaken {
  readonly pictures: number;
  readonly bytes: number;
}

/** By set and array, for as long as the page lives: what did not come is not asked for again. */
const TAKEN = new Map<number, Map<string, PicturesTaken>>();

/** `isReady`: what matters more has come. */
export function useCausePictures(
  set: number,
  findings: readonly ListedFinding[],
  nodes: NodesByPath,
  isReady: boolean,
): PicturesTaken {
  const app = useApp();
  const [, setCount] = useState(0);
  const wanted = JSON.stringify(isReady ? earlyArrays(findings, nodes) : []);
  const taken = TAKEN.get(set) ?? new Map<string, PicturesTaken>();
  TAKEN.set(set, taken);
  useEffect(() => {
    const controller = new AbortController();
    const read = { app, set, nodes, signal: controller.signal };
    const all = async () => {
      for (const path of JSON.parse(wanted) as readonly string[]) {
        if (taken.has(path) || taken.size >= MOST_ARRAYS || hasThumbnail(set, path)) continue;
        taken.set(path, await picture(read, path));
        setCount((count) => count + 1);
      }
    };
    // The map of lengths stays; why something cannot be read is told where it is read by hand.
    all().catch((error: unknown) => {
      if (!isAbort(error)) setCount((count) => count + 1);
    });
    return () => {
      controller.abort(new DOMException("The causes are no longer shown.", "AbortError"));
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the names of the arrays are what it depends on
  }, [app, set, wanted]);
  const sum = (of: (one: PicturesTaken) => number) => [...taken.values()].reduce((total, one) => total + of(one), 0);
  return { pictures: sum(({ pictures }) => pictures), bytes: sum(({ bytes }) => bytes) };
}

function earlyArrays(findings: readonly ListedFinding[], nodes: NodesByPath): readonly string[] {
  const causes = findings.filter(({ explained }) => explained.severity !== "info").slice(0, EARLY);
  return [...new Set(causes.flatMap((one) => reachOf(one, nodes)?.array ?? []))].slice(0, MOST_ARRAYS);
}

interface Reading {
  readonly app: App;
  readonly set: number;
  readonly nodes: NodesByPath;
  readonly signal: AbortSignal;
}

/** Milliseconds after which it is said that something is under way. */
const SHOW_AFTER = 300;

async function picture({ app, set, nodes, signal }: Reading, path: string): Promise<PicturesTaken> {
  const node = nodes.get(path);
  if (node === undefined) return NOTHING;
  await untilQuiet(app, signal);
  const of = { set, node, nodes: [...nodes.values()] };
  const read = await app.tasks.run(
    "check-picture",
    `Reading a picture of ${path}`,
    async (options) => {
      const { readPicture } = await import("./array-picture.ts");
      return readPicture(app.engine, of, AbortSignal.any([signal, options.signal]));
    },
    SHOW_AFTER,
  );
  if (read?.pixels !== undefined) keepPixels(set, path, read.pixels);
  return read === undefined ? NOTHING : { pictures: 1, bytes: read.bytes };
}

const PAUSE_MS = 100;

/** Repairs, which are looked for in a limited time, come first. */
async function untilQuiet({ engine, store }: App, signal: AbortSignal): Promise<void> {
  while (engine.pending > 0 || store.getState().tasks.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal.throwIfAborted();
  }
}

const NOTHING: PicturesTaken = { pictures: 0, bytes: 0 };
