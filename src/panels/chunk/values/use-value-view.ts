import { useState } from "react";
import type { Reading } from "../../../core/reading.ts";
import { remember, remembered } from "../../../store/browser-storage.ts";
import { chunkStart } from "../../../core/metadata/chunk-grid.ts";
import { useActions, useAppState } from "../../../store/react.tsx";
import type { ChunkArray } from "../chunk-words.ts";
import type { Plane } from "../../../widgets/cell-map/plane.ts";
import { isColormap, type Colormap } from "../../../widgets/values/colormap.ts";
import { fitShown } from "../shown-dimensions.ts";
import type { RangeChoice } from "../value-range.ts";
import type { ValueTab } from "../value-tabs.ts";

/** How the user wants to see values: kept from chunk to chunk of one array. */
export interface ValueView {
  readonly tab: ValueTab | undefined;
  /** Stage whose bytes are shown, as chosen: the reading may have none there. */
  readonly stage: number | undefined;
  /** True only where the reading has a scaled view. */
  readonly scaled: boolean;
  readonly colormap: Colormap;
  readonly range: RangeChoice;
  readonly shown: Plane;
  readonly change: (part: Partial<Omit<ValueView, "change">>) => void;
}

const PLACE = "refscope.chunk.1";

/** The cursor is at the element that is looked at elsewhere too, and takes it along. */
export function useValueView(reading: Reading | undefined, { chunks }: Pick<ChunkArray, "chunks">): ValueView {
  const actions = useActions();
  const point = useAppState((state) => state.point);
  const [chosen, setChosen] = useState<Partial<ValueView>>({});
  const inside = reading?.values?.inside ?? [];
  const start = chunkStart(reading?.coordinates ?? [], chunks);
  const shown = fitShown(chosen.shown, inside);
  const at = pointInside(point, start, inside);
  const { tab, scaled = false, range = { mode: "slice", from: "", to: "" } } = chosen;
  return {
    tab,
    stage: chosen.stage,
    scaled: scaled && reading?.values?.scaling !== undefined,
    colormap: chosen.colormap ?? rememberedColormap(),
    range,
    shown: at === undefined ? shown : { ...shown, at },
    change: (part) => {
      if (part.colormap !== undefined) remember(PLACE, part.colormap);
      setChosen((before) => ({ ...before, ...part }));
      if (part.shown !== undefined && start.length === part.shown.at.length) {
        const { at } = part.shown;
        actions.showPlace({ point: start.map((first, dimension) => first + (at[dimension] ?? 0)) });
      }
    },
  };
}

/** Position in the chunk of an element of the array; `undefined` where it lies elsewhere. */
export function pointInside(
  point: readonly number[] | undefined,
  start: readonly number[],
  inside: readonly number[],
): readonly number[] | undefined {
  if (point?.length !== inside.length || start.length !== inside.length) return undefined;
  const at = point.map((one, dimension) => one - (start[dimension] ?? 0));
  return at.every((one, dimension) => one >= 0 && one < (inside[dimension] ?? 0)) ? at : undefined;
}

function rememberedColormap(): Colormap {
  const stored = remembered(PLACE);
  return isColormap(stored) ? stored : "viridis";
}
