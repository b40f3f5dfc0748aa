import { useState } from "react";
import type { Reading } from "../../core/reading.ts";
import { remember, remembered } from "../../store/browser-storage.ts";
import type { Plane } from "../../widgets/cell-map/plane.ts";
import { isColormap, type Colormap } from "../../widgets/colormap.ts";
import { fitShown } from "./shown-dimensions.ts";
import type { RangeChoice } from "./value-range.ts";
import type { ValueTab } from "./value-tabs.ts";

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

export function useValueView(reading: Reading | undefined): ValueView {
  const [chosen, setChosen] = useState<Partial<ValueView>>({});
  const { tab, scaled = false, range = { mode: "slice", from: "", to: "" } } = chosen;
  return {
    tab,
    stage: chosen.stage,
    scaled: scaled && reading?.values?.scaling !== undefined,
    colormap: chosen.colormap ?? rememberedColormap(),
    range,
    shown: fitShown(chosen.shown, reading?.values?.inside ?? []),
    change: (part) => {
      if (part.colormap !== undefined) remember(PLACE, part.colormap);
      setChosen((before) => ({ ...before, ...part }));
    },
  };
}

function rememberedColormap(): Colormap {
  const stored = remembered(PLACE);
  return isColormap(stored) ? stored : "viridis";
}
