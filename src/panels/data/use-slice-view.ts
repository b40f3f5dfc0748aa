/** What of the array is shown, and how. */
import { useState } from "react";
import { firstPlane, type Plane } from "../../widgets/cell-map/plane.ts";
import { COLORMAPS, isColormap, type Colormap } from "../../widgets/colormap.ts";
import { useAppState, useCommand } from "../../store/react.tsx";
import type { RangeChoice } from "./colour-range.ts";

export interface SliceView {
  readonly plane: Plane;
  readonly scaled: boolean;
  readonly colormap: Colormap;
  readonly range: RangeChoice;
  readonly edges: boolean;
  /** Every n-th chunk is read; absent while what is free is read. */
  readonly every: number | undefined;
  /** Rows that count up from the south are turned round. */
  readonly northUp: boolean;
  /** Degrees of both are drawn alike long, where both are degrees. */
  readonly equalAspect: boolean;
}

const FIRST: Omit<SliceView, "plane"> = {
  scaled: true,
  colormap: "viridis",
  range: { mode: "slice", logarithmic: false },
  edges: true,
  every: undefined,
  northUp: true,
  equalAspect: false,
};

export { COLORMAPS, isColormap };

/** Begins at the selected chunk; follows it where another one is selected elsewhere. */
export function useSliceView(array: string, shape: readonly number[], chunkShape: readonly number[]) {
  const chunk = useAppState((state) => state.chunk);
  const firstOf = (coordinates: readonly number[] | undefined) =>
    shape.map((_, dimension) => (coordinates?.[dimension] ?? 0) * (chunkShape[dimension] ?? 1));
  const [view, setView] = useState<SliceView>(() => ({ ...FIRST, plane: firstPlane(shape, firstOf(chunk)) }));
  const change = (part: Partial<SliceView>) => {
    setView((before) => ({ ...before, ...part }));
  };
  const [followed, setFollowed] = useState(chunk);
  if (chunk !== followed) {
    setFollowed(chunk);
    const isElsewhere =
      chunk !== undefined &&
      chunk.length === shape.length &&
      chunk.some((at, dimension) => Math.floor((view.plane.at[dimension] ?? 0) / (chunkShape[dimension] ?? 1)) !== at);
    if (isElsewhere) change({ plane: { ...view.plane, at: firstOf(chunk) } });
  }
  useCommand("show-slice", (command) => {
    if (command.array === array) change({ plane: { ...view.plane, at: firstOf(command.at) } });
  });
  return { view, change };
}
