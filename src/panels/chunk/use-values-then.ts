/** Values of one element in older snapshots, read one snapshot after another. */
import { useEffect, useState } from "react";
import type { ChunkEvent } from "#core/blame.ts";
import { isAbort } from "#core/findings/finding.ts";
import { chunkStart } from "#core/metadata/chunk-grid.ts";
import { readableNumber } from "#core/values/number-text.ts";
import type { App } from "#store/app-store.ts";
import { useApp } from "#store/react.tsx";
import type { ChunkArray } from "./chunk-words.ts";
import { pointInside } from "./values/use-value-view.ts";
import { decimalsOf } from "./values/painting.ts";
import { shownDate } from "./values/value-words.ts";

interface Element {
  readonly array: ChunkArray;
  /** Coordinates of its chunk. */
  readonly coordinates: readonly number[];
  readonly element: readonly number[];
  readonly scaled: boolean;
}

/** Stored bytes, and snapshots, that are read unasked. */
const FREE = { bytes: 1_000_000, snapshots: 8 } as const;

export function useValuesThen(events: readonly ChunkEvent[], place: Element) {
  const app = useApp();
  const [asked, setAsked] = useState(false);
  const written = events.filter(({ did, commit }) => did === "wrote" && !commit.expired);
  const bytes = written.reduce((sum, { reference }) => sum + Number(reference?.length ?? 0), 0);
  const isFree = bytes <= FREE.bytes && written.length <= FREE.snapshots;
  const { array, ...rest } = place;
  const question = JSON.stringify({ ...rest, path: array.path, snapshots: written.map(({ commit }) => commit.id) });
  const [known, setKnown] = useState({ question, texts: new Map<string, string>() });
  const isOn = asked || isFree;
  useEffect(() => {
    if (!isOn) return undefined;
    const controller = new AbortController();
    const { snapshots, ...at } = JSON.parse(question) as Omit<Element, "array"> & {
      readonly snapshots: readonly string[];
    };
    const read = async () => {
      for (const id of snapshots) {
        const text = await valueIn(app, id, { ...at, array }, controller.signal);
        if (controller.signal.aborted) return;
        setKnown((before) => ({
          question,
          texts: new Map([...(before.question === question ? before.texts : []), [id, text] as const]),
        }));
      }
    };
    read().catch(() => undefined);
    return () => controller.abort();
  }, [app, question, array, isOn]);
  const texts = known.question === question ? known.texts : new Map<string, string>();
  return { texts, bytes, ask: isOn || written.length === 0 ? undefined : () => setAsked(true) };
}

async function valueIn(app: App, snapshot: string, place: Element, signal: AbortSignal): Promise<string> {
  const { engine, actions } = app;
  const { array, coordinates, element, scaled } = place;
  const set = await actions.openBeside(`snapshot:${snapshot}`, { signal }).catch(() => undefined);
  if (set === undefined) return "not read";
  try {
    const reading = await engine.call("chunk.read", { set: set.id, array: array.path, coordinates }, { signal });
    const { values } = reading;
    const fixed = values && pointInside(element, chunkStart(coordinates, array.chunks), values.inside);
    if (values === undefined || fixed === undefined) return "not read";
    const isScaled = scaled && values.scaling !== undefined;
    const spec = { reading: reading.id, fixed, scaled: isScaled, rowDimension: undefined, columnDimension: undefined };
    const one = { from: 0, to: 1 };
    const cells = await engine.call(
      "chunk.cells",
      { set: set.id, spec: { ...spec, rows: one, columns: one } },
      { signal },
    );
    const text = cells.texts[0]?.[0];
    if (text === null || text === undefined) return "no data";
    return values.numeric ? shownDate(readableNumber(text, decimalsOf(values, isScaled))) : text;
  } catch (error) {
    if (isAbort(error)) throw error;
    return "not read";
  } finally {
    engine.call("set.close", { set: set.id }).catch(() => undefined);
  }
}
